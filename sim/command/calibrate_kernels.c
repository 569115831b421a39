/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "command/artefact.h"
#include "command/calibrate.h"
#include "command/command.h"
#include "report/document.h"
#include "report/kernel_fit_report.h"
#include "report/overlay.h"
#include "scenario/catalog.h"

/* The GPU that the file is named after: "kernels/l4-24gb.csv" is of l4-24gb. */
static char *named_after(const char *file)
{
	const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
	size_t length = strlen(name) - (text_ends(name, ".csv") ? 4 : 0);

	return xasprintf("%.*s", (int)length, name);
}

static const char *find_gpu(const struct options *o, const struct catalog *c, struct diag *d)
{
	char *name = o->gpu.count ? xstrdup(o->gpu.value[0]) : named_after(o->kernels);
	const char *id = catalog_find(c, CATALOG_GPU, name, d);

	free(name);
	return id;
}

static bool read_gpu(const struct options *o, struct gpu *g, struct diag *d)
{
	struct catalog *c;

	if (o->gpu.count > 1)
		return diag_fail(d, "a kernel table is of one GPU: --gpu is given %zu times",
				 o->gpu.count);
	c = catalog_new(o->catalog.value, o->data_dir, d);
	const char *id = c ? find_gpu(o, c, d) : NULL;
	bool fine = id && catalog_read(c, CATALOG_GPU, id, g, d);
	catalog_del(c);
	return fine;
}

static void write_gpu(const void *gpu, FILE *to)
{
	overlay_write(&gpu_record, gpu, to);
}

/* DIR/gpus/ID.json, as --catalog DIR reads it. */
static bool write_overlay(const struct options *o, const struct gpu *g, struct diag *d)
{
	if (!o->out)
		return true;
	char *name = xasprintf("%s.json", g->id), *folder = xasprintf("%s/gpus", o->out);
	bool fine = artefact_write(folder, name, write_gpu, g, d);
	free(name);
	free(folder);
	return fine;
}

static void write_json(const struct kernel_fit *fit, const struct gpu *g)
{
	struct json_write w;

	document_open(&w, stdout, "calibrate", NULL, RECORD_INT_UNSET);
	json_write_key(&w, "results");
	json_write_open(&w, '[');
	kernel_fit_report_json(fit, g, &w);
	json_write_close(&w, ']');
	document_close(&w);
}

static int give(const struct options *o, const struct kernel_fit *fit, const struct gpu *g,
		struct diag *d)
{
	if (!write_overlay(o, g, d))
		return options_fail_machine(o, d);
	if (o->json)
		write_json(fit, g);
	else
		kernel_fit_report_print(fit, g, stdout);
	return EXIT_ANSWERED;
}

int calibrate_kernels(const struct options *o)
{
	struct gpu g = {0};
	struct kernel_table t = {0};
	struct kernel_fit fit;
	struct diag d;

	diag_init(&d);
	bool fine = read_gpu(o, &g, &d) && kernel_table_read(&t, o->kernels, &d) &&
		    kernel_fit_run(&fit, &g, &t, &d);
	int status = fine ? give(o, &fit, &g, &d) : options_fail(o, &d);
	kernel_table_free(&t);
	record_free(&gpu_record, &g);
	return status;
}
