/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which measured rows are not compared, and why: a file of rules. A rule names tables and what must
 * hold of a row; with `figures` it takes out these figures of the row alone.
 *
 *	{"rules": [{"name": "prefix-warm", "why": "one sentence", "tables": ["ionet"],
 *		    "where": [{"column": "traffic.arrivals.rate", "below": 32}]}]}
 */
#ifndef SCENARIO_MEASURED_RULES_H
#define SCENARIO_MEASURED_RULES_H

#include "scenario/measured.h"

/* What must hold of one cell; all keys that are given. Numbers are compared as numbers. */
struct measured_condition {
	char *column;
	char *equals;	     /* a JSON text or number; NULL: not asked */
	char *one_of;	     /* a JSON list of them */
	double above, below; /* neither included; NAN: not asked */
	bool absent;	     /* the cell is empty, or there is no such column */
};

struct measured_rule {
	char *name, *why;
	struct record_list tables;  /* texts; "*" is every table */
	struct record_list where;   /* of struct measured_condition, all of which must hold */
	struct record_list figures; /* texts, "=latency.ttft_ms.*"; empty: the whole row */
};

struct measured_rules {
	struct record_list list; /* of struct measured_rule */
	struct record_places places;
};

extern const struct record measured_rules_record;

/* False with d filled, and nothing to free. */
bool measured_rules_read(struct measured_rules *r, const char *file, struct diag *d);
void measured_rules_free(struct measured_rules *r);

/* Whether every table that a rule names is one of these (NULL-terminated), and every column one of
 * a table that the rule names. False with d filled. */
bool measured_rules_check(const struct measured_rules *r, const struct measured_table *tables,
			  size_t n, struct diag *d);

/* The first rule that takes the row out, or NULL. */
const struct measured_rule *measured_rules_row(const struct measured_rules *r,
					       const struct measured_table *t,
					       const struct measured_row *row);
/* The first rule that takes one of its figures out, or NULL. */
const struct measured_rule *measured_rules_figure(const struct measured_rules *r,
						  const struct measured_table *t,
						  const struct measured_row *row,
						  const struct measured_figure *f);

#endif
