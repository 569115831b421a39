/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/count.h"
#include "command/command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json_write.h"
#include "base/xmalloc.h"
#include "report/plot_kind.h"

enum option_kind { OPTION_FLAG, OPTION_TEXT, OPTION_LIST, OPTION_INT };

struct option {
	const char *name, *argument, *help;
	enum option_kind kind;
	size_t offset;
	unsigned groups;  /* of enum option_group; 0: every command */
	int64_t min, max; /* of OPTION_INT; max 0: none */
};

#define AT(member) offsetof(struct options, member)

static const struct option option_table[] = {
	{"--gpu", "ID", "a GPU in place of the scenario's list (repeatable)", OPTION_LIST, AT(gpu),
	 TAKES_GPU},
	{"--from", "N:GPU", "what is replaced: 1:a100, 4:l4; a100 alone is 1:a100", OPTION_LIST,
	 AT(from), TAKES_FROM},
	{"--limit", "N:GPU", "at most N of a GPU can be had (repeatable)", OPTION_LIST, AT(limit),
	 TAKES_LIMIT},
	{"--to", "GPU", "what replaces it (repeatable)", OPTION_LIST, AT(to), TAKES_FROM},
	{"--to", "FILE", "converts the trace: .csv or .jsonl", OPTION_LIST, AT(to), TAKES_TO},
	{"--over", "PATH=VALUES",
	 "lo:hi:n, lo:hi:n:log or a,b,c: the values of a path; once or twice", OPTION_LIST,
	 AT(over), TAKES_OVER},
	{"--kernels", "FILE", "kernel timings of one GPU: its constants are fitted to them",
	 OPTION_TEXT, AT(kernels), TAKES_FIT},
	{"--measured", "FILE",
	 "runs of one's own server: vllm bench serve, GuideLLM, inference-perf, CSV (repeatable)",
	 OPTION_LIST, AT(measured), TAKES_FIT},
	{"--set", "PATH=VALUE", "changes one value: traffic.arrivals.rate=8 (repeatable)",
	 OPTION_LIST, AT(set), TAKES_SCENARIO | TAKES_FIT},
	{"--price", "GPU=USD", "an hourly price a GPU in place of the book's (repeatable)",
	 OPTION_LIST, AT(price), TAKES_STUDY},
	{"--catalog", "DIR", "a folder with gpus/, models/, engines/ of your own (repeatable)",
	 OPTION_LIST, AT(catalog), TAKES_SCENARIO | TAKES_CATALOG},
	{"--seed", "N", "seed of every random stream", OPTION_INT, AT(seed),
	 TAKES_STUDY | TAKES_VALIDATE, 0},
	{"--replications", "N",
	 "independent repetitions that intervals come from (5; 1 where GPUs are replaced or mixed)",
	 OPTION_INT, AT(replications), TAKES_STUDY, 1, 10000},
	{"--replications", "N",
	 "simulated runs a row, common random numbers (40; long runs fewer; 1 without chance)",
	 OPTION_INT, AT(replications), TAKES_VALIDATE, 1, 10000},
	{"--jobs", "N", "threads (all processors); results do not depend on it", OPTION_INT,
	 AT(jobs), TAKES_STUDY | TAKES_VALIDATE | TAKES_FIT, 1, 1024},
	{"--csv", "FILE", "the table as CSV too", OPTION_TEXT, AT(csv),
	 TAKES_STUDY | TAKES_VALIDATE},
	{"--out", "DIR", "writes every artefact there: result.json, CSV, pictures", OPTION_TEXT,
	 AT(out), TAKES_OUT},
	{"--plot", "FILE", "the picture, simulated against measured: .svg, .png or .pdf",
	 OPTION_TEXT, AT(plot), TAKES_VALIDATE},
	{"--kind", "NAME", "the picture to draw (repeatable): all that the result has data for",
	 OPTION_LIST, AT(kind), TAKES_PLOT},
	{"--format", "ENDING", "svg (default), png, pdf, or text on the terminal", OPTION_TEXT,
	 AT(format), TAKES_PLOT},
	{"--strict", NULL, "exit 1 if the answer is no", OPTION_FLAG, AT(strict), TAKES_SCENARIO},
	{"--json", NULL, "one JSON document on stdout, nothing else", OPTION_FLAG, AT(json),
	 TAKES_OUTPUT},
	{"--quiet", NULL, "no progress and no warnings", OPTION_FLAG, AT(quiet), TAKES_OUTPUT},
	{"--no-color", NULL, "plain text (as with NO_COLOR)", OPTION_FLAG, AT(no_color),
	 TAKES_OUTPUT},
	{"--verbose", NULL, "where each constant comes from", OPTION_FLAG, AT(verbose),
	 TAKES_OUTPUT},
	{"--help", NULL, "this help", OPTION_FLAG, AT(help), 0},
	{"--version", NULL, "the version", OPTION_FLAG, AT(version), 0},
};
#define OPTIONS COUNT(option_table)

static bool option_applies(const struct option *option, const struct command *command)
{
	return !option->groups || (command && (option->groups & command->takes));
}

static const struct option *option_find(const char *name, size_t length,
					const struct command *command)
{
	for (size_t i = 0; i < OPTIONS; i++)
		if (strlen(option_table[i].name) == length &&
		    !strncmp(option_table[i].name, name, length) &&
		    option_applies(&option_table[i], command))
			return &option_table[i];
	return NULL;
}

/* The first command that takes an option of this name, or NULL. */
static const struct command *option_owner(const char *name, size_t length)
{
	for (const struct command *c = commands; c->name; c++)
		if (option_find(name, length, c))
			return c;
	return NULL;
}

static bool fail_unknown_option(const char *text, size_t length, const struct command *command,
				struct diag *d)
{
	const char *names[OPTIONS + 1];
	size_t n = 0;

	for (size_t i = 0; i < OPTIONS; i++)
		if (option_applies(&option_table[i], command))
			names[n++] = option_table[i].name;
	names[n] = NULL;
	char *name = xasprintf("%.*s", (int)length, text);
	const struct command *owner = option_owner(text, length);
	const char *nearest = owner ? NULL : diag_nearest(name, names);
	if (nearest)
		snprintf(d->nearest, sizeof d->nearest, "%s", nearest);
	if (owner && !command)
		diag_fail(d, "the option %s stands behind the command", name);
	else if (owner)
		diag_fail(d, "%s has no option %s, which belongs to %s", command->name, name,
			  owner->name);
	else
		diag_fail(d, "%s has no option %s", command ? command->name : "infercap", name);
	free(name);
	return false;
}

static void list_add(struct option_list *list, const char *value)
{
	list->value = xrealloc(list->value, (list->count + 2) * sizeof *list->value);
	list->value[list->count++] = value;
	list->value[list->count] = NULL;
}

static bool fail_range(const struct option *option, const char *value, struct diag *d)
{
	char most[32] = "";

	if (option->max)
		snprintf(most, sizeof most, " to %lld", (long long)option->max);
	return diag_fail(d, "%s takes a whole number from %lld%s, not \"%s\"", option->name,
			 (long long)option->min, most, value);
}

static bool option_store(const struct option *option, struct options *o, const char *value,
			 struct diag *d)
{
	void *at = (char *)o + option->offset;
	char *end;
	long long number;

	switch (option->kind) {
	case OPTION_FLAG:
		*(bool *)at = true;
		return true;
	case OPTION_TEXT:
		*(const char **)at = value;
		return true;
	case OPTION_LIST:
		list_add(at, value);
		return true;
	case OPTION_INT:
		errno = 0;
		number = strtoll(value, &end, 10);
		if (!*value || *end || errno || number < option->min ||
		    (option->max && number > option->max))
			return fail_range(option, value, d);
		*(int64_t *)at = number;
		return true;
	}
	return true;
}

static bool parse_option(struct options *o, int argc, char **argv, int *i, struct diag *d)
{
	const char *text = argv[*i], *equals = strchr(text, '=');
	size_t length = equals ? (size_t)(equals - text) : strlen(text);
	const struct option *option = option_find(text, length, o->command);
	const char *value = equals ? equals + 1 : NULL;

	if (!option)
		return fail_unknown_option(text, length, o->command, d);
	if (option->kind == OPTION_FLAG && value)
		return diag_fail(d, "%s takes no value", option->name);
	if (option->kind != OPTION_FLAG && !value) {
		if (*i + 1 >= argc)
			return diag_fail(d, "%s needs a value: %s %s", option->name, option->name,
					 option->argument);
		value = argv[++*i];
	}
	return option_store(option, o, value, d);
}

static bool find_command(struct options *o, const char *name, struct diag *d)
{
	static const char *const later[] = {"compare", "report", NULL};
	const char *names[32];
	size_t n = 0;

	for (const struct command *c = commands; c->name; c++) {
		names[n++] = c->name;
		if (!strcmp(c->name, name))
			o->command = c;
	}
	names[n] = NULL;
	if (o->command)
		return true;
	for (size_t i = 0; later[i]; i++)
		if (!strcmp(later[i], name))
			return diag_fail(d, "the command %s is not in this version", name);
	const char *nearest = diag_nearest(name, names);
	if (nearest)
		snprintf(d->nearest, sizeof d->nearest, "%s", nearest);
	return diag_fail(d, "there is no command %s", name);
}

static bool check_operand(const struct options *o, struct diag *d)
{
	const char *wanted = o->command->operand;

	if ((!o->operand || !*o->operand) && wanted && *wanted != '[')
		return diag_fail(d, "%s needs a %s; see infercap %s --help", o->command->name,
				 wanted, o->command->name);
	return true;
}

static bool takes_several(const struct command *c)
{
	return c->operand && strstr(c->operand, "...");
}

bool options_parse(struct options *o, int argc, char **argv, struct diag *d)
{
	bool only_operands = false;

	for (int i = 1; i < argc; i++) /* known before anything can fail: errors are JSON too */
		o->json |= !strcmp(argv[i], "--json");
	for (int i = 1; i < argc; i++) {
		const char *text = argv[i];
		if (!only_operands && !strcmp(text, "--")) {
			only_operands = true;
		} else if (!only_operands && text[0] == '-' && text[1]) {
			if (!parse_option(o, argc, argv, &i, d))
				return false;
		} else if (!o->command) {
			if (!find_command(o, text, d))
				return false;
		} else if (takes_several(o->command)) {
			list_add(&o->operands, text);
		} else if (o->operand || !o->command->operand) {
			return diag_fail(d, "%s takes %s, so \"%s\" is one word too many",
					 o->command->name,
					 o->command->operand ? "one operand" : "no operand", text);
		} else {
			o->operand = text;
		}
	}
	if (o->help || o->version)
		return true;
	if (!o->command)
		return diag_fail(d, "a command is missing; see infercap --help");
	return check_operand(o, d);
}

void options_free(struct options *o)
{
	free(o->operands.value);
	free(o->gpu.value);
	free(o->set.value);
	free(o->price.value);
	free(o->catalog.value);
	free(o->from.value);
	free(o->limit.value);
	free(o->to.value);
	free(o->over.value);
	free(o->kind.value);
	free(o->measured.value);
	free(o->data_dir);
}

static void print_commands(FILE *to)
{
	fputs("infercap: how many GPUs, what latency, what cost, by simulation\n\n"
	      "usage: infercap COMMAND [OPERAND] [options]\n\n",
	      to);
	for (const struct command *c = commands; c->name; c++)
		fprintf(to, "  %-9s %-11s %s\n", c->name, c->operand ? c->operand : "", c->help);
	fputs("\ninfercap COMMAND --help lists a command's options. Exit status: 0 answered; 1 the "
	      "answer is no and\n"
	      "--strict was given; 2 the request is wrong; 3 the machine failed it.\n",
	      to);
}

static void print_plot_kinds(FILE *to)
{
	fputs("\nkinds\n", to);
	for (size_t i = 0; plot_kinds[i]; i++)
		fprintf(to, "  %-14s %s\n", plot_kinds[i]->name, plot_kinds[i]->help);
}

void options_print_help(const struct command *command, FILE *to)
{
	if (!command) {
		print_commands(to);
		return;
	}
	fprintf(to, "usage: infercap %s%s%s [options]\n\n%s\n\n", command->name,
		command->operand ? " " : "", command->operand ? command->operand : "",
		command->help);
	for (size_t i = 0; i < OPTIONS; i++) {
		const struct option *option = &option_table[i];
		if (option_applies(option, command))
			fprintf(to, "  %-14s %-11s %s\n", option->name,
				option->argument ? option->argument : "", option->help);
	}
	if (command->takes & TAKES_PLOT)
		print_plot_kinds(to);
}

void options_scenario(const struct options *o, struct scenario_options *s)
{
	*s = (struct scenario_options){
		.file = o->operand,
		.catalog = o->catalog.value,
		.gpus = o->gpu.value,
		.sets = o->set.value,
		.prices = o->price.value,
		.data_dir = o->data_dir,
		.seed = o->seed,
	};
}

int options_fail(const struct options *o, const struct diag *d)
{
	if (o->json)
		diag_json(d, stdout);
	else
		diag_print(d, stderr);
	return EXIT_WRONG;
}

int options_fail_machine(const struct options *o, const struct diag *d)
{
	options_fail(o, d);
	return EXIT_MACHINE;
}
