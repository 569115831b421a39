/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A GPU's constants from timings of its kernels, each kernel being a roofline term with a latency
 * of its own. */
#ifndef STUDY_KERNEL_FIT_H
#define STUDY_KERNEL_FIT_H

#include "study/kernel_row.h"

/* One constant of the fit, in the file's unit. */
struct kernel_constant {
	char name[32];	       /* "mfu.fp8", "link_busbw_gbs.2", "gemm_us" */
	struct figure *figure; /* in the GPU; NULL: a kernel's latency, which serving replaces by an
				  engine's fixed times */
	double value, sigma, scale; /* SI = value * scale */
	size_t rows;		    /* that lean on it */
	bool held;		    /* too few rows lean on it: it is the catalogue's */
};

struct kernel_fit {
	size_t constants;
	struct kernel_constant constant[24];
	size_t rows[KERNEL_KINDS], outliers[KERNEL_KINDS];
	double median_error[KERNEL_KINDS]; /* of |fitted / measured - 1|; NAN: no row */
	bool converged;
};

/*
 * Fits the constants that the table has rows for and writes them into g: mfu by compute type (bf16
 * and fp16 are one, `all`), mbu, p; expert_share; amfu, ambu; link tables by GPUs. A constant that
 * fewer than three rows lean on keeps its value. sigma is what as many shapes as a model has (four
 * weights, one set of heads) would leave open. False with d filled if the GPU cannot compute in a
 * row's type.
 */
bool kernel_fit_run(struct kernel_fit *fit, struct gpu *g, const struct kernel_table *t,
		    struct diag *d);

#endif
