/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "traffic/arrival_clock.h"

#include <math.h>

#include "base/bug.h"
#include "des/rng.h"

void arrival_clock_init(struct arrival_clock *c, const struct arrivals *a, uint64_t seed,
			int replication, double rate_factor)
{
	BUG_IF(a->process < 0 || a->process >= ARRIVAL_KINDS_COUNT || !(rate_factor > 0));
	*c = (struct arrival_clock){
		.kind = arrival_kinds[a->process],
		.arrivals = a,
		.rate = isnan(a->rate) ? rate_factor : a->rate * rate_factor,
		.rng = rng_new(seed, "arrivals", replication),
		.phase_rng = rng_new(seed, "periods", replication),
	};
	if (c->kind->init)
		c->kind->init(c, a);
}

double arrival_clock_next_s(struct arrival_clock *c)
{
	return c->kind->next_s ? c->kind->next_s(c) : 0;
}

double arrival_clock_rate_rps(const struct arrivals *a)
{
	const struct arrival_kind *kind = arrival_kinds[a->process];

	return kind->rate_rps ? kind->rate_rps(a) : a->rate;
}

void arrival_clock_free(struct arrival_clock *c)
{
	gsl_rng_free(c->rng);
	gsl_rng_free(c->phase_rng);
}

double arrival_clock_cv2(const struct arrivals *a)
{
	return isnan(a->burstiness) ? a->cv * a->cv : 1 / a->burstiness;
}

double arrival_clock_exponential(gsl_rng *rng)
{
	return -log(gsl_rng_uniform_pos(rng));
}
