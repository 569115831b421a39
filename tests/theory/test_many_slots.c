/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Slots that share a constant step: M/M/B with geometric answers, M/G/infinity without a limit. */
#include "theory/queue.h"

#define REQUESTS 1000000
#define STEPS	 1000.0

/* Erlang's C: the probability of waiting with B servers at load a = lambda / mu. */
static double erlang_c(int b, double a)
{
	double blocked = 1;

	for (int k = 1; k <= b; k++)
		blocked = a * blocked / (k + a * blocked);
	return blocked / (1 - a / b * (1 - blocked));
}

/*
 * M/M/B with mu = 1: W = C / (B - lambda), P(W > t) = C exp(-(B - lambda) t). A busy replica takes
 * an arrival in at the next step boundary only: half a step later on average, a step at most. The
 * variance of the mean wait is at most that of an M/M/1 queue B times as fast, whose W is rho/C
 * times as long.
 */
static void geometric_answers_make_mmb(void **state)
{
	(void)state;
	enum { B = 8 };
	double rho = 0.85, rate = rho * B, step = 1 / STEPS;
	struct queue q = {.rate = rate,
			  .law = GEOMETRIC,
			  .steps = STEPS,
			  .step_s = step,
			  .slots = B,
			  .replicas = 1,
			  .requests = REQUESTS,
			  .seed = 12};
	double c = erlang_c(B, rate), gap = B - rate;

	queue_run(&q);
	assert_near(queue_mean_s(&q, q.tally.queue), c / gap + step / 2,
		    SIGMAS * sqrt(mm1_wait_variance(rho) / REQUESTS) / B + step);
	for (double t = 0.1; t < 4; t *= 2) {
		double p = c * exp(-gap * t);

		assert_near(queue_above(&q, q.tally.queue, t), p,
			    SIGMAS * share_sd(p, rho, REQUESTS) + p * gap * step);
	}
	queue_free(&q);
}

static int ascending(const void *a, const void *b)
{
	tick x = *(const tick *)a, y = *(const tick *)b;

	return (x > y) - (x < y);
}

/* How many an arrival finds in the system: mean, variance and the share of `none`. */
struct found {
	double mean, variance, none;
};

static struct found count_found(struct queue *q)
{
	struct found f = {0, 0, 0};
	int64_t gone = 0, n = q->requests - queue_cut(q);

	qsort(q->tally.finish, (size_t)q->requests, sizeof(tick), ascending);
	for (int64_t i = 0; i < q->requests; i++) {
		while (q->tally.finish[gone] <= q->tally.arrival[i])
			gone++;
		double in = (double)(i - gone);

		if (i < queue_cut(q))
			continue;
		f.mean += in / (double)n;
		f.variance += in * in / (double)n;
		f.none += (in == 0) / (double)n;
	}
	f.variance -= f.mean * f.mean;
	return f;
}

/*
 * M/G/infinity: time in system is the service, the number found is Poisson with m = lambda E[S],
 * whatever the law (E[S] here with the half step to the next boundary, unless the replica is idle).
 * n customers see about n / (2m) independent states, as the state is new after a service: the mean
 * found has the variance 2 m^2 / n, its variance 2 (m + 2 m^2) m / n.
 */
static void unlimited_slots(enum service_law law)
{
	double rate = 5, step = 1 / STEPS;
	struct queue q = {.rate = rate,
			  .law = law,
			  .steps = STEPS,
			  .step_s = step,
			  .slots = 4096,
			  .replicas = 1,
			  .requests = REQUESTS,
			  .seed = 13};
	double busy = 1 - exp(-rate), m = rate * (1 + busy * step / 2), n = REQUESTS;
	double spread = queue_moment(law, STEPS) - 1;
	double slow = queue_moment(law, STEPS); /* how much longer a state lasts: E[S^2]/E[S]^2 */

	queue_run(&q);
	assert_near(queue_mean_s(&q, q.tally.e2e), 1 + busy * step / 2,
		    SIGMAS * sqrt((spread + step * step) / n));
	assert_near(queue_mean_s(&q, q.tally.queue), busy * step / 2,
		    SIGMAS * step / sqrt(12) / sqrt(n));
	struct found f = count_found(&q);
	assert_near(f.mean, m, SIGMAS * sqrt(slow * 2 * m * m / n));
	assert_near(f.variance, m, SIGMAS * sqrt(slow * 2 * (m + 2 * m * m) * m / n));
	assert_near(f.none, exp(-m), SIGMAS * sqrt(slow * 2 * m * exp(-m) / n));
	queue_free(&q);
}

static void unlimited_slots_make_mginf(void **state)
{
	(void)state;
	unlimited_slots(CONSTANT);
	unlimited_slots(GEOMETRIC);
	unlimited_slots(TWO_POINT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(geometric_answers_make_mmb),
		cmocka_unit_test(unlimited_slots_make_mginf),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
