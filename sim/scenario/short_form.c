/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenario/short_form.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/count.h"

static char plain(char c)
{
	return c == '/' || c == ' ' || c == '_' ? '-' : (char)tolower((unsigned char)c);
}

bool short_form_is_id(const char *name, const char *id)
{
	for (; *name && *id; name++, id++)
		if (plain(*name) != plain(*id))
			return false;
	return !*name && !*id;
}

/* Length of the part that counts of a Hugging Face id's last part, which is put at *part. */
static size_t hf_part(const char *id, const char **part)
{
	static const char *const tails[] = {"-instruct", "-it", "-hf", "-chat"};
	const char *slash = strrchr(id, '/');
	size_t length, before;

	*part = slash ? slash + 1 : id;
	length = strlen(*part);
	do {
		before = length;
		for (size_t i = 0; i < COUNT(tails); i++) {
			size_t tail = strlen(tails[i]);

			if (length > tail &&
			    strncasecmp(*part + length - tail, tails[i], tail) == 0)
				length -= tail;
		}
	} while (length < before);
	return length;
}

bool short_form_is_hf(const char *name, const char *hf_id)
{
	const char *a, *b;
	size_t la = hf_part(name, &a), lb = hf_part(hf_id, &b);

	return la && la == lb && strncasecmp(a, b, la) == 0;
}

/* The next part between dashes at *at, which moves behind it. */
static size_t next_part(const char **at, const char **part)
{
	size_t length;

	*at += strspn(*at, "-/ _");
	*part = *at;
	length = strcspn(*at, "-/ _");
	*at += length;
	return length;
}

bool short_form_matches(const char *name, const char *id)
{
	const char *wanted, *part;
	size_t length = next_part(&name, &wanted);

	if (!length)
		return false;
	while (length) {
		size_t have = next_part(&id, &part);

		if (!have)
			return false;
		if (have == length && strncasecmp(part, wanted, length) == 0)
			length = next_part(&name, &wanted);
	}
	return true;
}

const char *short_form_without_vendor(const char *name)
{
	static const char *const vendors[] = {"nvidia", "amd", "tesla", "geforce"};

	for (size_t i = 0; i < COUNT(vendors); i++) {
		size_t length = strlen(vendors[i]);

		if (strncasecmp(name, vendors[i], length) == 0 && plain(name[length]) == '-' &&
		    name[length + 1])
			return short_form_without_vendor(name + length + 1);
	}
	return name;
}

static bool is_separator(char c)
{
	return c && strchr("-/ _", c);
}

/* Whether the id begins with the name and a part ends there, separators left out in both. */
static bool begins_with(const char *id, const char *name)
{
	bool whole = true;

	while (*name) {
		name += is_separator(*name);
		id += is_separator(*id);
		if (!*name)
			break;
		if (plain(*name) != plain(*id))
			return false;
		name++, id++;
		whole = !*id || is_separator(*id);
	}
	return whole;
}

static bool has_part(const char *id, const char *wanted, size_t length)
{
	const char *part;

	for (size_t have; (have = next_part(&id, &part));)
		if (have == length && strncasecmp(part, wanted, length) == 0)
			return true;
	return false;
}

bool short_form_resembles(const char *name, const char *id)
{
	const char *at = name, *part;
	size_t length = next_part(&at, &part);

	if (!length)
		return false;
	if (begins_with(id, name))
		return true;
	for (; length; length = next_part(&at, &part))
		if (!has_part(id, part, length))
			return false;
	return true;
}

static bool is_times(char c)
{
	return c == ':' || c == 'x' || c == 'X' || c == '*';
}

/* "a100x4", "a100 x4", but "rtx4090" is a card. */
static bool ends_card(char c)
{
	return isdigit((unsigned char)c) || is_separator(c);
}

bool short_form_has_count(const char *name)
{
	static const char digits[] = "0123456789";
	size_t front = strspn(name, digits), end = strlen(name), back = end;

	if (strchr(name, ':'))
		return true;
	if (front && is_times(name[front + strspn(name + front, " ")]))
		return true;
	while (back && strchr(digits, name[back - 1]))
		back--;
	return back > 1 && back < end && is_times(name[back - 1]) && ends_card(name[back - 2]);
}
