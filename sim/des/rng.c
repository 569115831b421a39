/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "des/rng.h"

#include <limits.h>

#include "base/bug.h"

_Static_assert(ULONG_MAX == UINT64_MAX, "gsl_rng draws unsigned long: 64 bits are needed");

/* Odd, nearest to 2^64 over the golden ratio: the increment of splitmix64. */
#define GOLDEN 0x9e3779b97f4a7c15u

struct xoshiro {
	uint64_t s[4];
};

/* The finalizer of splitmix64 (Steele, Lea, Flood, OOPSLA 2014; variant 13 of Stafford). */
static inline uint64_t mix(uint64_t x)
{
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
	return x ^ (x >> 31);
}

static inline uint64_t rotate(uint64_t x, int bits)
{
	return (x << bits) | (x >> (64 - bits));
}

/* xoshiro256++ 1.0 (Blackman, Vigna, ACM TOMS 47, 2021). */
static inline uint64_t step(struct xoshiro *x)
{
	uint64_t *s = x->s;
	uint64_t result = rotate(s[0] + s[3], 23) + s[0];
	uint64_t t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rotate(s[3], 45);
	return result;
}

static void set(void *state, unsigned long seed)
{
	struct xoshiro *x = state;

	for (uint64_t i = 0; i < 4; i++)
		x->s[i] = mix(seed + (i + 1) * GOLDEN);
}

static unsigned long get(void *state)
{
	return step(state);
}

static double get_double(void *state)
{
	return (double)(step(state) >> 11) * 0x1p-53;
}

static const gsl_rng_type xoshiro_type = {
	"xoshiro256++", ULONG_MAX, 0, sizeof(struct xoshiro), set, get, get_double,
};

const gsl_rng_type *const rng_type = &xoshiro_type;

uint64_t rng_key(uint64_t seed, const char *stream, int replication)
{
	uint64_t key = mix(seed + GOLDEN);

	for (const char *c = stream; *c; c++)
		key = mix((key ^ (unsigned char)*c) + GOLDEN);
	return mix((key ^ (uint64_t)(unsigned)replication) + 2 * GOLDEN);
}

gsl_rng *rng_new(uint64_t seed, const char *stream, int replication)
{
	gsl_rng *rng = gsl_rng_alloc(rng_type);

	BUG_IF(!rng);
	gsl_rng_set(rng, rng_key(seed, stream, replication));
	return rng;
}

double rng_uniform_at(uint64_t key, uint64_t counter)
{
	/* 52 bits and a half: neither 0 nor 1, and exact. */
	return ((double)(mix(key + (counter + 1) * GOLDEN) >> 12) + 0.5) * 0x1p-52;
}
