/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A GPU by its figures, each with its origin. SI units: bytes, bytes/s, FLOP/s, s, W. */
#ifndef ROOFLINE_GPU_H
#define ROOFLINE_GPU_H

#include "base/record.h"

enum compute_type {
	COMPUTE_FP32,
	COMPUTE_TF32,
	COMPUTE_BF16,
	COMPUTE_FP16,
	COMPUTE_FP8,
	COMPUTE_INT8,
	COMPUTE_INT4,
	COMPUTE_FP4,
	COMPUTE_TYPES
};
extern const char *const compute_type_names[];

/* A figure a compute type, or `all` for every one. */
struct figure_by_type {
	struct figure all, of[COMPUTE_TYPES];
};

struct gpu {
	char *id, *name, *vendor, *architecture, *compute_capability, *die, *form, *confidence;
	int64_t year, count_per_board;
	struct record_list aliases, sources, notes, unsure;
	struct figure memory;	    /* key memory_gb: bytes as the CUDA runtime reports them */
	struct figure bandwidth;    /* key bandwidth_gbs: bytes/s */
	struct figure_by_type peak; /* key peak_tflops: dense FLOP/s; unset = not supported */
	struct figure_by_type mfu;  /* sustained in serving: the one used */
	struct figure mfu_kernel;   /* of single kernels: for rows of kernels only */
	struct figure expert_share; /* of the 16-bit rate that grouped GEMMs of experts reach */
	struct figure mbu, amfu, ambu, p;
	struct figure_tp link_busbw, link_lat; /* keys link_busbw_gbs, link_lat_us: bytes/s, s */
	struct figure pcie;		       /* key pcie_gbs: bytes/s one direction */
	struct figure tdp_w, idle_w;
	char *given; /* JSON text of the source's own figures */
};
extern const struct record gpu_record;

/* The mfu that holds for a compute type: its own, else `all`, else that of 16 bits, else the first
 * one set; a GPU that was read has one. Never NULL. */
const struct figure *gpu_mfu(const struct gpu *g, enum compute_type type);

/* Dense peak of a compute type [FLOP/s]: its own, else `all`; NAN: not supported. */
double gpu_peak(const struct gpu *g, enum compute_type type);

/* CUDA compute capability as a number, 9.0; NAN if it has none (CDNA). */
double gpu_capability(const struct gpu *g);

#endif
