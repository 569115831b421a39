/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/rate_constants.h"

#include "study/estimate.h"
#include "study/settled_fleet.h"

#define REQUESTS_POINT 8000 /* of a scout, of a single replication */
#define NOTHING	       4e-3 /* a closed form that changes less is taken at its word */
#define NEAR	       0.02 /* in ln(rate): so near a scout's slope is good */
#define STRIDE	       0.5  /* in ln(rate): no further at a time */
#define SCOUTS	       4
#define HALVINGS       12
#define CROWDED	       0.95 /* of the saturated throughput */

/* In ln(s): what the closed forms say of a mean request. */
struct forms {
	double step, first, alone;
};

struct job {
	const struct evaluate_setup *setup;
	size_t index;
	const struct capacity *found;
	/* As it is. */
	struct forms forms;
	double bend; /* of the limit that is met, in a scout at max_rps */
	double saturated_rps;
};

/* Means over the fleet's units. */
static struct forms fleet_forms(const struct job *j, const struct fleet *f, double rate)
{
	const struct traffic_facts *facts = &j->setup->scenario->facts;
	double units = (double)fleet_units(f);
	struct forms sum = {0};

	for (size_t i = 0; i < f->parts; i++) {
		const struct unit *u = f->part[i].unit;
		double share = (double)f->part[i].replicas / units;

		sum.step += share * log(estimate_step_s(u, facts, rate / units));
		sum.first += share * log(estimate_first_s(u, facts));
		sum.alone += share * log(estimate_alone_s(u, facts));
	}
	return sum;
}

static double bounded(double x)
{
	return fmin(STRIDE, fmax(-STRIDE, x));
}

static bool is_nothing(const struct forms *a, const struct forms *b)
{
	return fabs(a->step - b->step) < NOTHING && fabs(a->first - b->first) < NOTHING &&
	       fabs(a->alone - b->alone) < NOTHING;
}

/* By how much more the fleet may get until its mean step is that of the unmoved one, but no more
 * than the step itself has changed: where only fixed times grow, no rate makes up for them. */
static double closed_shift(const struct job *j, const struct fleet *f, double step)
{
	double most = bounded(j->forms.step - step), low = fmin(0, most), high = fmax(0, most);

	for (int i = 0; i < HALVINGS; i++) {
		double middle = (low + high) / 2;
		double there = fleet_forms(j, f, j->found->max_rps * exp(middle)).step;

		*(there > j->forms.step ? &high : &low) = middle;
	}
	return (low + high) / 2;
}

/* How far the limit is broken at max_rps * e^shift; NAN: it cannot be told. */
static double scout(const struct job *j, const struct scenario *s, const struct fleet *f,
		    double shift)
{
	const struct probe_setup setup = {.scenario = s,
					  .fleet = f,
					  .replications = 1,
					  .jobs = 1,
					  .requests_max =
						  j->setup->replications > 1 ? 0 : REQUESTS_POINT};
	struct probe p;
	struct diag d;

	diag_init(&d);
	if (!probe_scout(&p, &setup, j->found->max_rps * exp(shift), &d) || !p.limits)
		return (double)NAN;
	return p.overloaded ? fmax(1, curve_bend(&p.found[0])) : curve_bend(&p.found[0]);
}

/* Secants from the closed form's shift on, the first by the slope that the search found. */
static double met_shift(const struct job *j, const struct scenario *s, const struct fleet *f,
			double shift)
{
	double slope = j->found->slope, before = 0, last = 0;

	for (int i = 0; i < SCOUTS; i++) {
		double off = scout(j, s, f, shift) - j->bend;

		if (isnan(off))
			return off;
		if (i > 0 && (off - last) / (shift - before) > 0)
			slope = (off - last) / (shift - before);
		before = shift;
		last = off;
		shift -= bounded(off / slope);
		if (fabs(shift - before) < NEAR)
			break;
	}
	return shift;
}

static double saturated(const struct scenario *s, const struct fleet *f)
{
	struct saturation sat;
	struct diag d;

	diag_init(&d);
	return saturation_measure(&sat, s, f, &d) ? sat.rps : (double)NAN;
}

/* No fleet holds more than CAPACITY_SHARE of its own saturated throughput, which moves about as the
 * closed form does: measured where the rate comes near. */
static double capped(const struct job *j, const struct scenario *s, const struct fleet *f,
		     double shift, double guess)
{
	double rate = j->found->max_rps * exp(shift);

	if (!(rate > CROWDED * j->found->saturated_rps * exp(guess)))
		return shift;
	return fmin(shift, log(CAPACITY_SHARE * saturated(s, f) / j->found->max_rps));
}

static double find_shift(const struct job *j, const struct scenario *s, const struct fleet *f)
{
	struct forms forms = fleet_forms(j, f, j->found->max_rps);
	double guess = closed_shift(j, f, forms.step);

	if (is_nothing(&forms, &j->forms))
		return guess;
	if (isnan(j->found->slope)) /* saturation limits */
		return log(saturated(s, f) / j->saturated_rps);
	return capped(j, s, f, met_shift(j, s, f, guess), guess);
}

static void measure(const struct scenario *s, double ln[PERTURB_FIGURES], void *arg)
{
	const struct job *j = arg;
	struct evaluate_setup setup = *j->setup;
	struct settled_fleet f;
	struct diag d;

	diag_init(&d);
	setup.scenario = s;
	ln[0] = ln[1] = ln[2] = (double)NAN;
	if (settled_fleet_init(&f, &setup, j->index, &d) && f.verdict == VERDICT_OK)
		ln[0] = find_shift(j, s, &f.fleet);
	settled_fleet_free(&f);
}

/* What moves are compared with. */
static bool look_unmoved(struct job *j, const struct fleet *f)
{
	const struct scenario *s = j->setup->scenario;

	j->forms = fleet_forms(j, f, j->found->max_rps);
	if (isnan(j->found->slope)) {
		j->saturated_rps = saturated(s, f);
		return j->saturated_rps > 0;
	}
	j->bend = scout(j, s, f, 0);
	return !isnan(j->bend);
}

void rate_constants_find(struct perturb *p, const struct evaluate_setup *setup, size_t index,
			 const struct capacity *found)
{
	struct job j = {.setup = setup, .index = index, .found = found};
	const struct perturb_setup wanted = {.scenario = setup->scenario,
					     .index = index,
					     .tp = setup->tp,
					     .jobs = setup->jobs,
					     .both = true,
					     .measure = measure,
					     .arg = &j};
	struct settled_fleet f;
	struct diag d;

	*p = (struct perturb){0};
	diag_init(&d);
	if (!(found->max_rps > 0))
		return;
	if (settled_fleet_init(&f, setup, index, &d) && f.verdict == VERDICT_OK &&
	    look_unmoved(&j, &f.fleet))
		perturb_run(p, &wanted);
	settled_fleet_free(&f);
}
