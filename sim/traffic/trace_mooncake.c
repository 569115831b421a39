/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Mooncake (github.com/kvcache-ai/Mooncake): lines of JSON, milliseconds; hash_ids are not used
 * yet. */
#include <inttypes.h>

#include "traffic/trace_format.h"

/* Whole milliseconds, as the format has them. */
static void write_row(FILE *to, const struct trace_request *r)
{
	fprintf(to,
		"{\"timestamp\": %" PRId64 ", \"input_length\": %" PRId64
		", \"output_length\": %" PRId64 "}\n",
		(r->arrival_ns + 500000) / 1000000, r->input_tokens, r->output_tokens);
}

const struct trace_format trace_mooncake = {
	.name = "mooncake",
	.help = "Mooncake, lines of JSON with times in ms",
	.json = true,
	.field = {"timestamp", "input_length", "output_length"},
	.time = trace_text_milliseconds,
	.extension = ".jsonl",
	.write = write_row,
};
