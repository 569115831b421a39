/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "roofline/pnorm.h"

#include <math.h>

double pnorm(double a, double b, double p)
{
	double most = a > b ? a : b, least = a > b ? b : a;

	if (least == 0 || p == 0)
		return most;
	return most * pow(1 + pow(least / most, p), 1 / p);
}
