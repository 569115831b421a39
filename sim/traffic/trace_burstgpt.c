/* SPDX-License-Identifier: GPL-3.0-or-later */
/* BurstGPT (github.com/HPMLL/BurstGPT), with and without the columns Session ID and Elapsed time.
 */
#include "traffic/trace_format.h"

const struct trace_format trace_burstgpt = {
	.name = "burstgpt",
	.help = "BurstGPT, both headings",
	.field = {"Timestamp", "Request tokens", "Response tokens"},
	.time = trace_text_seconds,
};
