/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Input of the Splitwise simulator (github.com/Mutinifni/splitwise-sim). */
#include "traffic/trace_format.h"

const struct trace_format trace_splitwise = {
	.name = "splitwise-sim",
	.help = "Splitwise simulator: arrival_timestamp, prompt_size, token_size",
	.field = {"arrival_timestamp", "prompt_size", "token_size"},
	.time = trace_text_seconds,
};
