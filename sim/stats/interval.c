/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stats/interval.h"

#include <math.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>

struct interval interval_student(const double *estimate, size_t k, double level)
{
	if (k < 2)
		return (struct interval){NAN, NAN};
	double mean = gsl_stats_mean(estimate, 1, k);
	double half = gsl_cdf_tdist_Pinv((1 + level) / 2, (double)(k - 1)) *
		      gsl_stats_sd_m(estimate, 1, k, mean) / sqrt((double)k);

	if (!isfinite(mean) || !isfinite(half))
		return (struct interval){NAN, NAN};
	return (struct interval){mean - half, mean + half};
}

/* White (1997): with d blocks cut the squared error is sum (y - mean)^2 / (n - d)^2. From the end
 * backwards, mean and sum of squares by Welford's recurrence. */
size_t mser_cut(const double *block, size_t n)
{
	double mean = 0, squares = 0, best = INFINITY;
	size_t cut = 0;

	for (size_t d = n; d-- > 0;) {
		double rest = (double)(n - d), gap = block[d] - mean;

		mean += gap / rest;
		squares += gap * (block[d] - mean);
		if (d <= n / 2 && squares / (rest * rest) <= best) {
			best = squares / (rest * rest);
			cut = d;
		}
	}
	return cut;
}
