/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/capacity.h"

#include <stdio.h>

#include "base/bug.h"
#include "stats/histogram.h"
#include "study/estimate.h"

/* How the search walks: chosen so that few probes are long. None of these is a rule of the answer,
 * but CLOSE and TOLERANCE, which capacity.h names. */
#define CLOSE	   1.5	 /* half widths wanted, and */
#define CLOSE_BEND 0.3	 /* off the limit: from there a slope tells where that is met */
#define POLISHED   0.003 /* where the line must be short */
#define TOLERANCE  0.004 /* of a bracket where there is no slope */
#define SCOUTED	   0.03	 /* scouts come no closer */
#define SCOUTS	   8
#define START	   0.9	  /* of saturation: few percentiles hold beyond */
#define VANISHING  1000.0 /* times a lone request's time between two arrivals */
#define STRIDE	   1.6	  /* the search goes no further up or down at a time */
#define MARGIN	   0.05	  /* of a bracket: kept off its ends */
#define STEP	   0.01	  /* of long probes until a bracket is found, doubled each time */
#define BEYOND	   0.15	  /* of the way to where the limit is met: to get a bracket's other end */
#define STALLED	   0.33	  /* of its width two probes ago: then a bracket is halved */
#define GROWTH	   4	  /* times a probe's requests that the next has at most */
#define SPARE	   1.3	  /* times the requests that a width asks for, itself an estimate */

/* A search under way. The bracket is of probes with as many requests. */
struct search {
	const struct capacity_setup *setup;
	struct diag *diag;
	double most_rps;
	struct curve curve;
	double low_rps, high_rps; /* the best rate that held, the least that did not; 0: none yet */
	double width[3];	  /* of the bracket, in ln(rate), now and before; INFINITY: open */
	int first;		  /* the bracket's first probe */
	int known;		  /* of the curve's probes, not looked at here */
	bool failed;		  /* a trace could not be read */
	/* What was found. */
	struct meeting meeting;
	double half; /* of the interval, in ln(rate) */
};

static const struct probe *last(const struct search *s)
{
	return &s->curve.seen[s->curve.probes - 1];
}

static bool is_whole(const struct search *s)
{
	return traffic_is_terminating(&s->setup->fleet.scenario->traffic);
}

static void open_bracket(struct search *s)
{
	s->low_rps = s->high_rps = 0;
	s->width[0] = s->width[1] = s->width[2] = INFINITY;
	s->first = s->curve.probes;
}

static void narrow_bracket(struct search *s, const struct probe *p)
{
	if (p->holds)
		s->low_rps = fmax(s->low_rps, p->rate_rps);
	else if (s->high_rps == 0 || p->rate_rps < s->high_rps)
		s->high_rps = p->rate_rps;
	s->width[2] = s->width[1];
	s->width[1] = s->width[0];
	if (s->low_rps > 0 && s->high_rps > 0)
		s->width[0] = log(s->high_rps / s->low_rps);
}

/* Tries a rate with so many requests (0: a scout); false if the search is over. */
static bool try_rate(struct search *s, double rate, int64_t requests)
{
	struct probe *p = &s->curve.seen[s->curve.probes];
	const struct probe_setup *fleet = &s->setup->fleet;

	if (s->failed || s->curve.probes == CURVE_MAX)
		return false;
	s->failed = requests ? !probe_look(p, fleet, rate, requests, s->diag)
			     : !probe_scout(p, fleet, rate, s->diag);
	if (s->failed)
		return false;
	s->curve.probes++;
	narrow_bracket(s, p);
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

/* The probe of the bracket that came nearest to the limit. */
static const struct probe *nearest(const struct search *s)
{
	const struct probe *best = last(s);

	for (int i = s->first; i < s->curve.probes; i++) {
		const struct probe *p = &s->curve.seen[i];

		if (p->limits && fabs(curve_bend(&p->found[0])) < fabs(curve_bend(&best->found[0])))
			best = p;
	}
	return best;
}

/* Down from rates that failed: two steps, then each request alone, which is the last hope. */
static double step_down(const struct search *s, double want)
{
	double alone = vanishing_rate(s), least = s->high_rps / STRIDE;

	return s->curve.probes - s->first > 2 || least < alone ? alone : fmax(want, least);
}

static double step_up(const struct search *s, double want)
{
	return fmin(want, fmax(s->low_rps * STRIDE, s->most_rps / 2));
}

/* Within the bracket, off its ends; halved if it shrinks slowly. */
static double step_within(const struct search *s, double want)
{
	double margin = MARGIN * (s->high_rps - s->low_rps);

	if (isfinite(s->width[2]) && s->width[0] > STALLED * s->width[2])
		return sqrt(s->low_rps * s->high_rps);
	return fmin(fmax(want, s->low_rps + margin), s->high_rps - margin);
}

/* Where to look next: where the limit is met, kept within the bracket and to steps. */
static double next_rate(const struct search *s, double want)
{
	if (isfinite(s->width[0]))
		return step_within(s, want);
	if (s->low_rps == 0)
		return step_down(s, fmin(want, s->high_rps * (1 - TOLERANCE)));
	return fmin(s->most_rps, step_up(s, fmax(want, s->low_rps * (1 + TOLERANCE))));
}

/* Even alone a limit is broken: once more in earnest where a scout does not decide. */
static bool misses_alone(struct search *s)
{
	const struct probe_setup *fleet = &s->setup->fleet;

	if (last(s)->holds || last(s)->rate_rps > vanishing_rate(s))
		return false;
	if (probe_is_far(last(s)) || is_whole(s) ||
	    last(s)->requests + fleet->replications > probe_most_requests(fleet, last(s)->rate_rps))
		return true;
	return try_rate(s, last(s)->rate_rps, probe_base_requests(fleet)) && !last(s)->holds;
}

static double first_rate(const struct search *s)
{
	const struct probe_setup *fleet = &s->setup->fleet;
	double rate = estimate_fleet_rate(fleet->fleet, &fleet->scenario->facts,
					  &fleet->scenario->slo, s->most_rps);

	if (s->known && curve_meeting(&s->curve, last(s)).rate_rps > 0)
		return fmin(curve_meeting(&s->curve, last(s)).rate_rps, s->most_rps);
	if (rate <= s->most_rps / 999) /* the least that it gives: not even alone */
		return vanishing_rate(s);
	return fmin(rate, START * s->most_rps);
}

static bool is_near(double a, double b, double within)
{
	return fabs(log(a / b)) < within;
}

/* Whether scouts have told what they can. */
static bool is_scouted(const struct search *s, double next)
{
	const struct probe *p = nearest(s);

	if (p->rate_rps >= s->most_rps && p->holds)
		return true;
	return s->width[0] < SCOUTED ||
	       (s->curve.probes > 1 && is_near(next, p->rate_rps, SCOUTED));
}

/* Where the first limit is met, as far as scouts tell; 0: no rate holds (or a trace failed). */
static double scout(struct search *s)
{
	double rate = first_rate(s);

	for (int i = 0; i < SCOUTS && try_rate(s, rate, 0); i++) {
		if (misses_alone(s))
			return 0;
		rate = next_rate(s, curve_meeting(&s->curve, nearest(s)).rate_rps);
		if (is_scouted(s, rate))
			break;
	}
	return s->failed ? 0 : rate;
}

double capacity_half(const struct capacity *c)
{
	return log(c->interval.high / c->interval.low) / 2;
}

double capacity_half_wanted(const struct probe_setup *fleet)
{
	return fleet->replications > 1 ? CAPACITY_KNOWN : CAPACITY_POINT;
}

int64_t capacity_more_requests(double half, const struct probe *p, const struct probe_setup *fleet,
			       int64_t most)
{
	double wanted = capacity_half_wanted(fleet);
	double times = fmin(GROWTH, fmax(2, SPARE * pow(half / wanted, 2)));
	int64_t more = (int64_t)fmin((double)most, times * (double)p->requests);

	return !(half > wanted) || more - p->requests < fleet->replications ? 0 : more;
}

/* Of the last probe; 0: the rate is known well enough, or no more are allowed. */
static int64_t more_requests(struct search *s)
{
	const struct probe_setup *fleet = &s->setup->fleet;
	int64_t most = probe_most_requests(fleet, last(s)->rate_rps);

	return capacity_more_requests(s->half, last(s), fleet, most);
}

/* What the last probe says of where the limit is met. */
static double look_around(struct search *s)
{
	s->meeting = curve_meeting(&s->curve, last(s));
	s->half = probe_half_width(s->meeting.limit) / s->meeting.slope;
	double met = fmin(s->meeting.rate_rps, s->most_rps);

	if (s->high_rps > 0)
		met = fmin(met, s->high_rps);
	return fmax(met, s->low_rps);
}

/* Whether the last probe's line leads to where the limit is met: it is not far, or no further than
 * chance may move it. */
static bool is_close(const struct search *s, double met)
{
	double half = isfinite(s->half) ? s->half : 0;
	double within = CLOSE * fmax(capacity_half_wanted(&s->setup->fleet), half);

	if (s->width[0] < capacity_half_wanted(&s->setup->fleet))
		return true;
	if (met <= s->low_rps || (s->high_rps > 0 && met >= s->high_rps))
		return last(s)->holds && met >= s->most_rps; /* else another probe denies it */
	return is_near(met, last(s)->rate_rps, within) &&
	       fabs(curve_bend(s->meeting.limit)) < CLOSE_BEND;
}

static bool is_polished(const struct search *s, double met)
{
	return !s->setup->polished || s->width[0] < POLISHED ||
	       is_near(met, last(s)->rate_rps, POLISHED);
}

/* Where to look next in earnest. Scouts were near: steps grow until a bracket is found. */
static double next_near(const struct search *s, double met)
{
	double least = STEP * pow(2, s->curve.probes - s->first - 1), r = last(s)->rate_rps;

	if (isfinite(s->width[0]))
		return step_within(s, met);
	if (s->low_rps == 0)
		return fmax(fmin(met, r * (1 - least)), vanishing_rate(s));
	return fmin(fmax(met, r * (1 + least)), s->most_rps);
}

/* Long probes around a rate until one is close, and the rate known well enough; 0: none holds. */
static double close_in(struct search *s, double rate)
{
	int64_t requests = probe_base_requests(&s->setup->fleet);
	double met = 0;
	bool alone = false;

	open_bracket(s);
	while (try_rate(s, rate, requests) && !(alone = misses_alone(s))) {
		met = look_around(s);
		bool close = is_close(s, met);
		int64_t more = close ? more_requests(s) : 0;

		if (close && more == 0 && is_polished(s, met))
			return met;
		if (more > 0)
			open_bracket(s);
		requests = more > 0 ? more : requests;
		rate = close ? met : next_near(s, met);
	}
	s->half = INFINITY; /* not close after so many probes: nothing is certain */
	return alone ? 0 : fmax(met, s->low_rps);
}

/* Where the limit is met and a little beyond, so that the next probe ends the other way. */
static double beyond_meeting(const struct search *s)
{
	double met = curve_meeting(&s->curve, nearest(s)).rate_rps;
	double way = log(met / last(s)->rate_rps);

	if (!isfinite(way))
		return met;
	return met * exp(BEYOND * way + (last(s)->holds ? TOLERANCE : -TOLERANCE) / 2);
}

/* A trace or schedule: a bracket of TOLERANCE. */
static double narrow(struct search *s)
{
	double rate = first_rate(s);

	while (try_rate(s, rate, 1)) {
		if (misses_alone(s) || s->low_rps >= s->most_rps)
			break;
		if (s->width[0] <= TOLERANCE)
			break;
		rate = next_rate(s, beyond_meeting(s));
	}
	s->meeting = curve_meeting(&s->curve, nearest(s));
	s->half = (double)NAN;
	return s->low_rps;
}

/* The highest rate that holds; 0: none does, and the last probe says why. */
static double search_rates(struct search *s)
{
	if (is_whole(s))
		return narrow(s);
	double rate = s->known ? first_rate(s) : scout(s);

	return rate > 0 ? close_in(s, rate) : 0;
}

static void say_saturated(struct capacity *c, const struct saturation *sat)
{
	c->max_rps = CAPACITY_SHARE * c->saturated_rps;
	snprintf(c->limited_by, sizeof c->limited_by, "saturation");
	c->interval = (struct interval){CAPACITY_SHARE * sat->interval.low,
					CAPACITY_SHARE * sat->interval.high};
}

static void say_none(struct capacity *c, const struct probe *alone)
{
	char text[256];

	judge_name(c->limited_by, &alone->found[0]);
	judge_text(text, &alone->found[0]);
	c->alone_misses = true;
	c->alone_excess = alone->found[0].excess;
	c->certain = probe_is_far(alone) || judge_certain(alone->found, alone->limits);
	snprintf(c->reason, sizeof c->reason, "%s with each request alone, %s",
		 alone->holds ? "within the limits only" : "even", text);
}

/* The probe at the least rate: each request alone, if no more than that holds. */
static const struct probe *slowest(const struct search *s)
{
	const struct probe *least = last(s);

	for (int i = s->known; i < s->curve.probes; i++)
		if (s->curve.seen[i].rate_rps < least->rate_rps)
			least = &s->curve.seen[i];
	return least;
}

/* By how much a value may be off however many samples there are: percentiles of ITL come from a
 * histogram. */
static double grain(const struct finding *f)
{
	return f->metric == SLO_ITL && f->statistic != SLO_MEAN ? ldexp(1, -HISTOGRAM_BITS - 1) : 0;
}

static void say_met(struct capacity *c, const struct search *s, double rate)
{
	BUG_IF(!s->meeting.limit); /* a rate that holds was looked at */
	double half = s->half + grain(s->meeting.limit) / s->meeting.slope;

	c->max_rps = rate;
	c->certain = is_whole(s) || half <= capacity_half_wanted(&s->setup->fleet);
	c->slope = s->meeting.slope;
	judge_name(c->limited_by, s->meeting.limit);
	if (isfinite(half))
		c->interval =
			(struct interval){rate * exp(-half), fmin(s->most_rps, rate * exp(half))};
}

static void say_found(struct capacity *c, const struct search *s, const struct saturation *sat,
		      double rate)
{
	c->simulations += s->curve.probes - s->known;
	c->requests = last(s)->requests;
	if (rate <= 2 * vanishing_rate(s)) {
		say_none(c, slowest(s));
	} else if (rate >= s->most_rps) {
		say_saturated(c, sat);
		c->certain = probe_is_decided(nearest(s), &s->setup->fleet);
	} else {
		say_met(c, s, rate);
	}
}

static void begin(struct search *s, const struct capacity_setup *setup, double saturated_rps,
		  struct diag *d)
{
	*s = (struct search){.setup = setup, .diag = d, .most_rps = CAPACITY_SHARE * saturated_rps};
	if (setup->known)
		s->curve = *setup->known;
	s->curve.fleet = setup->fleet.fleet;
	s->curve.facts = &setup->fleet.scenario->facts;
	s->curve.saturated_rps = saturated_rps;
	s->known = s->curve.probes;
	open_bracket(s);
}

bool capacity_find(struct capacity *c, const struct capacity_setup *setup, struct diag *d)
{
	const struct probe_setup *fleet = &setup->fleet;
	struct saturation sat = setup->saturated;
	struct search s;

	*c = (struct capacity){.interval = {NAN, NAN}, .slope = (double)NAN};
	if (!(sat.rps > 0)) {
		c->simulations++;
		if (!saturation_measure(&sat, fleet->scenario, fleet->fleet, d))
			return false;
	}
	c->saturated_rps = sat.rps;
	c->saturated_interval = sat.interval;
	if (!(sat.rps > 0)) {
		c->alone_misses = c->certain = true;
		c->alone_excess = INFINITY;
		snprintf(c->reason, sizeof c->reason,
			 "every request is rejected: none fits the KV pool");
		return true;
	}
	if (!slo_is_set(&fleet->scenario->slo)) {
		say_saturated(c, &sat);
		c->certain = true;
		return true;
	}
	begin(&s, setup, sat.rps, d);
	double rate = search_rates(&s);
	if (!s.failed)
		say_found(c, &s, &sat, rate);
	return !s.failed;
}
