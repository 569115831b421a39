/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/record.h"

#include <stdlib.h>

#include "base/bug.h"
#include "base/json_doc.h"
#include "base/record_field.h"

static void add_fields(cJSON *to, const struct record *r, struct record_scope scope,
		       const void *object);

double record_file_value(double si, double scale)
{
	char text[32];
	double value = si / scale, rounded;

	snprintf(text, sizeof(text), "%.15g", value);
	rounded = strtod(text, NULL);
	return rounded * scale == si ? rounded : value;
}

static cJSON *real_json(double si, double scale)
{
	return isfinite(si) ? cJSON_CreateNumber(record_file_value(si, scale)) : cJSON_CreateNull();
}

static cJSON *text_json(const char *text)
{
	return text ? cJSON_CreateString(text) : cJSON_CreateNull();
}

/* Six digits of a default deviation are plenty: 0.093, not 0.09300000000000001. */
static cJSON *sigma_json(const struct figure *f, double scale)
{
	char text[32];

	if (!isnan(f->sigma))
		return real_json(f->sigma, scale);
	snprintf(text, sizeof(text), "%.6g", figure_sigma(f) / scale);
	return cJSON_CreateNumber(strtod(text, NULL));
}

/* A figure that was given without more is its number. */
static cJSON *figure_json(const struct figure *f, struct record_scope scope)
{
	cJSON *json;

	if (isnan(f->value) || (f->origin == ORIGIN_GIVEN && !f->source && isnan(f->sigma)))
		return real_json(f->value, scope.scale);
	json = cJSON_CreateObject();
	cJSON_AddItemToObject(json, "value", real_json(f->value, scope.scale));
	cJSON_AddItemToObject(json, "sigma", sigma_json(f, scope.scale));
	cJSON_AddStringToObject(json, "origin", origin_names[f->origin]);
	if (f->source)
		cJSON_AddStringToObject(json, "source", f->source);
	return json;
}

static cJSON *record_json(const struct record *r, struct record_scope scope, const void *object)
{
	cJSON *json;

	if (r == &figure_record)
		return figure_json(object, scope);
	json = cJSON_CreateObject();
	add_fields(json, r, scope, object);
	return json;
}

static cJSON *element_json(const struct field *f, struct record_scope scope, const void *element)
{
	if (f->flags & FIELD_TEXTS)
		return text_json(*(char *const *)element);
	if (f->flags & FIELD_REALS)
		return real_json(*(const double *)element, scope.scale);
	if (f->flags & FIELD_PAIRS)
		return cJSON_CreateDoubleArray(element, 2);
	return record_json(f->of, scope, element);
}

static cJSON *list_json(const struct field *f, struct record_scope scope,
			const struct record_list *list)
{
	cJSON *json = cJSON_CreateArray();

	for (size_t i = 0; i < list->count; i++)
		cJSON_AddItemToArray(
			json, element_json(f, scope, (const char *)list->data + i * list->size));
	return json;
}

/* Text that was written by the reader itself from a checked document. */
static cJSON *open_json(const char *text)
{
	cJSON *json = text ? cJSON_Parse(text) : NULL;

	return json ? json : cJSON_CreateNull();
}

static cJSON *choice_json(const struct field *f, int choice)
{
	const char *name = choice < 0 ? NULL : ((const char *const *)f->of)[choice];

	return text_json(name && name[0] == '!' ? name + 1 : name);
}

static cJSON *vector_json(const struct field *f, struct record_scope scope, const double *value)
{
	cJSON *json = cJSON_CreateArray();

	for (size_t i = 0; i < f->count; i++)
		cJSON_AddItemToArray(json, real_json(value[i], scope.scale));
	return json;
}

/* The text of a TEXT field; NULL: none. */
static const char *text_of(const struct field *f, const void *at)
{
	const char *text = f->flags & FIELD_BUFFER ? at : *(char *const *)at;

	return text && (text[0] || !(f->flags & FIELD_BUFFER)) ? text : NULL;
}

static cJSON *value_json(const struct field *f, struct record_scope scope, const void *at)
{
	switch (f->kind) {
	case FIELD_BOOL:
		return cJSON_CreateBool(*(const bool *)at);
	case FIELD_INT:
		return *(const int64_t *)at == RECORD_INT_UNSET
			       ? cJSON_CreateNull()
			       : cJSON_CreateNumber((double)*(const int64_t *)at);
	case FIELD_REAL:
		return real_json(*(const double *)at, scope.scale);
	case FIELD_TEXT:
		return f->flags & FIELD_OPEN ? open_json(text_of(f, at))
					     : text_json(text_of(f, at));
	case FIELD_CHOICE:
		return choice_json(f, *(const int *)at);
	case FIELD_RECORD:
		if (f->flags & FIELD_POINTER)
			at = *(void *const *)at;
		return at ? record_json(f->of, scope, at) : cJSON_CreateNull();
	case FIELD_VECTOR:
		return vector_json(f, scope, at);
	case FIELD_LIST:
		return list_json(f, scope, at);
	}
	BUG("field kind %d", (int)f->kind);
}

static void add_fields(cJSON *to, const struct record *r, struct record_scope outer,
		       const void *object)
{
	for (size_t i = 0; i < r->fields; i++) {
		const struct field *f = &r->field[i];
		struct record_scope scope = record_scope_in(outer, f);
		const void *at = record_at_const(f, object);

		if (f->flags & FIELD_NOT_YET || !record_applies(r, object, f))
			continue;
		if (f->flags & FIELD_INLINE)
			add_fields(to, f->of, scope, at);
		else if ((f->kind == FIELD_VECTOR || f->flags & FIELD_NULL_IF_EMPTY) &&
			 !record_is_set(f, object))
			cJSON_AddNullToObject(to, f->key);
		else if (f->flags & FIELD_AUTO && !record_is_set(f, object))
			cJSON_AddItemToObject(to, f->key, cJSON_CreateString("auto"));
		else
			cJSON_AddItemToObject(to, f->key, value_json(f, scope, at));
	}
}

cJSON *record_to_json(const struct record *r, const void *object)
{
	return record_json(r, record_scope_top, object);
}
