/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `fleet` found, for people: the mix and what it costs beside fleets of one kind. */
#ifndef REPORT_MIX_REPORT_H
#define REPORT_MIX_REPORT_H

#include "report/run_report.h"
#include "study/mix.h"

void mix_report_print(const struct scenario *s, const struct mix *m, struct run_report_style style,
		      FILE *to);

#endif
