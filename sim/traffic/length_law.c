/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stddef.h>

#include "base/count.h"
#include "traffic/fail_at.h"
#include "traffic/length_draw.h"
#include "traffic/traffic.h"

#define LENGTH_NAME(name) #name,
static const char *const names[] = {LENGTH_KINDS(LENGTH_NAME) NULL};

/* Keys that apply to some laws only. */
#define WHEN(name) (1u << LENGTH_##name)
enum {
	HAS_MEAN = WHEN(normal) | WHEN(lognormal) | WHEN(exponential) | WHEN(gamma),
	HAS_BOUNDS = HAS_MEAN | WHEN(uniform) | WHEN(zipf) | WHEN(empirical),
};

#define REAL(key_, help_, min_, max_, when_)                                                       \
	{                                                                                          \
		.key = #key_, .help = (help_), .kind = FIELD_REAL,                                 \
		.offset = offsetof(struct length_law, key_), .min = (min_), .max = (max_),         \
		.when = (when_)                                                                    \
	}

static const struct field fields[] = {
	{.key = "dist",
	 .help = "the law",
	 .def = "\"constant\"",
	 .kind = FIELD_CHOICE,
	 .offset = offsetof(struct length_law, dist),
	 .of = names},
	REAL(value, "tokens, the same for every request", 1, LENGTH_DRAW_MAX, WHEN(constant)),
	REAL(min, "least tokens; truncates", 1, LENGTH_DRAW_MAX, HAS_BOUNDS),
	REAL(max, "most tokens; truncates", 1, LENGTH_DRAW_MAX, HAS_BOUNDS),
	REAL(mean, "mean tokens before truncation", 1e-3, LENGTH_DRAW_MAX, HAS_MEAN),
	REAL(cv, "standard deviation over mean, before truncation", 0, 20,
	     WHEN(lognormal) | WHEN(gamma)),
	REAL(sd, "standard deviation in tokens, before truncation", 0, LENGTH_DRAW_MAX,
	     WHEN(normal)),
	REAL(mu, "mean of the natural logarithm", -20, 20, WHEN(lognormal)),
	REAL(sigma, "standard deviation of the natural logarithm", 0, 10, WHEN(lognormal)),
	REAL(theta, "P(min + k) falls as (k + 1)^-theta", 0, 20, WHEN(zipf)),
	{.key = "quantiles",
	 .help = "[[q, tokens], ...], linear in between",
	 .kind = FIELD_LIST,
	 .offset = offsetof(struct length_law, quantiles),
	 .flags = FIELD_PAIRS,
	 .when = WHEN(empirical)},
	{.key = "file",
	 .help = "rows of q,tokens, or of one length each",
	 .kind = FIELD_TEXT,
	 .offset = offsetof(struct length_law, file),
	 .flags = FIELD_PATH,
	 .when = WHEN(empirical)},
};

bool length_law_is_set(const struct length_law *law)
{
	return law->dist != LENGTH_constant || !isnan(law->value);
}

/* Whether it can be drawn: a file that reads, bounds that leave something. */
static bool check_draw(const struct length_law *law, struct diag *d)
{
	struct length_draw draw;

	if (!length_draw_init(&draw, law, d))
		return false;
	length_draw_free(&draw);
	return true;
}

static bool check(const void *object, struct diag *d)
{
	const struct length_law *law = object;

	if (!length_law_is_set(law))
		return true;
	if (ceil(law->min) > floor(law->max)) {
		return FAIL_AT(d, "min", "no whole length lies between min %g and max %g", law->min,
			       law->max);
	}
	return length_kinds[law->dist]->check(law, d) && check_draw(law, d);
}

const struct record length_law_record = {
	.name = "length",
	.short_key = "value",
	.tag = "dist",
	.size = sizeof(struct length_law),
	.fields = COUNT(fields),
	.field = fields,
	.check = check,
};
