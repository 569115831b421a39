/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fleets of one-slot replicas behind a router. */
#include "theory/queue.h"

#include <gsl/gsl_cdf.h>

#define STEPS 1000.0

static struct queue fleet(const char *router, int64_t replicas, double rho, int64_t requests)
{
	return (struct queue){.rate = rho * (double)replicas,
			      .law = GEOMETRIC,
			      .steps = STEPS,
			      .step_s = 1 / STEPS,
			      .slots = 1,
			      .replicas = replicas,
			      .requests = requests,
			      .router = router,
			      .seed = 15};
}

/* A Poisson stream split at random is c Poisson streams: c M/M/1 queues. Their waits are
 * independent, so the variance is that of one queue with all customers. */
static void random_split_makes_mm1(void **state)
{
	(void)state;
	enum { N = 1000000 };
	double rho = 0.75;
	struct queue q = fleet("random", 4, rho, N);

	queue_run(&q);
	assert_near(queue_mean_s(&q, q.tally.queue), rho / (1 - rho),
		    SIGMAS * sqrt(mm1_wait_variance(rho) / N));
	for (double t = 1; t < 20; t *= 2) {
		double p = rho * exp(-(1 - rho) * t);

		assert_near(queue_above(&q, q.tally.queue, t), p,
			    SIGMAS * share_sd(p, rho, N) + p / STEPS);
	}
	queue_free(&q);
}

/* Round-robin over c queues gives each Erlang arrivals: E_c/M/1 waits, sigma the root of
 * sigma = (rate / (rate + 1 - sigma))^c with the stream's rate: W = sigma / (1 - sigma). */
static void round_robin_makes_erlang_arrivals(void **state)
{
	(void)state;
	enum { N = 1000000, C = 4 };
	double rho = 0.75, sigma = rho;
	struct queue q = fleet("round-robin", C, rho, N);

	for (int i = 0; i < 200; i++)
		sigma = pow(q.rate / (q.rate + 1 - sigma), C);
	queue_run(&q);
	assert_near(queue_mean_s(&q, q.tally.queue), sigma / (1 - sigma),
		    SIGMAS * sqrt(mm1_wait_variance(rho) / N));
	assert_near(queue_above(&q, q.tally.queue, 0), sigma,
		    SIGMAS * share_sd(sigma, rho, N) + 1 / STEPS);
	queue_free(&q);
}

/*
 * Mitzenmacher 2001: with two choices a share s_k = rho^(2^k - 1) of a large fleet has k customers
 * or more. An arrival joins one with k or more if both have: s_k^2. So P(W > t) is the sum over k
 * of (s_k^2 - s_{k+1}^2) P(Erlang(k) > t). A fleet of 500 is off by some 1/500.
 */
static void two_choices_make_a_double_exponential_tail(void **state)
{
	(void)state;
	enum { N = 1500000, C = 500 };
	double rho = 0.9;
	struct queue q = fleet("power-of-two", C, rho, N);
	double wait = 0;

	queue_run(&q);
	for (int k = 1; k < 12; k++)
		wait += pow(rho, 2 * (pow(2, k) - 1));
	/* A fleet from empty needs some 10 services a replica: start after a tenth instead. */
	memmove(q.tally.queue, q.tally.queue + N / 10, (N - N / 10) * sizeof(tick));
	q.requests -= N / 10;
	assert_near(queue_mean_s(&q, q.tally.queue), wait, 0.02 * wait);
	for (double t = 0; t < 5; t++) {
		double p = 0;

		for (int k = 1; k < 12; k++) {
			double here = pow(rho, 2 * (pow(2, k) - 1));
			double more = pow(rho, 2 * (pow(2, k + 1) - 1));

			p += (here - more) * (t > 0 ? gsl_cdf_gamma_Q(t, k, 1) : 1);
		}
		assert_near(queue_above(&q, q.tally.queue, t), p, 0.02 * p + 0.001);
	}
	q.requests += N / 10;
	queue_free(&q);
}

/* A slow and a fast queue, mu 1 and 4, a fifth of the stream to the slow one by the draws of
 * length-aware: M/M/1 each, at loads of 0.6 and 0.6. */
static void unlike_pools_are_mm1_each(void **state)
{
	(void)state;
	enum { N = 1000000 };
	double rho = 0.6;
	struct queue q = fleet("length-aware", 1, 5 * rho, N);
	double sum[2] = {0}, n[2] = {0};

	q.second_step_s = q.step_s / 4;
	q.second_share = 0.8;
	queue_run(&q);
	for (int64_t i = queue_cut(&q); i < N; i++) {
		sum[q.tally.pool_of[i]] += tick_to_s(q.tally.queue[i]);
		n[q.tally.pool_of[i]]++;
	}
	assert_near(n[1] / (n[0] + n[1]), 0.8, SIGMAS * sqrt(0.16 / N));
	for (int pool = 0; pool < 2; pool++) {
		double mu = pool ? 4 : 1;

		assert_near(sum[pool] / n[pool], rho / (1 - rho) / mu,
			    SIGMAS * sqrt(mm1_wait_variance(rho) / n[pool]) / mu);
	}
	queue_free(&q);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_split_makes_mm1),
		cmocka_unit_test(unlike_pools_are_mm1_each),
		cmocka_unit_test(round_robin_makes_erlang_arrivals),
		cmocka_unit_test(two_choices_make_a_double_exponential_tail),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
