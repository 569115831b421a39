/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/capacity.h"

#include <stdio.h>
#include <string.h>

#include "study/estimate.h"
#include "study/saturation.h"

/* How the search walks: chosen so that few probes are long. None of these is a rule of the answer;
 * a bracket of TOLERANCE is finer than the percentile's own interval, carried over to the rate. */
#define TOLERANCE  0.004
#define CHORD	   0.025 /* a bracket so narrow is as good as a straight line */
#define PROBES_MAX 24
#define VANISHING  1000.0 /* times a lone request's time between two arrivals */
#define SLOPE_SPAN 0.15
#define UP	   1.1
#define WIDE	   1.0	/* brackets wider than e are halved */
#define BEYOND	   1.25 /* slopes are that uncertain */
#define DOWN	   0.75

/* A search under way: the best rate that held, the least that did not, and all that was seen. */
struct search {
	const struct capacity_setup *setup;
	struct diag *diag;
	double most_rps;
	struct probe seen[PROBES_MAX];
	int probes;
	struct probe low, high; /* rate 0: none yet */
	int64_t requests;	/* of the next probe */
	bool failed;		/* a trace could not be read */
};

/* Takes note of the probe behind those seen. What one rate needed its neighbours need too. */
static void keep(struct search *s)
{
	const struct probe *p = &s->seen[s->probes++];

	*(p->holds ? &s->low : &s->high) = *p;
	if (p->requests > s->requests)
		s->requests = p->requests;
}

/* Tries a rate; false if the search is over. */
static bool try_rate(struct search *s, double rate)
{
	if (s->failed || s->probes == PROBES_MAX)
		return false;
	s->failed = !probe_look(&s->seen[s->probes], &s->setup->fleet, rate, s->requests, s->diag);
	if (s->failed)
		return false;
	keep(s);
	return true;
}

/* A rate at which each request is alone; a trace, which is played whole, must end in time. */
static double vanishing_rate(const struct search *s)
{
	const struct scenario *scenario = s->setup->fleet.scenario;
	const struct fleet *fleet = s->setup->fleet.fleet;
	double alone_s = 0;

	for (size_t i = 0; i < fleet->parts; i++)
		alone_s = fmax(alone_s, estimate_alone_s(fleet->part[i].unit, &scenario->facts));
	double rate = (double)fleet_units(fleet) / (VANISHING * alone_s);

	if (!scenario->traffic.trace)
		return rate;
	return fmax(rate, (double)load_plan_requests(scenario, 1) / LOAD_SPAN_MAX_S);
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

static void bracket_up(struct search *s)
{
	double factor = UP;

	while (s->high.rate_rps == 0 && s->low.rate_rps < s->most_rps) {
		double rate = s->low.rate_rps * factor;

		if (!try_rate(s, rate * factor > s->most_rps ? s->most_rps : rate))
			return;
		factor *= UP;
	}
}

static bool is_bracketed(const struct search *s)
{
	return s->low.rate_rps > 0 && s->high.rate_rps > 0;
}

static bool is_near(const struct probe *p)
{
	return fabs(probe_excess(p)) < PROBE_EXCESS_MAX;
}

/* Whether the curve between the bracket's ends may be taken for its chord. A single run of a trace
 * or schedule makes no curve. */
static bool is_straight(const struct search *s)
{
	return is_near(&s->low) && is_near(&s->high) &&
	       s->high.rate_rps <= s->low.rate_rps * (1 + CHORD) &&
	       !traffic_is_terminating(&s->setup->fleet.scenario->traffic);
}

/* What a probe found of the limit of `f`; NULL: it has none. */
static const struct finding *find_limit(const struct probe *p, const struct finding *f)
{
	for (size_t i = 0; i < p->limits; i++)
		if (p->found[i].metric == f->metric && p->found[i].statistic == f->statistic)
			return &p->found[i];
	return NULL;
}

/* The part of the bracket, in ln(rate), below where a limit is met: that of its chord. */
static double chord_part(const struct search *s, const struct finding *f)
{
	return 1 - f->excess / (f->excess - find_limit(&s->low, f)->excess);
}

/* Of the limits that the bracket's upper end breaks the one that is met first. */
static const struct finding *first_limit(const struct search *s)
{
	const struct finding *first = &s->high.found[0];

	for (size_t i = 1; i < s->high.limits && s->high.found[i].excess > 0; i++)
		if (chord_part(s, &s->high.found[i]) < chord_part(s, first))
			first = &s->high.found[i];
	return first;
}

/* The highest rate that holds, as far as the bracket tells. */
static double found_rate(const struct search *s)
{
	if (!is_straight(s))
		return s->low.rate_rps;
	return s->low.rate_rps *
	       pow(s->high.rate_rps / s->low.rate_rps, chord_part(s, first_limit(s)));
}

/* Where a line through the excesses at the bracket's ends (in the logarithm of the rate) crosses
 * zero, kept off the ends. Illinois' rule: an end that stays weighs half as much each time. */
static double next_rate(const struct search *s, double low_weight, double high_weight)
{
	double low = log(s->low.rate_rps), width = log(s->high.rate_rps) - low;
	double below = low_weight * fabs(probe_excess(&s->low));
	double above = high_weight * fabs(probe_excess(&s->high));
	double margin = fmin(0.25, TOLERANCE / 3 / width + 0.02);
	double part = above + below > 0 && width < WIDE ? below / (above + below) : 0.5;

	return exp(low + width * fmin(fmax(part, margin), 1 - margin));
}

static void narrow(struct search *s)
{
	double low_weight = 1, high_weight = 1;

	while (!is_straight(s) && s->high.rate_rps > s->low.rate_rps * (1 + TOLERANCE)) {
		if (!try_rate(s, next_rate(s, low_weight, high_weight)))
			return;
		bool holds = s->seen[s->probes - 1].holds;

		low_weight = holds ? 1 : low_weight / 2;
		high_weight = holds ? high_weight / 2 : 1;
	}
}

/* Slope of ln(value / limit) over ln(rate) of f's limit around a probe, by least squares over the
 * probes of so many requests; NAN: unknown. */
static double find_slope(const struct search *s, const struct probe *p, const struct finding *f,
			 int64_t requests)
{
	double n = 0, x = 0, y = 0, xx = 0, xy = 0;

	for (int i = 0; i < s->probes; i++) {
		const struct finding *seen = find_limit(&s->seen[i], f);
		double dx = log(s->seen[i].rate_rps / p->rate_rps);

		if (s->seen[i].requests != requests || fabs(dx) > SLOPE_SPAN || !seen ||
		    fabs(seen->excess) >= PROBE_EXCESS_MAX)
			continue;
		n++;
		x += dx;
		y += seen->excess;
		xx += dx * dx;
		xy += dx * seen->excess;
	}
	return n < 2 ? (double)NAN : (n * xy - x * y) / (n * xx - x * x);
}

/* The interval of the percentile that limits, carried over to the rate by its slope. The parts of a
 * single run of a trace or schedule are no samples of one thing. */
static struct interval rate_interval(const struct search *s, double rate)
{
	const struct finding *broken = first_limit(s), *f = find_limit(&s->low, broken);
	double slope = find_slope(s, &s->low, broken, s->low.requests);

	if (!(slope > 0))
		slope = (broken->excess - f->excess) / log(s->high.rate_rps / s->low.rate_rps);
	double half = log(f->interval.high / f->interval.low) / 2 / slope;

	if (!(slope > 0) || !isfinite(half) || broken->metric == JUDGE_SHARE ||
	    traffic_is_terminating(&s->setup->fleet.scenario->traffic))
		return (struct interval){NAN, NAN};
	return (struct interval){rate * exp(-half), fmin(s->most_rps, rate * exp(half))};
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
		judge_name(c->limited_by, &s->high.found[0]);
		judge_text(text, &s->high.found[0]);
		c->alone_misses = true;
		c->alone_excess = s->high.found[0].excess;
		snprintf(c->reason, sizeof c->reason, "even with each request alone, %s", text);
	} else if (s->high.rate_rps == 0) {
		say_saturated(c, sat);
	} else {
		c->max_rps = found_rate(s);
		c->interval = rate_interval(s, c->max_rps);
		if (s->high.limits && s->high.found[0].excess > 0)
			judge_name(c->limited_by, &s->high.found[0]);
		else
			snprintf(c->limited_by, sizeof c->limited_by, "saturation");
	}
}

/* The requests that an end of the bracket asks for. */
static int64_t more_at(const struct search *s, const struct probe *end)
{
	double slope = end->limits ? find_slope(s, end, &end->found[0], end->requests) : 0;

	return probe_more(end, &s->setup->fleet, slope);
}

/* Those where the chord meets the limit, which no interval can exclude there. */
static int64_t more_on_chord(const struct search *s)
{
	const struct finding *high = first_limit(s), *low = find_limit(&s->low, high);
	double slope = find_slope(s, &s->high, high, s->high.requests);
	double breadth = (probe_breadth(low, slope) + probe_breadth(high, slope)) / 2;

	return breadth <= 1 ? 0 : probe_times(&s->low, &s->setup->fleet, breadth);
}

/* Those that the rule asks for; 0: the search is over. */
static int64_t more_requests(const struct search *s)
{
	int64_t low = more_at(s, &s->low), high = more_at(s, &s->high);

	if (low == 0 && high == 0)
		return 0;
	if (is_straight(s))
		return more_on_chord(s);
	return low > high ? low : high;
}

/* From a probe to just beyond where a limit is met, in ln(rate), by the slopes seen with so many
 * requests; at most a chord. */
static double beyond_limit(const struct search *s, const struct probe *p, int64_t requests)
{
	double way = p->holds ? CHORD : 0;

	for (size_t i = 0; i < p->limits; i++) {
		const struct finding *f = &p->found[i];
		double slope = find_slope(s, p, f, requests), there = fabs(f->excess) / slope;

		if (!(slope > 0))
			continue;
		if (p->holds)
			way = fmin(way, there);
		else if (f->excess > 0)
			way = fmax(way, there);
	}
	return fmin(BEYOND * way + TOLERANCE, CHORD * (1 - TOLERANCE));
}

/* Brackets again around a rate that is near. */
static void bracket_near(struct search *s, double rate, int64_t before)
{
	double factor = 1;

	if (!try_rate(s, rate))
		return;
	while (!is_bracketed(s) && s->low.rate_rps < s->most_rps) {
		const struct probe *p = s->low.rate_rps > 0 ? &s->low : &s->high;
		double step = beyond_limit(s, p, before) * factor;

		if (!try_rate(s, fmin(s->most_rps, p->rate_rps * exp(p->holds ? step : -step))))
			return;
		factor *= 2;
	}
}

/* The search goes on with more requests. */
static void look_closer(struct search *s, int64_t requests)
{
	struct probe low = s->low, high = s->high;
	double rate = found_rate(s);

	s->requests = requests;
	s->low.rate_rps = s->high.rate_rps = 0;
	bracket_near(s, rate, low.requests);
	if (s->low.rate_rps == 0) {
		s->low = low;
		s->high = high;
	}
}

static void bracket(struct search *s)
{
	const struct probe_setup *fleet = &s->setup->fleet;

	if (s->setup->known) {
		s->seen[0] = *s->setup->known;
		s->seen[0].simulations = 0;
		keep(s);
	} else if (!try_rate(s, estimate_fleet_rate(fleet->fleet, &fleet->scenario->facts,
						    &fleet->scenario->slo, s->most_rps))) {
		return;
	}
	if (s->low.rate_rps > 0)
		bracket_up(s);
	else
		bracket_down(s);
}

static void search_rates(struct search *s)
{
	int64_t more;

	bracket(s);
	if (!is_bracketed(s))
		return;
	narrow(s);
	while (is_bracketed(s) && s->probes < PROBES_MAX && !s->failed &&
	       (more = more_requests(s)) > 0) {
		look_closer(s, more);
		if (is_bracketed(s))
			narrow(s);
	}
}

bool capacity_find(struct capacity *c, const struct capacity_setup *setup, struct diag *d)
{
	const struct probe_setup *fleet = &setup->fleet;
	struct saturation sat = {setup->saturated_rps, {NAN, NAN}};
	struct search s = {.setup = setup, .diag = d};

	memset(c, 0, sizeof *c);
	c->interval = (struct interval){NAN, NAN};
	if (!(sat.rps > 0)) {
		c->simulations++;
		if (!saturation_measure(&sat, fleet->scenario, fleet->fleet, d))
			return false;
	}
	c->saturated_rps = sat.rps;
	s.most_rps = CAPACITY_SHARE * sat.rps;
	if (!(sat.rps > 0)) {
		c->alone_misses = true;
		c->alone_excess = INFINITY;
		snprintf(c->reason, sizeof c->reason,
			 "every request is rejected: none fits the KV pool");
		return true;
	}
	if (!slo_is_set(&fleet->scenario->slo)) {
		say_saturated(c, &sat);
		return true;
	}
	search_rates(&s);
	if (s.failed)
		return false;
	say_found(c, &s, &sat);
	return true;
}
