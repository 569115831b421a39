/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/foreign_word.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "base/count.h"

static const struct foreign_word {
	const char *word, *name;
} words[] = {
	{"ttft", "ttft_ms"},
	{"tpot", "tpot_ms"},
	{"itl", "itl_ms"},
	{"e2e", "e2e_ms"},
	{"qps", "rate"},
	{"rps", "rate"},
	{"rate_rps", "rate"},
	{"tp", "tensor_parallel"},
	{"tensor_parallel_size", "tensor_parallel"},
	{"dp", "replicas"},
	{"data_parallel_size", "replicas"},
	{"4", "int4"},
	{"4bit", "int4"},
	{"4-bit", "int4"},
	{"awq", "int4"},
	{"gptq", "int4"},
	{"awq-int4", "int4"},
	{"int4-awq", "int4"},
	{"8", "int8"},
	{"8bit", "int8"},
	{"8-bit", "int8"},
};

static const char *among(const char *name, const char *const *names)
{
	for (; *names; names++)
		if (strcmp(*names, name) == 0)
			return *names;
	return NULL;
}

const char *foreign_word_meaning(const char *word, const char *const *names)
{
	for (size_t i = 0; i < COUNT(words); i++)
		if (strcasecmp(words[i].word, word) == 0)
			return among(words[i].name, names);
	return NULL;
}
