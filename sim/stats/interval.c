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
