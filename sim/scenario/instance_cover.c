/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenario/instance_cover.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/xmalloc.h"

enum { CORE_PLACES = 128 };

/* A way to cover k places: the last instance taken and the label before it. Kept in a list for each
 * k, none of which is at least as good as another in price, GPUs and instances. */
struct label {
	double usd;
	int64_t gpus, instances;
	size_t offer, before,
		next; /* before, next: indices of labels; 0 is the empty set and ends a list */
};

struct cover {
	struct instance_offer *offer;
	size_t offers;
	size_t places; /* to be covered by search */
	double *least; /* cheapest price of k places */
	double budget; /* what a set may cost and still count as equal to the cheapest */
	struct label *label;
	size_t labels, capacity;
	size_t *head; /* of the list of k places */
};

/* Index of the offer that is cheapest a place; of those equal to half the tolerance (the rest is
 * for the search), fewer GPUs a place, then more places. `offers` if none has a place. */
static size_t bulk_offer(const struct instance_offer *offer, size_t offers)
{
	double least = INFINITY;
	size_t best = offers;

	for (size_t i = 0; i < offers; i++)
		if (offer[i].places)
			least = fmin(least, offer[i].usd / (double)offer[i].places);
	for (size_t i = 0; i < offers; i++) {
		const struct instance_offer *o = &offer[i], *b = &offer[best];
		int64_t wider = -1;

		if (!o->places ||
		    o->usd / (double)o->places > least * (1 + INSTANCE_COVER_EQUAL / 2))
			continue;
		if (best < offers)
			wider = o->gpus * b->places - b->gpus * o->places;
		if (wider < 0 || (wider == 0 && o->places > b->places))
			best = i;
	}
	return best;
}

/* Cheapest price of 0..places places. */
static double *least_prices(const struct instance_offer *offer, size_t offers, size_t places)
{
	double *least = xcalloc(places + 1, sizeof(*least));

	for (size_t k = 1; k <= places; k++) {
		least[k] = INFINITY;
		for (size_t i = 0; i < offers; i++) {
			size_t p = (size_t)offer[i].places;

			if (p)
				least[k] = fmin(least[k], least[k > p ? k - p : 0] + offer[i].usd);
		}
	}
	return least;
}

static bool at_least_as_good(const struct label *a, const struct label *b)
{
	return a->usd <= b->usd * (1 + 1e-12) && a->gpus <= b->gpus && a->instances <= b->instances;
}

/* Puts a label at the end of the list of k places, unless one there is as good; drops those that it
 * makes needless. */
static void add_label(struct cover *c, size_t k, struct label new)
{
	size_t *link = &c->head[k];

	for (size_t i = *link; i; i = c->label[i].next)
		if (at_least_as_good(&c->label[i], &new))
			return;
	while (*link)
		if (at_least_as_good(&new, &c->label[*link]))
			*link = c->label[*link].next;
		else
			link = &c->label[*link].next;
	*link = c->labels;
	if (c->labels == c->capacity) {
		c->capacity *= 2;
		c->label = xrealloc(c->label, c->capacity * sizeof(*c->label));
	}
	c->label[c->labels++] = new;
}

/* Extends every way to cover k - p places by one of offer i. */
static void extend(struct cover *c, size_t i, size_t k)
{
	const struct instance_offer *o = &c->offer[i];
	size_t p = (size_t)o->places;
	size_t from = k > p ? c->head[k - p] : 0;

	if (k > p && !from)
		return;
	do {
		struct label new = {c->label[from].usd + o->usd,
				    c->label[from].gpus + o->gpus,
				    c->label[from].instances + 1,
				    i,
				    from,
				    0};

		if (new.usd + c->least[c->places - k] <= c->budget)
			add_label(c, k, new);
		from = c->label[from].next;
	} while (from);
}

static bool is_preferred(const struct label *a, const struct label *b)
{
	if (a->gpus != b->gpus)
		return a->gpus < b->gpus;
	if (a->instances != b->instances)
		return a->instances < b->instances;
	return a->usd < b->usd;
}

/* Takes the instances of the preferred set; returns its price. */
static double take_best(struct cover *c)
{
	size_t best = c->head[c->places];
	double usd;

	for (size_t i = best; i; i = c->label[i].next)
		if (is_preferred(&c->label[i], &c->label[best]))
			best = i;
	usd = c->label[best].usd;
	for (; best; best = c->label[best].before)
		c->offer[c->label[best].offer].count++;
	return usd;
}

static double search(struct cover *c, double tolerance)
{
	double usd;

	c->least = least_prices(c->offer, c->offers, c->places);
	c->budget = c->least[c->places] * (1 + tolerance);
	c->head = xcalloc(c->places + 1, sizeof(*c->head));
	c->capacity = 256;
	c->label = xcalloc(c->capacity, sizeof(*c->label));
	c->labels = 1;
	for (size_t i = 0; i < c->offers; i++)
		for (size_t k = 1; k <= c->places && c->offer[i].places; k++)
			extend(c, i, k);
	usd = take_best(c);
	free(c->least);
	free(c->head);
	free(c->label);
	return usd;
}

/* Places that the search must cover whatever stands before them. */
static int64_t core_places(const struct instance_offer *offer, size_t offers)
{
	int64_t most = 0;

	for (size_t i = 0; i < offers; i++)
		if (offer[i].places > most)
			most = offer[i].places;
	return most * most > CORE_PLACES ? most * most : CORE_PLACES;
}

double instance_cover(struct instance_offer *offer, size_t offers, int64_t need)
{
	int64_t core = core_places(offer, offers), copies = 0;
	struct cover c = {.offer = offer, .offers = offers};
	size_t bulk = bulk_offer(offer, offers);
	double usd;

	for (size_t i = 0; i < offers; i++)
		offer[i].count = 0;
	if (bulk == offers || need < 1)
		return (double)NAN;
	if (need > core)
		copies = (need - core) / offer[bulk].places;
	c.places = (size_t)(need - copies * offer[bulk].places);
	usd = search(&c, copies ? INSTANCE_COVER_EQUAL / 2 : INSTANCE_COVER_EQUAL);
	offer[bulk].count += copies;
	return usd + (double)copies * offer[bulk].usd;
}
