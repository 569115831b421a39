/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "traffic/trace_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NS_PER_S INT64_C(1000000000)
#define NS_MAX	 (4 * NS_PER_S * NS_PER_S) /* the difference of two times still fits */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static struct trace_text trim(struct trace_text t)
{
	while (t.length && (*t.at == ' ' || *t.at == '\t')) {
		t.at++;
		t.length--;
	}
	while (t.length && (t.at[t.length - 1] == ' ' || t.at[t.length - 1] == '\t'))
		t.length--;
	return t;
}

/* Digits from *at on; their value, at most NS_MAX, and how many there are. */
static int64_t digits(const char **at, const char *end, int *count)
{
	int64_t value = 0;

	for (*count = 0; *at < end && is_digit(**at); ++*at, ++*count)
		value = value < NS_MAX / 10 ? 10 * value + (**at - '0') : NS_MAX;
	return value;
}

/* After the point: digits up to `places` as an integer of 10^-places, rounded to nearest. */
static int64_t fraction(const char **at, const char *end, int places, int *count)
{
	int64_t value = 0;

	for (*count = 0; *at < end && is_digit(**at); ++*at, ++*count) {
		if (*count < places)
			value = 10 * value + (**at - '0');
		else if (*count == places && **at >= '5')
			value++;
	}
	for (int i = *count; i < places; i++)
		value *= 10;
	return value;
}

/* What plain digits do not cover: exponents. */
static bool read_real(struct trace_text t, double scale, int64_t *ns)
{
	char text[48], *end;
	double value;

	if (t.length >= sizeof(text))
		return false;
	memcpy(text, t.at, t.length);
	text[t.length] = '\0';
	if (strspn(text, "0123456789.eE+-") != t.length)
		return false;
	value = strtod(text, &end) * scale;
	if (*end || !(fabs(value) < (double)NS_MAX))
		return false;
	*ns = llround(value);
	return true;
}

/* A decimal number of units that have 10^places ns. */
static bool decimal(struct trace_text t, int places, int64_t unit_ns, int64_t *ns)
{
	const char *at, *end;
	int whole_digits, decimals = 0;
	int64_t whole, part = 0;
	bool negative;

	t = trim(t);
	at = t.at;
	end = at + t.length;
	negative = at < end && *at == '-';
	at += negative;
	whole = digits(&at, end, &whole_digits);
	if (at < end && *at == '.') {
		at++;
		part = fraction(&at, end, places, &decimals);
	}
	if (whole_digits + decimals == 0)
		return false;
	if (at < end)
		return read_real(t, (double)unit_ns, ns);
	if (whole >= NS_MAX / unit_ns)
		return false;
	*ns = whole * unit_ns + part;
	*ns = negative ? -*ns : *ns;
	return true;
}

bool trace_text_seconds(struct trace_text t, int64_t *ns)
{
	return decimal(t, 9, NS_PER_S, ns);
}

bool trace_text_milliseconds(struct trace_text t, int64_t *ns)
{
	return decimal(t, 6, NS_PER_S / 1000, ns);
}

/* Exactly `count` digits, then past one of the separators, if there must be one. */
static bool part_of_date(const char **at, const char *end, int count, const char *separators,
			 int64_t *value)
{
	*value = 0;
	for (; count; count--, ++*at) {
		if (*at == end || !is_digit(**at))
			return false;
		*value = 10 * *value + (**at - '0');
	}
	if (!separators)
		return true;
	if (*at == end || !**at || !strchr(separators, **at))
		return false;
	++*at;
	return true;
}

/* Days since 1970-01-01 (Hinnant, "chrono-compatible low-level date algorithms"). */
static int64_t days_from_civil(int64_t y, int64_t m, int64_t d)
{
	int64_t era, year_of_era, day_of_year;

	y -= m <= 2;
	era = y / 400;
	year_of_era = y - era * 400;
	day_of_year = (153 * (m + (m > 2 ? -3 : 9)) + 2) / 5 + d - 1;
	return era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 +
	       day_of_year - 719468;
}

static bool is_date(int64_t y, int64_t m, int64_t d)
{
	static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	bool leap = (y % 4 == 0 && y % 100 != 0) || y % 400 == 0;

	return y >= 1 && m >= 1 && m <= 12 && d >= 1 && d <= days[m - 1] + (m == 2 && leap);
}

static bool read_date(const char **at, const char *end, int64_t *days)
{
	int64_t y, m, d;

	if (!part_of_date(at, end, 4, "-", &y) || !part_of_date(at, end, 2, "-", &m) ||
	    !part_of_date(at, end, 2, " T", &d) || !is_date(y, m, d))
		return false;
	*days = days_from_civil(y, m, d);
	return true;
}

static bool read_clock(const char **at, const char *end, int64_t *ns)
{
	int64_t hour, minute, second;
	int decimals;

	if (!part_of_date(at, end, 2, ":", &hour) || !part_of_date(at, end, 2, ":", &minute) ||
	    !part_of_date(at, end, 2, NULL, &second) || hour > 23 || minute > 59 || second > 60)
		return false;
	*ns = (hour * 3600 + minute * 60 + second) * NS_PER_S;
	if (*at == end || **at != '.')
		return true;
	++*at;
	*ns += fraction(at, end, 9, &decimals);
	return decimals > 0;
}

/* Nothing, Z, +02, +0200 or +02:00. */
static bool read_zone(const char **at, const char *end, int64_t *ns)
{
	int64_t hours, minutes = 0, sign;

	*ns = 0;
	if (*at == end)
		return true;
	if (**at == 'Z') {
		++*at;
		return true;
	}
	if (**at != '+' && **at != '-')
		return false;
	sign = *(*at)++ == '-' ? -1 : 1;
	if (!part_of_date(at, end, 2, NULL, &hours) || hours > 23)
		return false;
	if (*at < end && **at == ':' && ++*at == end)
		return false;
	if (*at < end && (!part_of_date(at, end, 2, NULL, &minutes) || minutes > 59))
		return false;
	*ns = sign * (hours * 3600 + minutes * 60) * NS_PER_S;
	return true;
}

bool trace_text_datetime(struct trace_text t, int64_t *ns)
{
	const char *at, *end;
	int64_t days, of_day, zone;

	t = trim(t);
	at = t.at;
	end = at + t.length;
	if (!read_date(&at, end, &days) || !read_clock(&at, end, &of_day) ||
	    !read_zone(&at, end, &zone) || at < end)
		return false;
	if (llabs(days) > NS_MAX / NS_PER_S / 86400)
		return false;
	*ns = days * 86400 * NS_PER_S + of_day - zone;
	return true;
}

const char *trace_text_tokens(struct trace_text t, int64_t *tokens)
{
	const char *at, *end;
	int whole, decimals = 1;
	bool negative;

	t = trim(t);
	at = t.at;
	end = at + t.length;
	negative = at < end && *at == '-';
	at += negative;
	*tokens = digits(&at, end, &whole);
	if (at < end && *at == '.') {
		at++;
		if (fraction(&at, end, 9, &decimals) != 0)
			decimals = 0;
	}
	if (!whole || !decimals || at < end)
		return "a count of tokens is no whole number";
	if (negative)
		return "a count of tokens is negative";
	return *tokens > TRACE_TEXT_TOKENS_MAX ? "a count of tokens is above 16777216" : NULL;
}
