/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a name that somebody typed matches an id. */
#ifndef SCENARIO_SHORT_FORM_H
#define SCENARIO_SHORT_FORM_H

#include <stdbool.h>

/* Equal but for case, and for "/", a blank or "_" where the id has "-". */
bool short_form_is_id(const char *name, const char *id);

/* Whether the last parts of two Hugging Face ids are equal without -Instruct, -it, -hf, -chat, case
 * ignored. */
bool short_form_is_hf(const char *name, const char *hf_id);

/* Whether the parts of `name` between "-" all occur, in order, among the id's, case ignored:
 * "a100-40gb" in "a100-sxm-40gb". */
bool short_form_matches(const char *name, const char *id);

/* The name behind a leading "NVIDIA", "AMD", "Tesla", "GeForce", as cards are called by their
 * tools. */
const char *short_form_without_vendor(const char *name);

/* Whether the id is likely meant: it begins with the name, separators left out ("RTX4090"), or has
 * all its parts in some order ("A100 80GB PCIe"). */
bool short_form_resembles(const char *name, const char *id);

/* Whether a count stands with the name of a card: "2:a100", "4xa100", "a100 x4". */
bool short_form_has_count(const char *name);

#endif
