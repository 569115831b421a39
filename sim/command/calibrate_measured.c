/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command/calibrate.h"
#include "command/command.h"

int calibrate_measured(const struct options *o)
{
	struct diag d;

	diag_init(&d);
	diag_fail(&d, "calibrate --measured is not in this version");
	return options_fail(o, &d);
}
