/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/price_text.h"

void price_text_print(const struct price_choice *price, FILE *to)
{
	const struct price_item *item = price->instances.data;

	if (price->provider)
		fprintf(to, ", %s", price->provider);
	if (price->region)
		fprintf(to, " %s, %s", price->region, price->billing);
	for (size_t i = 0; i < price->instances.count; i++) {
		fprintf(to, "%s%lld x ", i ? " + " : ", ", (long long)item[i].count);
		if (item[i].date)
			fprintf(to, "%s (seen %s)", item[i].instance, item[i].date);
		else
			fprintf(to, "(%s)", item[i].instance);
	}
}
