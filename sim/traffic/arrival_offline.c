/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "traffic/arrival_kind.h"

const struct arrival_kind arrival_offline = {
	.name = "offline",
	.help = "all requests at once, at t = 0",
};
