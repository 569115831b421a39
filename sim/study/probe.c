/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/probe.h"

#include "base/wide.h"

/* The rule of docs/model.md, "Capacity and replacement". */
#define SCOUT	       5     /* a scout has a fifth of the requests */
#define REQUESTS_UNIT  20000 /* as saturation_measure() takes */
#define REQUESTS_FLEET 100000
#define REQUESTS_EACH  1000 /* for a unit of a large fleet: it must fill and empty its batch */
#define SCOUTS_UNITS   16   /* a larger fleet's scout sees so many with their part of the load */
#define FAR_EXCESS     0.6931472  /* ln 2 */
#define WARMUP_ROOM    (10.0 / 9) /* a warm-up of up to a tenth still leaves the tail's samples */

static void judge(struct probe *p, const struct slo *slo, const struct load *l)
{
	/* A rate below saturation is no overload, whatever short runs look like: unless the backlog
	 * says so. */
	p->overloaded = load_is_stopped(l);
	p->limits = judge_load(p->found, slo, l);
	p->holds = !p->overloaded && !(p->limits && p->found[0].excess > 0);
	p->requests = l->requests * l->replications;
	p->replications = l->replications;
}

static bool simulate(struct probe *p, const struct probe_setup *setup, int replications,
		     int64_t requests, struct diag *d)
{
	const struct scenario *s = setup->scenario;
	bool whole = traffic_is_terminating(&s->traffic);
	struct load_setup run = {.scenario = s,
				 .fleet = setup->fleet,
				 .rate_factor = p->rate_rps / s->facts.rate_rps,
				 .replications = replications,
				 .jobs = setup->jobs,
				 .requests = requests / replications,
				 .samples_max = PROBE_REQUESTS_MAX,
				 .warmup = whole ? 0 : LOAD_WARMUP_AUTO};
	struct load l;

	if (whole)
		run.requests = load_plan_requests(s, run.rate_factor);
	if (run.requests < 1)
		run.requests = 1;
	if (!load_run(&l, &run, d))
		return false;
	judge(p, &s->slo, &l);
	load_free(&l);
	return true;
}

/* Of one replication. */
static double tail_requests(const struct probe_setup *setup)
{
	return WARMUP_ROOM * (double)slo_auto_requests(&setup->scenario->slo);
}

/* Fewer never leave the ramp. In steps, so that fleets of about a size see the same requests. */
static double least_requests(const struct probe_setup *setup)
{
	double units = (double)fleet_units(setup->fleet);

	if (units * REQUESTS_UNIT < REQUESTS_FLEET)
		return units * REQUESTS_UNIT;
	return REQUESTS_FLEET * ceil(units * REQUESTS_EACH / REQUESTS_FLEET);
}

/* All replications together. */
static int64_t base_requests(const struct probe_setup *setup)
{
	return setup->replications * llround(fmax(least_requests(setup), tail_requests(setup)));
}

/* Of all replications. */
static int64_t most(const struct probe_setup *setup)
{
	if (setup->requests_max)
		return setup->requests_max;
	if (setup->replications > 1)
		return PROBE_REQUESTS_MAX;
	return max64(PROBE_REQUESTS_POINT, base_requests(setup));
}

int64_t probe_base_requests(const struct probe_setup *setup)
{
	return min64(base_requests(setup), most(setup));
}

int64_t probe_most_requests(const struct probe_setup *setup, double rate)
{
	return (int64_t)fmax(1, fmin((double)most(setup), LOAD_SPAN_MAX_S * rate));
}

bool probe_look(struct probe *p, const struct probe_setup *setup, double rate, int64_t requests,
		struct diag *d)
{
	int replications = setup->scenario->traffic.trace ? 1 : setup->replications;

	*p = (struct probe){.rate_rps = rate};
	return simulate(p, setup, replications, min64(requests, probe_most_requests(setup, rate)),
			d);
}

bool probe_scout(struct probe *p, const struct probe_setup *setup, double rate, struct diag *d)
{
	int64_t few = llround(fmax(REQUESTS_UNIT, tail_requests(setup) / SCOUT));
	struct probe_setup small = *setup;
	struct fleet fleet = *setup->fleet;

	if (fleet.parts == 1 && fleet.part[0].replicas > SCOUTS_UNITS)
		fleet.part[0].replicas = SCOUTS_UNITS;
	double part = (double)fleet_units(&fleet) / (double)fleet_units(setup->fleet);
	small.fleet = &fleet;
	*p = (struct probe){.rate_rps = rate * part};
	bool good = simulate(p, &small, 1, min64(few, probe_most_requests(setup, p->rate_rps)), d);
	p->rate_rps = rate;
	return good;
}

bool probe_is_far(const struct probe *p)
{
	return !p->limits || p->overloaded || fabs(p->found[0].excess) > FAR_EXCESS;
}

bool probe_is_decided(const struct probe *p, const struct probe_setup *setup)
{
	const struct finding *f = &p->found[0];

	if (probe_is_far(p) || traffic_is_terminating(&setup->scenario->traffic))
		return true;
	/* Of batches that differ much the interval may lie beyond what all together say. */
	if (p->holds == (f->metric != JUDGE_SHARE))
		return f->interval.high < f->limit;
	return f->interval.low > f->limit;
}

double probe_half_width(const struct finding *f)
{
	double limit = f->metric == JUDGE_SHARE ? 1 - f->limit : f->limit;

	bool never = f->metric == JUDGE_SHARE ? f->limit >= 1 : f->statistic == SLO_MAX;

	if (never)
		return (double)NAN;
	if (isnan(f->interval.low))
		return INFINITY;
	return (f->interval.high - f->interval.low) / 2 / limit;
}
