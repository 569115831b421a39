/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A step as long as its batch is large: everybody gets a token a round, as in processor sharing. */
#include "theory/queue.h"

#define REQUESTS 500000
#define STEPS	 1000.0

static struct queue sharing(enum service_law law)
{
	return (struct queue){.rate = 0.7,
			      .law = law,
			      .steps = STEPS,
			      .a_sequence_s = 1 / STEPS,
			      .slots = 1024,
			      .replicas = 1,
			      .requests = REQUESTS,
			      .seed = 14};
}

/*
 * M/G/1-PS: T = S / (1 - rho), whatever the length law. By Little the error of the mean time is
 * that of the mean number, whose asymptotic variance is 2 rho (1 + rho) / (1 - rho)^4 a unit of
 * time in M/M/1 (Whitt 1989); n customers last n / rho. Longer services make states last longer:
 * times E[S^2] / (2 E[S]^2). A newcomer waits for the round under way, at most a step of the mean
 * batch.
 */
static void check_mean(enum service_law law)
{
	struct queue q = sharing(law);
	double rho = q.rate, slow = fmax(1, queue_moment(law, STEPS) / 2);
	double sd = sqrt(slow * 2 * (1 + rho) / pow(1 - rho, 4) / REQUESTS);

	queue_run(&q);
	assert_near(queue_mean_s(&q, q.tally.e2e), 1 / (1 - rho),
		    SIGMAS * sd + 1 / (1 - rho) / STEPS);
	queue_free(&q);
}

static void mean_is_insensitive(void **state)
{
	(void)state;
	check_mean(CONSTANT);
	check_mean(GEOMETRIC);
	check_mean(TWO_POINT);
}

/* E[T | S = x] = x / (1 - rho): slowdown is fair. The two points have services of 1/2 and 5. */
static void slowdown_is_fair(void **state)
{
	(void)state;
	struct queue q = sharing(TWO_POINT);
	double rho = q.rate, sum[2] = {0, 0}, n[2] = {0, 0};
	double sd = sqrt(1.5 * 2 * (1 + rho) / pow(1 - rho, 4) / REQUESTS);

	queue_run(&q);
	for (int64_t i = queue_cut(&q); i < q.requests; i++) {
		int is_long = queue_steps(&q, i) > STEPS;

		sum[is_long] += tick_to_s(q.tally.e2e[i]);
		n[is_long]++;
	}
	/* Both classes see the same states; their slowdowns err alike, by sd over a mean service.
	 */
	assert_near(sum[0] / n[0] / 0.5, 1 / (1 - rho), SIGMAS * sd + 0.02);
	assert_near(sum[1] / n[1] / 5, 1 / (1 - rho), SIGMAS * sd + 0.02);
	queue_free(&q);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mean_is_insensitive),
		cmocka_unit_test(slowdown_is_fair),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
