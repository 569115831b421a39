/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command/calibrate.h"

#include "command/command.h"

int cmd_calibrate(const struct options *o)
{
	struct diag d;

	diag_init(&d);
	if (!o->kernels == !o->measured.count)
		diag_fail(&d, "calibrate needs one of --kernels FILE and --measured FILE");
	else if (o->kernels && o->operand)
		diag_fail(&d, "calibrate --kernels takes no scenario, \"%s\"", o->operand);
	else if (o->measured.count && !o->operand)
		diag_fail(&d, "calibrate --measured needs a SCENARIO");
	if (d.set)
		return options_fail(o, &d);
	return o->kernels ? calibrate_kernels(o) : calibrate_measured(o);
}
