/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Independent random streams. A stream is (seed, name, replication): a 64-bit generator behind
 * GSL's interface for draws in sequence, and a counter form for attributes that are a function of
 * the request number.
 */
#ifndef DES_RNG_H
#define DES_RNG_H

#include <stdint.h>
#include <gsl/gsl_rng.h>

/* xoshiro256++ as a gsl_rng_type; seed only through rng_new(). */
extern const gsl_rng_type *const rng_type;

/* The key of a stream: a hash of its three names. */
uint64_t rng_key(uint64_t seed, const char *stream, int replication);

/* A generator for the stream; release with gsl_rng_free(). */
gsl_rng *rng_new(uint64_t seed, const char *stream, int replication);

/* The counter-th uniform of the stream `key`, in (0, 1), without state. */
double rng_uniform_at(uint64_t key, uint64_t counter);

#endif
