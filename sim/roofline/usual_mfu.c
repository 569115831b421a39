/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "roofline/usual_mfu.h"

#include <string.h>

#include "base/xmalloc.h"

/*
 * Of an architecture: the share of the peak that kernels reach at full clocks, and what a power
 * limit sustains: TFLOP/s = capped * sqrt(TDP in W * peak in TFLOP/s). Dynamic power grows as the
 * square of the clock where voltage is scaled with it, so that the clock is the root of the power
 * that is left. 0: no card of it is known to be limited.
 */
static const struct architecture {
	const char *name;
	double capability; /* 0: any */
	double ceiling, capped;
} architectures[] = {
	{"Ampere", 8.0, 0.84, 0.86}, {"Ampere", 0, 0.85, 0.59},
	{"Ada", 0, 0.85, 0.70},	     {"Hopper", 0, 0.85, 0.94},
	{"Turing", 0, 0.85, 0.62},   {"Volta", 0, 0.85, 0.49},
	{"Blackwell", 0, 0.85, 1.1}, {"Pascal", 0, 0.90, 0},
	{"CDNA", 0, 0.51, 0},	     {"", 0, 0.75, 0},
};

/* Bytes that elementwise kernels move, and attention's beginnings take, a FLOP of linear layers:
 * of an 8B model. */
static const double beside = 3.5e-4;

/* Scatter of cards about the law, relative. */
static const double scatter = 0.1;

static const struct architecture *find(const struct gpu *g)
{
	const struct architecture *a = architectures;
	const char *name = g->architecture ? g->architecture : "";

	while (strncmp(name, a->name, strlen(a->name)) != 0 ||
	       (a->capability > 0 && a->capability != gpu_capability(g)))
		a++;
	return a;
}

/* Of 16 bits, where it has tensor cores for them; NAN: none given. */
static double peak_of(const struct gpu *g)
{
	double bf16 = gpu_peak(g, COMPUTE_BF16), fp16 = gpu_peak(g, COMPUTE_FP16);

	return !isnan(bf16) ? bf16 : !isnan(fp16) ? fp16 : gpu_peak(g, COMPUTE_FP32);
}

double usual_matmul_mfu(const struct gpu *g)
{
	const struct architecture *a = find(g);
	double limited = a->capped * sqrt(g->tdp_w.value / (peak_of(g) / 1e12));

	return limited > 0 && limited < a->ceiling ? limited : a->ceiling;
}

struct figure usual_mfu(const struct gpu *g)
{
	double matmul = usual_matmul_mfu(g);
	double more = beside * peak_of(g) * matmul / g->bandwidth.value;
	double value = matmul / (1 + (more > 0 ? more : 0));

	return (struct figure){
		.value = value,
		.sigma = scatter * value,
		.origin = ORIGIN_ASSUMED,
		.source = xstrdup("what cards of this architecture sustain at this power limit"),
	};
}
