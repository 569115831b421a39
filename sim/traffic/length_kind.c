/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "traffic/length_kind.h"

#include <stddef.h>

#define LENGTH_POINTER(name) &length_##name,
const struct length_kind *const length_kinds[] = {LENGTH_KINDS(LENGTH_POINTER) NULL};
