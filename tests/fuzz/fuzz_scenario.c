/* SPDX-License-Identifier: GPL-3.0-or-later */
/* libFuzzer: any text is either a scenario or an error. Run from the source folder; build: cmake
 * --preset fuzz. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "scenario/scenario.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	struct diag d;

	memcpy(text, data, size);
	text[size] = '\0';
	diag_init(&d);
	const struct scenario_options options = {
		.file = "fuzz", .text = text, .data_dir = ".", .seed = RECORD_INT_UNSET};
	struct scenario *s = scenario_read(&options, &d);
	if (!s && !d.set)
		abort();
	scenario_del(s);
	free(text);
	return 0;
}
