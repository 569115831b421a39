/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers and times in the text of traces, read exactly in integers: times in nanoseconds. A text
 * is not terminated, and may hold any bytes.
 */
#ifndef TRAFFIC_TRACE_TEXT_H
#define TRAFFIC_TRACE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct trace_text {
	const char *at; /* NULL: absent */
	size_t length;
};

/* Readers of a time; false if the text is none or lies beyond 4*10^9 s. Without a zone it counts as
 * UTC. */
bool trace_text_seconds(struct trace_text t, int64_t *ns);	/* 12, 12.5, 1.25e+01 */
bool trace_text_milliseconds(struct trace_text t, int64_t *ns); /* the same, in ms */
/* 2023-11-16 18:17:03.9799600, 2024-05-12T00:00:00+00:00; up to nine digits of a second count;
 * since 1970. */
bool trace_text_datetime(struct trace_text t, int64_t *ns);

/* A count of tokens: NULL, or what is wrong with it. "12.0" is 12. */
const char *trace_text_tokens(struct trace_text t, int64_t *tokens);

/* Longest prompt or answer believed: 2^24 tokens. */
#define TRACE_TEXT_TOKENS_MAX (INT64_C(1) << 24)

#endif
