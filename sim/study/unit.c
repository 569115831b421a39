/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Settling a unit: precision, limits, memory and step cost of one candidate. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/wide.h"
#include "roofline/llm_cost.h"
#include "serve/discipline.h"
#include "study/evaluate.h"

/* No step may take longer: the clock of a run holds 1.2 * 10^8 s. */
#define STEP_MAX_S 1e6

static void refuse(struct unit *u, enum verdict verdict, const char *reason)
{
	u->verdict = verdict;
	snprintf(u->reason, sizeof u->reason, "%s", reason);
}

static bool settle_precision(struct unit *u, const struct scenario *s, const struct gpu *g,
			     const struct engine *e)
{
	char why[256];

	if (!engine_cost_runs_on(&e->cost, g, why)) {
		refuse(u, VERDICT_UNSUPPORTED, why);
		return false;
	}
	if (precision_settle(&s->precision, &s->model, g, &u->precision, why))
		return true;
	refuse(u, VERDICT_UNSUPPORTED, why);
	return false;
}

/* vLLM's first engine: whatever the GPU, and so that every prompt fits a step (engine/arg_utils.py
 * of 0.7: max(2048, max_model_len)). */
#define WHOLE_PROMPTS_TOKENS 2048

static bool chunks(const struct scheduling *wish)
{
	return wish->chunked_prefill && !disciplines[wish->scheduler]->whole_prompts;
}

/* What `auto` means, but for the prompts that whole ones ask for. */
static void auto_limits(const struct scheduling *wish, const struct gpu *g, int64_t *seqs,
			int64_t *tokens)
{
	memory_auto_limits(g, seqs, tokens);
	if (disciplines[wish->scheduler]->whole_prompts)
		*tokens = WHOLE_PROMPTS_TOKENS;
}

/* A static batch's padded prefill is one step, whatever it holds: this many tokens at most unless
 * told otherwise. */
#define STATIC_TOKENS 262144

/* Tokens of a step, not told: whole prompts always fit. */
static int64_t whole_tokens(const struct scheduling *wish, int64_t tokens, int64_t seqs,
			    int64_t max_model_len)
{
	if (!disciplines[wish->scheduler]->joins)
		tokens = min64(STATIC_TOKENS, seqs * max_model_len);
	return max64(tokens, max_model_len);
}

static void settle_memory(struct unit *u, const struct scenario *s, const struct gpu *g,
			  const struct engine *e)
{
	const struct scheduling *wish = &e->scheduling;
	int64_t seqs, tokens;

	auto_limits(wish, g, &seqs, &tokens);
	if (wish->max_num_seqs != RECORD_INT_UNSET)
		seqs = wish->max_num_seqs;
	if (wish->max_batch != RECORD_INT_UNSET)
		seqs = wish->max_batch;
	if (wish->max_num_batched_tokens != RECORD_INT_UNSET)
		tokens = wish->max_num_batched_tokens;
	struct memory_need need = {.tp = u->tp,
				   .max_model_len = wish->max_model_len,
				   .longest_request = s->facts.total_max,
				   .max_num_seqs = seqs,
				   .max_num_batched_tokens = tokens,
				   .chunked_prefill = chunks(wish)};
	memory_plan(&u->memory, &need, &s->model, g, &u->precision, &e->cost);
	if (wish->max_num_batched_tokens == RECORD_INT_UNSET && !chunks(wish))
		tokens = whole_tokens(wish, tokens, seqs, u->memory.max_model_len);
	u->replica.max_num_seqs = seqs;
	u->replica.max_num_batched_tokens = tokens;
}

/* Either limit may be the profile's own for this GPU: the scenario cannot know. */
static bool check_budget(struct unit *u)
{
	long long tokens = u->replica.max_num_batched_tokens, seqs = u->replica.max_num_seqs;

	if (tokens >= seqs)
		return true;
	u->verdict = VERDICT_UNSUPPORTED;
	snprintf(u->reason, sizeof u->reason,
		 "max_num_batched_tokens is %lld here, below max_num_seqs, %lld: set both", tokens,
		 seqs);
	return false;
}

static void settle_replica(struct unit *u, const struct engine *e)
{
	const struct scheduling *wish = &e->scheduling;
	struct replica_setup *r = &u->replica;

	r->cost = &u->cost;
	r->max_model_len = u->memory.max_model_len;
	r->block_size = e->cost.block_size;
	r->pool_blocks = u->memory.pool_blocks;
	r->schedule_ahead = (int)wish->schedule_ahead;
	r->admission = wish->admission;
	r->scheduler = wish->scheduler;
	r->chunked_prefill = chunks(wish);
	r->max_delay = isnan(wish->max_delay) ? 0 : tick_from_s(wish->max_delay);
	r->stride = INT64_MAX;
}

/* With every slot, the pool and the budget full. */
static double longest_step_s(const struct unit *u)
{
	static const struct work none = {{0}};
	const struct replica_setup *r = &u->replica;
	double held = fmin((double)r->max_num_seqs * (double)r->max_model_len,
			   (double)r->pool_blocks * (double)r->block_size);
	int64_t context = (int64_t)held;
	int64_t tokens = (int64_t)fmin(held, (double)r->max_num_batched_tokens);
	int64_t rows = (int64_t)fmin(held, (double)r->max_num_seqs);
	struct work w = {{[PER_STEP] = 1,
			  [PER_TOKEN] = tokens,
			  [PER_ROW] = rows,
			  [PER_SEQUENCE] = rows,
			  [PER_PAIR] = tokens * r->max_model_len,
			  [PER_CHUNK_CONTEXT] = context,
			  [PER_CONTEXT] = context}};

	return step_cost_price(&u->cost, &w, &none).first_s;
}

static void check_step(struct unit *u)
{
	double s = longest_step_s(u);

	if (s <= STEP_MAX_S)
		return;
	u->verdict = VERDICT_UNSUPPORTED;
	snprintf(u->reason, sizeof u->reason,
		 "a full step takes %.3g s, more than %.0e: the figures cannot be right", s,
		 STEP_MAX_S);
}

void unit_init(struct unit *u, const struct scenario *s, const struct candidate *c, int tp)
{
	const struct gpu *g = &c->gpu;
	const struct engine *e = scenario_engine(s, c);
	char why[128];

	memset(u, 0, sizeof *u);
	step_cost_init(&u->cost);
	u->tp = tp;
	if (!memory_tp_divides(&s->model, tp, why)) {
		refuse(u, VERDICT_UNSUPPORTED, why);
		return;
	}
	if (!settle_precision(u, s, g, e))
		return;
	settle_memory(u, s, g, e);
	if (!check_budget(u))
		return;
	if (!u->memory.fits) {
		refuse(u, VERDICT_DOES_NOT_FIT, u->memory.reason);
		return;
	}
	settle_replica(u, e);
	llm_step_cost(&u->cost, &s->model, g, &u->precision, &e->cost, tp);
	step_cost_tabulate(&u->cost, u->replica.max_num_batched_tokens, u->replica.max_num_seqs);
	check_step(u);
}

void unit_free(struct unit *u)
{
	step_cost_free(&u->cost);
}
