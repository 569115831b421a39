/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Timings of single kernels of one GPU, a CSV row each. Columns by header, in any order; which must
 * be filled depends on `kind`:
 *
 *   gemm               dtype, m, n, k: m tokens through a weight of n * k
 *   experts            dtype, m, n, k, experts, chosen: m tokens through the chosen of `experts`
 *                      gated MLPs, each 3 * n * k weights; dtype: of the weights
 *   prefill-attention  dtype, batch, tokens, cached, heads, kv_heads, head_dim: in one layer, of
 *                      `batch` chunks of `tokens` behind `cached` ones
 *   decode-attention   the same with `cached` tokens read by each sequence, `tokens` empty or 1
 *   all-reduce         gpus, bytes: of each GPU's message
 *
 * and always `us` (microseconds) and `source`. dtype: of operands and weights; of attention: of K
 * and V.
 */
#ifndef STUDY_KERNEL_ROW_H
#define STUDY_KERNEL_ROW_H

#include <stdint.h>

#include "base/record.h"
#include "roofline/gpu.h"

enum kernel_kind {
	KERNEL_GEMM,
	KERNEL_EXPERTS,
	KERNEL_PREFILL,
	KERNEL_DECODE,
	KERNEL_ALL_REDUCE,
	KERNEL_KINDS
};
extern const char *const kernel_kind_names[]; /* NULL-terminated */

struct kernel_row {
	int kind, dtype; /* enum kernel_kind, compute_type */
	double m, n, k, experts, chosen, batch, tokens, cached, heads, kv_heads, head_dim, gpus,
		bytes;
	double seconds;
	int line;	/* of the file */
	uint64_t shape; /* equal for equal weights or heads: rows that err together */
};

struct kernel_table {
	const char *file; /* as given; NULL: none */
	size_t rows;
	struct kernel_row *row;
	struct record_list sources; /* texts, each once */
};

/* Reads `file`; false with d filled. kernel_table_free() either way. */
bool kernel_table_read(struct kernel_table *t, const char *file, struct diag *d);
void kernel_table_free(struct kernel_table *t);

/* Bytes of an element of a compute type. */
double kernel_element_bytes(enum compute_type type);

#endif
