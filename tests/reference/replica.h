/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The reference replica: the serving model once more, short, naive and in doubles. It loops over
 * the batch and prices every step from the formulas of the performance model. It is the oracle of
 * the fast simulator and shares no code with it; only standard C is used. SI units throughout.
 *
 * Where the model's text leaves freedom, this is what is computed here:
 *
 *  1. Order at one moment. (a) All requests that arrive then are routed, in order of their number;
 *     (b) the replica of lowest index whose step ends then ends it, its finished requests leave in
 *     order of admission, and back to (a) for successors that arrive at once (no think time);
 *     (c) when neither is left, idle replicas start steps, in order of index. So all finished
 *     requests of a step have left before the first successor is routed, but an equally timed step
 *     of a replica with a higher index has not ended yet.
 *  2. Routing happens at arrival. The load a router compares counts requests routed and not
 *     finished (front end, queue, running). Ties go to the lowest index, with two candidates too.
 *     Round-robin and choice[][] go by request number: request i goes to replica i % replicas.
 *  3. A rejected request is routed too (it takes its turn in round-robin), is never in the load,
 *     and ends at its arrival: in a closed loop its client issues the next one think_s later.
 *  4. prompt >= max_model_len: rejected, not truncated. Else the output is cut to max_model_len -
 *     prompt (truncated); a request cut and then still too large for the pool is both truncated and
 *     rejected. `output` of a result is the one after the cut.
 *  5. Closed loop: clients issue requests 0 .. concurrency-1 at time 0, without thinking first; the
 *     k-th request to end (from 0) brings request concurrency + k at its end + think_s. The run
 *     stops issuing after `requests`, then drains.
 *  6. schedule_ahead = 1: at the start of a step with sequences still running after the finished
 *     ones have left, the queue is joined by requests with arrival + front end <= the start of the
 *     step that just ended; with none running (even if preempted or blocked ones queue), <= now.
 *  7. Those who join go to the back of the queue before the running pass; victims of preemption go
 *     to the very front one by one, so several of one step stand in their order of admission.
 *     A victim loses all blocks and cached tokens; its prompt and emitted tokens are one prefill.
 *  8. The budget is taken in list order. With max_num_batched_tokens >= max_num_seqs only the last
 *     of the running list can be an unfinished prefill, so every running sequence has a token in
 *     every step: n is the length of the running list.
 *  9. Admission compares the blocks free at that moment (after all takings of this step so far,
 *     those of heads admitted before it included) with ceil((prompt + emitted)/block_size), or with
 *     ceil(chunk/block_size) under first-chunk. What unfinished prefills will still need is not set
 *     aside. No watermark under continuous.
 * 10. A chunk's q is what was cached before the step. Each decoder's context is cached + 1. A
 *     sequence in prefill is priced as a chunk even when its chunk is one token.
 * 11. With R = 0 (no chunk completes) the LM head still reads its weights, and the gather still
 *     costs its latency: the formulas as they stand.
 * 12. Sampling, sample_bytes * V * R / BW, belongs to t_gpu (host work hides behind it), is not
 *     divided by tp and not by mbu. Collectives belong to t_gpu as well.
 * 13. MoE: the first first_dense layers are dense layers with `ffn` (attention projections and MLP
 *     one group); in the others the attention projections are one group, the experts another;
 *     experts and shared experts are moe_ffn wide, gated as `gated` says, stored and computed as
 *     block linears. The router's and the norms' weights are not priced, nor is the embedding.
 * 14. queue_s ends at the start of the first step the request is in; waits after a preemption are
 *     not in it. TTFT and E2E count from arrival. first_s is the first token ever emitted, also if
 *     the request is preempted later. An output of 1 has last_s = first_s and no gap.
 * 15. Integrals, all over busy time of all replicas: batch = n * length of the step; KV = tokens
 *     cached by all running sequences, each counting what this step writes, * length of the step;
 *     queue = for every request, from arrival + front end to its first step, and from the start of
 *     the step in which it was preempted to the start of the step that admits it again (exact in
 *     time, not by steps; requests that schedule_ahead does not show yet are in it).
 * 16. flops and bytes are of one GPU of the group: linears and head /tp, attention F/tp and
 *     B/min(tp, g); experts by expected number touched. Collectives and sampling are not in them.
 * 17. blocks_max is the most blocks held in any one replica after the takings of a step.
 * 18. whole_prompts (and every prefill-first): a head is taken with all its known tokens or not at
 *     all; a request whose prompt + output - 1 is above the budget is rejected, as its recompute
 *     could never be one step (under whole-request: one whose prompt is above it).
 * 19. prefill-first: admission comes first. If it takes anybody, the step is theirs alone: those
 * who run have no token in it, keep their blocks, count in the KV integral and not in n. Else the
 *     running pass follows, decodes only. Heads leave floor(pool/100) blocks free, unless nobody
 *     runs: then a request may have the whole pool. None are left under whole-request.
 * 20. whole-request: a request joins if the blocks of its prompt + output - 1 tokens are free,
 * takes them all at once and holds them to its end, so nobody is preempted.
 */
#ifndef TESTS_REFERENCE_REPLICA_H
#define TESTS_REFERENCE_REPLICA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct reference_model {
	int64_t layers, hidden, heads, kv_heads, head_dim, ffn, vocab;
	bool gated;
	int64_t experts; /* 0: dense */
	int64_t chosen, shared_experts, moe_ffn, first_dense;
	double linear_bytes; /* a weight of block linears and experts */
	double wide_bytes;   /* a weight of the LM head (16-bit class) */
	double kv_bytes;     /* an element of the KV cache */
};

struct reference_gpu {
	double linear_flops, linear_mfu; /* FLOP/s and share reached, of the compute type chosen */
	double flops16, mfu16;		 /* the same in 16 bits: LM head; flops16 also attention */
	double bandwidth, mbu;		 /* bytes/s */
	double amfu, ambu, p;
	double expert_share; /* of the 16-bit rate, by experts; no knee there: p = 1 */
	int64_t tp;
	double busbw, lat_s; /* bytes/s and s at this tp; unused at tp 1 */
};

enum reference_admission {
	REFERENCE_FULL_SEQUENCE,
	REFERENCE_FIRST_CHUNK,
	REFERENCE_WHOLE_REQUEST,
};
enum reference_scheduler { REFERENCE_CONTINUOUS, REFERENCE_PREFILL_FIRST, REFERENCE_STATIC };

struct reference_engine {
	double layer_s, step_s, request_s, launch_s, host_seq_s, frontend_s;
	int schedule_ahead;  /* 0 or 1 */
	double sample_bytes; /* 40 on vllm-0.7, else 0 */
	int64_t max_num_seqs, max_num_batched_tokens, max_model_len, block_size, pool_blocks;
	enum reference_admission admission;
	enum reference_scheduler scheduler;
	bool whole_prompts;
	double max_delay_s; /* static only */
};

enum reference_router {
	REFERENCE_ROUND_ROBIN,
	REFERENCE_CHOSEN, /* choice[i][0]: a random router's draws made explicit */
	REFERENCE_LEAST_LOADED,
	REFERENCE_POWER_OF_TWO,	     /* the less loaded of choice[i][0] and choice[i][1] */
	REFERENCE_CAPACITY_WEIGHTED, /* the least (load + 1) / weight */
	REFERENCE_LENGTH_AWARE,	     /* the least loaded of the replicas of kind choice[i][0] */
};

struct reference_setup {
	struct reference_model model;
	struct reference_gpu gpu;
	struct reference_engine engine;
	int replicas;
	enum reference_router router;
	double weight; /* for REFERENCE_CAPACITY_WEIGHTED */
	/* The last `others` replicas are of a second kind: the GPU, engine and weight of `other`
	 * (NULL: others is 0). */
	int others;
	const struct reference_setup *other;
};

/* Requests are numbered in order of issue; lengths and choices are by number. */
struct reference_load {
	size_t requests;
	const int64_t *input, *output; /* tokens, at least 1 */
	const double *arrival_s;       /* not decreasing; NULL: closed loop */
	int64_t concurrency;	       /* closed loop only */
	double think_s;		       /* closed loop only */
	const int (*choice)[2];	       /* of routers that draw: replicas, or a kind (0, 1) */
};

/* What one step does; pairs = sum of c*q + c(c+1)/2, chunk_context = sum of q + c. */
struct reference_step {
	int64_t tokens, rows, sequences;
	double pairs, chunk_context, decode_context;
};

struct reference_request {
	bool rejected, truncated;
	int replica;
	int64_t output;				    /* tokens, after the cut */
	double arrival_s, queue_s, first_s, last_s; /* rejected: all but arrival_s are 0 */
	double ttft_s, e2e_s;
	int64_t preemptions;
};

struct reference_result {
	struct reference_request *request; /* by number */
	size_t requests;
	int64_t rejected, truncated, completed, preemptions;
	int64_t steps, tokens, rows, sequences, blocks_max; /* sums over steps */
	int64_t emitted; /* tokens that came out: rows, less those of ended slots */
	double pairs, chunk_context, decode_context; /* sums over steps */
	double flops, bytes;			     /* of one GPU, see 16 above */
	double busy_s, batch_integral, kv_integral, queue_integral;
	double end_s;  /* when the last request ended */
	double *gap_s; /* all gaps between tokens of a request, pooled, in order of emission */
	size_t gaps, gaps_room;
	/*
	 * The closest call: the least non-zero distance between two times whose order may have
	 * decided something: visibility and a step's start; with several replicas and a router by
	 * load or a closed loop, an arrival and a step's end; with a closed loop, two replicas'
	 * ends. Below some 1e-8 s another arithmetic may rightly decide otherwise (a closed loop of
	 * equal requests has such ties by its structure; 0: times after a delay are equal as sums
	 * of the same times). Infinity if nothing was compared.
	 */
	double margin_s;
};

/* t_gpu: seconds of device work in a step, before the maximum with host work. */
double reference_device_s(const struct reference_setup *, const struct reference_step *);

/* t_step: seconds that a step takes. */
double reference_step_s(const struct reference_setup *, const struct reference_step *);

/* FLOPs and bytes of one GPU of the group in a step, see 16 above. */
void reference_work(const struct reference_setup *, const struct reference_step *, double *flops,
		    double *bytes);

/*
 * Runs the whole load until all requests have ended. Needs max_num_batched_tokens >=
 * max_num_seqs >= 1, lengths >= 1, positive step times. Free with reference_result_free().
 */
void reference_run(const struct reference_setup *, const struct reference_load *,
		   struct reference_result *);
void reference_result_free(struct reference_result *);

#endif
