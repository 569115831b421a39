/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ink FILE: how much is drawn. Of a PNG (8 bits a channel, not interlaced) the pixels that differ
 * from the first one, in per mille; of a PDF the lines, curves and rectangles in its compressed
 * streams. What it cannot read ends with status 1. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

struct bytes {
	uint8_t *data;
	size_t length, capacity;
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

/* Appends what the zlib stream at `in` holds, whatever follows it; false: it is broken. */
static bool unpack(struct bytes *out, const uint8_t *in, size_t length)
{
	z_stream z = {.next_in = (Bytef *)in, .avail_in = (uInt)length};
	uint8_t block[65536];
	int status = inflateInit(&z);

	while (status == Z_OK) {
		z.next_out = block;
		z.avail_out = sizeof block;
		status = inflate(&z, Z_NO_FLUSH);
		for (size_t i = 0; i < sizeof block - z.avail_out; i++)
			add(out, block[i]);
	}
	inflateEnd(&z);
	return status == Z_STREAM_END;
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
	struct bytes packed = {0}, raw = {0};
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
	int status = unpack(&raw, packed.data, packed.length)
			     ? measure_pixels(&raw, wide, high, pixel)
			     : 1;
	free(packed.data);
	free(raw.data);
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
		struct bytes text = {0};
		if (unpack(&text, file->data + i + n, file->length - i - n))
			strokes += count_strokes(&text);
		free(text.data);
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
