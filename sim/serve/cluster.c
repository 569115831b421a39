/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "serve/cluster.h"

#include <stdlib.h>

#include "base/bug.h"
#include "base/xmalloc.h"
#include "des/agenda.h"
#include "des/rng.h"
#include "serve/clients.h"
#include "serve/replica.h"
#include "serve/router.h"
#include "serve/sink.h"
#include "serve/spout.h"

struct cluster {
	const struct cluster_setup *setup;
	const struct feed *feed;
	struct tally *tally;
	struct agenda agenda;
	struct gate gate;
	struct spout spout;
	struct clients clients;
	struct router router;
	struct replica *replica;
	struct station **station; /* of the replicas */
	int64_t replicas;
	struct sink sink;
	int64_t waiting, limit; /* arrived and never in a step; stop beyond limit */
};

/* Ranks: what lets requests in comes before the replicas. */
static void init_entry(struct cluster *c)
{
	c->gate = (struct gate){.station = c->station, .stations = c->replicas};
	c->gate.tally = c->tally;
	c->gate.next = c->replicas == 1 ? &c->replica->station : &c->router.station;
	if (c->feed->concurrency)
		clients_init(&c->clients, c->feed, &c->gate, &c->sink.station, &c->agenda);
	else
		spout_init(&c->spout, c->feed, &c->gate, &c->agenda);
}

static void init_replicas(struct cluster *c)
{
	int64_t i = 0;
	for (int pool = 0; i < c->replicas; pool++)
		for (int64_t end = i + c->setup->pool[pool].replicas; i < end; i++) {
			struct replica *r = &c->replica[i];
			replica_init(r, c->setup, pool, c->feed, &c->agenda, c->tally, &c->waiting);
			r->station.next =
				c->feed->concurrency ? &c->clients.station : &c->sink.station;
			c->station[i] = &r->station;
		}
}

static void init(struct cluster *c, const struct cluster_setup *setup, const struct feed *feed,
		 struct tally *tally)
{
	*c = (struct cluster){.setup = setup, .feed = feed, .tally = tally};
	c->limit = setup->backlog_limit && !feed->concurrency ? setup->backlog_limit : INT64_MAX;
	for (size_t i = 0; i < setup->pools; i++)
		c->replicas += setup->pool[i].replicas;
	BUG_IF(c->replicas < 1);
	c->replica = xcalloc((size_t)c->replicas, sizeof(*c->replica));
	c->station = xcalloc((size_t)c->replicas, sizeof(struct station *));
	agenda_init(&c->agenda);
	sink_init(&c->sink, tally);
	router_init(&c->router, setup, c->station,
		    rng_key(setup->source.seed, "router", setup->source.replication));
	init_entry(c);
	init_replicas(c);
	if (setup->sampler)
		sampler_start(setup->sampler, c->station, c->replicas, &c->agenda);
}

static void release(struct cluster *c)
{
	for (int64_t i = 0; i < c->replicas; i++)
		replica_free(&c->replica[i]);
	if (c->feed->concurrency)
		clients_free(&c->clients);
	free(c->replica);
	free(c->station);
	agenda_free(&c->agenda);
}

static bool must_stop(void *arg)
{
	const struct cluster *c = arg;
	return c->waiting > c->limit || c->agenda.now >= TICK_FAR;
}

/* What came has left, as many tokens as were asked for, and nothing is held. */
static void check_conservation(const struct cluster *c)
{
	int64_t in = 0, out = 0, emitted = 0, asked = 0;
	for (int s = 0; s < TALLY_SLICES; s++) {
		const struct tally_slice *slice = &c->tally->slice[s];
		in += slice->arrivals;
		out += slice->completed + slice->rejected;
		emitted += slice->emitted;
		asked += slice->output_tokens;
	}
	BUG_IF(in != out);
	BUG_IF(emitted != asked);
	for (int64_t i = 0; i < c->replicas; i++)
		replica_check_empty(&c->replica[i]);
}

bool cluster_run_feed(const struct cluster_setup *setup, const struct feed *feed,
		      struct tally *tally, struct diag *d)
{
	struct cluster c;
	struct tally_setup layout = setup->tally;
	layout.pools = setup->pools;
	for (size_t i = 0; i < setup->pools; i++)
		layout.counters[i] = setup->pool[i].replica.max_num_batched_tokens + 1;
	tally_init(tally, &layout);
	init(&c, setup, feed, tally);
	agenda_run(&c.agenda, must_stop, &c);
	tally_close(tally, c.agenda.now, c.agenda.events);
	tally->stopped_early = c.waiting > c.limit;
	bool ended = c.agenda.now < TICK_FAR;
	if (ended && !tally->stopped_early)
		check_conservation(&c);
	release(&c);
	return ended || diag_fail(d, "the run would take more than 1.2e8 s of simulated time");
}

static bool source_feed_next(void *from, struct request *r)
{
	return source_next(from, r);
}

static void source_feed_lengths(void *from, int64_t number, struct request *r)
{
	source_lengths(from, number, r);
}

bool cluster_run(const struct cluster_setup *setup, struct tally *tally, struct diag *d)
{
	const struct traffic *traffic = setup->source.traffic;
	struct source *source = source_new(&setup->source, d);
	if (!source)
		return false;
	struct feed feed = {.from = source, .next = source_feed_next};
	if (source_is_numbered(source))
		feed.lengths = source_feed_lengths;
	if (!traffic->trace && traffic_is_closed(traffic) && !setup->source.all_at_once) {
		feed.concurrency = traffic->arrivals.concurrency;
		feed.think = tick_from_s(traffic->arrivals.think_s);
		feed.requests = setup->source.requests;
	}
	bool ran = cluster_run_feed(setup, &feed, tally, d) && source_check(source, d);
	source_del(source);
	return ran;
}
