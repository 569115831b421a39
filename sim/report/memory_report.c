/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/memory_report.h"

#include "base/count.h"
#include "base/number.h"
#include "report/table.h"

static const int64_t lengths[] = {512, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072};
#define LENGTHS COUNT(lengths)

/* Requests of `tokens` (prompt and answer together) at once, the engine's limit aside. */
static int64_t concurrency(const struct unit *u, int64_t tokens)
{
	return memory_concurrency(&u->memory, u->replica.block_size, tokens);
}

static int64_t mean_tokens(const struct scenario *s)
{
	return (int64_t)llround(s->facts.input_mean + s->facts.output_mean);
}

static void line(struct table *t, const char *what, double bytes, const char *remark)
{
	table_text(t, what);
	table_number(t, bytes / 1e9, 4);
	table_number(t, bytes / 0x1p30, 4);
	table_text(t, remark);
}

static void fill_budget(struct table *t, const struct memory_plan *m, const struct scenario *s)
{
	char remark[2 * NUMBER_TEXT + 32], tokens[NUMBER_TEXT], bytes[NUMBER_TEXT];

	line(t, "memory as the runtime reports it", m->total_bytes, "");
	snprintf(remark, sizeof remark, "%.2f of it", s->engine.cost.gpu_memory_utilization.value);
	line(t, "usable by the engine", m->usable_bytes, remark);
	line(t, "- weights: linear layers", -m->linear_bytes, "");
	if (m->expert_bytes > 0)
		line(t, "- weights: experts", -m->expert_bytes, "");
	line(t, "- weights: embeddings, head", -m->embedding_bytes, "");
	line(t, "- reserve: activations, graphs, buffers", -m->reserve_bytes, "");
	number_text(tokens, (double)m->kv_pool_tokens, 0);
	number_text(bytes, m->kv_bytes_per_token, 0);
	snprintf(remark, sizeof remark, "%s tokens at %s bytes", tokens, bytes);
	line(t, "= KV cache pool", m->kv_pool_bytes, m->fits ? remark : "");
}

static void print_concurrency(const struct scenario *s, const struct unit *u, FILE *to)
{
	static const char *const heading[] = {"tokens a request\n(prompt + answer)",
					      "requests\nat once"};
	struct table t;
	int64_t mean = mean_tokens(s);
	char tokens[NUMBER_TEXT];

	table_begin(&t, heading, COUNT(heading));
	for (size_t i = 0; i < LENGTHS && lengths[i] < u->memory.max_model_len; i++) {
		table_number(&t, (double)lengths[i], 0);
		table_number(&t, (double)concurrency(u, lengths[i]), 0);
	}
	table_number(&t, (double)u->memory.max_model_len, 0);
	table_number(&t, (double)concurrency(u, u->memory.max_model_len), 0);
	table_print(&t, to);
	table_free(&t);
	number_text(tokens, (double)mean, 0);
	fprintf(to,
		"at the mean of %s tokens (traffic.input and traffic.output): %lld requests at "
		"once; "
		"the engine's own limit is %lld\n",
		tokens, (long long)concurrency(u, mean), (long long)u->replica.max_num_seqs);
}

void memory_report_budget(const struct scenario *s, const struct candidate *c, const struct unit *u,
			  FILE *to)
{
	static const char *const heading[] = {"", "GB", "GiB", ""};
	struct table t;

	fprintf(to, "%s on %s", s->model.id, c->shown);
	if (u->tp > 1)
		fprintf(to, ", tensor parallel %d, figures of one GPU", u->tp);
	fputs("\n\n", to);
	if (u->verdict == VERDICT_UNSUPPORTED) {
		fprintf(to, "unsupported: %s\n", u->reason);
		return;
	}
	table_begin(&t, heading, COUNT(heading));
	fill_budget(&t, &u->memory, s);
	table_print(&t, to);
	table_free(&t);
	fputc('\n', to);
	if (u->verdict != VERDICT_OK)
		fprintf(to, "does not fit: %s\n", u->reason);
	else
		print_concurrency(s, u, to);
	if (u->precision.note)
		fprintf(to, "%s\n", u->precision.note);
}

void memory_report_table(const struct scenario *s, const struct unit *u, FILE *to)
{
	static const char *const heading[] = {"GPU",
					      "fits",
					      "weights\nGB",
					      "KV pool\nGB",
					      "KV pool\ntokens",
					      "requests\nat once",
					      "why not"};
	struct table t;
	int64_t mean = mean_tokens(s);

	table_begin(&t, heading, COUNT(heading));
	for (size_t i = 0; i < s->candidates; i++) {
		bool fits = u[i].verdict == VERDICT_OK, known = u[i].verdict != VERDICT_UNSUPPORTED;
		table_text(&t, s->candidate[i].shown);
		table_text(&t, fits ? "yes" : "no");
		table_number(&t, known ? u[i].memory.weights_bytes / 1e9 : (double)NAN, 4);
		table_number(&t, fits ? u[i].memory.kv_pool_bytes / 1e9 : (double)NAN, 4);
		table_number(&t, fits ? (double)u[i].memory.kv_pool_tokens : (double)NAN, 0);
		table_number(&t, fits ? (double)concurrency(&u[i], mean) : (double)NAN, 0);
		table_text(&t, fits ? "" : u[i].reason);
	}
	table_print(&t, to);
	table_free(&t);
	fprintf(to, "\nrequests at once: of %lld tokens, prompt and answer together\n",
		(long long)mean);
}

static void write_bytes(struct json_write *w, const struct memory_plan *m)
{
	const struct {
		const char *key;
		double value;
	} part[] = {{"total_bytes", m->total_bytes},
		    {"usable_bytes", m->usable_bytes},
		    {"weights_bytes", m->weights_bytes},
		    {"reserve_bytes", m->reserve_bytes},
		    {"kv_pool_bytes", m->kv_pool_bytes},
		    {"kv_pool_tokens", (double)m->kv_pool_tokens},
		    {"kv_bytes_per_token", m->kv_bytes_per_token},
		    {"missing_bytes", m->missing_bytes}};

	json_write_key(w, "memory");
	json_write_open(w, '{');
	for (size_t i = 0; i < COUNT(part); i++) {
		json_write_key(w, part[i].key);
		json_write_real(w, part[i].value);
	}
	json_write_close(w, '}');
}

static void write_concurrency(struct json_write *w, const struct unit *u)
{
	json_write_key(w, "concurrency");
	json_write_open(w, '[');
	for (size_t i = 0; i < LENGTHS && lengths[i] <= u->memory.max_model_len; i++) {
		json_write_open(w, '{');
		json_write_key(w, "tokens");
		json_write_int(w, lengths[i]);
		json_write_key(w, "requests");
		json_write_int(w, concurrency(u, lengths[i]));
		json_write_close(w, '}');
	}
	json_write_close(w, ']');
}

void memory_report_json(const struct scenario *s, const struct candidate *c, const struct unit *u,
			struct json_write *w)
{
	bool fits = u->verdict == VERDICT_OK;

	json_write_open(w, '{');
	json_write_key(w, "gpu");
	json_write_text(w, c->shown);
	json_write_key(w, "tensor_parallel");
	json_write_int(w, u->tp);
	json_write_key(w, "verdict");
	json_write_text(w, verdict_names[u->verdict]);
	json_write_key(w, "reason");
	json_write_text(w, fits ? NULL : u->reason);
	if (u->verdict != VERDICT_UNSUPPORTED)
		write_bytes(w, &u->memory);
	json_write_key(w, "max_model_len");
	json_write_real(w, fits ? (double)u->memory.max_model_len : (double)NAN);
	json_write_key(w, "requests_at_mean_length");
	json_write_real(w, fits ? (double)concurrency(u, mean_tokens(s)) : (double)NAN);
	if (fits)
		write_concurrency(w, u);
	json_write_close(w, '}');
}
