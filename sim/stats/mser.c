/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stats/mser.h"

#include <math.h>

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
