/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the PATH of a --set or --over names. */
#ifndef SCENARIO_SET_PATH_H
#define SCENARIO_SET_PATH_H

#include "scenario/scenario.h"

/* The field, by any of its names; NULL: a whole model, GPU or engine, or nothing that `s` has. */
const struct field *set_path_field(const struct scenario *s, const char *path);

#endif
