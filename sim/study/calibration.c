/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/calibration.h"

#include <stdlib.h>
#include <string.h>
#include <gsl/gsl_blas.h>
#include <gsl/gsl_multifit_nlinear.h>

#include "base/parallel.h"
#include "base/progress.h"
#include "base/wide.h"
#include "base/xmalloc.h"
#include "scenario/set_path.h"

/* Replications of a row whose traffic is drawn. The step of a derivative, in logarithms: a standard
 * deviation of the constant within bounds, for a change must stand out of what chance does to
 * percentiles. What no fit explains; Huber's usual constant; a correlation from which on two are
 * alike; constants that move by less than a share of their uncertainty have settled. */
enum {
	REPLICATIONS_MIN = 6,
	REPLICATIONS_MAX = 16,
	REQUESTS = 12000,
	REWEIGHTS = 4,
	ITERATIONS = 12
};
static const double step_min = 0.02, step_max = 0.3, unexplained = 0.01, cards_differ = 0.03,
		    tuning = 1.345, alike = 0.95, settled = 0.03, weight_settled = 0.02,
		    seen = 0.05;

/* A row that is simulated again and again. */
struct trial {
	const struct measured_table *table;
	const struct measured_row *row;
	struct scenario *scenario;
	struct constants constants;
	size_t *parameter; /* by constant, PARAMETER_NONE: it is not fitted */
	size_t first;	   /* of its figures */
	struct diag failed, refused;
};
#define PARAMETER_NONE SIZE_MAX

struct fitting {
	struct calibration *c;
	const struct calibration_setup *setup;
	struct trial *trial;
	size_t trials;
	double *start, *low, *high, *spread; /* by parameter: SI; sigma of the logarithm */
	double *value;			     /* by parameter, as the scenarios have it */
	double *simulated;		     /* by figure; NAN: there is none */
	size_t only;			     /* trials that lean on this parameter; NONE: all */
	struct progress progress;
	size_t runs;
	bool failed;
};

/* ---- rows ---- */

static bool is_fitted_figure(const struct calibration_setup *setup, const struct trial *trial,
			     const struct measured_figure *f)
{
	if (strncmp(f->path, "latency.", 8) != 0 && strncmp(f->path, "throughput.", 11) != 0)
		return false;
	return !setup->rules || !measured_rules_figure(setup->rules, trial->table, trial->row, f);
}

static void add_figures(struct fitting *t, struct trial *trial)
{
	struct calibration *c = t->c;

	trial->first = c->figures;
	for (size_t i = 0; i < trial->row->figures; i++) {
		const struct measured_figure *f = &trial->row->figure[i];

		if (!is_fitted_figure(t->setup, trial, f))
			continue;
		c->figure = xrealloc(c->figure, (c->figures + 1) * sizeof *c->figure);
		c->figure[c->figures++] =
			(struct calibration_figure){.row = trial->row, .figure = f, .weight = 1};
	}
}

/* Whether the row's failure is the program's limit, not a mistake of the table. */
static bool is_refusal(const struct diag *d)
{
	return strstr(d->message, "not in this version") ||
	       strncmp(d->message, "unknown GPU", 11) == 0 ||
	       strncmp(d->message, "unknown model", 13) == 0;
}

/* A scenario may list GPUs; a server has one kind. */
static bool has_one_gpu(const struct trial *trial, struct diag *d)
{
	if (trial->scenario->candidates == 1)
		return true;
	diag_at(d, trial->table->file, (int)trial->row->line, 1);
	return diag_fail(d,
			 "the scenario lists %zu GPUs: say with --gpu on which one this was "
			 "measured",
			 trial->scenario->candidates);
}

static bool add_trial(struct fitting *t, const struct measured_table *table,
		      const struct measured_row *row, struct diag *d)
{
	struct trial *trial;
	struct diag refused;
	struct scenario *s;

	if (t->setup->rules && measured_rules_row(t->setup->rules, table, row)) {
		t->c->rows_left++;
		return true;
	}
	diag_init(&refused);
	s = measured_scenario(table, row, t->setup->from, t->setup->options, &refused);
	if (!s && !is_refusal(&refused)) {
		*d = refused;
		return false;
	}
	if (!s) {
		t->c->rows_left++;
		return true;
	}
	t->trial = xrealloc(t->trial, (t->trials + 1) * sizeof *t->trial);
	trial = &t->trial[t->trials++];
	*trial = (struct trial){.table = table, .row = row, .scenario = s};
	constants_list(&trial->constants, s, 0);
	add_figures(t, trial);
	return has_one_gpu(trial, d);
}

static bool add_table(struct fitting *t, const struct measured_table *table, struct diag *d)
{
	if (!validation_row_check(table, d))
		return false;
	for (size_t i = 0; i < table->rows; i++)
		if (!add_trial(t, table, &table->row[i], d))
			return false;
	return true;
}

static bool read_trials(struct fitting *t, struct diag *d)
{
	for (size_t i = 0; i < t->setup->tables; i++)
		if (!add_table(t, &t->setup->table[i], d))
			return false;
	t->c->rows = t->trials;
	if (t->c->figures)
		return true;
	diag_at(d, t->setup->table[0].file, 1, 1);
	return diag_fail(d, "no row has a latency or throughput that constants could be fitted to");
}

/* ---- parameters ---- */

/* A host's slowness can be told from the engine's own times where servers differ. */
static bool has_several_gpus(const struct fitting *t)
{
	for (size_t i = 1; i < t->trials; i++)
		if (strcmp(t->trial[i].scenario->candidate[0].gpu.id,
			   t->trial[0].scenario->candidate[0].gpu.id) != 0)
			return true;
	return false;
}

static const char *below_owner(const struct constant *k)
{
	const char *dot = strchr(k->path, '.');

	return dot ? dot + 1 : k->path;
}

/* The owner's id in the catalogue, without the sign of overrides, "vllm+". */
static char *owner_id(const struct constant *k)
{
	const char *id = k->owner ? k->owner : "";

	return xasprintf("%.*s", (int)strcspn(id, "+"), id);
}

static bool is_same(const struct calibration_constant *have, const struct constant *k,
		    const char *gpu)
{
	char *owner = owner_id(k);
	bool same = strcmp(have->owner, owner) == 0;

	free(owner);
	return same && have->of == k->of && strcmp(have->path, below_owner(k)) == 0 &&
	       (!have->gpu || strcmp(have->gpu, gpu) == 0);
}

/* How far the constant of this server may be from the catalogue's, of the logarithm: the
 * catalogue's uncertainty, and servers differ. Cards of one kind by a few hundredths; hosts as
 * host_factor says, which multiplies a layer's, a step's and the front end's time, its root that of
 * a request, unless it is a parameter itself. */
static double spread_of(const struct scenario *s, const struct constant *k, bool hosts)
{
	const struct figure *host = &scenario_engine(s, &s->candidate[0])->cost.host_factor;
	double own = figure_sigma(k->figure) / k->figure->value;
	double hosts_differ = figure_sigma(host) / host->value;

	if (k->of == CONSTANT_OF_GPU)
		return hypot(own, cards_differ);
	if (hosts)
		return own;
	if (strcmp(k->key, "request_us") == 0)
		return hypot(own, hosts_differ / 2);
	if (strcmp(k->key, "layer_us") == 0 || strcmp(k->key, "step_us") == 0 ||
	    strcmp(k->key, "frontend_ms") == 0)
		return hypot(own, hosts_differ);
	return own;
}

/* SI over the file's unit: the field's own, or one that a table hands down: link_lat_us.2. */
static double scale_of(const struct scenario *s, const char *path)
{
	char *at = xstrdup(path), *dot = at;
	double scale = 0;

	while (dot && !(scale > 0)) {
		const struct field *field = set_path_field(s, at);

		scale = field ? field->scale : 0;
		dot = strrchr(at, '.');
		if (dot)
			*dot = '\0';
	}
	free(at);
	return scale > 0 ? scale : 1;
}

static size_t new_parameter(struct fitting *t, const struct scenario *s, const struct constant *k,
			    const char *gpu, double spread)
{
	struct calibration *c = t->c;
	double scale = scale_of(s, k->path);
	size_t n = c->constants++;

	c->constant = xrealloc(c->constant, c->constants * sizeof *c->constant);
	c->constant[n] = (struct calibration_constant){
		.path = xstrdup(below_owner(k)),
		.owner = owner_id(k),
		.gpu = strcmp(k->key, "host_factor") == 0 ? xstrdup(gpu) : NULL,
		.of = k->of,
		.scale = scale,
		.before = k->figure->value / scale,
		.sigma_before = k->figure->value * spread / scale,
	};
	double **lists[] = {&t->start, &t->low, &t->high, &t->spread, &t->value};
	const double values[] = {k->figure->value, k->low, k->high, spread, k->figure->value};
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
		*lists[i] = xrealloc(*lists[i], c->constants * sizeof **lists[i]);
		(*lists[i])[n] = values[i];
	}
	return n;
}

static size_t parameter_of(struct fitting *t, const struct scenario *s, const struct constant *k,
			   bool hosts)
{
	const char *gpu = s->candidate[0].gpu.id ? s->candidate[0].gpu.id : "";

	if (!(k->figure->value > 0) || !(figure_sigma(k->figure) > 0))
		return PARAMETER_NONE;
	if (strcmp(k->key, "host_factor") == 0 && !hosts)
		return PARAMETER_NONE;
	for (size_t i = 0; i < t->c->constants; i++)
		if (is_same(&t->c->constant[i], k, gpu))
			return i;
	return new_parameter(t, s, k, gpu, spread_of(s, k, hosts));
}

static void find_parameters(struct fitting *t)
{
	bool hosts = has_several_gpus(t);

	for (size_t i = 0; i < t->trials; i++) {
		struct trial *trial = &t->trial[i];

		trial->parameter = xcalloc(trial->constants.n + 1, sizeof *trial->parameter);
		for (size_t k = 0; k < trial->constants.n; k++)
			trial->parameter[k] = parameter_of(t, trial->scenario,
							   &trial->constants.constant[k], hosts);
	}
}

/* ---- simulating ---- */

static bool leans(const struct trial *trial, size_t parameter)
{
	for (size_t k = 0; k < trial->constants.n; k++)
		if (trial->parameter[k] == parameter)
			return true;
	return parameter == PARAMETER_NONE;
}

static void set_constants(const struct fitting *t, const struct trial *trial)
{
	for (size_t k = 0; k < trial->constants.n; k++)
		if (trial->parameter[k] != PARAMETER_NONE)
			trial->constants.constant[k].figure->value = t->value[trial->parameter[k]];
}

/* Figures of one metric of one run tell of the same requests: together they count as one. */
static size_t of_its_metric(const struct trial *trial, const struct measured_figure *f)
{
	const char *dot = strrchr(f->path, '.');
	size_t length = (size_t)(dot - f->path), n = 0;

	for (size_t i = 0; i < trial->row->figures; i++)
		n += strncmp(trial->row->figure[i].path, f->path, length + 1) == 0;
	return strncmp(f->path, "latency.", 8) == 0 ? n : 1;
}

static void keep_figures(struct fitting *t, const struct trial *trial,
			 const struct validation_row *r)
{
	size_t at = trial->first;

	for (size_t i = 0; i < trial->row->figures && at < t->c->figures; i++) {
		struct calibration_figure *f = &t->c->figure[at];

		if (f->figure != &trial->row->figure[i])
			continue;
		t->simulated[at++] =
			r->figure[i].impossible ? (double)NAN : exp(r->figure[i].log_mean);
		if (!(f->sigma > 0))
			f->sigma = hypot(unexplained, r->figure[i].log_sd) *
				   sqrt((double)of_its_metric(trial, f->figure));
	}
}

/* Of a row, enough for so many requests in all. */
static int replications_of(const struct scenario *s)
{
	int64_t requests = s->traffic.requests;

	if (requests == RECORD_INT_UNSET)
		return REPLICATIONS_MIN;
	return (int)max64(REPLICATIONS_MIN, min64(REPLICATIONS_MAX, REQUESTS / requests));
}

static void run_trial(size_t i, void *arg)
{
	struct fitting *t = arg;
	struct trial *trial = &t->trial[i];
	const struct validation_row_setup setup = {
		.replications = replications_of(trial->scenario), .jobs = 1, .figures_only = true};
	struct validation_row r;

	if (!leans(trial, t->only))
		return;
	set_constants(t, trial);
	diag_init(&trial->failed);
	if (!validation_row_run(&r, &setup, trial->scenario, trial->row, &trial->failed))
		return;
	if (r.verdict == VERDICT_OK)
		keep_figures(t, trial, &r);
	else
		diag_fail(&trial->refused, "%s", r.reason);
	validation_row_free(&r);
}

static void simulate(struct fitting *t)
{
	parallel_for(t->trials, t->setup->jobs, run_trial, NULL, t);
	for (size_t i = 0; i < t->trials; i++)
		t->failed |= t->trial[i].failed.set;
	progress_step(&t->progress, ++t->runs);
}

/* ---- the fit ---- */

static double least(const struct fitting *t, size_t j)
{
	return t->low[j] > 0 ? t->low[j] : 1e-12;
}

static double value_at(const struct fitting *t, size_t j, double x)
{
	return fmin(fmax(t->start[j] * exp(t->spread[j] * x), least(t, j)), t->high[j]);
}

/* Of a logarithm that may be NAN where a run has no such figure: then it does not pull. */
static double pull(double logarithm, double sigma)
{
	return isfinite(logarithm) ? logarithm / sigma : 0;
}

/* Residuals in standard deviations: of figures, then of the constants themselves. */
static int residuals_at(const gsl_vector *x, void *arg, gsl_vector *residual)
{
	struct fitting *t = arg;
	const struct calibration *c = t->c;

	for (size_t j = 0; j < c->constants; j++)
		t->value[j] = value_at(t, j, gsl_vector_get(x, j));
	t->only = PARAMETER_NONE;
	simulate(t);
	for (size_t i = 0; i < c->figures; i++)
		gsl_vector_set(residual, i,
			       pull(log(t->simulated[i] / c->figure[i].figure->value),
				    c->figure[i].sigma));
	for (size_t j = 0; j < c->constants; j++)
		gsl_vector_set(residual, c->figures + j, gsl_vector_get(x, j));
	return GSL_SUCCESS;
}

/* Central, inwards of the bounds. */
static void column_at(struct fitting *t, size_t j, const double *base, double *up,
		      gsl_matrix *jacobian)
{
	const struct calibration *c = t->c;
	double middle = t->value[j], step = fmin(fmax(t->spread[j], step_min), step_max);
	double above = fmin(middle * exp(step), t->high[j]);
	double below = fmax(middle * exp(-step), least(t, j));

	t->only = j;
	t->value[j] = above;
	simulate(t);
	memcpy(up, t->simulated, c->figures * sizeof *up);
	t->value[j] = below;
	simulate(t);
	t->value[j] = middle;
	for (size_t i = 0; i < c->figures; i++) {
		gsl_matrix_set(
			jacobian, i, j,
			pull(log(up[i] / t->simulated[i]) / log(above / below) * t->spread[j],
			     c->figure[i].sigma));
		t->simulated[i] = base[i];
	}
	gsl_matrix_set(jacobian, c->figures + j, j, 1);
}

static int jacobian_at(const gsl_vector *x, void *arg, gsl_matrix *jacobian)
{
	struct fitting *t = arg;
	double *base = xcalloc(t->c->figures + 1, sizeof *base);
	double *up = xcalloc(t->c->figures + 1, sizeof *up);

	(void)x; /* residuals were just taken there */
	memcpy(base, t->simulated, t->c->figures * sizeof *base);
	gsl_matrix_set_zero(jacobian);
	for (size_t j = 0; j < t->c->constants; j++)
		column_at(t, j, base, up, jacobian);
	free(base);
	free(up);
	return GSL_SUCCESS;
}

/* Huber's weights; whether any is another than before. */
static bool reweight(struct fitting *t, const gsl_vector *residual, gsl_vector *weights)
{
	struct calibration *c = t->c;
	bool changed = false;

	for (size_t i = 0; i < c->figures; i++) {
		double r = fabs(gsl_vector_get(residual, i) / sqrt(gsl_vector_get(weights, i)));
		double weight = r > 2 * tuning ? 2 * tuning / r : 1;

		changed |= fabs(weight - c->figure[i].weight) > weight_settled;
		c->figure[i].weight = weight;
		gsl_vector_set(weights, i, weight);
	}
	return changed;
}

/* Of the figures, weights in the residuals. */
static double chi_square(const struct calibration *c, const gsl_vector *residual)
{
	double sum = 0;

	for (size_t i = 0; i < c->figures; i++)
		sum += pow(gsl_vector_get(residual, i), 2);
	return sum;
}

/* Product of what two constants do to the figures. */
static double effect(const struct calibration *c, const gsl_matrix *jacobian, size_t i, size_t j)
{
	double sum = 0;

	for (size_t f = 0; f < c->figures; f++)
		sum += gsl_matrix_get(jacobian, f, i) * gsl_matrix_get(jacobian, f, j);
	return sum;
}

/* Whether two constants do the same to all figures, so that the rows know of both together. One
 * that alone would hardly be told is alike to none. */
static bool are_alike(const struct calibration *c, const gsl_matrix *jacobian, size_t i, size_t j)
{
	double one = effect(c, jacobian, i, i), other = effect(c, jacobian, j, j);

	return one > seen && other > seen &&
	       fabs(effect(c, jacobian, i, j)) > alike * sqrt(one * other);
}

/* Puts j and its group into the group of i, which has the lower number. */
static void join_groups(struct calibration *c, size_t i, size_t j)
{
	size_t from = c->constant[j].group ? c->constant[j].group : j + 1;
	size_t to = c->constant[i].group ? c->constant[i].group : i + 1;

	c->constant[i].group = c->constant[j].group = to;
	for (size_t k = 0; k < c->constants; k++)
		if (c->constant[k].group == from)
			c->constant[k].group = to;
}

static void find_groups(struct calibration *c, const gsl_matrix *jacobian)
{
	for (size_t i = 0; i < c->constants; i++)
		for (size_t j = i + 1; j < c->constants; j++)
			if (are_alike(c, jacobian, i, j))
				join_groups(c, i, j);
}

static void settle(struct fitting *t, gsl_multifit_nlinear_workspace *w)
{
	struct calibration *c = t->c;
	gsl_matrix *covariance = gsl_matrix_alloc(c->constants, c->constants);
	double free_figures = fmax(1, (double)c->figures - (double)c->constants);
	double excess = fmax(1, chi_square(c, gsl_multifit_nlinear_residual(w)) / free_figures);

	gsl_multifit_nlinear_covar(gsl_multifit_nlinear_jac(w), 0, covariance);
	for (size_t j = 0; j < c->constants; j++) {
		struct calibration_constant *k = &c->constant[j];
		double variance = gsl_matrix_get(covariance, j, j);

		t->value[j] = value_at(t, j, gsl_vector_get(gsl_multifit_nlinear_position(w), j));
		k->after = t->value[j] / k->scale;
		k->told = fmax(0, 1 - variance);
		k->sigma_after = k->after * t->spread[j] * sqrt(fmin(1, variance * excess));
	}
	find_groups(c, gsl_multifit_nlinear_jac(w));
	gsl_matrix_free(covariance);
}

/* Whether the constants came to rest: a step that is small, or none that is better. */
static bool descend(const struct fitting *t, gsl_multifit_nlinear_workspace *w)
{
	for (int i = 0; i < ITERATIONS && !t->failed; i++) {
		if (gsl_multifit_nlinear_iterate(w) != GSL_SUCCESS)
			return true;
		double max = gsl_vector_max(w->dx), min = gsl_vector_min(w->dx);
		if (fmax(max, -min) < settled)
			return true;
	}
	return false;
}

static void solve(struct fitting *t)
{
	struct calibration *c = t->c;
	size_t rows = c->figures + c->constants;
	gsl_multifit_nlinear_parameters settings = gsl_multifit_nlinear_default_parameters();
	gsl_multifit_nlinear_fdf problem = {
		.f = residuals_at, .df = jacobian_at, .n = rows, .p = c->constants, .params = t};
	gsl_multifit_nlinear_workspace *w = gsl_multifit_nlinear_alloc(
		gsl_multifit_nlinear_trust, &settings, rows, c->constants);
	gsl_vector *x = gsl_vector_calloc(c->constants), *weights = gsl_vector_alloc(rows);
	bool again = true;

	gsl_vector_set_all(weights, 1);
	for (int i = 0; again && i < REWEIGHTS && !t->failed; i++) {
		gsl_multifit_nlinear_winit(x, weights, &problem, w);
		c->converged = descend(t, w);
		gsl_vector_memcpy(x, gsl_multifit_nlinear_position(w));
		again = reweight(t, gsl_multifit_nlinear_residual(w), weights);
	}
	settle(t, w);
	gsl_vector_free(x);
	gsl_vector_free(weights);
	gsl_multifit_nlinear_free(w);
}

static void keep_simulated(struct fitting *t, bool after)
{
	t->only = PARAMETER_NONE;
	simulate(t);
	for (size_t i = 0; i < t->c->figures; i++)
		*(after ? &t->c->figure[i].after : &t->c->figure[i].before) = t->simulated[i];
}

static void free_trial(struct trial *trial)
{
	constants_free(&trial->constants);
	free(trial->parameter);
	scenario_del(trial->scenario);
}

/* Moves a trial and those of its figures that were simulated to the places that are free. */
static void keep_trial(struct fitting *t, size_t i, size_t *trials, size_t *figures)
{
	struct trial *trial = &t->trial[i];
	size_t at = trial->first;

	trial->first = *figures;
	for (; at < t->c->figures && t->c->figure[at].row == trial->row; at++) {
		if (!isfinite(t->simulated[at])) {
			t->c->figures_left++;
			continue;
		}
		t->simulated[*figures] = t->simulated[at];
		t->c->figure[(*figures)++] = t->c->figure[at];
	}
	t->trial[(*trials)++] = *trial;
}

/* Leaves out what the program cannot simulate, before anything is fitted to it. */
static bool drop_refused(struct fitting *t, struct diag *d)
{
	size_t trials = 0, figures = 0;

	for (size_t i = 0; i < t->trials; i++) {
		struct trial *trial = &t->trial[i];

		if (!trial->refused.set) {
			keep_trial(t, i, &trials, &figures);
			continue;
		}
		if (i == 0)
			diag_at(&trial->refused, trial->table->file, (int)trial->row->line, 1);
		if (i == 0)
			*d = trial->refused;
		free_trial(trial);
	}
	t->c->rows_left += t->trials - trials;
	t->c->rows = t->trials = trials;
	t->c->figures = figures;
	if (!figures)
		return diag_fail(d, "no row has a figure that is simulated");
	diag_init(d);
	return true;
}

static bool fit(struct fitting *t, struct diag *d)
{
	find_parameters(t);
	t->simulated = xcalloc(t->c->figures + 1, sizeof *t->simulated);
	for (size_t i = 0; i < t->c->figures; i++)
		t->simulated[i] = NAN;
	progress_init(&t->progress, "fitting", 0, t->setup->quiet);
	keep_simulated(t, false);
	bool any = t->failed || drop_refused(t, d);
	if (any && t->c->constants && !t->failed)
		solve(t);
	if (any)
		keep_simulated(t, true);
	progress_end(&t->progress);
	for (size_t i = 0; i < t->trials && t->failed; i++)
		if (t->trial[i].failed.set) {
			*d = t->trial[i].failed;
			return false;
		}
	return any;
}

bool calibration_run(struct calibration *c, const struct calibration_setup *setup, struct diag *d)
{
	struct fitting t = {.c = c, .setup = setup};

	*c = (struct calibration){0};
	bool good = read_trials(&t, d) && fit(&t, d);
	for (size_t i = 0; i < t.trials; i++)
		free_trial(&t.trial[i]);
	free(t.trial);
	free(t.start);
	free(t.low);
	free(t.high);
	free(t.spread);
	free(t.value);
	free(t.simulated);
	if (!good)
		calibration_free(c);
	return good;
}

void calibration_free(struct calibration *c)
{
	for (size_t i = 0; i < c->constants; i++) {
		free(c->constant[i].path);
		free(c->constant[i].owner);
		free(c->constant[i].gpu);
	}
	free(c->constant);
	free(c->figure);
	*c = (struct calibration){0};
}

static void take(struct figure *f, double value, double sigma, const char *source)
{
	f->value = value;
	f->sigma = sigma;
	f->origin = ORIGIN_FITTED;
	free(f->source);
	f->source = xstrdup(source);
}

static bool has_host_factor(const struct calibration *c)
{
	for (size_t i = 0; i < c->constants; i++)
		if (c->constant[i].gpu)
			return true;
	return false;
}

bool calibration_apply(const struct calibration *c, enum constant_of of, const char *id,
		       void *object, const char *source)
{
	bool any = false;

	for (size_t i = 0; i < c->constants; i++) {
		const struct calibration_constant *k = &c->constant[i];
		void *in = object;
		struct diag d;

		diag_init(&d);
		if (k->of != of || k->gpu || strcmp(k->owner, id) != 0)
			continue;
		const struct field *field = record_find(
			of == CONSTANT_OF_GPU ? &gpu_record : &engine_record, &in, k->path, &d);
		take((struct figure *)((char *)in + field->offset), k->after * k->scale,
		     k->sigma_after * k->scale, source);
		any = true;
	}
	if (any && of == CONSTANT_OF_ENGINE && !has_host_factor(c)) {
		struct figure *host = &((struct engine *)object)->cost.host_factor;

		take(host, host->value, 0, "in the times, which are this host's own");
	}
	return any;
}
