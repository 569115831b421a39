/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The two halves of `calibrate`; each returns the exit status. */
#ifndef COMMAND_CALIBRATE_H
#define COMMAND_CALIBRATE_H

#include "command/options.h"

int calibrate_kernels(const struct options *o);	 /* --kernels: a GPU's constants */
int calibrate_measured(const struct options *o); /* --measured: a scenario's */

#endif
