/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A decoder's terms: one iteration of a language model. */
#ifndef ROOFLINE_LLM_COST_H
#define ROOFLINE_LLM_COST_H

#include "roofline/engine_cost.h"
#include "roofline/gpu.h"
#include "roofline/model.h"
#include "roofline/precision.h"
#include "roofline/step_cost.h"

/*
 * Terms of a decoder on tp GPUs, in this order: linear layers (MoE: dense layers, attention
 * projections, experts), LM head, prefill and decode attention, all-reduce, logit gather, sampling,
 * then the engine's fixed times. The embedding look-up, norms and routers are not priced (a router
 * has under 1 % of its layer's weights). On Volta decode attention reads K and V once a query head.
 * `use` from precision_settle(), the model settled and not refused. Tables of a small size are
 * built.
 */
void llm_step_cost(struct step_cost *c, const struct model *m, const struct gpu *g,
		   const struct precision_use *use, const struct engine_cost *e, int tp);

/* What the links of tp GPUs reach: the engine's own table where it has one, else the GPU's, else
 * what such GPUs over PCIe reach (assumed). tp at least 2. */
double llm_link_byte_per_s(const struct engine_cost *e, const struct gpu *g, int tp);
double llm_link_latency_s(const struct engine_cost *e, const struct gpu *g, int tp);

#endif
