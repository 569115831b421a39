/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A catalogue entry as a file of --catalog: all that is set, with origin, sigma and source. */
#ifndef REPORT_OVERLAY_H
#define REPORT_OVERLAY_H

#include <stdio.h>

#include "base/record.h"

void overlay_write(const struct record *r, const void *object, FILE *to);

#endif
