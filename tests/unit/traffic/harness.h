/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tests of this room share: records from JSON text, Kolmogorov's distance. */
#ifndef TESTS_TRAFFIC_HARNESS_H
#define TESTS_TRAFFIC_HARNESS_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/json_doc.h"
#include "base/record.h"

/* Reads a record as the program does; false with d filled. Free with record_free(), also after a
 * failure. */
static inline bool harness_read(const struct record *r, void *object, const char *json,
				struct diag *d)
{
	struct json_doc *doc;
	bool fine;

	diag_init(d);
	record_init(r, object);
	doc = json_doc_parse("test", json, d);
	if (!doc)
		return false;
	fine = record_read(r, object, doc, json_doc_root(doc), "", ORIGIN_GIVEN, d) &&
	       record_finish(r, object, "", d);
	json_doc_del(doc);
	return fine;
}

/* The record must be refused, the message hold `part`, and the path be `path`. */
static inline void harness_refused(const struct record *r, void *object, const char *json,
				   const char *path, const char *part)
{
	struct diag d;
	bool fine = harness_read(r, object, json, &d);

	record_free(r, object);
	if (fine)
		fail_msg("accepted: %s", json);
	if (!strstr(d.message, part) || strcmp(d.path, path) != 0)
		fail_msg("%s: %s: %s (expected %s: %s)", json, d.path, d.message, path, part);
}

static inline int harness_compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Kolmogorov's distance times sqrt(n) of a sample (sorted here) from a continuous law; above 2.5
 * once in 100,000. */
static inline double harness_kolmogorov(double *sample, size_t n,
					double (*cdf)(double x, const double *arg),
					const double *arg)
{
	double distance = 0;

	qsort(sample, n, sizeof(*sample), harness_compare);
	for (size_t i = 0; i < n; i++) {
		double f = cdf(sample[i], arg);

		distance = fmax(distance,
				fmax(f - (double)i / (double)n, (double)(i + 1) / (double)n - f));
	}
	return distance * sqrt((double)n);
}

#endif
