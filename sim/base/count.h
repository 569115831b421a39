/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The elements of an array whose size the compiler knows. */
#ifndef BASE_COUNT_H
#define BASE_COUNT_H

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#endif
