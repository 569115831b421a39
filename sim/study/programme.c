/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/programme.h"

#include <stdlib.h>
#include <string.h>

double programme_usd(const struct programme *p, const struct programme_units *units)
{
	double usd = 0;

	for (size_t t = 0; t < p->types; t++)
		usd += p->type[t].usd[units->of[t]];
	return usd;
}

#ifdef INFERCAP_GLPK

#include <glpk.h>
#include <math.h>

#include "base/bug.h"
#include "base/xmalloc.h"

#define FEWER 1e-5 /* of the least price of a unit: decides between equal costs, no others */
#define LESS  1e-6 /* costs that differ by less, relatively, are one */

bool programme_is_built(void)
{
	return true;
}

/* The problem as GLPK wants it: columns, rows, and the matrix as triplets from 1 on. */
struct build {
	const struct programme *p;
	glp_prob *lp;
	int entries, room, *row, *column;
	double *factor;
	int share[PROGRAMME_TYPES_MAX][PROGRAMME_CLASSES_MAX]; /* columns of f; 0: none */
	int count[PROGRAMME_TYPES_MAX];	 /* the number of units; in programme_share() the load */
	int choice[PROGRAMME_TYPES_MAX]; /* y of no unit; those of 1, 2 ... behind it */
};

static void begin(struct build *b, const struct programme *p)
{
	BUG_IF(p->types > PROGRAMME_TYPES_MAX || p->classes > PROGRAMME_CLASSES_MAX);
	*b = (struct build){.p = p, .lp = glp_create_prob()};
	glp_term_out(GLP_OFF);
	glp_set_obj_dir(b->lp, GLP_MIN);
}

static void end(struct build *b)
{
	glp_delete_prob(b->lp);
	glp_free_env();
	free(b->row);
	free(b->column);
	free(b->factor);
}

/* A column of at least 0; binaries are at most 1. */
static int add_column(struct build *b, int kind, double cost)
{
	int column = glp_add_cols(b->lp, 1);

	glp_set_col_bnds(b->lp, column, GLP_LO, 0, 0);
	glp_set_col_kind(b->lp, column, kind);
	glp_set_obj_coef(b->lp, column, cost);
	return column;
}

/* A row bounded by `type` (GLP_UP, GLP_LO or GLP_FX) at `bound`. */
static int add_row(struct build *b, int type, double bound)
{
	int row = glp_add_rows(b->lp, 1);

	glp_set_row_bnds(b->lp, row, type, bound, bound);
	return row;
}

static void add_entry(struct build *b, int row, int column, double factor)
{
	if (b->entries + 1 >= b->room) {
		b->room = b->room ? 2 * b->room : 256;
		b->row = xrealloc(b->row, (size_t)b->room * sizeof *b->row);
		b->column = xrealloc(b->column, (size_t)b->room * sizeof *b->column);
		b->factor = xrealloc(b->factor, (size_t)b->room * sizeof *b->factor);
	}
	b->entries++;
	b->row[b->entries] = row;
	b->column[b->entries] = column;
	b->factor[b->entries] = factor;
}

/* The fractions of the types that `units` has (NULL: of all), each class of them a whole: false if
 * one can be served by none. */
static bool add_shares(struct build *b, const struct programme_units *units)
{
	const struct programme *p = b->p;

	for (size_t c = 0; c < p->classes; c++) {
		int row = add_row(b, GLP_FX, 1);
		bool served = false;

		for (size_t t = 0; t < p->types; t++) {
			if ((units && units->of[t] == 0) || !(p->type[t].capacity_rps[c] > 0))
				continue;
			b->share[t][c] = add_column(b, GLP_CV, 0);
			add_entry(b, row, b->share[t][c], 1);
			served = true;
		}
		if (!served)
			return false;
	}
	return true;
}

/* What a type is given it must carry: at most `units` times the column b->count[t]. */
static void add_load(struct build *b, size_t t, double units)
{
	const struct programme *p = b->p;
	int row = add_row(b, GLP_UP, 0);

	for (size_t c = 0; c < p->classes; c++)
		if (b->share[t][c])
			add_entry(b, row, b->share[t][c],
				  p->demand * p->rate_rps[c] / p->type[t].capacity_rps[c]);
	add_entry(b, row, b->count[t], -units);
}

static double least_price(const struct programme *p)
{
	double least = INFINITY;

	for (size_t t = 0; t < p->types; t++)
		if (p->type[t].units_max > 0 && p->type[t].usd[1] > 0)
			least = fmin(least, p->type[t].usd[1]);
	return isinf(least) ? 1 : least;
}

/* A type's number of units, chosen among 0 ... units_max, each with its price. */
static void add_choice(struct build *b, size_t t)
{
	const struct programme_type *type = &b->p->type[t];
	int one = add_row(b, GLP_FX, 1), same = add_row(b, GLP_FX, 0);

	b->count[t] = add_column(b, GLP_IV, FEWER * least_price(b->p));
	add_entry(b, same, b->count[t], -1);
	for (int64_t n = 0; n <= type->units_max; n++) {
		int y = add_column(b, GLP_BV, type->usd[n]);

		b->choice[t] = n ? b->choice[t] : y;
		add_entry(b, one, y, 1);
		if (n)
			add_entry(b, same, y, (double)n);
	}
}

static void add_limit(struct build *b, size_t t)
{
	const struct programme *p = b->p;

	for (size_t i = 0; i < t; i++)
		if (p->type[i].kind == p->type[t].kind)
			return;
	if (p->type[t].limit == INT64_MAX)
		return;
	int row = add_row(b, GLP_UP, (double)p->type[t].limit);
	for (size_t i = t; i < p->types; i++)
		if (p->type[i].kind == p->type[t].kind)
			add_entry(b, row, b->count[i], (double)p->type[i].gpus);
}

/* More of some type than the cut has. */
static void add_cut(struct build *b, const struct programme_units *cut)
{
	int row = add_row(b, GLP_LO, 1);

	for (size_t t = 0; t < b->p->types; t++)
		for (int64_t n = cut->of[t] + 1; n <= b->p->type[t].units_max; n++)
			add_entry(b, row, b->choice[t] + (int)n, 1);
}

static bool build_programme(struct build *b)
{
	const struct programme *p = b->p;

	if (!add_shares(b, NULL))
		return false;
	for (size_t t = 0; t < p->types; t++)
		add_choice(b, t);
	for (size_t t = 0; t < p->types; t++) {
		add_load(b, t, 1);
		add_limit(b, t);
	}
	for (size_t i = 0; i < p->cuts; i++)
		add_cut(b, &p->cut[i]);
	glp_load_matrix(b->lp, b->entries, b->row, b->column, b->factor);
	return true;
}

static enum programme_end run(struct build *b)
{
	glp_iocp how;

	glp_init_iocp(&how);
	how.msg_lev = GLP_MSG_OFF;
	how.presolve = GLP_ON;
	how.mir_cuts = GLP_ON;
	how.tm_lim = PROGRAMME_SECONDS * 1000;
	glp_intopt(b->lp, &how);
	switch (glp_mip_status(b->lp)) {
	case GLP_OPT:
		return PROGRAMME_CHEAPEST;
	case GLP_FEAS:
		return PROGRAMME_TIMED_OUT;
	default:
		return PROGRAMME_INFEASIBLE;
	}
}

enum programme_end programme_solve(const struct programme *p, struct programme_units *units)
{
	enum programme_end how = PROGRAMME_INFEASIBLE;
	struct build b;

	memset(units, 0, sizeof *units);
	begin(&b, p);
	if (build_programme(&b))
		how = run(&b);
	if (how != PROGRAMME_INFEASIBLE)
		for (size_t t = 0; t < p->types; t++)
			units->of[t] = llround(glp_mip_col_val(b.lp, b.count[t]));
	end(&b);
	/* A row for it would be met by a hair: GLPK's tolerances are wide. */
	return programme_usd(p, units) < p->usd_below * (1 - LESS) ? how : PROGRAMME_INFEASIBLE;
}

static void read_shares(const struct build *b, struct programme_shares *shares)
{
	for (size_t t = 0; t < b->p->types; t++)
		for (size_t c = 0; c < b->p->classes; c++)
			if (b->share[t][c])
				shares->of[t][c] =
					fmin(1, fmax(0, glp_get_col_prim(b->lp, b->share[t][c])));
	shares->load = glp_get_obj_val(b->lp);
}

bool programme_share(const struct programme *p, const struct programme_units *units,
		     struct programme_shares *shares)
{
	struct build b;
	glp_smcp how;

	memset(shares, 0, sizeof *shares);
	begin(&b, p);
	bool served = add_shares(&b, units);
	if (served) {
		int load = add_column(&b, GLP_CV, 1);

		for (size_t t = 0; t < p->types; t++) {
			b.count[t] = load;
			if (units->of[t] > 0)
				add_load(&b, t, (double)units->of[t]);
		}
		glp_load_matrix(b.lp, b.entries, b.row, b.column, b.factor);
		glp_init_smcp(&how);
		how.msg_lev = GLP_MSG_OFF;
		BUG_IF(glp_simplex(b.lp, &how) != 0 || glp_get_status(b.lp) != GLP_OPT);
		read_shares(&b, shares);
	}
	end(&b);
	return served;
}

#else

bool programme_is_built(void)
{
	return false;
}

enum programme_end programme_solve(const struct programme *p, struct programme_units *units)
{
	(void)p;
	memset(units, 0, sizeof *units);
	return PROGRAMME_INFEASIBLE;
}

bool programme_share(const struct programme *p, const struct programme_units *units,
		     struct programme_shares *shares)
{
	(void)p;
	(void)units;
	memset(shares, 0, sizeof *shares);
	return false;
}

#endif
