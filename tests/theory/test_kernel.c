/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernel alone: two actors make an M/M/1 queue, to be held against Lindley and theory. */
#include "theory/queue.h"

#include "des/agenda.h"

#define REQUESTS 1000000
#define RATE	 0.8

/* A source and a server; waiting customers are a range of numbers. */
struct waiting_line {
	struct agenda agenda;
	struct actor source, server;
	gsl_rng *gaps;
	uint64_t key;
	tick arrival[REQUESTS], start[REQUESTS];
	int64_t arrived, begun;
	bool busy;
};

#define LINE_OF(actor, member)                                                                     \
	((struct waiting_line *)(void *)((char *)(actor)-offsetof(struct waiting_line, member)))

static tick service(const struct waiting_line *m, int64_t number)
{
	return tick_from_s(-log(rng_uniform_at(m->key, (uint64_t)number)));
}

static void begin(struct waiting_line *m, tick now)
{
	m->busy = m->begun < m->arrived;
	if (!m->busy)
		return;
	m->start[m->begun] = now;
	agenda_set(&m->agenda, &m->server, now + service(m, m->begun));
	m->begun++;
}

static void wake_source(struct actor *a, tick now)
{
	struct waiting_line *m = LINE_OF(a, source);

	m->arrival[m->arrived++] = now;
	if (m->arrived < REQUESTS)
		agenda_set(&m->agenda, a,
			   now + tick_from_s(-log(gsl_rng_uniform_pos(m->gaps)) / RATE));
	if (!m->busy)
		begin(m, now);
}

static void wake_server(struct actor *a, tick now)
{
	begin(LINE_OF(a, server), now);
}

static struct waiting_line *simulate(void)
{
	struct waiting_line *m = calloc(1, sizeof *m);

	agenda_init(&m->agenda);
	m->source.wake = wake_source;
	m->server.wake = wake_server;
	agenda_add(&m->agenda, &m->source);
	agenda_add(&m->agenda, &m->server);
	m->gaps = rng_new(16, "kernel gaps", 0);
	m->key = rng_key(16, "kernel service", 0);
	agenda_set(&m->agenda, &m->source, 0);
	agenda_run(&m->agenda, NULL, NULL);
	gsl_rng_free(m->gaps);
	agenda_free(&m->agenda);
	return m;
}

/* Lindley: W' = max(0, W + S - gap), tick for tick; and on average rho / (1 - rho). */
static void mm1_equals_lindley(void **state)
{
	(void)state;
	struct waiting_line *m = simulate();
	double sum = 0, rho = RATE;
	tick wait = 0;

	assert_int_equal(m->begun, REQUESTS);
	for (int64_t i = 0; i < REQUESTS; i++) {
		if (i > 0)
			wait += service(m, i - 1) - (m->arrival[i] - m->arrival[i - 1]);
		wait = wait > 0 ? wait : 0;
		if (m->start[i] - m->arrival[i] != wait)
			fail_msg("customer %lld waits otherwise", (long long)i);
		sum += tick_to_s(wait);
	}
	assert_near(sum / REQUESTS, rho / (1 - rho),
		    SIGMAS * sqrt(mm1_wait_variance(rho) / REQUESTS));
	free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mm1_equals_lindley),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
