/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/figure.h"

#include "base/count.h"
#include "base/record.h"

const char *const origin_names[] = {"given", "datasheet", "measured", "fitted", "assumed", NULL};

static const struct field figure_fields[] = {
	{.key = "value",
	 .kind = FIELD_REAL,
	 .offset = offsetof(struct figure, value),
	 .help = "the constant, in the unit of its key"},
	{.key = "sigma",
	 .kind = FIELD_REAL,
	 .offset = offsetof(struct figure, sigma),
	 .min = 0,
	 .max = INFINITY,
	 .help = "one standard deviation, in the same unit"},
	{.key = "origin",
	 .kind = FIELD_CHOICE,
	 .offset = offsetof(struct figure, origin),
	 .of = origin_names,
	 .def = "\"given\"",
	 .help = "where the value comes from"},
	{.key = "source",
	 .kind = FIELD_TEXT,
	 .offset = offsetof(struct figure, source),
	 .help = "what it was read or fitted from"},
};

static bool figure_check(const void *object, struct diag *d)
{
	const struct figure *f = object;

	if (!isnan(f->value) || isnan(f->sigma))
		return true;
	diag_path(d, "sigma");
	return diag_fail(d, "sigma without a value");
}

const struct record figure_record = {.name = "figure",
				     .short_key = "value",
				     .size = sizeof(struct figure),
				     .fields = COUNT(figure_fields),
				     .field = figure_fields,
				     .check = figure_check};

double figure_sigma(const struct figure *f)
{
	static const double share[] = {0, 0, 0.1, 0.1, 0.3};

	return isnan(f->sigma) ? share[f->origin] * fabs(f->value) : f->sigma;
}

#define AT(KEY, MEMBER)                                                                            \
	{                                                                                          \
		.key = (KEY), .kind = FIELD_RECORD, .of = &figure_record,                          \
		.offset = offsetof(struct figure_tp, MEMBER), .help = "at so many GPUs"            \
	}

static const struct field figure_tp_fields[] = {AT("2", at2), AT("4", at4), AT("8", at8)};

const struct record figure_tp_record = {.name = "table by GPUs",
					.size = sizeof(struct figure_tp),
					.fields = COUNT(figure_tp_fields),
					.field = figure_tp_fields};

double figure_by_tp(const struct figure_tp *table, int tp)
{
	const double x[] = {2, 4, 8};
	const double y[] = {table->at2.value, table->at4.value, table->at8.value};
	double x0 = 0, y0 = NAN;

	for (size_t i = 0; i < COUNT(x); i++) {
		if (isnan(y[i]))
			continue;
		if (tp <= x[i])
			return isnan(y0) ? y[i] : y0 + (y[i] - y0) * (tp - x0) / (x[i] - x0);
		x0 = x[i];
		y0 = y[i];
	}
	return y0;
}
