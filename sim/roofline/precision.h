/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What weights, activations and KV cache are stored in, and what a GPU then computes in. */
#ifndef ROOFLINE_PRECISION_H
#define ROOFLINE_PRECISION_H

#include "base/record.h"
#include "roofline/gpu.h"
#include "roofline/model.h"

enum weight_format {
	FORMAT_AUTO,
	FORMAT_FP32,
	FORMAT_FP16,
	FORMAT_BF16,
	FORMAT_FP8,
	FORMAT_INT8,
	FORMAT_INT4,
	FORMAT_MXFP4,
	FORMAT_NVFP4,
	FORMATS
};
extern const char *const weight_format_names[]; /* NULL-terminated, as is kv_format_names */

enum activation_format {
	ACTIVATIONS_AUTO,
	ACTIVATIONS_16,
	ACTIVATIONS_FP8,
	ACTIVATIONS_INT8,
	ACTIVATIONS_FP4
};

enum kv_format { KV_AUTO, KV_FP16, KV_BF16, KV_FP8, KV_INT8 };
extern const char *const kv_format_names[];

/* As written in a scenario; vLLM spellings (w4a16, w8a16, w8a8, bfloat16, fp8_e5m2 ...) are further
 * choices. */
struct precision {
	int weights;	 /* enum weight_format, or a vLLM spelling beyond FORMATS */
	int activations; /* enum activation_format up to int8 */
	int kv;		 /* enum kv_format, or a vLLM spelling beyond KV_INT8 */
};
extern const struct record precision_record;

/* Settled for one model on one GPU. */
struct precision_use {
	double linear_bytes, expert_bytes, other_bytes,
		kv_bytes;			 /* a weight (scales included); a KV element */
	enum compute_type linear, expert, other; /* compute type of each class */
	bool experts;				 /* the model has some */
	int weights, activations, kv; /* settled enums, for `resolved`; kv AUTO: as fp32 weights */
	const char *note;	      /* "fp16 in place of bf16 ...", or NULL */
};

/*
 * Settles what a precision means for a model on a GPU, by the table "Precision" of the interface:
 * false with why[256] filled is the verdict `unsupported`. Absent weights are the checkpoint's own
 * (native_weights, native_experts), else 16 bits; so is naming the format of a checkpoint's experts
 * (mxfp4 for gpt-oss leaves its attention in 16 bits).
 */
bool precision_settle(const struct precision *p, const struct model *m, const struct gpu *g,
		      struct precision_use *use, char why[256]);

#endif
