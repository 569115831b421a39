/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command/command.h"

#define STUDIES (TAKES_OUTPUT | TAKES_SCENARIO | TAKES_STUDY)

const struct command commands[] = {
	{"run", "SCENARIO",
	 "what happens to this load on each GPU: latency, throughput, cost, energy, verdict",
	 cmd_run, STUDIES | TAKES_GPU | TAKES_OUT},
	{"capacity", "SCENARIO", "the highest rate each GPU holds within the SLO", cmd_capacity,
	 STUDIES | TAKES_GPU | TAKES_OUT},
	{"replace", "SCENARIO", "how many of one GPU replace another, and what that costs",
	 cmd_replace, STUDIES | TAKES_FROM | TAKES_OUT},
	{"fleet", "SCENARIO",
	 "the cheapest mix of GPUs for the load, under limits on what can be had", cmd_fleet,
	 STUDIES | TAKES_GPU | TAKES_LIMIT | TAKES_OUT},
	{"sweep", "SCENARIO",
	 "one or two parameters over a range: runs, or replacements with --from", cmd_sweep,
	 STUDIES | TAKES_GPU | TAKES_FROM | TAKES_OVER | TAKES_OUT},
	{"memory", "MODEL", "does it fit, in which precision, with how many concurrent requests",
	 cmd_memory, TAKES_OUTPUT | TAKES_SCENARIO | TAKES_GPU},
	{"trace", "FILE", "a trace's rate, burstiness, lengths; converts it", cmd_trace,
	 TAKES_OUTPUT | TAKES_TO},
	{"calibrate", "[SCENARIO]",
	 "fits a GPU's constants to timings of its kernels, or a scenario's to a measured server",
	 cmd_calibrate, TAKES_OUTPUT | TAKES_CATALOG | TAKES_GPU | TAKES_OUT | TAKES_FIT},
	{"plot", "RESULT", "pictures of a result through gnuplot", cmd_plot,
	 TAKES_OUTPUT | TAKES_OUT | TAKES_PLOT},
	{"gpus", "[ID]", "the GPUs, with the source of each figure", cmd_gpus,
	 TAKES_OUTPUT | TAKES_CATALOG},
	{"models", "[ID]", "the models, with their sources", cmd_models,
	 TAKES_OUTPUT | TAKES_CATALOG},
	{"engines", "[ID]", "the engine profiles, with the source of each figure", cmd_engines,
	 TAKES_OUTPUT | TAKES_CATALOG},
	{"prices", "[ID]", "the price book: current rows first, older ones marked", cmd_prices,
	 TAKES_OUTPUT | TAKES_CATALOG},
	{NULL},
};
