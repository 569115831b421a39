/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmocka compares floats; this compares doubles. Include after cmocka.h. */
#ifndef TESTS_NEAR_H
#define TESTS_NEAR_H

#include <math.h>

/* Fails unless |found - expected| <= tolerance; prints all three. NAN fails. */
#define assert_near(found, expected, tolerance)                                                    \
	do {                                                                                       \
		double near_found = (found), near_expected = (expected);                           \
		double near_tolerance = (tolerance);                                               \
		if (!(fabs(near_found - near_expected) <= near_tolerance))                         \
			fail_msg("%s is %.12g, expected %.12g +- %.3g", #found, near_found,        \
				 near_expected, near_tolerance);                                   \
	} while (0)

#endif
