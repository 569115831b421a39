/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What it costs to rent GPUs, and the instances that were chosen. */
#ifndef SCENARIO_RENTAL_H
#define SCENARIO_RENTAL_H

#include "base/record.h"

/* One kind of instance of a choice. Texts belong to the price book, of an owned machine to the
 * rental. */
struct price_item {
	char *instance; /* without a sample size; an owned machine in words */
	int64_t count;
	double usd_per_hour; /* of one */
	char *date, *source; /* date: NULL of an owned machine */
};

/*
 * What was chosen, as a result's `price` prints it. Texts belong to others, as above: record_free()
 * must not be called on it. A price given on the command line has the source "--price" and no other
 * text; an owned machine is of the provider "owned" and the source "scenario", without region,
 * billing and date; nothing current: no text at all.
 */
struct price_choice {
	char *provider, *region, *billing, *instance, *date,
		*source;	      /* instance, date, source: of the first item */
	double usd_per_hour;	      /* of all that was asked for; NAN: none */
	struct record_list instances; /* of struct price_item; owned. Empty in price_share and for a
					 given price */
};
extern const struct record price_choice_record;

/* What a need costs. usd_per_hour NAN: no current row, `reason` says what there is. */
struct rental {
	double usd_per_hour;
	double range[3];	   /* cheapest, median, dearest over (provider, region) */
	double usd_per_hour_share; /* GPUs x lowest per-GPU price of any instance size */
	int64_t rentable_count;	   /* GPUs that the instances hold; unset: no price */
	struct price_choice price, price_share;
	struct record_list owned; /* texts of the owned machines that the choices name */
	char reason[512];
};

/* Without a price. */
void rental_init(struct rental *r);
void rental_free(struct rental *r);

/* Adds what else is rented, which is released: costs are summed, instances listed one behind
 * another, providers, regions and the like that differ joined by " + ". Without a price of either
 * there is none. */
void rental_add(struct rental *sum, struct rental *more);

/* What `n` of something cost where `a_second` of them are served at that price. */
double rental_usd_for(double usd_per_hour, double a_second, double n);

#endif
