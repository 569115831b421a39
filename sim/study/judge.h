/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A load against the limits of its SLO. A request never served counts as infinitely late. */
#ifndef STUDY_JUDGE_H
#define STUDY_JUDGE_H

#include "study/load.h"

#define FINDINGS_MAX (SLO_METRICS * SLO_STATISTICS)
#define JUDGE_SHARE  (-1) /* in place of a metric: the share of requests that meet every limit */

/* What one limit found. */
struct finding {
	int metric;	     /* enum slo_metric, or JUDGE_SHARE */
	int statistic;	     /* enum slo_statistic */
	double value, limit; /* [s], or shares */
	struct interval interval;
	double excess; /* ln(value / limit), of a share of those that missed; > 0: broken */
};

/* One finding a limit, the most exceeded first; returns how many (0: there is no SLO). */
size_t judge_load(struct finding f[FINDINGS_MAX], const struct slo *slo, const struct load *l);

/* Whether the intervals agree with the verdict of the findings. */
bool judge_certain(const struct finding *f, size_t n);

/* "ttft_ms p99", "attainment"; and with the number: "ttft_ms p99 is 2345 ms, the limit 2000 ms". */
void judge_name(char text[64], const struct finding *f);
void judge_text(char text[256], const struct finding *f);

#endif
