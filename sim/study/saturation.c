/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/saturation.h"

#include "stats/samples.h"

#define REQUESTS_A_REPLICA 20000
#define BATCHES_A_SLOT	   20
#define REPLICAS_MAX	   16
#define BATCHES		   8
#define LEVEL		   0.95

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* Between the 10th and the 90th percentile of n finishes, in eight batches of a tenth. */
static void measure(struct saturation *sat, tick *finish, size_t n, double scale)
{
	static const double q[BATCHES + 1] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9};
	double at[BATCHES + 1], rate[BATCHES], tenth = (double)(n - 1) / 10;

	samples_quantiles(finish, n, q, BATCHES + 1, at);
	for (int i = 0; i < BATCHES; i++)
		rate[i] = scale * tenth / ((at[i + 1] - at[i]) * tick_to_s(1));
	sat->rps = scale * BATCHES * tenth / ((at[BATCHES] - at[0]) * tick_to_s(1));
	sat->interval = interval_student(rate, BATCHES, LEVEL);
}

/* Of equal units. */
static bool measure_part(struct saturation *sat, const struct scenario *s,
			 const struct fleet_part *part, struct diag *d)
{
	int64_t simulated = least(part->replicas, REPLICAS_MAX);
	int64_t each = BATCHES_A_SLOT * part->unit->replica.max_num_seqs;
	struct cluster_setup c = {
		.pools = 1,
		.pool = {{part->unit->replica, simulated}},
		.router = s->deployment.router,
		.source = {.traffic = &s->traffic,
			   .seed = (uint64_t)s->traffic.seed,
			   .facts = &s->facts,
			   .rate_factor = 1,
			   .all_at_once = true},
	};
	struct tally tally = {.events = 0};

	c.source.requests = simulated * (each > REQUESTS_A_REPLICA ? each : REQUESTS_A_REPLICA);
	c.tally = (struct tally_setup){.requests = c.source.requests,
				       .keep_samples = true,
				       .ttft_limit = TICK_NEVER,
				       .tpot_limit = TICK_NEVER,
				       .e2e_limit = TICK_NEVER};
	bool good = cluster_run(&c, &tally, d);
	if (good) {
		size_t n = samples_compact(tally.finish, (size_t)c.source.requests);

		*sat = (struct saturation){.interval = {NAN, NAN}};
		if (n > BATCHES)
			measure(sat, tally.finish, n, (double)part->replicas / (double)simulated);
	}
	tally_free(&tally);
	return good;
}

bool saturation_measure(struct saturation *sat, const struct scenario *s, const struct fleet *f,
			struct diag *d)
{
	struct saturation part;

	if (!measure_part(sat, s, &f->part[0], d))
		return false;
	for (size_t i = 1; i < f->parts; i++) {
		if (!measure_part(&part, s, &f->part[i], d))
			return false;
		sat->rps += part.rps;
		sat->interval.low += part.interval.low;
		sat->interval.high += part.interval.high;
	}
	return true;
}
