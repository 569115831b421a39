/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "serve/kv_pool.h"

#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/wide.h"
#include "base/xmalloc.h"

void kv_pool_init(struct kv_pool *p, int64_t blocks, int64_t block_size)
{
	BUG_IF(blocks < 1 || block_size < 1 || block_size > INT32_MAX);
	memset(p, 0, sizeof(*p));
	p->blocks = p->free = blocks;
	p->block_size = block_size;
	p->shift = block_size & (block_size - 1) ? -1 : __builtin_ctzll((uint64_t)block_size);
	p->count = xcalloc((size_t)block_size, sizeof(*p->count));
}

void kv_pool_free(struct kv_pool *p)
{
	free(p->count);
	memset(p, 0, sizeof(*p));
}

static int64_t residue(const struct kv_pool *p, int64_t tokens)
{
	return p->shift >= 0 ? tokens & (p->block_size - 1) : tokens % p->block_size;
}

/* cached = 0 mod block_size stands on the edge; each token short of it is one class further. */
int32_t kv_pool_join(struct kv_pool *p, int64_t cached)
{
	int64_t class = p->edge + residue(p, cached);
	if (class >= p->block_size)
		class -= p->block_size;
	p->count[class]++;
	p->decoders++;
	return (int32_t) class;
}

void kv_pool_leave(struct kv_pool *p, int32_t class, int64_t cached)
{
	p->count[class]--;
	p->decoders--;
	p->free += kv_pool_blocks(p, cached);
}

static int32_t edge_after(const struct kv_pool *p, int32_t edge)
{
	return edge ? edge - 1 : (int32_t)p->block_size - 1;
}

/* In block_size rounds each decoder takes one block. */
int64_t kv_pool_rounds_left(const struct kv_pool *p, int64_t k)
{
	if (p->decoders * kv_pool_blocks(p, k) <= p->free)
		return k;
	int64_t rounds = p->free / p->decoders * p->block_size, left = p->free % p->decoders;
	for (int32_t edge = p->edge; rounds < k && p->count[edge] <= left;) {
		left -= p->count[edge];
		edge = edge_after(p, edge);
		rounds++;
	}
	return min64(rounds, k);
}

void kv_pool_advance(struct kv_pool *p, int64_t k)
{
	int64_t cycles = k < p->block_size ? 0 : k / p->block_size;
	int64_t taken = cycles * p->decoders;
	int32_t edge = p->edge;
	for (int64_t i = cycles * p->block_size; i < k; i++) {
		taken += p->count[edge];
		edge = edge_after(p, edge);
	}
	p->edge = edge;
	p->free -= taken;
	BUG_IF(p->free < 0);
}
