/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times and counts in every spelling that published traces have, exact to the nanosecond. */
#include "harness.h"
#include "traffic/trace_text.h"

static struct trace_text text(const char *t)
{
	return (struct trace_text){t, strlen(t)};
}

struct known {
	const char *text;
	int64_t ns;
};

static void check_all(bool (*read)(struct trace_text t, int64_t *ns), const struct known *k, int n)
{
	for (int i = 0; i < n; i++) {
		int64_t ns;

		if (!read(text(k[i].text), &ns) || ns != k[i].ns)
			fail_msg("%s is not %lld", k[i].text, (long long)ns);
	}
}

static void refuse_all(bool (*read)(struct trace_text t, int64_t *ns), const char *const *bad)
{
	int64_t ns;

	for (; *bad; bad++)
		if (read(text(*bad), &ns))
			fail_msg("\"%s\" was read as %lld", *bad, (long long)ns);
}

static void test_seconds(void **state)
{
	static const struct known k[] = {
		{"0", 0},
		{"5", 5000000000},
		{"19440110.0", 19440110000000000},
		{" 0.1 ", 100000000},
		{"0.30000000000000004", 300000000},
		{"1.0000000015", 1000000002},
		{".5", 500000000},
		{"7.", 7000000000},
		{"-2.5", -2500000000},
		{"1.25e+01", 12500000000},
		{"6e-06", 6000},
		{"1726000000.5", 1726000000500000000},
	};
	static const char *const bad[] = {"",	   "-",		  ".",	 "abc",	 "1,5",
					  "1 2",   "nan",	  "inf", "0x10", "1e300",
					  "1.2.3", "99999999999", "1e+", "5s",	 NULL};

	(void)state;
	check_all(trace_text_seconds, k, sizeof(k) / sizeof(*k));
	refuse_all(trace_text_seconds, bad);
}

static void test_milliseconds(void **state)
{
	static const struct known k[] = {
		{"27482", 27482000000},
		{"0.5", 500000},
		{"1e3", 1000000000},
		{"0.0000015", 2},
	};

	(void)state;
	check_all(trace_text_milliseconds, k, sizeof(k) / sizeof(*k));
}

/* 2023-11-16 is 19,677 days after 1970, 2024-02-29 is 19,782. */
static void test_datetime(void **state)
{
	static const struct known k[] = {
		{"1970-01-01 00:00:00", 0},
		{"1969-12-31 23:59:59.5", -500000000},
		{"2023-11-16 18:17:03.9799600", (19677 * 86400LL + 65823) * 1000000000 + 979960000},
		{"2024-02-29T00:00:00Z", 19782 * 86400LL * 1000000000},
		{"2024-02-29 00:00:00.269Z", 19782 * 86400LL * 1000000000 + 269000000},
		{"2024-02-29 02:00:00+02:00", 19782 * 86400LL * 1000000000},
		{"2024-02-28 22:30:00.000001-01:30", 19782 * 86400LL * 1000000000 + 1000},
		{"2024-02-29 02:00:00+0200", 19782 * 86400LL * 1000000000},
		{"2024-02-29 02:00:00+02", 19782 * 86400LL * 1000000000},
	};
	static const char *const bad[] = {"",
					  "2023-11-16",
					  "2023-02-29 00:00:00",
					  "2023-13-01 00:00:00",
					  "2023-00-01 00:00:00",
					  "2023-11-16 24:00:00",
					  "2023-11-16 00:60:00",
					  "2023-11-16 00:00:00.",
					  "2023-11-16 00:00:00 PM",
					  "2023-11-16 0:00:00",
					  "2023/11/16 00:00:00",
					  "2023-11-16 00:00:00+1",
					  "9999-01-01 00:00:00",
					  "23-11-16 00:00:00",
					  "2023-11-16 00:00:00+02:",
					  NULL};

	(void)state;
	check_all(trace_text_datetime, k, sizeof(k) / sizeof(*k));
	refuse_all(trace_text_datetime, bad);
}

static void test_tokens(void **state)
{
	static const struct {
		const char *text;
		int64_t tokens;
		const char *wrong;
	} known[] = {
		{"374", 374, NULL},	  {" 374.0", 374, NULL},
		{"0", 0, NULL},		  {"16777216", 16777216, NULL},
		{"16777217", 0, "above"}, {"123456789012345678901234567890", 0, "above"},
		{"-1", 0, "negative"},	  {"1.5", 0, "whole"},
		{"1.", 0, "whole"},	  {"", 0, "whole"},
		{"12x", 0, "whole"},	  {"null", 0, "whole"},
		{"1e3", 0, "whole"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		int64_t tokens;
		const char *wrong = trace_text_tokens(text(known[i].text), &tokens);

		assert_true(!wrong == !known[i].wrong);
		if (wrong)
			assert_non_null(strstr(wrong, known[i].wrong));
		else
			assert_int_equal(tokens, known[i].tokens);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_seconds),
		cmocka_unit_test(test_milliseconds),
		cmocka_unit_test(test_datetime),
		cmocka_unit_test(test_tokens),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
