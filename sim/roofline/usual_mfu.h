/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The share of its peak that a GPU without measurements sustains, from its power limit. */
#ifndef ROOFLINE_USUAL_MFU_H
#define ROOFLINE_USUAL_MFU_H

#include "roofline/gpu.h"

/*
 * mfu of linear layers in serving, assumed, with its sigma and source (owned):
 * docs/calibration-kernels.md, "Power". Needs architecture and a 16-bit peak; without tdp_w, power
 * limits nothing, without bandwidth nothing else runs beside linear layers.
 */
struct figure usual_mfu(const struct gpu *g);

/* The same of a large matmul alone. */
double usual_matmul_mfu(const struct gpu *g);

#endif
