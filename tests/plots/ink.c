/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ink FILE: how much is drawn. Of a PNG (8 bits a channel, not interlaced) the pixels that differ
 * from the first one, in per mille; of a PDF the lines, curves and rectangles in its compressed
 * streams. What it cannot read ends with status 1. Inflate is RFC 1951 written plainly: tests need
 * no zlib. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bytes {
	uint8_t *data;
	size_t length, capacity;
};

/* A deflate stream being read, bit by bit. */
struct inflate {
	const uint8_t *in, *end;
	unsigned bit; /* of *in */
	bool failed;
	struct bytes out;
};

/* Canonical Huffman codes: how many of each length, and the symbols in order. */
struct code {
	uint16_t count[16], symbol[288];
};

static void add(struct bytes *b, uint8_t byte)
{
	if (b->length == b->capacity) {
		b->capacity = b->capacity ? 2 * b->capacity : 65536;
		b->data = realloc(b->data, b->capacity);
		if (!b->data)
			exit(1);
	}
	b->data[b->length++] = byte;
}

static unsigned take(struct inflate *z, unsigned bits)
{
	unsigned value = 0;

	for (unsigned i = 0; i < bits; i++) {
		if (z->in >= z->end) {
			z->failed = true;
			return 0;
		}
		value |= (unsigned)(*z->in >> z->bit & 1) << i;
		z->in += z->bit == 7;
		z->bit = (z->bit + 1) % 8;
	}
	return value;
}

static void build(struct code *c, const uint8_t *length, int n)
{
	uint16_t at[16] = {0};

	memset(c, 0, sizeof *c);
	for (int i = 0; i < n; i++)
		c->count[length[i]]++;
	c->count[0] = 0;
	for (int i = 1; i < 15; i++)
		at[i + 1] = (uint16_t)(at[i] + c->count[i]);
	for (int i = 0; i < n; i++)
		if (length[i])
			c->symbol[at[length[i]]++] = (uint16_t)i;
}

static unsigned decode(struct inflate *z, const struct code *c)
{
	int code = 0, first = 0, index = 0;

	for (int length = 1; length < 16; length++) {
		code |= (int)take(z, 1);
		if (code - c->count[length] < first)
			return c->symbol[index + code - first];
		index += c->count[length];
		first = (first + c->count[length]) << 1;
		code <<= 1;
	}
	z->failed = true;
	return 256;
}

static void copy_back(struct inflate *z, unsigned symbol, const struct code *distances)
{
	static const uint16_t length[] = {3,  4,  5,  6,   7,	8,   9,	  10,  11, 13,
					  15, 17, 19, 23,  27,	31,  35,  43,  51, 59,
					  67, 83, 99, 115, 131, 163, 195, 227, 258};
	static const uint8_t length_bits[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
					      2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
	unsigned n, d, distance;

	if (symbol > 285) {
		z->failed = true;
		return;
	}
	n = length[symbol - 257] + take(z, length_bits[symbol - 257]);
	d = decode(z, distances);
	distance = d < 4 ? d + 1 : ((2 + (d & 1)) << (d / 2 - 1)) + 1 + take(z, d / 2 - 1);
	if (distance > z->out.length)
		z->failed = true;
	for (unsigned i = 0; i < n && !z->failed; i++)
		add(&z->out, z->out.data[z->out.length - distance]);
}

static void read_block(struct inflate *z, const struct code *letters, const struct code *distances)
{
	while (!z->failed) {
		unsigned symbol = decode(z, letters);
		if (symbol == 256)
			return;
		if (symbol < 256)
			add(&z->out, (uint8_t)symbol);
		else
			copy_back(z, symbol, distances);
	}
}

static void read_fixed(struct inflate *z)
{
	struct code letters, distances;
	uint8_t length[288];

	for (int i = 0; i < 288; i++)
		length[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
	build(&letters, length, 288);
	memset(length, 5, 30);
	build(&distances, length, 30);
	read_block(z, &letters, &distances);
}

/* Code lengths, coded themselves: a length, or a run of the last or of zeros. */
static void read_lengths(struct inflate *z, const struct code *c, uint8_t *length, unsigned n)
{
	for (unsigned i = 0; i < n && !z->failed;) {
		unsigned symbol = decode(z, c), run = 1;
		uint8_t value = symbol < 16	    ? (uint8_t)symbol
				: symbol == 16 && i ? length[i - 1]
						    : 0;
		if (symbol >= 16)
			run = symbol == 16   ? 3 + take(z, 2)
			      : symbol == 17 ? 3 + take(z, 3)
					     : 11 + take(z, 7);
		while (run-- && i < n)
			length[i++] = value;
	}
}

static void read_dynamic(struct inflate *z)
{
	static const uint8_t order[19] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
					  11, 4,  12, 3, 13, 2, 14, 1, 15};
	unsigned letters = take(z, 5) + 257, distances = take(z, 5) + 1, codes = take(z, 4) + 4;
	uint8_t length[320] = {0};
	struct code c, d;

	for (unsigned i = 0; i < codes; i++)
		length[order[i]] = (uint8_t)take(z, 3);
	build(&c, length, 19);
	memset(length, 0, sizeof length);
	read_lengths(z, &c, length, letters + distances);
	build(&c, length, (int)(letters < 288 ? letters : 288));
	build(&d, length + letters, (int)distances);
	read_block(z, &c, &d);
}

static void read_stored(struct inflate *z)
{
	if (z->bit)
		take(z, 8 - z->bit);
	unsigned n = take(z, 16);
	take(z, 16);
	for (unsigned i = 0; i < n && !z->failed; i++)
		add(&z->out, (uint8_t)take(z, 8));
}

/* A zlib stream: a header of two bytes, then blocks. */
static bool inflate(struct inflate *z)
{
	unsigned last = 0;

	take(z, 16);
	while (!last && !z->failed) {
		last = take(z, 1);
		unsigned kind = take(z, 2);
		if (kind == 0)
			read_stored(z);
		else if (kind == 1)
			read_fixed(z);
		else if (kind == 2)
			read_dynamic(z);
		else
			z->failed = true;
	}
	return !z->failed;
}

static size_t big_endian(const uint8_t *at)
{
	return (size_t)at[0] << 24 | (size_t)at[1] << 16 | (size_t)at[2] << 8 | at[3];
}

static uint8_t paeth(int a, int b, int c)
{
	int p = a + b - c, pa = abs(p - a), pb = abs(p - b), pc = abs(p - c);

	return (uint8_t)(pa <= pb && pa <= pc ? a : pb <= pc ? b : c);
}

/* Takes the filter off a row of `n` bytes in place; `up` is the row above, or NULL. */
static void unfilter(uint8_t *row, const uint8_t *up, size_t n, size_t pixel, int filter)
{
	for (size_t i = 0; i < n; i++) {
		int a = i < pixel ? 0 : row[i - pixel], b = up ? up[i] : 0;
		int c = i < pixel || !up ? 0 : up[i - pixel];
		row[i] = (uint8_t)(row[i] + (filter == 1   ? a
					     : filter == 2 ? b
					     : filter == 3 ? (a + b) / 2
					     : filter == 4 ? paeth(a, b, c)
							   : 0));
	}
}

static int measure_pixels(struct bytes *raw, size_t wide, size_t high, size_t pixel)
{
	size_t stride = wide * pixel + 1, differ = 0;

	if (raw->length < stride * high)
		return 1;
	for (size_t y = 0; y < high; y++) {
		uint8_t *row = raw->data + y * stride;
		unfilter(row + 1, y ? row + 1 - stride : NULL, wide * pixel, pixel, row[0]);
		for (size_t x = 0; x < wide; x++)
			differ += memcmp(row + 1 + x * pixel, raw->data + 1, pixel) != 0;
	}
	printf("%zu\n", wide && high ? differ * 1000 / (wide * high) : 0);
	return 0;
}

static int measure_png(const struct bytes *file)
{
	struct inflate z = {0};
	struct bytes packed = {0};
	const uint8_t *at = file->data + 8, *end = file->data + file->length;
	size_t wide = big_endian(at + 8), high = big_endian(at + 12);
	size_t pixel = at[17] == 2 ? 3 : at[17] == 6 ? 4 : 1;

	if (at[16] != 8 || at[20])
		return 1;
	while (end - at >= 12 && big_endian(at) <= (size_t)(end - at) - 12) {
		size_t n = big_endian(at);
		for (size_t i = 0; i < n && !memcmp(at + 4, "IDAT", 4); i++)
			add(&packed, at[8 + i]);
		at += 12 + n;
	}
	z.in = packed.data;
	z.end = packed.data + packed.length;
	int status = packed.length && inflate(&z) ? measure_pixels(&z.out, wide, high, pixel) : 1;
	free(packed.data);
	free(z.out.data);
	return status;
}

/* The operators "l", "c" and "re" behind their numbers: a line, a curve, a rectangle. */
static size_t count_strokes(const struct bytes *text)
{
	size_t n = 0;

	for (size_t i = 1; i + 2 < text->length; i++) {
		const uint8_t *at = text->data + i;
		bool word = at[-1] == ' ' && (at[1] == ' ' || at[1] == '\n');
		n += (word && (*at == 'l' || *at == 'c')) || !memcmp(at - 1, " re", 3);
	}
	return n;
}

static int measure_pdf(const struct bytes *file)
{
	static const char mark[] = "stream\n";
	size_t strokes = 0, n = sizeof mark - 1;

	for (size_t i = 3; i + n < file->length; i++) {
		if (memcmp(file->data + i, mark, n) != 0 ||
		    memcmp(file->data + i - 3, "end", 3) == 0)
			continue;
		struct inflate z = {.in = file->data + i + n, .end = file->data + file->length};
		if (inflate(&z))
			strokes += count_strokes(&z.out);
		free(z.out.data);
	}
	printf("%zu\n", strokes);
	return 0;
}

int main(int argc, char **argv)
{
	struct bytes file = {0};
	FILE *in = argc == 2 ? fopen(argv[1], "rb") : NULL;
	int status = 1, byte;

	if (!in)
		return 1;
	while ((byte = getc(in)) != EOF)
		add(&file, (uint8_t)byte);
	fclose(in);
	if (file.length > 33 && !memcmp(file.data, "\x89PNG\r\n\x1a\n", 8))
		status = measure_png(&file);
	else if (file.length > 33 && !memcmp(file.data, "%PDF", 4))
		status = measure_pdf(&file);
	free(file.data);
	return status;
}
