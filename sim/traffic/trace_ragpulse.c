/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * RAGPulse (github.com/flashserve/RAGPulse): Mooncake's keys with times in seconds, as strings. Two
 * weeks follow each other in the file, and the clock starts again with the second one.
 */
#include "traffic/trace_format.h"

const struct trace_format trace_ragpulse = {
	.name = "ragpulse",
	.help = "RAGPulse, lines of JSON with times in s",
	.json = true,
	.field = {"timestamp", "input_length", "output_length", "session_id"},
	.time = trace_text_seconds,
	.wrap_ns = INT64_C(7) * 86400 * 1000000000,
};
