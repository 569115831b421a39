/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a GPU draws. */
#ifndef ROOFLINE_POWER_H
#define ROOFLINE_POWER_H

#include "roofline/gpu.h"

/* Power of a busy step [W] of one GPU with `tokens` in it (docs/model.md, "Power"); NAN where the
 * GPU has no tdp_w. */
double power_busy_w(const struct gpu *g, double tokens);

/* Power of a GPU with a model loaded and no work [W]: idle_w, else a fifth of tdp_w (assumed). */
double power_idle_w(const struct gpu *g);

#endif
