/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Vidur's replay files (github.com/microsoft/vidur), also of the Splitwise traces. */
#include <inttypes.h>

#include "traffic/trace_format.h"

/* Seconds with as many decimals as there are. */
static void write_row(FILE *to, const struct trace_request *r)
{
	int64_t s = r->arrival_ns / 1000000000, ns = r->arrival_ns % 1000000000;
	int places = 9;

	while (places && ns % 10 == 0) {
		ns /= 10;
		places--;
	}
	if (places)
		fprintf(to, "%" PRId64 ".%0*" PRId64, s, places, ns);
	else
		fprintf(to, "%" PRId64, s);
	fprintf(to, ",%" PRId64 ",%" PRId64 "\n", r->input_tokens, r->output_tokens);
}

const struct trace_format trace_vidur = {
	.name = "vidur",
	.help = "Vidur and Splitwise: arrived_at, num_prefill_tokens, num_decode_tokens",
	.field = {"arrived_at", "num_prefill_tokens", "num_decode_tokens"},
	.time = trace_text_seconds,
	.extension = ".csv",
	.heading = "arrived_at,num_prefill_tokens,num_decode_tokens",
	.write = write_row,
};
