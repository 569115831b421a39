/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/price_text.h"

#include "base/number.h"

void price_text_print(const struct rental *r, FILE *to)
{
	const struct price_choice *price = &r->price;
	const struct price_item *item = price->instances.data;
	char hour[NUMBER_TEXT];

	number_text(hour, r->usd_per_hour, 4);
	fprintf(to, "$%s/h", hour);
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

void price_text_whole(const struct rental *r, int64_t gpus, FILE *to)
{
	if (r->rentable_count > gpus)
		fprintf(to, "; whole instances hold %lld GPUs", (long long)r->rentable_count);
}
