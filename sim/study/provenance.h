/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which constants behind a result were measured, fitted or assumed. */
#ifndef STUDY_PROVENANCE_H
#define STUDY_PROVENANCE_H

#include "study/evaluate.h"

/* A list of texts, "mfu: fitted (...)", of the figures that a unit's result leans on; datasheet
 * values and those that the user gave are left out. Release with provenance_free(). */
void provenance_list(struct record_list *list, const struct engine *engine, const struct gpu *g,
		     const struct unit *u);
void provenance_free(struct record_list *list);

#endif
