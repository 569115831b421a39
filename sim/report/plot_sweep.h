/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The results of a sweep as curves: one of each GPU and of each setting of what was swept beside
 * the load. */
#ifndef REPORT_PLOT_SWEEP_H
#define REPORT_PLOT_SWEEP_H

#include "report/plot_value.h"

/* What a curve runs along. */
struct plot_sweep_axis {
	const char *path; /* key of `point`: a rate, a concurrency, else the only one that is
			     numeric; NULL: there is none */
	bool load;	  /* a rate, or a concurrency */
	char *label;	  /* with its unit */
};

struct plot_sweep_point {
	const cJSON *result;
	size_t series; /* from 1 */
	double x;
	int overloaded; /* 0: it is not; else the how manieth of its series as the load grows; 1
			   along any other axis */
};

struct plot_sweep {
	struct plot_sweep_axis axis;
	bool on_and_off;	   /* the rate is that while on */
	struct record_list series; /* of char *, names */
	struct plot_sweep_point *point;
	size_t points; /* sorted by series, then x */
};

/* Empty (no points) if the document is no sweep of runs along an axis. */
void plot_sweep_init(struct plot_sweep *s, const cJSON *result);
void plot_sweep_free(struct plot_sweep *s);

/* A limit of the scenario's SLO, or in its absence what is looked at first: the p99 of TTFT and of
 * TPOT. */
struct plot_limit {
	const char *metric, *statistic; /* "ttft_ms", "p99" */
	double limit_ms;		/* NAN: none */
};
#define PLOT_LIMITS_MAX 6
size_t plot_limits(const cJSON *result, struct plot_limit limits[PLOT_LIMITS_MAX]);
/* The statistic of a result's latency if it is positive, as its axis is logarithmic; else NAN. */
double plot_latency_ms(const cJSON *result, const char *metric, const char *statistic);
/* "TTFT", "TPOT", "ITL", "E2E latency" of a metric's key. */
const char *plot_metric_name(const char *metric);

#endif
