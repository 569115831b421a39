/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Little's law, exactly: time integrals over the run equal the requests' own times, in ticks. */
#include "theory/queue.h"

static void check_little(struct queue q)
{
	wide batch = 0, waiting = 0, waited = 0, served = 0;

	queue_run(&q);
	for (int s = 0; s < TALLY_SLICES; s++) {
		batch += q.tally.pool->slice[s].batch_time;
		waiting += q.tally.slice[s].queue_time;
	}
	for (int64_t i = 0; i < q.requests; i++) {
		waited += q.tally.queue[i];
		served += q.tally.e2e[i] - q.tally.queue[i];
	}
	assert_true(batch == served);
	assert_true(waiting == waited);
	assert_true(served > 0);
	queue_free(&q);
}

static void integrals_equal_sums(void **state)
{
	(void)state;
	for (int64_t slots = 1; slots <= 64; slots *= 4)
		for (int64_t replicas = 1; replicas <= 3; replicas++)
			check_little((struct queue){.rate = 3 * (double)replicas,
						    .law = GEOMETRIC,
						    .steps = 70,
						    .step_s = 0.003,
						    .a_sequence_s = 0.0007,
						    .slots = slots,
						    .replicas = replicas,
						    .requests = 5000,
						    .router = "least-loaded",
						    .seed = (uint64_t)slots});
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(integrals_equal_sums),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
