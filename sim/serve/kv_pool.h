/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Blocks of the KV cache, without a loop over the batch. Decoding sequences write one token a
 * round, so all that matters is how many of them stand on a block's edge: they are counted by
 * residue of their cached tokens, seen from a phase that moves with the rounds. The blocks of a
 * prefill are taken and given by its chunks.
 */
#ifndef SERVE_KV_POOL_H
#define SERVE_KV_POOL_H

#include <stdint.h>

struct kv_pool {
	int64_t blocks, free; /* free: before what decoders take in the next round */
	int64_t block_size;   /* tokens */
	int shift;	      /* log2 of block_size, or -1 */
	int32_t edge;	      /* residue class that takes a block in the next round */
	int64_t decoders;
	int32_t *count; /* decoders by residue class, block_size of them */
};

void kv_pool_init(struct kv_pool *p, int64_t blocks, int64_t block_size);
void kv_pool_free(struct kv_pool *p);

/* ceil(tokens / block_size) */
static inline int64_t kv_pool_blocks(const struct kv_pool *p, int64_t tokens)
{
	if (p->shift >= 0)
		return (tokens + p->block_size - 1) >> p->shift;
	return (tokens + p->block_size - 1) / p->block_size;
}

/* Blocks that decoders take in the next round. */
static inline int64_t kv_pool_edge(const struct kv_pool *p)
{
	return p->count[p->edge];
}

/* A sequence of `cached` tokens, whose blocks are taken already, decodes from now on; returns its
 * class. */
int32_t kv_pool_join(struct kv_pool *p, int64_t cached);
/* It stops, and its blocks are free. */
void kv_pool_leave(struct kv_pool *p, int32_t class, int64_t cached);
/* For how many rounds, up to k, the blocks last; at least 1 if the next round's do. */
int64_t kv_pool_rounds_left(const struct kv_pool *p, int64_t k);
/* k rounds: decoders take their blocks. */
void kv_pool_advance(struct kv_pool *p, int64_t k);

#endif
