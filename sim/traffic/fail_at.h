/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is wrong with one key of a record: fills the diag and its path, and is false. */
#ifndef TRAFFIC_FAIL_AT_H
#define TRAFFIC_FAIL_AT_H

#include "base/diag.h"

#define FAIL_AT(d, key, ...) (diag_fail(d, __VA_ARGS__), diag_path(d, key), false)

#endif
