/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A request as it arrives. What happens to it in a replica is the replica's business. */
#ifndef TRAFFIC_REQUEST_H
#define TRAFFIC_REQUEST_H

#include <stdint.h>

#include "des/tick.h"

struct request {
	int64_t number; /* from 0, in order of arrival; lengths are a function of it */
	tick arrival;	/* at the router */
	int32_t input_tokens, output_tokens; /* prompt and answer, at least 1 each */
};

#endif
