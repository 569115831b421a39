/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/run_constants.h"

#include "base/count.h"
#include "base/wide.h"
#include "base/xmalloc.h"
#include "study/latency.h"
#include "study/load.h"
#include "study/measure.h"
#include "study/perturb.h"
#include "study/saturation.h"
#include "study/settled_fleet.h"

#define REQUESTS     20000
#define CYCLE_MAX    100000 /* of a trace or schedule, which is not alike all along */
#define WARMUP_SHARE 10	    /* a tenth of a run without an end is its warm-up */
#define LEFT_BEHIND  0.02   /* of the arrivals: the least that may be overload */

enum { TTFT, TPOT, THROUGHPUT };

#define RANGE(text, member, unit)                                                                  \
	{                                                                                          \
		.key = (text), .kind = FIELD_VECTOR, .count = 2, .scale = (unit),                  \
		.offset = offsetof(struct run_constants, member)                                   \
	}

static const struct field fields[] = {
	{.key = "level", .kind = FIELD_REAL, .offset = offsetof(struct run_constants, level)},
	RANGE("ttft_ms_p99", ttft_p99, 1e-3),
	RANGE("tpot_ms_p99", tpot_p99, 1e-3),
	RANGE("requests_per_s", throughput, 1),
	{.key = "largest",
	 .kind = FIELD_TEXT,
	 .flags = FIELD_BUFFER,
	 .offset = offsetof(struct run_constants, largest)},
	{.key = "largest_share",
	 .kind = FIELD_REAL,
	 .offset = offsetof(struct run_constants, largest_share)},
};

const struct record run_constants_record = {.name = "interval_constants",
					    .size = sizeof(struct run_constants),
					    .fields = COUNT(fields),
					    .field = fields};

struct job {
	const struct evaluate_setup *setup;
	size_t index;
	bool stable; /* as it is, it is not overloaded */
};

/* A short run: as many requests as the whole has, in as many replications as make up REQUESTS. */
static struct load_setup plan(const struct evaluate_setup *e, const struct fleet *f)
{
	const struct traffic *t = &e->scenario->traffic;
	struct load_setup l = {
		.scenario = e->scenario, .fleet = f, .rate_factor = e->rate_factor, .jobs = 1};
	int64_t whole = load_plan_requests(e->scenario, e->rate_factor);

	l.requests = min64(whole, traffic_is_terminating(t) ? CYCLE_MAX : REQUESTS);
	l.replications =
		t->trace ? 1
			 : (int)min64(e->replications, (REQUESTS + l.requests - 1) / l.requests);
	if (t->warmup != RECORD_INT_UNSET)
		l.warmup = min64(t->warmup, l.requests / 2);
	else if (!traffic_is_terminating(t) && !traffic_is_offline(t))
		l.warmup = l.requests / WARMUP_SHARE;
	return l;
}

static double p99_s(const struct load *l, enum metric m)
{
	struct latency latency;

	latency_init(&latency, l, m);
	double value = latency_statistic(&latency, 0.99, false);
	latency_free(&latency);
	return value;
}

/* More arrives than leaves: looked at where much was left behind. */
static bool is_overloaded(const struct load *l, const struct evaluate_setup *e,
			  const struct fleet *f)
{
	struct saturation sat;
	struct diag d;

	diag_init(&d);
	return measure_left_behind(l) > LEFT_BEHIND &&
	       saturation_measure(&sat, e->scenario, f, &d) &&
	       e->scenario->facts.rate_rps * e->rate_factor >= sat.rps;
}

static void look(const struct load *l, bool over, double ln[PERTURB_FIGURES])
{
	ln[TTFT] = over ? (double)INFINITY : log(p99_s(l, METRIC_TTFT));
	ln[TPOT] = log(p99_s(l, METRIC_TPOT));
	ln[THROUGHPUT] = log(measure_throughput(l));
}

static void measure(const struct scenario *s, double ln[PERTURB_FIGURES], void *arg)
{
	const struct job *j = arg;
	struct evaluate_setup setup = *j->setup;
	struct settled_fleet f;
	struct diag d;
	struct load l;

	diag_init(&d);
	setup.scenario = s;
	ln[TTFT] = ln[TPOT] = ln[THROUGHPUT] = (double)NAN;
	if (settled_fleet_init(&f, &setup, j->index, &d) && f.verdict == VERDICT_OK) {
		struct load_setup run = plan(&setup, &f.fleet);

		if (load_run(&l, &run, &d)) {
			look(&l, j->stable && is_overloaded(&l, &setup, &f.fleet), ln);
			load_free(&l);
		}
	}
	settled_fleet_free(&f);
}

static bool is_open(const struct scenario *s)
{
	return !traffic_is_closed(&s->traffic) && !traffic_is_offline(&s->traffic);
}

struct run_constants *run_constants_new(const struct evaluate_setup *setup, size_t index,
					const struct outcome *o)
{
	struct job j = {.setup = setup,
			.index = index,
			.stable = is_open(setup->scenario) && o->verdict != VERDICT_OVERLOADED};
	const struct perturb_setup wanted = {.scenario = setup->scenario,
					     .index = index,
					     .tp = setup->tp,
					     .jobs = setup->jobs,
					     .both = true,
					     .measure = measure,
					     .arg = &j};
	struct perturb p;

	if (o->completed == 0)
		return NULL;
	perturb_run(&p, &wanted);
	struct run_constants *c = xcalloc(1, sizeof *c);
	c->level = PERTURB_LEVEL;
	c->ttft_p99 = perturb_interval(&p, TTFT, o->latency_s[METRIC_TTFT][Q_P99]);
	c->tpot_p99 = perturb_interval(&p, TPOT, o->latency_s[METRIC_TPOT][Q_P99]);
	c->throughput = perturb_interval(&p, THROUGHPUT, o->requests_per_s);
	c->largest_share = perturb_largest(&p, c->largest);
	perturb_free(&p);
	return c;
}
