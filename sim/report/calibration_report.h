/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What fitting to a server's measurements changed: constants, errors before and after, warnings. */
#ifndef REPORT_CALIBRATION_REPORT_H
#define REPORT_CALIBRATION_REPORT_H

#include <stdio.h>

#include "base/json_write.h"
#include "study/calibration.h"

void calibration_report_print(const struct calibration *c, FILE *to);

/* An object with constants, figures and warnings, as the value that `w` waits for. */
void calibration_report_json(const struct calibration *c, struct json_write *w);

#endif
