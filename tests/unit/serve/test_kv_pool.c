/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "serve/kv_pool.h"

#define MOST 40

/* The same, looping over the sequences. */
struct naive {
	int64_t cached[MOST], block_size;
	int32_t class[MOST];
	int sequences;
};

static int64_t blocks_held(const struct naive *n)
{
	int64_t blocks = 0;
	for (int i = 0; i < n->sequences; i++)
		blocks += (n->cached[i] + n->block_size - 1) / n->block_size;
	return blocks;
}

static int64_t naive_rounds_left(const struct naive *n, int64_t blocks, int64_t k)
{
	struct naive later = *n;
	for (int64_t round = 0; round < k; round++) {
		for (int i = 0; i < n->sequences; i++)
			later.cached[i]++;
		if (blocks_held(&later) > blocks)
			return round;
	}
	return k;
}

static void join(struct kv_pool *p, struct naive *n, int64_t cached)
{
	p->free -= kv_pool_blocks(p, cached);
	n->class[n->sequences] = kv_pool_join(p, cached);
	n->cached[n->sequences++] = cached;
}

static void leave(struct kv_pool *p, struct naive *n, int i)
{
	kv_pool_leave(p, n->class[i], n -> cached[i]);
	n->cached[i] = n->cached[--n->sequences];
	n->class[i] = n->class[n->sequences];
}

static void advance(struct kv_pool *p, struct naive *n, int64_t k)
{
	kv_pool_advance(p, k);
	for (int i = 0; i < n->sequences; i++)
		n->cached[i] += k;
}

static void check(const struct kv_pool *p, const struct naive *n, uint64_t k)
{
	assert_int_equal(p->blocks - p->free, blocks_held(n));
	int64_t most = 1 + (int64_t)(k % 90);
	assert_int_equal(kv_pool_rounds_left(p, most), naive_rounds_left(n, p->blocks, most));
}

static uint64_t draw(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + 1;
	return *state >> 33;
}

static void run(int64_t block_size, uint64_t seed)
{
	struct kv_pool p;
	struct naive n = {.block_size = block_size};
	kv_pool_init(&p, 3000 / block_size, block_size);
	for (int i = 0; i < 400; i++) {
		int64_t cached = 1 + (int64_t)(draw(&seed) % 120);
		if (n.sequences < MOST && kv_pool_blocks(&p, cached) <= p.free)
			join(&p, &n, cached);
		check(&p, &n, draw(&seed));
		advance(&p, &n, kv_pool_rounds_left(&p, 1 + (int64_t)(draw(&seed) % 20)));
		check(&p, &n, draw(&seed));
		if (n.sequences && draw(&seed) % 3 == 0)
			leave(&p, &n, (int)(draw(&seed) % (uint64_t)n.sequences));
	}
	while (n.sequences)
		leave(&p, &n, 0);
	assert_int_equal(p.free, p.blocks);
	assert_int_equal(p.decoders, 0);
	kv_pool_free(&p);
}

static void agrees_with_a_loop_over_the_batch(void **state)
{
	(void)state;
	const int64_t sizes[] = {1, 2, 3, 7, 16, 20, 64};
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
		run(sizes[i], 17 + i);
}

/* Blocks of 4; one on the edge takes a block in this round, one two short of it in the third. */
static void the_edge_by_hand(void **state)
{
	(void)state;
	struct kv_pool p;
	kv_pool_init(&p, 5, 4);
	p.free -= 1 + 2;
	kv_pool_join(&p, 4);
	kv_pool_join(&p, 6);
	assert_int_equal(kv_pool_edge(&p), 1);
	assert_int_equal(kv_pool_rounds_left(&p, 100), 4); /* takes at rounds 1 and 3, then at 5 */
	kv_pool_advance(&p, 2);
	assert_int_equal(p.free, 1);
	assert_int_equal(kv_pool_edge(&p), 1);
	kv_pool_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(agrees_with_a_loop_over_the_batch),
		cmocka_unit_test(the_edge_by_hand),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
