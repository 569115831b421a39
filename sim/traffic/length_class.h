/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The requests of a load in classes by prompt length: all that a router knows of a request when it
 * arrives. A class's traffic is the load's own stream without the others' requests: the same
 * arrivals, and outputs that stay with their prompts.
 */
#ifndef TRAFFIC_LENGTH_CLASS_H
#define TRAFFIC_LENGTH_CLASS_H

#include "traffic/traffic.h"

/* How many requests of a law are drawn to divide them; of a trace all that are played. */
#define LENGTH_CLASS_SAMPLE (1 << 19)

struct length_class {
	double share;	    /* of the requests */
	double token_share; /* of their input and output tokens */
	/* Rate, means and number of its requests, class_min and class_max of its prompts; the rest
	 * is the load's. */
	struct traffic_facts facts;
};

/*
 * Divides the load, of which `facts` are, into at most `most` classes of about as many tokens each;
 * prompts of one length stay together, so there may be fewer. The last one's class_max is the
 * longest prompt that there can be. Fills class[] and *classes; false with d filled if a trace
 * failed.
 */
bool length_class_divide(const struct traffic *t, const struct traffic_facts *facts, size_t most,
			 struct length_class *class, size_t *classes, struct diag *d);

#endif
