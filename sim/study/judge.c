/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/judge.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/number.h"
#include "base/xmalloc.h"
#include "study/latency.h"

static const enum metric metric_of[SLO_METRICS] = {[SLO_TTFT] = METRIC_TTFT,
						   [SLO_TPOT] = METRIC_TPOT,
						   [SLO_ITL] = METRIC_ITL,
						   [SLO_E2E] = METRIC_E2E};

static double quantile(int statistic)
{
	return statistic == SLO_MEAN ? LATENCY_MEAN : slo_statistic_q[statistic];
}

static void fill_value(struct finding *f, struct latency *l)
{
	f->value = latency_statistic(l, quantile(f->statistic), true);
	f->excess = isnan(f->value) ? -(double)INFINITY : log(f->value / f->limit);
}

static size_t judge_metric(struct finding *f, const struct slo *slo, int metric,
			   const struct load *load)
{
	size_t n = 0;
	struct latency l;

	for (int k = 0; k < SLO_STATISTICS; k++)
		if (!isnan(slo->limit_s[metric][k]))
			f[n++] = (struct finding){
				.metric = metric, .statistic = k, .limit = slo->limit_s[metric][k]};
	if (n == 0)
		return 0;
	latency_init(&l, load, metric_of[metric]);
	for (size_t i = 0; i < n; i++)
		f[i].interval = latency_interval(&l, quantile(f[i].statistic), true);
	for (size_t i = 0; i < n; i++)
		fill_value(&f[i], &l);
	latency_free(&l);
	return n;
}

/* By replication; of an only one by slice. */
static struct interval share_interval(const struct load *l)
{
	double share[TALLY_SLICES], *by_run = xcalloc((size_t)l->replications, sizeof *by_run);
	struct interval i;

	for (int r = 0; r < l->replications; r++) {
		double met = 0, arrived = 0;

		for (int s = l->first_slice; s < TALLY_SLICES; s++) {
			const struct tally_slice *t = &l->tally[r].slice[s];

			met += (double)t->met_slo;
			arrived += (double)t->arrivals;
			share[s] = (double)t->met_slo / (double)t->arrivals;
		}
		by_run[r] = met / arrived;
	}
	if (l->replications > 1)
		i = interval_student(by_run, (size_t)l->replications, LATENCY_LEVEL);
	else
		i = interval_student(share + l->first_slice,
				     (size_t)(TALLY_SLICES - l->first_slice), LATENCY_LEVEL);
	free(by_run);
	return i;
}

static struct finding judge_share(const struct load *l, double wanted)
{
	double met = 0, arrived = 0;

	for (int r = 0; r < l->replications; r++)
		for (int s = l->first_slice; s < TALLY_SLICES; s++) {
			met += (double)l->tally[r].slice[s].met_slo;
			arrived += (double)l->tally[r].slice[s].arrivals;
		}
	double allowed = arrived * (1 - wanted) * (1 + 1e-12); /* 1 - 0.9 is below a tenth */
	struct finding f = {.metric = JUDGE_SHARE,
			    .value = met / arrived,
			    .limit = wanted,
			    .interval = {NAN, NAN}};

	if (allowed >= SLO_TAIL_SAMPLES)
		f.interval = share_interval(l);
	/* Half a request missed stands for none, and for what a share of 1 allows. */
	f.excess = log(fmax(arrived - met, 0.5) / fmax(allowed, 0.75));
	return f;
}

static int by_excess(const void *a, const void *b)
{
	const struct finding *x = a, *y = b;

	if (x->excess != y->excess)
		return x->excess < y->excess ? 1 : -1;
	if (x->metric != y->metric)
		return x->metric - y->metric;
	return x->statistic - y->statistic;
}

size_t judge_load(struct finding f[FINDINGS_MAX], const struct slo *slo, const struct load *l)
{
	size_t n = 0;

	if (!isnan(slo->attainment)) {
		f[0] = judge_share(l, slo->attainment);
		return 1;
	}
	for (int m = 0; m < SLO_METRICS; m++)
		n += judge_metric(f + n, slo, m, l);
	qsort(f, n, sizeof *f, by_excess);
	return n;
}

static bool surely_holds(const struct finding *f)
{
	return f->metric == JUDGE_SHARE ? f->interval.low >= f->limit
					: isnan(f->value) || f->interval.high <= f->limit;
}

static bool surely_broken(const struct finding *f)
{
	return isinf(f->value) || (f->metric == JUDGE_SHARE ? f->interval.high < f->limit
							    : f->interval.low > f->limit);
}

bool judge_certain(const struct finding *f, size_t n)
{
	bool holds = true, broken = false;

	for (size_t i = 0; i < n; i++) {
		holds &= surely_holds(&f[i]);
		broken |= surely_broken(&f[i]);
	}
	return n == 0 || (f[0].excess > 0 ? broken : holds);
}

void judge_name(char text[64], const struct finding *f)
{
	if (f->metric == JUDGE_SHARE)
		snprintf(text, 64, "attainment");
	else
		snprintf(text, 64, "%s %s", slo_metric_names[f->metric],
			 slo_statistic_names[f->statistic]);
}

void judge_text(char text[256], const struct finding *f)
{
	char name[64], value[NUMBER_TEXT], limit[NUMBER_TEXT];

	judge_name(name, f);
	number_text(value, f->value * 1e3, 4);
	number_plain(limit, f->limit * 1e3);
	if (f->metric == JUDGE_SHARE)
		snprintf(text, 256, "%.4g of the requests meet every limit, %.4g were asked for",
			 f->value, f->limit);
	else if (isinf(f->value))
		snprintf(text, 256, "%s is among rejected requests, the limit is %s ms", name,
			 limit);
	else
		snprintf(text, 256, "%s is %s ms, the limit is %s ms", name, value, limit);
}
