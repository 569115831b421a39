/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "traffic/arrival_kind.h"

#include <stddef.h>

#define ARRIVAL_POINTER(name) &arrival_##name,
const struct arrival_kind *const arrival_kinds[] = {ARRIVAL_KINDS(ARRIVAL_POINTER) NULL};
