/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers for people. */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

#define NUMBER_TEXT 48 /* bytes that any number needs */

/* `digits` significant digits (0: a whole number), thousands grouped, no exponent between 1e-4 and
 * 1e15: "27,448". NAN is "-". `text` holds NUMBER_TEXT bytes. */
void number_text(char *text, double value, int digits);
/* As somebody would write it: a whole number whole, any other at four digits. */
void number_plain(char *text, double value);

#endif
