/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/parallel.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "base/bug.h"
#include "base/xmalloc.h"

#include <stdlib.h>

enum { JOBS_MAX = 1024 };

struct pool {
	size_t n;
	atomic_size_t next;
	size_t finished; /* under the lock */
	pthread_mutex_t lock;
	void (*body)(size_t i, void *arg);
	void (*done)(size_t count, void *arg);
	void *arg;
};

static void report(struct pool *p)
{
	pthread_mutex_lock(&p->lock);
	p->done(++p->finished, p->arg);
	pthread_mutex_unlock(&p->lock);
}

static void *work(void *data)
{
	struct pool *p = data;
	size_t i;

	while ((i = atomic_fetch_add(&p->next, 1)) < p->n) {
		p->body(i, p->arg);
		if (p->done)
			report(p);
	}
	return NULL;
}

int parallel_processors(void)
{
	long count = sysconf(_SC_NPROCESSORS_ONLN);

	return count < 1 ? 1 : count > JOBS_MAX ? JOBS_MAX : (int)count;
}

int parallel_inner(size_t n, int jobs)
{
	size_t threads = (size_t)(jobs > 0 ? jobs : parallel_processors());

	return n < threads && n > 0 ? (int)(threads / n) : 1;
}

void parallel_for(size_t n, int jobs, void (*body)(size_t i, void *arg),
		  void (*done)(size_t count, void *arg), void *arg)
{
	struct pool p = {.n = n, .body = body, .done = done, .arg = arg};
	size_t threads = (size_t)(jobs > 0 ? jobs : parallel_processors()), started = 0;
	pthread_t *thread;

	if (threads > n)
		threads = n;
	if (threads > JOBS_MAX)
		threads = JOBS_MAX;
	thread = xcalloc(threads, sizeof(*thread));
	pthread_mutex_init(&p.lock, NULL);
	/* the caller is one of them; where no more threads can be had, those that there are do the
	 * work */
	while (started + 1 < threads && pthread_create(&thread[started], NULL, work, &p) == 0)
		started++;
	work(&p);
	for (size_t i = 0; i < started; i++)
		BUG_IF(pthread_join(thread[i], NULL) != 0);
	pthread_mutex_destroy(&p.lock);
	free(thread);
}
