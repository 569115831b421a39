/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A request on its way through the stations, and what has befallen it there. */
#ifndef SERVE_PASSAGE_H
#define SERVE_PASSAGE_H

#include <stdbool.h>

#include "traffic/request.h"

struct passage {
	struct request request; /* output_tokens: after truncation, once a replica has seen it */
	tick queue;		/* from arrival + front end to the start of its first step */
	tick first, last;	/* when its first and its last token came out */
	bool rejected;		/* never served: queue, first and last are void */
	bool truncated;
	unsigned char pool; /* of the replica that it leaves */
};

#endif
