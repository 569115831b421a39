/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A replica made into a queue of the textbooks: Poisson arrivals, prompts of one token, answers of
 * as many tokens as the service has steps, and a step cost that is one constant.
 */
#ifndef TESTS_THEORY_QUEUE_H
#define TESTS_THEORY_QUEUE_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/diag.h"
#include "des/rng.h"
#include "near.h"
#include "serve/cluster.h"
#include "serve/discipline.h"
#include "serve/router_kind.h"

enum service_law { CONSTANT, GEOMETRIC, TWO_POINT };

struct queue {
	/* What to simulate. */
	double rate; /* arrivals a second */
	enum service_law law;
	double steps;		     /* mean number of steps of a service */
	double step_s, a_sequence_s; /* a step lasts step_s + n * a_sequence_s */
	int64_t slots, replicas, requests;
	const char *router;
	const struct discipline *discipline; /* NULL: continuous */
	uint64_t seed;
	/* A second pool of as many replicas, whose steps last as long, to which length-aware draws
	 * this share of the requests; 0: there is none. */
	double second_step_s, second_share;
	/* What came of it. */
	struct tally tally;
	/* The stream. */
	gsl_rng *gaps;
	uint64_t key;
	int64_t next;
	double at;
};

/* Second moment of the number of steps over the mean's square. */
static inline double queue_moment(enum service_law law, double mean)
{
	/* Geometric from 1: (2-p)/p^2 with p = 1/mean. Two points: half a mean with 8/9, five means
	 * with 1/9: mean 1, second moment 8/9/4 + 25/9 = 3. */
	return law == CONSTANT ? 1 : law == GEOMETRIC ? 2 - 1 / mean : 3;
}

static inline int32_t queue_steps(const struct queue *q, int64_t number)
{
	double u = rng_uniform_at(q->key, (uint64_t)number);

	if (q->law == GEOMETRIC)
		return (int32_t)(1 + floor(log(u) / log1p(-1 / q->steps)));
	if (q->law == TWO_POINT)
		return (int32_t)(u < 8.0 / 9 ? q->steps / 2 : q->steps * 5);
	return (int32_t)q->steps;
}

static inline bool queue_next(void *from, struct request *r)
{
	struct queue *q = from;

	if (q->next == q->requests)
		return false;
	q->at -= log(gsl_rng_uniform_pos(q->gaps)) / q->rate;
	*r = (struct request){.number = q->next,
			      .arrival = tick_from_s(q->at),
			      .input_tokens = 1,
			      .output_tokens = queue_steps(q, q->next)};
	q->next++;
	return true;
}

static inline int queue_router(const char *name)
{
	for (int i = 0; router_kinds[i]; i++)
		if (!strcmp(router_kinds[i]->name, name))
			return i;
	fail_msg("no router %s", name);
	return -1;
}

static inline int queue_scheduler(const struct discipline *discipline)
{
	for (int i = 0; discipline && disciplines[i]; i++)
		if (disciplines[i] == discipline)
			return i;
	return 0;
}

static inline void queue_cost(struct step_cost *c, double step_s, double a_sequence_s)
{
	step_cost_init(c);
	step_cost_add(c, "step", TERM_FIXED, PER_STEP)->second = step_s;
	step_cost_add(c, "sequence", TERM_FIXED, PER_SEQUENCE)->second = a_sequence_s;
	step_cost_tabulate(c, 1, 1);
}

static inline void queue_run(struct queue *q)
{
	struct step_cost cost, second;
	struct length_route route = {INT64_MAX, {1 - q->second_share, q->second_share}};
	struct feed feed = {.from = q, .next = queue_next};
	struct cluster_setup setup = {
		.pools = 1,
		.pool = {{.replica = {.cost = &cost,
				      .max_num_seqs = q->slots,
				      .max_num_batched_tokens = q->discipline ? 1 << 16 : q->slots,
				      .max_model_len = 1 << 24,
				      .block_size = 1024,
				      .pool_blocks = 1 << 24,
				      .scheduler = queue_scheduler(q->discipline),
				      .chunked_prefill = !q->discipline,
				      .stride = INT64_MAX},
			  .replicas = q->replicas}},
		.router = queue_router(q->router ? q->router : "round-robin"),
		.source.seed = q->seed,
		.tally = {.requests = q->requests,
			  .keep_samples = true,
			  .ttft_limit = TICK_NEVER,
			  .tpot_limit = TICK_NEVER,
			  .e2e_limit = TICK_NEVER},
	};
	struct diag d;

	diag_init(&d);
	queue_cost(&cost, q->step_s, q->a_sequence_s);
	queue_cost(&second, q->second_step_s, 0);
	if (q->second_share > 0) {
		setup.pools = 2;
		setup.pool[1] = setup.pool[0];
		setup.pool[1].replica.cost = &second;
		setup.route = &route;
		setup.routes = 1;
	}
	q->gaps = rng_new(q->seed, "theory gaps", 0);
	q->key = rng_key(q->seed, "theory steps", 0);
	q->next = 0;
	q->at = 0;
	assert_true(cluster_run_feed(&setup, &feed, &q->tally, &d));
	gsl_rng_free(q->gaps);
	step_cost_free(&cost);
	step_cost_free(&second);
}

static inline void queue_free(struct queue *q)
{
	tally_free(&q->tally);
}

/* The first hundredth is warm-up: from an empty system some 100 customers at a load of 0.8. */
static inline int64_t queue_cut(const struct queue *q)
{
	return q->requests / 100;
}

static inline double queue_mean_s(const struct queue *q, const tick *value)
{
	double sum = 0;

	for (int64_t i = queue_cut(q); i < q->requests; i++)
		sum += tick_to_s(value[i]);
	return sum / (double)(q->requests - queue_cut(q));
}

/* The share of requests whose value is above `seconds`. */
static inline double queue_above(const struct queue *q, const tick *value, double seconds)
{
	double n = 0;

	for (int64_t i = queue_cut(q); i < q->requests; i++)
		n += tick_to_s(value[i]) > seconds;
	return n / (double)(q->requests - queue_cut(q));
}

/*
 * Asymptotic variance of the mean wait of an M/M/1 queue, n * Var(mean), service 1: rho (2 + 5 rho
 * - 4 rho^2 + rho^3) / (1 - rho)^4 (Daley 1968; Blomqvist 1967). Other service laws: times
 * ((1 + cv^2) / 2)^3, the scaling of heavy traffic (Whitt 1989).
 */
static inline double mm1_wait_variance(double rho)
{
	return rho * (2 + 5 * rho - 4 * rho * rho + rho * rho * rho) / pow(1 - rho, 4);
}

/* By how much the correlation of successive waits makes n of them worth less: the variance above
 * over n independent waits', rho (2 - rho) / (1 - rho)^2. */
static inline double mm1_correlation(double rho)
{
	return mm1_wait_variance(rho) / (rho * (2 - rho) / ((1 - rho) * (1 - rho)));
}

/* Standard deviation of a share p seen in n correlated customers. */
static inline double share_sd(double p, double rho, double n)
{
	return sqrt(p * (1 - p) * mm1_correlation(rho) / n);
}

#define SIGMAS 4.0

#endif
