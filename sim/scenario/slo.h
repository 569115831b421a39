/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Limits on what requests experience: the verdict and the capacity search are judged by them. */
#ifndef SCENARIO_SLO_H
#define SCENARIO_SLO_H

#include <stdbool.h>

#include "base/record.h"

enum slo_metric { SLO_TTFT, SLO_TPOT, SLO_ITL, SLO_E2E, SLO_METRICS };
enum slo_statistic {
	SLO_P50,
	SLO_P90,
	SLO_P95,
	SLO_P99,
	SLO_P999,
	SLO_MEAN,
	SLO_MAX,
	SLO_STATISTICS
};
extern const char *const slo_metric_names[];	/* "ttft_ms", ... */
extern const char *const slo_statistic_names[]; /* "p50", ..., "p99.9", "mean", "max" */
extern const double slo_statistic_q[];		/* .5, ..., NAN for mean, 1 for max */

struct slo {
	double limit_s[SLO_METRICS][SLO_STATISTICS]; /* NAN: none */
	double attainment;			     /* NAN: percentiles count */
};
/* Samples beyond a percentile from which an interval of it can be trusted. */
#define SLO_TAIL_SAMPLES 1000

/* Whether any limit is set. */
bool slo_is_set(const struct slo *s);
/* Requests that `requests: auto` means: what leaves SLO_TAIL_SAMPLES beyond the strictest
 * percentile (or share that may miss), p99 where none is named, p99.9 at the most. */
int64_t slo_auto_requests(const struct slo *s);
extern const struct record slo_record;

#endif
