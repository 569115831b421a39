/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A replica with one slot is an M/G/1 queue. */
#include "theory/queue.h"

#define RATE	 0.8
#define STEPS	 1000.0
#define REQUESTS 1000000

static struct queue one_slot(enum service_law law)
{
	return (struct queue){.rate = RATE,
			      .law = law,
			      .steps = STEPS,
			      .step_s = 1 / STEPS,
			      .slots = 1,
			      .replicas = 1,
			      .requests = REQUESTS,
			      .seed = 11};
}

/* Pollaczek and Khinchine: W = lambda E[S^2] / (2 (1 - rho)). */
static void mean_wait(enum service_law law, const struct discipline *discipline)
{
	struct queue q = one_slot(law);
	double moment = queue_moment(law, STEPS), rho = RATE;
	double wait = RATE * moment / (2 * (1 - rho));
	double variance = mm1_wait_variance(rho) * pow(moment / 2, 3);

	q.discipline = discipline;
	queue_run(&q);
	assert_near(queue_mean_s(&q, q.tally.queue), wait, SIGMAS * sqrt(variance / REQUESTS));
	/* An arrival finds the server idle with 1 - rho, whatever the law. */
	assert_near(queue_above(&q, q.tally.queue, 0), rho,
		    SIGMAS * share_sd(rho, rho, REQUESTS) * sqrt(moment / 2));
	queue_free(&q);
}

static void mg1_mean_waits(void **state)
{
	(void)state;
	mean_wait(CONSTANT, NULL);
	mean_wait(GEOMETRIC, NULL);
	mean_wait(TWO_POINT, NULL);
	mean_wait(TWO_POINT, &discipline_prefill_first);
	mean_wait(CONSTANT, &discipline_static);
	mean_wait(TWO_POINT, &discipline_static);
}

/* M/M/1: P(W > t) = rho exp(-(1 - rho) t); a geometric number of short steps is nearly
 * exponential: the step adds at most 1/STEPS to t. */
static void mm1_tail_of_waits(void **state)
{
	(void)state;
	struct queue q = one_slot(GEOMETRIC);
	double rho = RATE;

	queue_run(&q);
	for (double t = 0.5; t < 30; t *= 2) {
		double p = rho * exp(-(1 - rho) * t);

		assert_near(queue_above(&q, q.tally.queue, t), p,
			    SIGMAS * share_sd(p, rho, REQUESTS) + p / STEPS);
	}
	/* Time in system: exponential with 1 - rho. */
	for (double t = 1; t < 30; t *= 2) {
		double p = exp(-(1 - rho) * t);

		assert_near(queue_above(&q, q.tally.e2e, t), p,
			    SIGMAS * share_sd(p, rho, REQUESTS) + p / STEPS);
	}
	queue_free(&q);
}

/* Erlang 1909 for M/D/1 with D = 1: P(W <= t) = (1 - rho) sum over k <= t of
 * (-rho (t - k))^k / k! exp(rho (t - k)). Alternating: good up to some t = 10. */
static double md1_below(double rho, double t)
{
	double sum = 0;

	for (int k = 0; k <= t; k++)
		sum += pow(-rho * (t - k), k) / tgamma(k + 1) * exp(rho * (t - k));
	return (1 - rho) * sum;
}

static void md1_distribution_of_waits(void **state)
{
	(void)state;
	struct queue q = one_slot(CONSTANT);

	queue_run(&q);
	for (double t = 0.25; t < 9; t += 0.75) {
		double p = 1 - md1_below(RATE, t);

		assert_near(queue_above(&q, q.tally.queue, t), p,
			    SIGMAS * share_sd(p, RATE, REQUESTS));
	}
	queue_free(&q);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mg1_mean_waits),
		cmocka_unit_test(mm1_tail_of_waits),
		cmocka_unit_test(md1_distribution_of_waits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
