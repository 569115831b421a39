/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A scenario in two or three lines for people: model, engine, traffic, limits. */
#ifndef REPORT_SCENARIO_TEXT_H
#define REPORT_SCENARIO_TEXT_H

#include <stdio.h>

#include "scenario/scenario.h"

void scenario_text_print(const struct scenario *s, FILE *to);

#endif
