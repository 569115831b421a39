/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/probe.h"

#include "base/wide.h"

/* The rule of docs/model.md, "Capacity and replacement"; what is not explained there trades
 * requests for requests and moves no answer beyond its interval. */
#define FAR	    5	       /* a far probe has a fifth of the requests */
#define FAR_EXCESS  0.6931472  /* ln 2 */
#define WARMUP_ROOM (10.0 / 9) /* a warm-up of up to a tenth still leaves the tail's samples */
#define NARROW	    0.05
#define NARROW_MISS 0.2 /* 5 % of an exponential p99 moves 23 % of what may miss */
#define NARROW_RATE 0.01
#define SPARE	    2 /* times what a width asks for, itself an estimate of ten batches */

/* A rate below saturation is no overload, whatever short runs look like: unless the backlog says
 * so. */
static bool is_stopped(const struct load *l)
{
	for (int r = 0; r < l->replications; r++)
		if (l->tally[r].stopped_early)
			return true;
	return false;
}

static void judge(struct probe *p, const struct slo *slo, const struct load *l)
{
	p->overloaded = is_stopped(l);
	p->limits = judge_load(p->found, slo, l);
	p->holds = !p->overloaded && !(p->limits && p->found[0].excess > 0);
	p->requests = l->requests * l->replications;
	p->simulations++;
}

static bool simulate(struct probe *p, const struct probe_setup *setup, int64_t requests,
		     struct diag *d)
{
	const struct scenario *s = setup->scenario;
	const struct traffic *t = &s->traffic;
	bool whole = traffic_is_terminating(t);
	struct load_setup run = {.scenario = s,
				 .fleet = setup->fleet,
				 .rate_factor = p->rate_rps / s->facts.rate_rps,
				 .replications = t->trace ? 1 : setup->replications,
				 .jobs = setup->jobs,
				 .requests = requests / setup->replications,
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

/* Requests with which a percentile near its limit is first looked at. */
static int64_t base_requests(const struct probe_setup *setup)
{
	return llround(WARMUP_ROOM * (double)slo_auto_requests(&setup->scenario->slo));
}

static int64_t most_requests(const struct probe_setup *setup, double rate)
{
	int64_t most = setup->requests_max ? setup->requests_max : PROBE_REQUESTS_MAX;

	return (int64_t)fmax(1, fmin((double)most, LOAD_SPAN_MAX_S * rate));
}

static bool is_far(const struct probe *p)
{
	return !p->limits || p->overloaded || fabs(p->found[0].excess) > FAR_EXCESS;
}

bool probe_look(struct probe *p, const struct probe_setup *setup, double rate, int64_t requests,
		struct diag *d)
{
	int64_t base = base_requests(setup), most = most_requests(setup, rate);
	bool far = requests + setup->replications <= base &&
		   !traffic_is_terminating(&setup->scenario->traffic);

	*p = (struct probe){.rate_rps = rate};
	if (far && !simulate(p, setup, min64(base / FAR, most), d))
		return false;
	if (far && (is_far(p) || base / FAR >= most))
		return true;
	return simulate(p, setup, min64(far ? base : requests, most), d);
}

/* A finding as the rule wants it: of a share what misses, so that less is better. */
struct bounded {
	double value, limit, low, high, narrow;
};

static struct bounded bound(const struct finding *f, double slope)
{
	double carried = slope > 0 ? NARROW_RATE * slope : 0;

	if (f->metric == JUDGE_SHARE)
		return (struct bounded){1 - f->value, 1 - f->limit, 1 - f->interval.high,
					1 - f->interval.low, fmax(NARROW_MISS, carried)};
	return (struct bounded){f->value, f->limit, f->interval.low, f->interval.high,
				fmax(NARROW, carried)};
}

/* Whether one request decides: no interval ever tells more. */
static bool is_extreme(const struct finding *f)
{
	return f->metric == JUDGE_SHARE ? f->limit >= 1 : f->statistic == SLO_MAX;
}

static bool is_decided(const struct probe *p, const struct probe_setup *setup, double slope)
{
	struct bounded b = bound(&p->found[0], slope);

	if (is_far(p) || traffic_is_terminating(&setup->scenario->traffic))
		return true;
	if (p->requests + setup->replications <= base_requests(setup))
		return false;
	if (is_extreme(&p->found[0]) || b.high - b.low < b.narrow * b.limit)
		return true;
	/* Of batches that differ much the interval may lie beyond what all together say. */
	return p->holds ? b.high < b.limit : b.low > b.limit;
}

double probe_breadth(const struct finding *f, double slope)
{
	struct bounded b = bound(f, slope);

	return (b.high - b.low) / (b.narrow * b.limit);
}

int64_t probe_times(const struct probe *p, const struct probe_setup *setup, double breadth)
{
	double times = fmax(2, SPARE * pow(breadth, 2));
	double most = (double)most_requests(setup, p->rate_rps);
	int64_t more = llround(fmin(most, times * (double)p->requests));

	return more - p->requests < setup->replications ? 0 : more;
}

int64_t probe_more(const struct probe *p, const struct probe_setup *setup, double slope)
{
	struct bounded b = bound(&p->found[0], slope);
	double unclear = (b.high - b.low) / 2 / fabs(b.value - b.limit);

	if (is_decided(p, setup, slope))
		return 0;
	return probe_times(p, setup, fmin(probe_breadth(&p->found[0], slope), unclear));
}

bool probe_decide(struct probe *p, const struct probe_setup *setup, double rate, struct diag *d)
{
	bool good = probe_look(p, setup, rate, 0, d);
	int64_t more;

	while (good && (more = probe_more(p, setup, 0)) > 0)
		good = simulate(p, setup, more, d);
	return good;
}

double probe_excess(const struct probe *p)
{
	double excess = p->limits ? p->found[0].excess : 0;

	if (p->overloaded)
		excess = fmax(excess, PROBE_EXCESS_MAX);
	return fmin(fmax(excess, -PROBE_EXCESS_MAX), PROBE_EXCESS_MAX);
}
