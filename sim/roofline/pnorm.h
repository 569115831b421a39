/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The knee of a roofline. */
#ifndef ROOFLINE_PNORM_H
#define ROOFLINE_PNORM_H

/* (a^p + b^p)^(1/p), exact if one is 0; p = 0: the larger. */
double pnorm(double a, double b, double p);

#endif
