/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An engine's fixed times and its memory rule: half of an engine file; the scheduling half is
 * serve/scheduling.h. */
#ifndef ROOFLINE_ENGINE_COST_H
#define ROOFLINE_ENGINE_COST_H

#include "base/record.h"
#include "roofline/gpu.h"

enum fraction_of { FRACTION_TOTAL, FRACTION_FREE, FRACTION_STATIC };

struct engine_cost {
	struct figure layer, step, request,
		frontend;		   /* layer_us, step_us, request_us, frontend_ms [s] */
	struct figure launch, host_seq;	   /* launch_us a layer, host_seq_us a sequence [s] */
	struct figure host_factor;	   /* times layer, step, frontend; its root times request */
	struct figure sample_bytes;	   /* moved a vocabulary entry and emitted row */
	struct figure logit_reserve_bytes; /* reserved a vocabulary entry and max_num_seqs */
	struct figure gpu_memory_utilization,
		reserve; /* reserve_gb [bytes], unset: the profile's rule */
	int fraction_of;
	struct figure_tp link_busbw, link_lat;	/* override the GPU's where set */
	int64_t kv_pool_tokens, kv_pool_blocks; /* forced pool, or unset */
	int64_t block_size;
	double needs_compute_capability; /* of the GPU; NAN: none */
};
extern const struct record engine_cost_record;

/* Whether the engine supports the GPU; false with why[256] filled is the verdict `unsupported`. */
bool engine_cost_runs_on(const struct engine_cost *e, const struct gpu *g, char why[256]);

#endif
