/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "traffic/trace_format.h"

#include "base/text.h"

#define NOT_YET "is not in this version"
#define NO_TIME "has no arrival times: it cannot be replayed"

/* Known, and told apart from those that can be read: what gives each away, and why it is refused.
 */
static const struct trace_format multimodal = {
	.name = "Azure multimodal 2025",
	.field = {"TIMESTAMP", "NumImages"},
	.refused = NOT_YET,
};
static const struct trace_format lengths_only = {
	.name = "Vidur lengths",
	.field = {"num_prefill_tokens", "num_decode_tokens"},
	.refused = NO_TIME,
};
static const struct trace_format swissai = {
	.name = "SwissAI serving",
	.field = {"created_at", "prompt_tokens", "output_tokens"},
	.refused = NOT_YET,
};
/* Mooncake's keys, but seconds. */
static const struct trace_format bailian = {
	.name = "Qwen-Bailian",
	.json = true,
	.field = {"timestamp", "input_length", "output_length", "parent_chat_id"},
	.refused = NOT_YET,
};
static const struct trace_format servegen_offline = {
	.name = "ServeGen offline",
	.json = true,
	.field = {"request_id", "type", "input_length"},
	.refused = NO_TIME,
};
static const struct trace_format aibrix = {
	.name = "AIBrix",
	.json = true,
	.field = {"timestamp", "requests"},
	.refused = NOT_YET,
};
static const struct trace_format llmservingsim = {
	.name = "LLMServingSim",
	.json = true,
	.field = {"input_toks", "output_toks", "arrival_time_ns"},
	.refused = NOT_YET,
};
static const struct trace_format copilot = {
	.name = "GitHub Copilot sessions",
	.json = true,
	.field = {"session_id", "turns"},
	.refused = NOT_YET,
};

const struct trace_format *const trace_formats[] = {
	&multimodal,	   &trace_azure, &trace_burstgpt, &trace_vidur,	   &trace_splitwise,
	&lengths_only,	   &swissai,	 &bailian,	  &trace_ragpulse, &trace_mooncake,
	&servegen_offline, &aibrix,	 &llmservingsim,  &copilot,	   NULL,
};

const struct trace_format *trace_format_by_extension(const char *file)
{
	for (const struct trace_format *const *f = trace_formats; *f; f++)
		if ((*f)->extension && text_ends(file, (*f)->extension))
			return *f;
	return NULL;
}
