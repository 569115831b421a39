/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of measurements that came with the program, workloads/measured/check and fit, and
 * those of a user's own. */
#ifndef SCENARIO_MEASURED_TABLES_H
#define SCENARIO_MEASURED_TABLES_H

#include "scenario/measured_rules.h"

struct measured_tables {
	size_t n;
	struct measured_table *table; /* check before fit, each by name */
	bool *picked;		      /* by table */
	struct measured_rules rules;  /* workloads/measured/rules.json; none: there is no file */
};

/* All tables of the data folder. `names` picks some (NULL-terminated; NULL or empty: all): one is a
 * table's name, or the path of a .csv file, which is then read too. False with d filled, and
 * nothing to free. */
bool measured_tables_read(struct measured_tables *m, const char *data_dir, const char *const *names,
			  struct diag *d);
void measured_tables_free(struct measured_tables *m);

#endif
