/* SPDX-License-Identifier: GPL-3.0-or-later */
/* libFuzzer: any text is either a document or a located error. Build: cmake --preset fuzz. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_doc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	struct diag d;

	memcpy(text, data, size);
	text[size] = '\0';
	diag_init(&d);
	struct json_doc *doc = json_doc_parse("fuzz", text, &d);
	if (!doc && (!d.set || d.line < 1))
		abort();
	json_doc_del(doc);
	free(text);
	return 0;
}
