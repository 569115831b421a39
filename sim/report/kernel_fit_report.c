/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/kernel_fit_report.h"

#include "base/count.h"
#include "report/table.h"

static const char *remark(const struct kernel_constant *c)
{
	if (c->held)
		return "too few rows: as in the catalogue";
	return c->figure ? "" : "the kernel's own, in no file";
}

static void print_constants(const struct kernel_fit *f, FILE *to)
{
	static const char *const heading[] = {"constant", "value", "sigma", "rows", "remark"};
	struct table t;

	table_begin(&t, heading, COUNT(heading));
	for (size_t i = 0; i < f->constants; i++) {
		const struct kernel_constant *c = &f->constant[i];

		table_text(&t, c->name);
		table_number(&t, c->held && !c->figure ? (double)NAN : c->value, 4);
		table_number(&t, c->sigma, 2);
		table_number(&t, (double)c->rows, 0);
		table_text(&t, remark(c));
	}
	table_print(&t, to);
	table_free(&t);
}

static void print_kinds(const struct kernel_fit *f, FILE *to)
{
	static const char *const heading[] = {"kernel", "rows", "outliers", "median error\n%"};
	struct table t;

	table_begin(&t, heading, COUNT(heading));
	for (int kind = 0; kind < KERNEL_KINDS; kind++) {
		if (!f->rows[kind])
			continue;
		table_text(&t, kernel_kind_names[kind]);
		table_number(&t, (double)f->rows[kind], 0);
		table_number(&t, (double)f->outliers[kind], 0);
		table_number(&t, 100 * f->median_error[kind], 2);
	}
	table_print(&t, to);
	table_free(&t);
}

void kernel_fit_report_print(const struct kernel_fit *f, const struct gpu *g, FILE *to)
{
	double kernels = g->mfu_kernel.value, share = gpu_mfu(g, COMPUTE_BF16)->value / kernels;

	print_constants(f, to);
	fputc('\n', to);
	print_kinds(f, to);
	fprintf(to, "\n%s: mfu above is that of kernels", g->id);
	if (share > 0)
		fprintf(to, "; the catalogue's serving sustains %.3g of it", share);
	fputs(". Outliers have no weight. sigma: what the shapes\n"
	      "of one model (four weights, one set of heads, one message) leave open.\n",
	      to);
	if (!f->converged)
		fputs("The fit did not settle: the constants are not to be used.\n", to);
}

static void constant_json(const struct kernel_constant *c, struct json_write *w)
{
	json_write_open(w, '{');
	json_write_key(w, "constant");
	json_write_text(w, c->name);
	json_write_key(w, "value");
	json_write_real(w, c->value);
	json_write_key(w, "sigma");
	json_write_real(w, c->sigma);
	json_write_key(w, "rows");
	json_write_int(w, (int64_t)c->rows);
	json_write_key(w, "held");
	json_write_bool(w, c->held);
	json_write_close(w, '}');
}

static void kind_json(const struct kernel_fit *f, int kind, struct json_write *w)
{
	json_write_open(w, '{');
	json_write_key(w, "kernel");
	json_write_text(w, kernel_kind_names[kind]);
	json_write_key(w, "rows");
	json_write_int(w, (int64_t)f->rows[kind]);
	json_write_key(w, "outliers");
	json_write_int(w, (int64_t)f->outliers[kind]);
	json_write_key(w, "median_error");
	json_write_real(w, f->median_error[kind]);
	json_write_close(w, '}');
}

void kernel_fit_report_json(const struct kernel_fit *f, const struct gpu *g, struct json_write *w)
{
	json_write_open(w, '{');
	json_write_key(w, "gpu");
	json_write_text(w, g->id);
	json_write_key(w, "converged");
	json_write_bool(w, f->converged);
	json_write_key(w, "constants");
	json_write_open(w, '[');
	for (size_t i = 0; i < f->constants; i++)
		constant_json(&f->constant[i], w);
	json_write_close(w, ']');
	json_write_key(w, "kernels");
	json_write_open(w, '[');
	for (int kind = 0; kind < KERNEL_KINDS; kind++)
		if (f->rows[kind])
			kind_json(f, kind, w);
	json_write_close(w, ']');
	json_write_close(w, '}');
}
