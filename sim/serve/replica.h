/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One model server: batching by a discipline, paged KV, preemption by recompute. It wakes at the
 * end of a stretch's leap, not of each round; settled state is that at the last wake.
 */
#ifndef SERVE_REPLICA_H
#define SERVE_REPLICA_H

#include "serve/batch.h"
#include "serve/cluster.h"
#include "serve/feed.h"
#include "serve/kv_pool.h"
#include "serve/queue.h"
#include "serve/station.h"
#include "serve/stretch.h"

enum replica_state {
	REPLICA_IDLE,	  /* nothing runs, nothing waits */
	REPLICA_STARTING, /* set late at the tick at which a step starts */
	REPLICA_RUNNING,  /* in a leap */
};

struct replica {
	struct station station;
	const struct replica_setup *setup;
	const struct discipline *discipline;
	int pool; /* of the cluster */
	const struct feed *feed;
	struct agenda *agenda;
	struct tally *tally;
	int64_t *waiting; /* of all replicas: arrived, never in a step */
	enum replica_state state;
	bool reserves; /* a sequence holds the blocks of all its tokens to come: no preemption */
	tick frontend;
	struct queue queue;  /* never in a step, those in the front end too */
	struct passage head; /* the queue's head with its lengths, if head_known */
	bool head_known;
	struct batch batch;
	struct kv_pool kv;
	struct stretch stretch;
	int64_t leap_end;      /* boundary of the stretch at which it wakes */
	int32_t first_prefill; /* of this step, the running list from here on; BATCH_NONE: none */
	bool changed;	       /* the composition is not that of the stretch */
	bool preempted_now;    /* in this step */
	/* Decoders stand still in a step of others' prefills; their gap ends with their next step.
	 */
	bool resting; /* in this step */
	bool rested;  /* since their last tokens, at rested_since */
	tick rested_since;
	int32_t first_rested; /* the running list from here on came since then; BATCH_NONE: nobody
			       */
	tick step_start;      /* of the round that ended last */
	int64_t load;	      /* routed and not finished */
};

/* Of pool `pool` of a cluster. */
void replica_init(struct replica *r, const struct cluster_setup *cluster, int pool,
		  const struct feed *feed, struct agenda *agenda, struct tally *tally,
		  int64_t *waiting);
void replica_free(struct replica *r);
/* Cuts the request's output to the context; whether it can ever be served. */
bool replica_admissible(const struct replica *r, struct passage *p);
/* When an idle replica begins, with what its queue, which is not empty, holds now. */
tick replica_first_start(const struct replica *r);
/* BUG unless all that came has left and every block is free. */
void replica_check_empty(const struct replica *r);

#endif
