/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/capacity.h"

#include <stdio.h>
#include <string.h>

#include "study/estimate.h"
#include "study/saturation.h"

#define FAR	     5	       /* a far probe has a fifth of the requests */
#define FAR_EXCESS   0.6931472 /* ln 2 */
#define WARMUP_ROOM  (10.0 / 9)
#define SPAN_MAX_S   1e8 /* of a probe: what a clock of ticks holds */
#define REQUESTS_MAX 2000000
#define NARROW	     0.05
#define TOLERANCE    0.004
#define PROBES_MAX   24
#define EXCESS_MAX   0.5    /* what lies further off says no more about where zero is */
#define VANISHING    1000.0 /* times a lone request's time between two arrivals */
#define SLOPE_SPAN   0.15
#define UP	     1.1
#define WIDE	     1.0 /* brackets wider than e are halved */
#define DOWN	     0.75

/* A rate below saturation is no overload, whatever short runs look like: unless the backlog says
 * so. */
static bool is_stopped(const struct load *l)
{
	for (int r = 0; r < l->replications; r++)
		if (l->tally[r].stopped_early)
			return true;
	return false;
}

static bool run_probe(struct probe *p, const struct capacity_setup *setup, int64_t requests,
		      struct diag *d)
{
	const struct scenario *s = setup->scenario;
	const struct traffic *t = &s->traffic;
	struct load_setup run = {.scenario = s,
				 .unit = setup->unit,
				 .replicas = setup->replicas,
				 .rate_factor = p->rate_rps / s->facts.rate_rps,
				 .replications = t->trace ? 1 : setup->replications,
				 .jobs = setup->jobs,
				 .requests = t->trace ? requests : requests / setup->replications,
				 .samples_max = REQUESTS_MAX,
				 .warmup = traffic_is_terminating(t) ? 0 : LOAD_WARMUP_AUTO};
	struct finding found[FINDINGS_MAX];
	struct load l;

	if (!load_run(&l, &run, d))
		return false;
	p->overloaded = is_stopped(&l);
	p->judged = judge_load(found, &s->slo, &l) > 0;
	if (p->judged)
		p->worst = found[0];
	p->holds = !p->overloaded && !(p->judged && p->worst.excess > 0);
	p->requests = requests;
	p->simulations++;
	load_free(&l);
	return true;
}

/* How sure the verdict of a probe is. */
static bool is_decided(const struct probe *p, int64_t base)
{
	const struct finding *f = &p->worst;

	if (!p->judged || p->overloaded || fabs(f->excess) > FAR_EXCESS)
		return true;
	if (p->requests < base)
		return false;
	if (f->metric != JUDGE_SHARE && f->statistic == SLO_MAX)
		return true;
	return f->interval.low > f->limit || f->interval.high < f->limit ||
	       f->interval.high - f->interval.low < NARROW * f->limit;
}

/* Requests with which a percentile near its limit is first looked at. */
static int64_t base_requests(const struct capacity_setup *setup)
{
	return llround(WARMUP_ROOM * (double)load_auto_requests(&setup->scenario->slo));
}

static int64_t most_requests(const struct capacity_setup *setup, double rate)
{
	double most = setup->requests_max ? (double)setup->requests_max : REQUESTS_MAX;

	return (int64_t)fmax(1, fmin(most, SPAN_MAX_S * rate));
}

/* The next doubling that may decide: the interval shrinks as the root of the requests. */
static int64_t more_requests(const struct probe *p)
{
	const struct finding *f = &p->worst;
	double width = f->interval.high - f->interval.low;
	double narrow = width / (NARROW * f->limit), clear = width / 2 / fabs(f->value - f->limit);
	int64_t times = 2;

	while ((double)times < pow(fmin(narrow, clear), 2) && p->requests * times < REQUESTS_MAX)
		times *= 2;
	return p->requests * times;
}

bool capacity_probe(struct probe *p, const struct capacity_setup *setup, double rate,
		    struct diag *d)
{
	int64_t base = base_requests(setup), most = most_requests(setup, rate);
	int64_t requests = setup->requests ? setup->requests : base / FAR;

	*p = (struct probe){.rate_rps = rate};
	if (setup->scenario->traffic.trace != NULL)
		return run_probe(p, setup, setup->scenario->facts.requests, d);
	for (;;) {
		requests = requests < most ? requests : most;
		if (!run_probe(p, setup, requests, d))
			return false;
		if (requests == most || is_decided(p, base))
			return true;
		requests = requests < base ? base : more_requests(p);
	}
}

/* A search under way: the best rate that held, the least that did not, and all that was seen. */
struct search {
	struct capacity_setup setup;
	struct diag *diag;
	struct probe seen[PROBES_MAX];
	int probes;
	struct probe low, high; /* rate 0: none yet */
	bool failed;		/* a trace could not be read */
};

static double clipped_excess(const struct probe *p)
{
	double excess = p->judged ? p->worst.excess : 0;

	if (p->overloaded)
		excess = fmax(excess, EXCESS_MAX);
	return fmin(fmax(excess, -EXCESS_MAX), EXCESS_MAX);
}

/* Tries a rate; false if the search is over. */
static bool try_rate(struct search *s, double rate)
{
	struct probe *p = &s->seen[s->probes];

	if (s->failed || s->probes == PROBES_MAX)
		return false;
	s->failed = !capacity_probe(p, &s->setup, rate, s->diag);
	if (s->failed)
		return false;
	s->probes++;
	*(p->holds ? &s->low : &s->high) = *p;
	/* What one rate needed its neighbours need too. */
	if (p->requests > s->setup.requests)
		s->setup.requests = p->requests;
	return true;
}

/* A rate at which each request is alone; a trace, which is played whole, must end in time. */
static double vanishing_rate(const struct search *s)
{
	const struct scenario *scenario = s->setup.scenario;
	double alone_s = estimate_alone_s(s->setup.unit, &scenario->facts);
	double rate = (double)s->setup.replicas / (VANISHING * alone_s);

	if (!scenario->traffic.trace)
		return rate;
	return fmax(rate, (double)scenario->facts.requests / SPAN_MAX_S);
}

/* Down from a rate that failed: two steps, then each request alone, which is the last hope. */
static void bracket_down(struct search *s)
{
	double alone = vanishing_rate(s);
	double rate = s->high.rate_rps;

	for (int i = 1; i <= 2 && s->low.rate_rps == 0 && rate > alone; i++) {
		rate *= i == 1 ? DOWN : DOWN * DOWN;
		if (!try_rate(s, rate))
			return;
	}
	if (s->low.rate_rps == 0)
		try_rate(s, fmin(alone, rate / 2));
}

static void bracket_up(struct search *s, double most)
{
	double factor = UP;

	while (s->high.rate_rps == 0 && s->low.rate_rps < most) {
		double rate = s->low.rate_rps * factor;

		if (!try_rate(s, rate * factor > most ? most : rate))
			return;
		factor *= UP;
	}
}

/* Where a line through the excesses at the bracket's ends (in the logarithm of the rate) crosses
 * zero, kept off the ends. Illinois' rule: an end that stays weighs half as much each time. */
static double next_rate(const struct search *s, double low_weight, double high_weight)
{
	double low = log(s->low.rate_rps), width = log(s->high.rate_rps) - low;
	double below = low_weight * fabs(clipped_excess(&s->low));
	double above = high_weight * fabs(clipped_excess(&s->high));
	double margin = fmin(0.25, TOLERANCE / 3 / width + 0.02);
	double part = above + below > 0 && width < WIDE ? below / (above + below) : 0.5;

	return exp(low + width * fmin(fmax(part, margin), 1 - margin));
}

static void narrow(struct search *s)
{
	double low_weight = 1, high_weight = 1;

	while (s->high.rate_rps > s->low.rate_rps * (1 + TOLERANCE)) {
		if (!try_rate(s, next_rate(s, low_weight, high_weight)))
			return;
		bool holds = s->seen[s->probes - 1].holds;

		low_weight = holds ? 1 : low_weight / 2;
		high_weight = holds ? high_weight / 2 : 1;
	}
}

/* Slope of ln(value / limit) over ln(rate) near the answer, by least squares; NAN: unknown. */
static double find_slope(const struct search *s)
{
	double n = 0, x = 0, y = 0, xx = 0, xy = 0, at = log(s->low.rate_rps);

	for (int i = 0; i < s->probes; i++) {
		double dx = log(s->seen[i].rate_rps) - at, dy = clipped_excess(&s->seen[i]);

		if (fabs(dx) > SLOPE_SPAN || fabs(dy) >= EXCESS_MAX)
			continue;
		n++;
		x += dx;
		y += dy;
		xx += dx * dx;
		xy += dx * dy;
	}
	return n < 2 ? (double)NAN : (n * xy - x * y) / (n * xx - x * x);
}

/* The percentile's interval, carried over to the rate by its slope. */
static struct interval rate_interval(const struct search *s, double most)
{
	const struct interval *i = &s->low.worst.interval;
	double slope = find_slope(s), half = log(i->high / i->low) / 2 / slope;

	if (!(slope > 0) || !isfinite(half) || s->low.worst.metric == JUDGE_SHARE)
		return (struct interval){NAN, NAN};
	return (struct interval){s->low.rate_rps * exp(-half),
				 fmin(most, s->low.rate_rps * exp(half))};
}

static void say_saturated(struct capacity *c, const struct saturation *sat)
{
	c->max_rps = CAPACITY_SHARE * c->saturated_rps;
	snprintf(c->limited_by, sizeof c->limited_by, "saturation");
	c->interval = (struct interval){CAPACITY_SHARE * sat->interval.low,
					CAPACITY_SHARE * sat->interval.high};
}

static void say_found(struct capacity *c, const struct search *s, const struct saturation *sat)
{
	char text[256];

	for (int i = 0; i < s->probes; i++)
		c->simulations += s->seen[i].simulations;
	c->requests = s->low.requests;
	if (s->low.rate_rps == 0) {
		judge_name(c->limited_by, &s->high.worst);
		judge_text(text, &s->high.worst);
		c->alone_misses = true;
		c->alone_excess = s->high.worst.excess;
		snprintf(c->reason, sizeof c->reason, "even with each request alone, %s", text);
	} else if (s->high.rate_rps == 0) {
		say_saturated(c, sat);
	} else {
		c->max_rps = s->low.rate_rps;
		c->interval = rate_interval(s, CAPACITY_SHARE * c->saturated_rps);
		if (s->high.judged && s->high.worst.excess > 0)
			judge_name(c->limited_by, &s->high.worst);
		else
			snprintf(c->limited_by, sizeof c->limited_by, "saturation");
	}
}

static void search_rates(struct search *s, double most)
{
	const struct capacity_setup *setup = &s->setup;
	const struct scenario *scenario = setup->scenario;
	double n = (double)setup->replicas, start = setup->holds_rps;

	if (!(start > 0))
		start = n * estimate_rate(setup->unit, &scenario->facts, &scenario->slo, most / n);
	if (!try_rate(s, fmin(start, most)))
		return;
	if (s->low.rate_rps > 0)
		bracket_up(s, most);
	else
		bracket_down(s);
	if (s->low.rate_rps > 0 && s->high.rate_rps > 0)
		narrow(s);
}

bool capacity_find(struct capacity *c, const struct capacity_setup *setup, struct diag *d)
{
	const struct scenario *scenario = setup->scenario;
	struct saturation sat = {setup->saturated_rps, {NAN, NAN}};
	struct search s = {.setup = *setup, .diag = d};

	memset(c, 0, sizeof *c);
	c->interval = (struct interval){NAN, NAN};
	if (!(sat.rps > 0)) {
		c->simulations++;
		if (!saturation_measure(&sat, scenario, setup->unit, setup->replicas, d))
			return false;
	}
	c->saturated_rps = s.setup.saturated_rps = sat.rps;
	if (!(sat.rps > 0)) {
		c->alone_misses = true;
		c->alone_excess = INFINITY;
		snprintf(c->reason, sizeof c->reason,
			 "every request is rejected: none fits the KV pool");
		return true;
	}
	if (!slo_is_set(&scenario->slo)) {
		say_saturated(c, &sat);
		return true;
	}
	search_rates(&s, CAPACITY_SHARE * sat.rps);
	if (s.failed)
		return false;
	say_found(c, &s, &sat);
	return true;
}
