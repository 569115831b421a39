/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stats/robust_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_multifit_nlinear.h>
#include <gsl/gsl_statistics_double.h>

#include "base/xmalloc.h"

/* The usual constants of Huber's and Tukey's weights, and the scale below which residuals are
 * rounding. */
static const double huber_bend = 1.345, tukey_end = 4.685, least_scale = 1e-9, step = 1e-4;
enum { REWEIGHTS_MAX = 30, ITERATIONS_MAX = 200 };

/* A fit under way, over the parameters that are not held. */
struct fitting {
	struct robust_fit *f;
	size_t *free; /* indices of the parameters that are fitted */
	size_t n;
	double *value, *predicted, *scratch;
};

static double of_free(const struct robust_parameter *p, double u)
{
	return p->low + (p->high - p->low) / (1 + exp(-u));
}

static double to_free(const struct robust_parameter *p, double value)
{
	return log((value - p->low) / (p->high - value));
}

static void residuals(const struct fitting *t, const double *value, double *residual)
{
	const struct robust_fit *f = t->f;

	f->predict(value, t->predicted, f->arg);
	for (size_t i = 0; i < f->rows; i++)
		residual[i] = log(t->predicted[i] / f->measured[i]);
}

static int residuals_at(const gsl_vector *u, void *arg, gsl_vector *residual)
{
	const struct fitting *t = arg;

	for (size_t j = 0; j < t->n; j++)
		t->value[t->free[j]] = of_free(&t->f->parameter[t->free[j]], gsl_vector_get(u, j));
	residuals(t, t->value, t->f->residual);
	for (size_t i = 0; i < t->f->rows; i++)
		gsl_vector_set(residual, i, t->f->residual[i]);
	return GSL_SUCCESS;
}

/* Change of each row's logarithm by a parameter's own. */
static void lean(const struct fitting *t, size_t parameter, double *by_row)
{
	double middle = t->value[parameter];

	t->value[parameter] = middle * (1 + step);
	residuals(t, t->value, by_row);
	t->value[parameter] = middle * (1 - step);
	residuals(t, t->value, t->scratch);
	t->value[parameter] = middle;
	for (size_t i = 0; i < t->f->rows; i++)
		by_row[i] = (by_row[i] - t->scratch[i]) / (2 * step);
}

static void count_rows(const struct fitting *t, size_t parameter)
{
	struct robust_parameter *p = &t->f->parameter[parameter];

	p->rows = 0;
	lean(t, parameter, t->f->residual);
	for (size_t i = 0; i < t->f->rows; i++)
		p->rows += fabs(t->f->residual[i]) >= ROBUST_FIT_LEANS;
}

static void hold_idle(struct fitting *t)
{
	t->n = 0;
	for (size_t j = 0; j < t->f->parameters; j++) {
		count_rows(t, j);
		t->f->parameter[j].held = t->f->parameter[j].rows < ROBUST_FIT_ROWS;
		t->f->parameter[j].sigma = (double)NAN;
		if (!t->f->parameter[j].held)
			t->free[t->n++] = j;
	}
}

/* One least-squares solution at the present weights, from u and back into it. */
static bool solve(struct fitting *t, gsl_vector *u, const gsl_vector *weights)
{
	gsl_multifit_nlinear_parameters settings = gsl_multifit_nlinear_default_parameters();
	gsl_multifit_nlinear_fdf problem = {
		.f = residuals_at, .n = t->f->rows, .p = t->n, .params = t};
	int why;

	settings.trs = gsl_multifit_nlinear_trs_lm;
	gsl_multifit_nlinear_workspace *w =
		gsl_multifit_nlinear_alloc(gsl_multifit_nlinear_trust, &settings, t->f->rows, t->n);
	gsl_multifit_nlinear_winit(u, weights, &problem, w);
	int status =
		gsl_multifit_nlinear_driver(ITERATIONS_MAX, 1e-9, 1e-9, 0, NULL, NULL, &why, w);
	gsl_vector_memcpy(u, gsl_multifit_nlinear_position(w));
	gsl_multifit_nlinear_free(w);
	return status == GSL_SUCCESS || status == GSL_ENOPROG;
}

static double median_of_magnitudes(const double *value, double *scratch, size_t n)
{
	for (size_t i = 0; i < n; i++)
		scratch[i] = fabs(value[i]);
	return gsl_stats_median(scratch, 1, n);
}

/* Of a residual in scales: far ones count less, or from an end on not at all. */
static double huber_weight(double x)
{
	return fabs(x) > huber_bend ? huber_bend / fabs(x) : 1;
}

static double tukey_weight(double x)
{
	double share = x / tukey_end;

	return fabs(share) < 1 ? (1 - share * share) * (1 - share * share) : 0;
}

/* New weights; the largest change of one. */
static double reweight(struct fitting *t, gsl_vector *weights, double (*weight_of)(double))
{
	size_t n = t->f->rows;
	double scale = median_of_magnitudes(t->f->residual, t->scratch, n) / 0.6745;
	double most = 0;

	for (size_t i = 0; i < n; i++) {
		double weight = weight_of(t->f->residual[i] / fmax(scale, least_scale));

		most = fmax(most, fabs(weight - gsl_vector_get(weights, i)));
		gsl_vector_set(weights, i, weight);
	}
	return most;
}

/* Until no weight changes by a thousandth. */
static void iterate(struct fitting *t, gsl_vector *u, gsl_vector *weights,
		    double (*weight_of)(double))
{
	double change = 1;

	for (int i = 0; i < REWEIGHTS_MAX && change > 1e-3; i++) {
		t->f->converged = solve(t, u, weights);
		for (size_t j = 0; j < t->n; j++)
			t->value[t->free[j]] =
				of_free(&t->f->parameter[t->free[j]], gsl_vector_get(u, j));
		residuals(t, t->value, t->f->residual);
		change = reweight(t, weights, weight_of);
	}
	t->f->converged &= change <= 1e-2;
}

/* Huber's weights have one solution, from which Tukey's begin. */
static void reweighted(struct fitting *t, gsl_vector *u)
{
	gsl_vector *weights = gsl_vector_alloc(t->f->rows);

	gsl_vector_set_all(weights, 1);
	iterate(t, u, weights, huber_weight);
	iterate(t, u, weights, tukey_weight);
	for (size_t i = 0; i < t->f->rows; i++)
		t->f->weight[i] = gsl_vector_get(weights, i);
	gsl_vector_free(weights);
}

struct ordered {
	uint64_t cluster;
	size_t row;
};

static int by_cluster(const void *left, const void *right)
{
	const struct ordered *a = left, *b = right;

	if (a->cluster != b->cluster)
		return a->cluster < b->cluster ? -1 : 1;
	return (a->row > b->row) - (a->row < b->row);
}

static size_t count_clusters(const struct ordered *o, size_t rows)
{
	size_t clusters = 0;

	for (size_t i = 0; i < rows; i++)
		clusters += i + 1 == rows || o[i + 1].cluster != o[i].cluster;
	return clusters;
}

/* The rows by cluster. Too few clusters tell nothing of their scatter: then each row is one. */
static struct ordered *order(const struct fitting *t, size_t *clusters)
{
	size_t rows = t->f->rows;
	struct ordered *o = xcalloc(rows + 1, sizeof *o);

	for (size_t i = 0; i < rows; i++)
		o[i] = (struct ordered){t->f->cluster[i], i};
	qsort(o, rows, sizeof *o, by_cluster);
	*clusters = count_clusters(o, rows);
	for (size_t i = 0; i < rows && *clusters <= t->n; i++)
		o[i].cluster = i;
	if (*clusters <= t->n)
		*clusters = rows;
	return o;
}

/* jacobian[row, j]: leaning of each row on each free parameter. */
static gsl_matrix *leanings(const struct fitting *t)
{
	gsl_matrix *jacobian = gsl_matrix_alloc(t->f->rows, t->n);
	double *by_row = xcalloc(t->f->rows, sizeof *by_row);

	for (size_t j = 0; j < t->n; j++) {
		lean(t, t->free[j], by_row);
		for (size_t i = 0; i < t->f->rows; i++)
			gsl_matrix_set(jacobian, i, j, by_row[i]);
	}
	free(by_row);
	return jacobian;
}

/* Adds a row's weight times its outer product, and its weight times its pull. */
static void add_row(gsl_matrix *bread, gsl_vector *pull, const gsl_matrix *jacobian, size_t row,
		    double weight, double residual)
{
	gsl_vector_const_view j = gsl_matrix_const_row(jacobian, row);

	gsl_blas_dger(weight, &j.vector, &j.vector, bread);
	gsl_blas_daxpy(weight * residual, &j.vector, pull);
}

/* Sums over the rows: bread, and meat as outer products of each cluster's pull; the clusters. */
static size_t sums(const struct fitting *t, const gsl_matrix *jacobian, gsl_matrix *bread,
		   gsl_matrix *meat)
{
	size_t clusters;
	struct ordered *o = order(t, &clusters);
	gsl_vector *pull = gsl_vector_calloc(t->n);

	for (size_t i = 0; i < t->f->rows; i++) {
		size_t row = o[i].row;

		add_row(bread, pull, jacobian, row, t->f->weight[row], t->f->residual[row]);
		if (i + 1 < t->f->rows && o[i + 1].cluster == o[i].cluster)
			continue;
		gsl_blas_dger(1, pull, pull, meat);
		gsl_vector_set_zero(pull);
	}
	gsl_vector_free(pull);
	free(o);
	return clusters;
}

/* bread^-1 meat bread^-1 into meat. */
static void sandwich(gsl_matrix *bread, gsl_matrix *meat)
{
	gsl_matrix *half = gsl_matrix_alloc(meat->size1, meat->size2);

	double most = gsl_matrix_max(bread);
	for (size_t i = 0; i < bread->size1; i++) /* what no row tells apart stays finite */
		*gsl_matrix_ptr(bread, i, i) += 1e-12 * (most > 0 ? most : 1);
	gsl_linalg_cholesky_decomp1(bread);
	gsl_linalg_cholesky_invert(bread);
	gsl_blas_dgemm(CblasNoTrans, CblasNoTrans, 1, bread, meat, 0, half);
	gsl_blas_dgemm(CblasNoTrans, CblasNoTrans, 1, half, bread, 0, meat);
	gsl_matrix_free(half);
}

static void set_sigmas(struct fitting *t)
{
	gsl_matrix *jacobian = leanings(t), *bread = gsl_matrix_calloc(t->n, t->n),
		   *meat = gsl_matrix_calloc(t->n, t->n);

	residuals(t, t->value, t->f->residual);
	double clusters = (double)sums(t, jacobian, bread, meat);
	double few = clusters > 1 ? clusters / (clusters - 1) : 1;
	sandwich(bread, meat);
	for (size_t j = 0; j < t->n; j++) {
		struct robust_parameter *p = &t->f->parameter[t->free[j]];
		double variance = gsl_matrix_get(meat, j, j) * few;

		variance *= fmax(1, clusters / t->f->clusters);
		p->sigma = p->value * sqrt(variance);
	}
	gsl_matrix_free(jacobian);
	gsl_matrix_free(bread);
	gsl_matrix_free(meat);
}

static void fit_free(struct fitting *t)
{
	gsl_vector *u = gsl_vector_alloc(t->n);

	for (size_t j = 0; j < t->n; j++)
		gsl_vector_set(u, j, to_free(&t->f->parameter[t->free[j]], t->value[t->free[j]]));
	reweighted(t, u);
	for (size_t j = 0; j < t->n; j++)
		t->f->parameter[t->free[j]].value = t->value[t->free[j]];
	gsl_vector_free(u);
	for (size_t j = 0; j < t->n; j++)
		count_rows(t, t->free[j]);
	set_sigmas(t);
}

void robust_fit_run(struct robust_fit *f)
{
	size_t n = f->rows + 1;
	struct fitting t = {.f = f,
			    .free = xcalloc(f->parameters + 1, sizeof *t.free),
			    .value = xcalloc(f->parameters + 1, sizeof *t.value),
			    .predicted = xcalloc(n, sizeof *t.predicted),
			    .scratch = xcalloc(n, sizeof *t.scratch)};

	for (size_t j = 0; j < f->parameters; j++)
		t.value[j] = f->parameter[j].value;
	for (size_t i = 0; i < f->rows; i++)
		f->weight[i] = 1;
	f->converged = true;
	hold_idle(&t);
	if (t.n > 0)
		fit_free(&t);
	residuals(&t, t.value, f->residual);
	free(t.free);
	free(t.value);
	free(t.predicted);
	free(t.scratch);
}
