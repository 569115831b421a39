/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What pictures of a run need beside its outcome. */
#ifndef STUDY_RUN_DATA_H
#define STUDY_RUN_DATA_H

#include "study/distribution.h"
#include "study/roofline_use.h"
#include "study/timeline.h"

struct run_data {
	struct distribution distribution;
	struct timeline timeline;
	struct record_list roofline; /* of struct roofline_use, one a kind of GPU in the fleet */
};

extern const struct record run_data_record;

/* Of the load l, which was run by `setup`. NULL with d filled if a trace failed. */
struct run_data *run_data_new(const struct load *l, const struct load_setup *setup, struct diag *d);
void run_data_del(struct run_data *data); /* NULL: nothing */

#endif
