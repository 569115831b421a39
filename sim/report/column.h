/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table's column of numbers: a field of a record by its path. */
#ifndef REPORT_COLUMN_H
#define REPORT_COLUMN_H

#include "report/table.h"
#include "study/outcome.h"

struct column {
	char heading[24], path[48];
	int digits;
};

/* Columns of a run's latency statistics: no more than these. */
#define COLUMN_LATENCIES_MAX (SLO_METRICS * (SLO_STATISTICS + 1))

/* What the SLO judges; of TTFT and TPOT the p99 where it judges nothing else. `medians`: those of
 * the same metrics before them. Returns how many. */
size_t column_latencies(struct column *c, const struct slo *slo, bool medians);

/* Whether it has no number, because an overloaded queue grows as long as requests arrive. */
bool column_grows(const struct column *c, const struct scenario *s, const struct outcome *o);

/* The field's number in the unit of the file; NAN: unset. */
double column_value(const struct column *c, const struct record *r, const void *object);

#endif
