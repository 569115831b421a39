/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/saturation.h"

#include <math.h>
#include <stdlib.h>

#include "base/wide.h"
#include "base/xmalloc.h"
#include "serve/router_kind.h"
#include "stats/samples.h"

#define REQUESTS_A_REPLICA 20000
#define BATCHES_A_SLOT	   20
#define REPLICAS_MAX	   16
#define BATCHES		   8
#define LEVEL		   0.95
#define MIXED_REQUESTS_MAX 1000000

/* Between the 10th and the 90th percentile of n finishes, in eight batches of a tenth. */
static void measure(struct saturation *sat, tick *finish, size_t n, double scale)
{
	static const double q[BATCHES + 1] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9};
	double at[BATCHES + 1], rate[BATCHES], tenth = (double)(n - 1) / 10;

	samples_quantiles(finish, n, q, BATCHES + 1, at);
	for (int i = 0; i < BATCHES; i++)
		rate[i] = scale * tenth / ((at[i + 1] - at[i]) * tick_to_s(1));
	sat->rps = scale * BATCHES * tenth / ((at[BATCHES] - at[0]) * tick_to_s(1));
	sat->interval = interval_student(rate, BATCHES, LEVEL);
}

/* A run of `requests`, all queued at t = 0; its pools are set. */
static bool run(struct tally *tally, struct cluster_setup *c, const struct scenario *s,
		int64_t requests, struct diag *d)
{
	c->router = s->deployment.router;
	c->source = (struct source_setup){.traffic = &s->traffic,
					  .seed = (uint64_t)s->traffic.seed,
					  .facts = &s->facts,
					  .rate_factor = 1,
					  .requests = requests,
					  .all_at_once = true};
	c->tally = (struct tally_setup){.requests = requests,
					.keep_samples = true,
					.ttft_limit = TICK_NEVER,
					.tpot_limit = TICK_NEVER,
					.e2e_limit = TICK_NEVER};
	return cluster_run(c, tally, d);
}

static int64_t requests_each(const struct fleet_part *part)
{
	int64_t each = BATCHES_A_SLOT * part->unit->replica.max_num_seqs;

	return each > REQUESTS_A_REPLICA ? each : REQUESTS_A_REPLICA;
}

/* Of equal units. */
static bool measure_part(struct saturation *sat, const struct scenario *s,
			 const struct fleet_part *part, struct diag *d)
{
	int64_t simulated = min64(part->replicas, REPLICAS_MAX);
	int64_t requests = simulated * requests_each(part);
	struct cluster_setup c = {.pools = 1, .pool = {{part->unit->replica, simulated, 1}}};
	struct tally tally = {.events = 0};
	bool good = run(&tally, &c, s, requests, d);

	if (good) {
		size_t n = samples_compact(tally.finish, (size_t)requests);

		*sat = (struct saturation){.interval = {NAN, NAN}};
		if (n > BATCHES)
			measure(sat, tally.finish, n, (double)part->replicas / (double)simulated);
	}
	tally_free(&tally);
	return good;
}

/* The pools of a mixed fleet, each between the 10th and 90th percentile of its own completions. */
struct pool_rates {
	double rps[FLEET_PARTS_MAX], low[FLEET_PARTS_MAX], high[FLEET_PARTS_MAX];
	double share[FLEET_PARTS_MAX];
};

static void measure_pool(struct pool_rates *rates, const struct tally *tally, size_t pool,
			 tick *finish)
{
	struct saturation sat = {.interval = {0, 0}};
	size_t n = 0, all = 0;

	for (int64_t i = 0; i < tally->setup.requests; i++) {
		if (tally->finish[i] < 0)
			continue;
		all++;
		if (tally->pool_of[i] == pool)
			finish[n++] = tally->finish[i];
	}
	if (n > BATCHES)
		measure(&sat, finish, n, 1);
	rates->rps[pool] = sat.rps;
	rates->low[pool] = sat.interval.low;
	rates->high[pool] = sat.interval.high;
	rates->share[pool] = n > BATCHES ? (double)n / (double)all : 0;
}

/* A fleet that would take more than MIXED_REQUESTS_MAX is simulated smaller, in the same
 * proportions but for a unit of each pool at least. Returns the requests. */
static int64_t shrink(struct cluster_setup *c, const struct fleet *f)
{
	int64_t requests = 0;
	double all = 0;

	for (size_t i = 0; i < f->parts; i++)
		all += (double)f->part[i].replicas * (double)requests_each(&f->part[i]);
	for (size_t i = 0; i < f->parts; i++) {
		double replicas = (double)f->part[i].replicas;

		if (all > MIXED_REQUESTS_MAX)
			replicas = fmax(1, round(replicas * MIXED_REQUESTS_MAX / all));
		c->pool[i].replicas = (int64_t)replicas;
		requests += c->pool[i].replicas * requests_each(&f->part[i]);
	}
	return min64(requests, MIXED_REQUESTS_MAX);
}

/* What a pool does as part of the whole fleet; a route's shares are not by the number of units. */
static void grow(struct pool_rates *r, size_t pool, double times, bool routed)
{
	r->rps[pool] *= times;
	r->low[pool] *= times;
	r->high[pool] *= times;
	r->share[pool] *= routed ? 1 : times;
}

static bool measure_mixed(struct saturation *sat, const struct scenario *s, const struct fleet *f,
			  struct diag *d)
{
	const struct router_kind *router = router_kinds[s->deployment.router];
	struct cluster_setup c = {.pools = 0};
	struct pool_rates r;
	struct tally tally = {.events = 0};

	fleet_fill_pools(f, &c);
	int64_t requests = shrink(&c, f);
	bool good = run(&tally, &c, s, requests, d);
	if (good) {
		tick *finish = xcalloc((size_t)requests, sizeof *finish);
		double shares = 0;

		for (size_t i = 0; i < f->parts; i++) {
			double times = (double)f->part[i].replicas / (double)c.pool[i].replicas;

			measure_pool(&r, &tally, i, finish);
			grow(&r, i, times, router == &router_length_aware);
			c.pool[i].replicas = f->part[i].replicas;
			shares += r.share[i];
		}
		for (size_t i = 0; i < f->parts; i++)
			r.share[i] /= shares;
		free(finish);
		sat->rps = router->stable_rps(&c, r.rps, r.share);
		sat->interval.low = router->stable_rps(&c, r.low, r.share);
		sat->interval.high = router->stable_rps(&c, r.high, r.share);
	}
	tally_free(&tally);
	return good;
}

bool saturation_measure(struct saturation *sat, const struct scenario *s, const struct fleet *f,
			struct diag *d)
{
	return f->parts == 1 ? measure_part(sat, s, &f->part[0], d) : measure_mixed(sat, s, f, d);
}

bool saturation_measure_units(struct fleet *f, const struct scenario *s, struct diag *d)
{
	for (size_t i = 0; i < f->parts; i++) {
		struct fleet_part one = f->part[i];
		struct saturation sat;

		one.replicas = 1;
		if (!measure_part(&sat, s, &one, d))
			return false;
		f->part[i].unit_rps = sat.rps;
	}
	return true;
}
