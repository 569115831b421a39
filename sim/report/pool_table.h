/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What each pool of a mixed fleet did, a row a pool. */
#ifndef REPORT_POOL_TABLE_H
#define REPORT_POOL_TABLE_H

#include <stdio.h>

#include "study/outcome.h"

/* Nothing of a fleet that is not mixed. */
void pool_table_print(const struct outcome *o, FILE *to);

#endif
