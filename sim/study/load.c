/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/load.h"

#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/parallel.h"
#include "base/xmalloc.h"
#include "stats/interval.h"
#include "stats/mser.h"

#define BLOCK 5 /* requests in a block of MSER-5 */

static tick least_limit(const struct slo *slo, enum slo_metric a, enum slo_metric b)
{
	double least = INFINITY;

	for (int k = 0; k < SLO_STATISTICS; k++)
		least = fmin(least, fmin(slo->limit_s[a][k], slo->limit_s[b][k]));
	return isinf(least) ? TICK_NEVER : tick_from_s(least);
}

static void fill_tally(struct tally_setup *t, const struct load_setup *setup, int64_t sliced)
{
	const struct slo *slo = &setup->scenario->slo;
	int64_t samples_max = setup->samples_max ? setup->samples_max : LOAD_SAMPLES_MAX;

	t->requests = setup->requests;
	t->sliced = sliced;
	t->keep_samples = setup->requests <= samples_max;
	t->keep_series = !t->keep_samples && setup->warmup == LOAD_WARMUP_AUTO;
	t->ttft_limit = least_limit(slo, SLO_TTFT, SLO_TTFT);
	t->tpot_limit = least_limit(slo, SLO_TPOT, SLO_ITL);
	t->e2e_limit = least_limit(slo, SLO_E2E, SLO_E2E);
}

static int64_t sliced_requests(const struct load_setup *setup)
{
	if (setup->sliced > 0)
		return setup->sliced;
	return setup->warmup > 0 ? TALLY_PARTS * setup->warmup : setup->requests;
}

struct replication {
	const struct load_setup *setup;
	struct load *load;
	struct diag *diag; /* by replication */
	bool *failed;
	int64_t sliced;
};

static void replicate(size_t i, void *arg)
{
	struct replication *r = arg;
	const struct load_setup *setup = r->setup;
	const struct traffic *traffic = &setup->scenario->traffic;
	struct cluster_setup c = {
		.router = setup->scenario->deployment.router,
		.source = {.traffic = traffic,
			   .seed = (uint64_t)traffic->seed,
			   .facts = &setup->scenario->facts,
			   .replication = (int)i,
			   .requests = setup->requests,
			   .rate_factor = setup->rate_factor},
	};

	fleet_fill_pools(setup->fleet, &c);
	c.sampler = setup->sampler;
	if (!traffic_is_closed(traffic) && !traffic_is_offline(traffic))
		c.backlog_limit = LOAD_BACKLOG_MAX;
	fill_tally(&c.tally, setup, r->sliced);
	diag_init(&r->diag[i]);
	r->failed[i] = !cluster_run(&c, &r->load->tally[i], &r->diag[i]);
}

/* The E2E of requests [low, high) over all replications [s]: their mean, or `otherwise`. */
static double mean_e2e(const struct load *l, int64_t low, int64_t high, double otherwise)
{
	double sum = 0, n = 0;

	for (int r = 0; r < l->replications; r++) {
		const tick *e2e = l->tally[r].e2e;

		for (int64_t i = low; i < high; i++)
			if (e2e[i] >= 0 && e2e[i] != TICK_NEVER) {
				sum += tick_to_s(e2e[i]);
				n++;
			}
	}
	return n > 0 ? sum / n : otherwise;
}

/* Block b of the averaged series; one in which nothing was served repeats the one before. */
static double mean_block(const struct load *l, int64_t b, double before)
{
	double sum = 0;

	if (l->tally[0].e2e != NULL)
		return mean_e2e(l, b * BLOCK, (b + 1) * BLOCK, before);
	for (int r = 0; r < l->replications; r++)
		sum += l->tally[r].e2e_block[b];
	return sum / l->replications;
}

/* MSER-5 on the replication-averaged series: the request that it would begin with. */
static int64_t mser_request(const struct load *l)
{
	int64_t span = l->tally[0].e2e != NULL ? BLOCK : l->tally[0].e2e_span;
	int64_t blocks = l->requests / span;
	double *series = xcalloc((size_t)blocks + 1, sizeof *series);

	for (int64_t b = 0; b < blocks; b++)
		series[b] = mean_block(l, b, b > 0 ? series[b - 1] : 0);
	int64_t cut = (int64_t)mser_cut(series, (size_t)blocks) * span;
	free(series);
	return cut;
}

/* The slice that opens not before `cut`. */
static int find_slice(int64_t cut, int64_t sliced)
{
	int s = 0;

	while (s < TALLY_SLICES - 1 && tally_slice_start(sliced, s) < cut)
		s++;
	return s;
}

/* Sets where measuring begins: the warm-up asked for, or MSER-5's in whole slices of the first
 * half. */
static void set_cut(struct load *l, int64_t warmup, int64_t sliced)
{
	bool automatic = warmup == LOAD_WARMUP_AUTO;

	l->first_slice = find_slice(automatic ? mser_request(l) : warmup, sliced);
	while (automatic && tally_slice_start(sliced, l->first_slice) > l->requests / 2)
		l->first_slice--;
	l->cut = tally_slice_start(sliced, l->first_slice);
}

bool load_run(struct load *l, const struct load_setup *setup, struct diag *d)
{
	size_t n = (size_t)setup->replications;
	struct replication r = {.setup = setup, .load = l, .sliced = sliced_requests(setup)};
	bool good = true;

	BUG_IF(setup->replications < 1 || setup->requests < 1);
	*l = (struct load){.replications = setup->replications,
			   .requests = setup->requests,
			   .replicas = fleet_units(setup->fleet)};
	l->tally = xcalloc(n, sizeof *l->tally);
	r.diag = xcalloc(n, sizeof *r.diag);
	r.failed = xcalloc(n, sizeof *r.failed);
	parallel_for(n, setup->jobs, replicate, NULL, &r);
	for (size_t i = 0; i < n && good; i++)
		if (r.failed[i]) {
			*d = r.diag[i];
			good = false;
		}
	free(r.diag);
	free(r.failed);
	if (!good) {
		load_free(l);
		return false;
	}
	set_cut(l, setup->warmup, r.sliced);
	return true;
}

bool load_is_stopped(const struct load *l)
{
	for (int r = 0; r < l->replications; r++)
		if (l->tally[r].stopped_early)
			return true;
	return false;
}

void load_keep_all(struct load *l)
{
	l->cut = 0;
	l->first_slice = 0;
}

void load_free(struct load *l)
{
	for (int i = 0; i < l->replications; i++)
		tally_free(&l->tally[i]);
	free(l->tally);
	memset(l, 0, sizeof *l);
}

double load_cycle_requests(const struct scenario *s, double rate_factor)
{
	const struct arrivals *a = &s->traffic.arrivals;

	if (s->traffic.trace || !traffic_is_terminating(&s->traffic))
		return NAN;
	return s->facts.rate_rps * rate_factor * a->slot_s * (double)a->rates.count;
}

static int64_t whole_cycles(int64_t n, double cycle, double rate)
{
	double whole = ceil((double)n / cycle * (1 - 1e-9)) * cycle;

	return llround(fmax(1, fmin(whole, fmin(LOAD_CYCLE_MAX, LOAD_SPAN_MAX_S * rate))));
}

int64_t load_plan_requests(const struct scenario *s, double rate_factor)
{
	const struct traffic *t = &s->traffic;
	int64_t automatic = slo_auto_requests(&s->slo);
	double cycle = load_cycle_requests(s, rate_factor);

	if (t->trace)
		return t->requests != RECORD_INT_UNSET && t->requests < s->facts.requests
			       ? t->requests
			       : s->facts.requests;
	if (t->requests != RECORD_INT_UNSET)
		return t->requests;
	return isnan(cycle) ? automatic
			    : whole_cycles(automatic, cycle, s->facts.rate_rps * rate_factor);
}
