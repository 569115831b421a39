/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/unit_count.h"

#include "base/parallel.h"
#include "base/wide.h"

#define TIMES_MAX 4 /* beyond so many times the first guess no fleet is tried */
#define PATIENCE  5 /* scouts before brackets are halved */
#define TRIALS	  24
#define STRIDE	  1.5 /* no further at a time, in earnest */

/* A fleet tried in earnest, or known without. */
struct trial {
	int64_t units;
	bool holds;
	double reach; /* ln(what they hold / the rate); -+INFINITY: beyond doubt */
	double half;  /* of its interval */
	int probes;
	struct probe probe; /* the last one; its rate is that of a unit */
	bool failed;
	struct diag diag;
};

struct search {
	struct side *side;
	const struct unit_count_setup *setup;
	struct curve *curve;
	int64_t floor;		 /* so many cannot hold the rate */
	int64_t low, high, most; /* so many do not, so many do (0: none yet) */
	int64_t guess;		 /* the unrounded ratio, rounded up */
	struct trial now[2];	 /* a pair, side by side */
	int trials;
	struct trial past[TRIALS];
};

/* Whether no probe is needed: then t says what is known. */
static bool is_known(const struct search *s, struct trial *t)
{
	const struct capacity *each = &s->side->each;
	double rate = s->setup->rate_rps * (1 - 1e-12);

	t->reach = INFINITY;
	t->holds = t->units == s->setup->known;
	if (t->holds)
		return true;
	if (rate > CAPACITY_SHARE * (double)t->units * each->saturated_rps) {
		t->reach = -(double)INFINITY;
		return true;
	}
	t->holds = true;
	if (t->units == 1) {
		t->holds = rate <= each->max_rps;
		t->reach = log(each->max_rps / rate);
		t->half = capacity_half(each);
		return true;
	}
	return !slo_is_set(&s->side->base->scenario->slo);
}

/* Half the width of the interval of curve_bend(), from that of the value. A limit that is far off
 * is surely so, whether or not the few requests of its side make an interval. */
static double bend_half(const struct probe *p, const struct finding *f)
{
	bool share = f->metric == JUDGE_SHARE;

	if (isinf(f->excess) || (isnan(f->interval.low) && probe_is_far(p)))
		return 0;
	return probe_half_width(f) * (share ? 1 : exp(-2 * fmax(f->excess, -1)));
}

/* What the trial's last probe says of the rate that the fleet holds. Whether that is known well
 * enough for its verdict to stand, be it certain or not; else *requests grow. */
static bool is_enough(const struct search *s, struct trial *t, const struct probe_setup *setup,
		      int64_t *requests)
{
	struct meeting m = curve_meeting(s->curve, &t->probe);
	int64_t most = probe_most_requests(setup, s->setup->rate_rps);

	t->reach = -curve_bend(m.limit) / m.slope;
	t->half = bend_half(&t->probe, m.limit) / m.slope;
	*requests =
		capacity_more_requests(probe_half_width(m.limit) / m.slope, &t->probe, setup, most);
	return probe_is_decided(&t->probe, setup) || *requests == 0;
}

static void try_units(size_t i, void *arg)
{
	struct search *s = arg;
	struct trial *t = &s->now[i];
	struct fleet fleet = fleet_of(&s->side->unit, s->side->candidate, t->units);
	struct probe_setup setup = side_setup(s->side, &fleet).fleet;

	if (is_known(s, t))
		return;
	setup.requests_max = s->setup->requests_max;
	int64_t requests = probe_base_requests(&setup);
	do {
		t->failed = !probe_look(&t->probe, &setup, s->setup->rate_rps, requests, &t->diag);
		t->probe.rate_rps /= (double)t->units;
		t->probes++;
	} while (!t->failed && !is_enough(s, t, &setup, &requests));
	t->holds = t->probe.holds;
}

static const struct trial *find_trial(const struct search *s, int64_t units)
{
	for (int i = 0; i < s->trials; i++)
		if (s->past[i].units == units)
			return &s->past[i];
	return NULL;
}

static void keep_trial(struct search *s, const struct trial *t)
{
	struct side *side = s->side;

	side->result->simulations += t->probes;
	if (t->failed && !side->failed) {
		side->failed = true;
		side->diag = t->diag;
	}
	if (t->probes && s->curve->probes < CURVE_MAX / 2)
		s->curve->seen[s->curve->probes++] = t->probe;
	s->past[s->trials++] = *t;
}

/* Tries these, side by side, unless they were tried before. */
static void try_pair(struct search *s, int64_t first, int64_t second)
{
	int64_t units[] = {first, second};
	size_t n = 0;

	for (int i = 0; i < 2; i++)
		if (units[i] > 0 && s->trials + 2 <= TRIALS && !find_trial(s, units[i]))
			s->now[n++] = (struct trial){.units = units[i]};
	parallel_for(n, s->side->jobs > 1 ? s->side->jobs : 1, try_units, NULL, s);
	for (size_t i = 0; i < n; i++)
		keep_trial(s, &s->now[i]);
}

static bool holds(const struct search *s, int64_t units)
{
	const struct trial *t = find_trial(s, units);

	return t && t->holds;
}

/* How many should hold the rate, seen from the last probe. */
static int64_t wanted_units(const struct search *s)
{
	const struct probe *p = &s->curve->seen[s->curve->probes - 1];
	double each =
		fmax(curve_meeting(s->curve, p).rate_rps, s->setup->rate_rps / (double)s->most);

	return (int64_t)ceil(s->setup->rate_rps / each * (1 - 1e-9));
}

/* A scout of a fleet. */
static void scout(struct search *s, struct trial *t)
{
	struct side *side = s->side;
	struct fleet fleet = fleet_of(&side->unit, side->candidate, t->units);
	struct probe_setup setup = side_setup(side, &fleet).fleet;

	setup.requests_max = s->setup->requests_max;
	side->failed = !probe_scout(&t->probe, &setup, s->setup->rate_rps, &side->diag);
	t->probe.rate_rps /= (double)t->units;
	t->holds = t->probe.holds;
	side->result->simulations++;
	if (s->curve->probes < CURVE_MAX / 2)
		s->curve->seen[s->curve->probes++] = t->probe;
}

/* Looks at so many units; returns where to look next. */
static int64_t look(struct search *s, int64_t units)
{
	struct trial t = {.units = units};
	int before = s->curve->probes;

	if (traffic_is_terminating(&s->side->base->scenario->traffic)) {
		try_pair(s, units, 0);
		t.holds = holds(s, units);
	} else if (!is_known(s, &t)) {
		scout(s, &t);
	}
	if (t.holds)
		s->high = units;
	else
		s->low = units;
	if (s->curve->probes == before) /* nothing new */
		return t.holds ? units - 1 : units + 1;
	return wanted_units(s);
}

/* The smallest number that holds as far as scouts tell. */
static int64_t steer(struct search *s, int64_t units)
{
	for (int i = 0; s->low + 1 != s->high && s->low < s->most && !s->side->failed; i++) {
		int64_t high = s->high ? s->high - 1 : s->most;

		if (i >= PATIENCE && s->high)
			units = s->low + (s->high - s->low) / 2;
		units = look(s, max64(s->low + 1, min64(units, high)));
	}
	return s->high ? s->high : s->most;
}

/* Narrows the bracket to what was tried in earnest around `units`. */
static void narrow(struct search *s, int64_t units)
{
	for (int64_t u = units; u >= units - 1 && u > s->low; u--) {
		if (s->high && u > s->high)
			continue; /* fewer hold it already */
		if (holds(s, u))
			s->high = u;
		else
			s->low = u;
	}
}

/* Where to try next, by what a fleet was seen to hold: within the bracket. */
static int64_t next_units(const struct search *s, int64_t units)
{
	const struct trial *t = find_trial(s, units);
	double times = fmin(STRIDE, fmax(1 / STRIDE, exp(-t->reach)));
	double want = (double)units * times;
	int64_t high = s->high ? s->high - 1 : s->most;

	return max64(s->low + 1, min64((int64_t)ceil(want - 1e-9), high));
}

/* From there on to where both are seen in earnest: so many hold, and one less do not. */
static int64_t settle(struct search *s, int64_t units)
{
	s->low = s->floor;
	s->high = s->setup->known;
	if (s->low >= s->most)
		return 0;
	for (;;) {
		try_pair(s, units - 1, units);
		narrow(s, units);
		if (s->side->failed || s->low >= s->most)
			return 0;
		if (s->high && (s->low + 1 == s->high || s->trials + 2 > TRIALS))
			return s->high;
		if (s->trials + 2 > TRIALS)
			return 0;
		units = next_units(s, units);
	}
}

static void begin(struct search *s, struct side *side, const struct unit_count_setup *setup,
		  const struct fleet *one)
{
	const struct capacity *each = &side->each;
	double guess = fmax(1, ceil(setup->rate_rps / each->max_rps * (1 - 1e-9)));
	double least = ceil(setup->rate_rps / (CAPACITY_SHARE * each->saturated_rps) * (1 - 1e-9));
	double most = fmax(fmin(TIMES_MAX * guess, UNIT_COUNT_MAX), (double)setup->known);
	double floor = fmin(least, setup->known ? (double)setup->known : most + 1) - 1;

	side->counted = (struct curve){.fleet = one,
				       .facts = &side->base->scenario->facts,
				       .saturated_rps = each->saturated_rps};
	*s = (struct search){.side = side,
			     .setup = setup,
			     .curve = &side->counted,
			     .floor = (int64_t)floor,
			     .low = (int64_t)floor,
			     .high = setup->known,
			     .most = (int64_t)most,
			     .guess = (int64_t)fmin(guess, most)};
}

/* The smallest number that may hold and the one that surely does: a fleet holds by its units. */
static struct interval count_interval(const struct search *s, const struct trial *t,
				      const struct trial *fewer)
{
	double rate = s->setup->half, low = 1, high;

	if (!t || traffic_is_terminating(&s->side->base->scenario->traffic))
		return (struct interval){NAN, NAN};
	high = ceil((double)t->units * exp(fmax(0, hypot(t->half, rate) - t->reach)) - 1e-9);
	if (fewer)
		low = ceil((double)fewer->units * exp(-fewer->reach - hypot(fewer->half, rate)));
	return (struct interval){fmax(1, fmin(low, (double)t->units)), high};
}

void unit_count_find(struct unit_count *count, struct side *side,
		     const struct unit_count_setup *setup)
{
	struct fleet one = fleet_of(&side->unit, side->candidate, 1);
	struct search s;

	begin(&s, side, setup, &one);
	int64_t units = settle(&s, steer(&s, setup->known ? setup->known - 1 : s.guess));
	count->units = units;
	count->most = s.most;
	count->interval = count_interval(&s, find_trial(&s, units), find_trial(&s, units - 1));
	side->counted.fleet = NULL;
}
