/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What weights, activations and KV cache are stored in, and what a GPU then computes in. */
#ifndef ROOFLINE_PRECISION_H
#define ROOFLINE_PRECISION_H

#include "base/record.h"
#include "roofline/gpu.h"
#include "roofline/model.h"

enum weight_format { FORMAT_AUTO, FORMAT_FP32, FORMAT_FP16, FORMAT_BF16, FORMAT_FP8, FORMAT_INT8, FORMAT_INT4, FORMAT_MXFP4, FORMAT_NVFP4, FORMATS };
extern const char *const weight_format_names[];

/* As written in a scenario; vLLM spellings (w4a16, w8a16, w8a8, auto) too. */
struct precision {
	int weights;     /* enum weight_format */
	int activations; /* auto, 16, fp8, int8 */
	int kv;          /* auto, fp16, bf16, fp8, int8 */
};
extern const struct record precision_record;

/* Settled for one model on one GPU. */
struct precision_use {
	double linear_bytes, expert_bytes, other_bytes, kv_bytes; /* a weight (scales included); a KV element */
	enum compute_type linear, expert, other;                  /* compute type of each class */
	int weights, activations, kv;                             /* settled choices, for `resolved` */
	const char *note;                                         /* "fp16 in place of bf16 ...", or NULL */
};

/* Settles; false with why[256] filled: the verdict `unsupported`. */
bool precision_settle(const struct precision *p, const struct model *m, const struct gpu *g, struct precision_use *use, char why[256]);

#endif
