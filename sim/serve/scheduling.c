/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "serve/scheduling.h"

#include <math.h>

#include "base/count.h"
#include "serve/discipline.h"
#include "serve/router_kind.h"

#define FIELDS(table) .fields = COUNT(table), .field = (table)

static const char *const admissions[] = {"full-sequence", "first-chunk", "whole-request", NULL};
static const char *const policies[] = {"fcfs", "!priority", "!shortest-first", NULL};
static const char *const preemptions[] = {"recompute", "!swap", NULL};

static const struct field scheduling_fields[] = {
	{.key = "schedule_ahead",
	 .help = "steps composed ahead: 1 if the next step is composed while the current one runs",
	 .def = "1",
	 .kind = FIELD_INT,
	 .offset = offsetof(struct scheduling, schedule_ahead),
	 .max = 1},
	{.key = "max_num_seqs",
	 .help = "sequences in a step at most; auto: the profile's rule by GPU memory",
	 .def = "\"auto\"",
	 .kind = FIELD_INT,
	 .offset = offsetof(struct scheduling, max_num_seqs),
	 .min = 1,
	 .max = 1e6,
	 .flags = FIELD_AUTO},
	{.key = "max_num_batched_tokens",
	 .help = "tokens in a step at most, at least max_num_seqs; auto: the profile's rule",
	 .def = "\"auto\"",
	 .kind = FIELD_INT,
	 .offset = offsetof(struct scheduling, max_num_batched_tokens),
	 .min = 1,
	 .max = 1e7,
	 .flags = FIELD_AUTO},
	{.key = "max_model_len",
	 .help = "context, prompt and output together; auto: what the traffic can ask for",
	 .def = "\"auto\"",
	 .kind = FIELD_INT,
	 .offset = offsetof(struct scheduling, max_model_len),
	 .min = 1,
	 .max = 1e9,
	 .flags = FIELD_AUTO},
	{.key = "scheduler",
	 .help = "how steps are filled",
	 .def = "\"continuous\"",
	 .kind = FIELD_CHOICE,
	 .offset = offsetof(struct scheduling, scheduler),
	 .of = discipline_names},
	{.key = "admission",
	 .help = "blocks that must be free for a request to join: its whole sequence known so far, "
		 "its first chunk, or prompt and output, which it then holds to its end",
	 .def = "\"full-sequence\"",
	 .kind = FIELD_CHOICE,
	 .offset = offsetof(struct scheduling, admission),
	 .of = admissions},
	{.key = "chunked_prefill",
	 .help = "whether a prompt may be spread over several steps",
	 .def = "true",
	 .kind = FIELD_BOOL,
	 .offset = offsetof(struct scheduling, chunked_prefill)},
	{.key = "policy",
	 .help = "order of the queue",
	 .def = "\"fcfs\"",
	 .kind = FIELD_CHOICE,
	 .offset = offsetof(struct scheduling, policy),
	 .of = policies},
	{.key = "preemption",
	 .help = "what happens to a sequence whose blocks are taken away",
	 .def = "\"recompute\"",
	 .kind = FIELD_CHOICE,
	 .offset = offsetof(struct scheduling, preemption),
	 .of = preemptions},
	{.key = "prefix_caching", .kind = FIELD_BOOL, .flags = FIELD_NOT_YET},
	{.key = "max_batch",
	 .help = "requests of a static batch at most; not given: max_num_seqs",
	 .kind = FIELD_INT,
	 .offset = offsetof(struct scheduling, max_batch),
	 .min = 1,
	 .max = 1e6},
	{.key = "max_delay_ms",
	 .help = "how long a static batch waits to be full, from its first request on; not given: "
		 "0 [ms]",
	 .kind = FIELD_REAL,
	 .offset = offsetof(struct scheduling, max_delay),
	 .scale = 1e-3,
	 .max = 1e9},
};

/* Keys that the scheduler has no use for. */
static bool check_batch(const struct scheduling *s, struct diag *d)
{
	const struct discipline *with = disciplines[s->scheduler]; /* NULL: not built */
	bool sized = s->max_batch != RECORD_INT_UNSET;
	if (!with || !with->joins || (!sized && isnan(s->max_delay)))
		return true;
	diag_path(d, sized ? "max_batch" : "max_delay_ms");
	return diag_fail(d,
			 "the scheduler \"%s\" makes no batches that requests wait for: only "
			 "\"static\" does",
			 with->name);
}

static bool check_scheduling(const void *object, struct diag *d)
{
	const struct scheduling *s = object;
	if (!check_batch(s, d))
		return false;
	if (s->max_num_seqs == RECORD_INT_UNSET || s->max_num_batched_tokens == RECORD_INT_UNSET)
		return true;
	if (s->max_num_batched_tokens >= s->max_num_seqs)
		return true;
	diag_path(d, "max_num_batched_tokens");
	return diag_fail(d, "%lld tokens a step are fewer than max_num_seqs, %lld",
			 (long long)s->max_num_batched_tokens, (long long)s->max_num_seqs);
}

const struct record scheduling_record = {
	.name = "engine",
	.size = sizeof(struct scheduling),
	FIELDS(scheduling_fields),
	.check = check_scheduling,
};

static const struct field length_share_fields[] = {
	{.key = "input_max",
	 .help = "longest prompt of the class; the last class has none [tokens]",
	 .kind = FIELD_INT,
	 .offset = offsetof(struct length_share, input_max),
	 .min = 1,
	 .max = 1e9},
	{.key = "shares",
	 .help = "of its requests, a pool each; they sum to 1",
	 .kind = FIELD_LIST,
	 .offset = offsetof(struct length_share, shares),
	 .max = 1,
	 .flags = FIELD_REALS | FIELD_REQUIRED},
};

const struct record length_share_record = {
	.name = "length share",
	.size = sizeof(struct length_share),
	FIELDS(length_share_fields),
};

static const struct field deployment_fields[] = {
	{.key = "replicas",
	 .help = "units behind the router: GPUs, or tensor-parallel groups",
	 .def = "1",
	 .kind = FIELD_INT,
	 .offset = offsetof(struct deployment, replicas),
	 .min = 1,
	 .max = 100000},
	{.key = "tensor_parallel",
	 .help = "GPUs a unit, each holding a part of every layer",
	 .def = "1",
	 .kind = FIELD_INT,
	 .offset = offsetof(struct deployment, tensor_parallel),
	 .min = 1,
	 .max = 1024},
	{.key = "pipeline_parallel",
	 .help = "stages a unit, each holding some of the layers; only 1 in this version",
	 .def = "1",
	 .kind = FIELD_INT,
	 .offset = offsetof(struct deployment, pipeline_parallel),
	 .min = 1,
	 .max = 1024},
	{.key = "router",
	 .help = "how a request's unit is chosen",
	 .def = "\"least-loaded\"",
	 .kind = FIELD_CHOICE,
	 .offset = offsetof(struct deployment, router),
	 .of = router_names},
	{.key = "length_shares",
	 .help = "where the length-aware router sends prompts, by classes of their length; left "
		 "out: short prompts to the weaker GPUs, by capacity",
	 .kind = FIELD_LIST,
	 .offset = offsetof(struct deployment, length_shares),
	 .of = &length_share_record},
	{.key = "offload", .kind = FIELD_TEXT, .flags = FIELD_NOT_YET},
};

static bool check_deployment(const void *object, struct diag *d)
{
	const struct deployment *deployment = object;
	if (deployment->pipeline_parallel == 1)
		return true;
	diag_path(d, "pipeline_parallel");
	return diag_fail(d, "pipeline parallelism is not in this version");
}

const struct record deployment_record = {
	.name = "deployment",
	.size = sizeof(struct deployment),
	FIELDS(deployment_fields),
	.check = check_deployment,
};
