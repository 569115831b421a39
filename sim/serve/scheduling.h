/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An engine's scheduling keys (the other half of an engine file) and the deployment. */
#ifndef SERVE_SCHEDULING_H
#define SERVE_SCHEDULING_H

#include "base/record.h"

enum admission { ADMIT_FULL_SEQUENCE, ADMIT_FIRST_CHUNK, ADMIT_WHOLE_REQUEST };

struct scheduling {
	int64_t schedule_ahead;					     /* 0, 1 */
	int64_t max_num_seqs, max_num_batched_tokens, max_model_len; /* unset: auto */
	int scheduler;						     /* index into disciplines[] */
	int admission;						     /* enum admission */
	bool chunked_prefill;
	int policy;	   /* fcfs; others not yet */
	int64_t max_batch; /* static; unset: max_num_seqs */
	double max_delay;  /* max_delay_ms [s], static; NAN: not given, 0 */
	int preemption;	   /* recompute; swap not yet */
};
extern const struct record scheduling_record;

#define DEPLOYMENT_POOLS_MAX 16 /* behind one router */

/* A class of prompts for the length-aware router, above the class before it. */
struct length_share {
	int64_t input_max;	   /* tokens; unset in the last one: all longer prompts */
	struct record_list shares; /* of double: a pool each */
};

struct deployment {
	int64_t replicas, tensor_parallel,
		pipeline_parallel;	  /* pipeline_parallel: 1 in this version */
	int router;			  /* index into router_kinds[] */
	struct record_list length_shares; /* of struct length_share; empty: laid out by capacity */
};
extern const struct record deployment_record, length_share_record;

#endif
