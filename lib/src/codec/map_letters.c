/* Maps consist of areas of one letter with ragged borders. Inside an area, where all letters above
 * agree, one decision codes a whole stretch of cells; along borders each letter is coded in the
 * context of the letters around it, as in bilevel images (ITU-T T.82, "JBIG"). */
#include "codec/map_letters.h"

#include <string.h>

#include "base/bytes.h"
#include "io/range_coder.h"

enum {
    COLOURS_MAX = 16,
    CONTEXTS = 1 << 10, /* a decision depends on ten letters around the cell */
    MARGIN = 2,         /* columns beyond the map on which it may depend */
    STRETCH_LEAST = 4,
    LENGTHS = 17 /* bits in the length of a stretch */
};

/* Letters are coded as colours, their indices in the palette. Colour 0 is assumed beyond the
 * map. */
typedef struct palette {
    uint8_t letters[COLOURS_MAX];
    unsigned count;
} palette;

typedef struct model {
    palette palette;
    uint8_t colour_of[256];
    uint32_t width;
    uint8_t *rows[3]; /* letters of this row, of the one above, and of the one above that */
    uint8_t *memory;
    uint32_t agreed_end; /* columns from the one asked for last up to here agree */
    cn_chance is_colour[COLOURS_MAX][CONTEXTS];
    cn_chance is_whole[COLOURS_MAX][LENGTHS];
    cn_chance breaks_to[COLOURS_MAX][COLOURS_MAX];
    cn_chance length[CN_GAMMA_CHANCES];
} model;

/* One of them is NULL. Writer and reader run through the same code, so that the reader decodes
 * exactly what the writer encodes. */
typedef struct coder {
    cn_range_encoder *to;
    cn_range_decoder *from;
} coder;

CN_ALWAYS_INLINE unsigned code_bit(coder side, cn_chance *chance, unsigned bit)
{
    if (side.from)
        return cn_range_get(side.from, chance);
    cn_range_put(side.to, chance, bit);
    return bit;
}

CN_ALWAYS_INLINE uint32_t code_gamma(coder side, cn_chance *chances, uint32_t number)
{
    if (side.from)
        return cn_range_get_gamma(side.from, chances);
    cn_range_put_gamma(side.to, chances, number);
    return number;
}

/* ----------------------------------------------------------------------------- the model -- */

static cairn_status model_init(model *self, const palette *colours, uint32_t width,
                               const cn_mem *mem)
{
    size_t row_size = (size_t)width + 2 * MARGIN + sizeof(uint64_t);

    self->memory = cn_array(mem, 3 * row_size, 1);
    if (!self->memory)
        return CAIRN_E_MEMORY;
    memset(self->memory, colours->letters[0], 3 * row_size);
    for (unsigned i = 0; i < 3; i++)
        self->rows[i] = self->memory + i * row_size + MARGIN;
    self->width = width;
    self->palette = *colours;
    memset(self->colour_of, 0, sizeof self->colour_of);
    for (unsigned i = 0; i < colours->count; i++)
        self->colour_of[colours->letters[i]] = (uint8_t)i;
    cn_chances_init(self->is_colour[0], (size_t)COLOURS_MAX * CONTEXTS);
    cn_chances_init(self->is_whole[0], (size_t)COLOURS_MAX * LENGTHS);
    cn_chances_init(self->breaks_to[0], (size_t)COLOURS_MAX * COLOURS_MAX);
    cn_chances_init(self->length, CN_GAMMA_CHANCES);
    return CAIRN_OK;
}

static void next_row(model *self)
{
    uint8_t *oldest = self->rows[2];
    self->rows[2] = self->rows[1];
    self->rows[1] = self->rows[0];
    self->rows[0] = oldest;
    self->agreed_end = 0;
}

/* Index in memory of the first byte that is not zero. */
CN_ALWAYS_INLINE unsigned first_byte(uint64_t bytes)
{
    static const uint16_t one = 1;
    if (*(const uint8_t *)&one)
        return cn_lowest_bit(bytes) / 8;
    return (63 - cn_highest_bit(bytes)) / 8;
}

/* For eight columns from x on: a byte is zero where all letters above on which a decision depends
 * are the same. */
CN_ALWAYS_INLINE uint64_t disagreement_at(const model *self, uint32_t x)
{
    const uint8_t *above = self->rows[1] + x, *higher = self->rows[2] + x;
    uint64_t here = cn_eight_at(above);
    return (cn_eight_at(above - 2) ^ here) | (cn_eight_at(above - 1) ^ here) |
           (cn_eight_at(above + 1) ^ here) | (cn_eight_at(above + 2) ^ here) |
           (cn_eight_at(higher - 1) ^ here) | (cn_eight_at(higher) ^ here) |
           (cn_eight_at(higher + 1) ^ here);
}

/* How many columns from x on agree. These all have the same letter above, since each of them is
 * compared with its neighbours. Columns are asked for from left to right while the rows above do
 * not change, so the end that was found for one column holds for all columns before it, and each
 * column is visited once. */
CN_ALWAYS_INLINE uint32_t agreement_at(model *self, uint32_t x)
{
    uint32_t end = x;

    if (x < self->agreed_end)
        return self->agreed_end - x;

    while (end < self->width) {
        uint64_t disagreement = disagreement_at(self, end);
        if (disagreement) {
            end += first_byte(disagreement);
            break;
        }
        end += 8;
    }
    self->agreed_end = end < self->width ? end : self->width;
    return self->agreed_end - x;
}

/* How many cells from x on one decision covers; 0: each letter is coded separately. */
CN_ALWAYS_INLINE uint32_t stretch_at(model *self, uint32_t x)
{
    const uint8_t *row = self->rows[0] + x, *above = self->rows[1] + x;

    if (row[-1] != row[-2] || row[-1] != above[0] || row[-1] != above[1] || row[-1] != above[-1])
        return 0;
    uint32_t stretch = agreement_at(self, x);
    return stretch < STRETCH_LEAST ? 0 : stretch;
}

/* The letters around a cell in the rows above, in the order of the context. */
CN_ALWAYS_INLINE uint64_t higher_letters_at(const model *self, uint32_t x)
{
    uint64_t above = cn_get_u64(self->rows[1] + x - 2), higher = cn_get_u64(self->rows[2] + x - 1);
    return (above & UINT64_C(0xffffffffff)) | higher << 40;
}

/* Bit i is set where byte i is zero. */
CN_ALWAYS_INLINE unsigned zero_bytes(uint64_t bytes)
{
    const uint64_t low = UINT64_C(0x7f7f7f7f7f7f7f7f);
    uint64_t zero = ~(((bytes & low) + low) | bytes | low) >> 7;
    return (unsigned)(zero * 0x0102040810204080u >> 56);
}

CN_ALWAYS_INLINE unsigned context_of(const uint8_t *row, uint64_t higher, uint8_t letter)
{
    return (unsigned)(row[-1] == letter) | (unsigned)(row[-2] == letter) << 1 |
           zero_bytes(higher ^ letter * UINT64_C(0x0101010101010101)) << 2;
}

/* ------------------------------------------------------------------------------ the walk -- */

CN_ALWAYS_INLINE uint8_t code_letter(model *self, coder side, uint32_t x, uint8_t letter)
{
    const uint8_t *letters = self->palette.letters, *row = self->rows[0] + x;
    uint64_t higher = higher_letters_at(self, x);
    unsigned last = self->palette.count - 1;

    for (unsigned i = 0; i < last; i++) {
        cn_chance *chance = &self->is_colour[i][context_of(row, higher, letters[i])];
        if (code_bit(side, chance, letter == letters[i]))
            return letters[i];
    }
    return letters[last];
}

/* The letter that ends a stretch, which is not its own. */
CN_ALWAYS_INLINE uint8_t code_break(model *self, coder side, unsigned from, uint8_t letter)
{
    const uint8_t *letters = self->palette.letters;
    unsigned last = self->palette.count - 1;
    if (from == last)
        last--;

    for (unsigned i = 0; i < last; i++) {
        if (i != from && code_bit(side, &self->breaks_to[from][i], letter == letters[i]))
            return letters[i];
    }
    return letters[last];
}

/* How many of the first `most` letters of `row` equal the letter before it. */
static uint32_t run_length(const uint8_t *row, uint32_t most)
{
    uint32_t length = 0;
    while (length < most && row[length] == row[-1])
        length++;
    return length;
}

/* Codes a stretch and the letter that ends it, if any. Returns how many cells these are. */
CN_ALWAYS_INLINE uint32_t code_stretch(model *self, coder side, uint32_t x, uint32_t stretch)
{
    uint8_t *row = self->rows[0] + x;
    unsigned colour = self->colour_of[row[-1]];
    uint32_t run = side.from ? 0 : run_length(row, stretch);
    cn_chance *is_whole = &self->is_whole[colour][cn_highest_bit(stretch)];

    if (code_bit(side, is_whole, run == stretch)) {
        memset(row, row[-1], stretch);
        return stretch;
    }
    run = code_gamma(side, self->length, run + 1) - 1;
    if (run >= stretch)
        return 0; /* bytes that no writer produces */
    memset(row, row[-1], run);
    row[run] = code_break(self, side, colour, row[run]);
    return run + 1;
}

/* Returns the approximate number of decisions; 0 for bytes that no writer produces. */
CN_ALWAYS_INLINE uint64_t code_row(model *self, coder side)
{
    uint8_t *row = self->rows[0];
    uint32_t x = 0, parts = 0;

    while (x < self->width) {
        uint32_t stretch = stretch_at(self, x);
        uint32_t coded = 1;
        if (stretch)
            coded = code_stretch(self, side, x, stretch);
        else
            row[x] = code_letter(self, side, x, row[x]);
        if (coded == 0)
            return 0;
        x += coded;
        parts++;
    }
    return (uint64_t)parts * (self->palette.count - 1);
}

/* ------------------------------------------------------------------------------- packing -- */

/* Several counters for each letter are used in turn: equal letters often follow each other, and
 * each increment of the same counter would wait for the one before. */
static void count_all(const uint8_t *letters, size_t size, uint64_t counts[256])
{
    enum { TURNS = 4 };
    uint64_t seen[TURNS][256] = {{0}};
    for (size_t i = 0; i < size; i++)
        seen[i % TURNS][letters[i]]++;
    for (unsigned letter = 0; letter < 256; letter++) {
        counts[letter] = 0;
        for (unsigned turn = 0; turn < TURNS; turn++)
            counts[letter] += seen[turn][letter];
    }
}

static void count_border(const uint8_t *letters, uint32_t width, uint32_t height,
                         uint64_t counts[256])
{
    memset(counts, 0, 256 * sizeof *counts);
    for (uint32_t y = 0; y < height; y++) {
        const uint8_t *row = letters + (size_t)y * width;
        uint32_t step = y == 0 || y + 1 == height || width == 1 ? 1 : width - 1;
        for (uint32_t x = 0; x < width; x += step)
            counts[row[x]]++;
    }
}

static uint8_t most_frequent(const uint64_t counts[256])
{
    unsigned best = 0;
    for (unsigned letter = 1; letter < 256; letter++) {
        if (counts[letter] > counts[best])
            best = letter;
    }
    return (uint8_t)best;
}

/* The letter that is most frequent along the border, then the others in order of frequency. */
static palette choose_palette(const uint8_t *letters, uint32_t width, uint32_t height)
{
    uint64_t counts[256];
    palette colours = {.count = 1};

    count_border(letters, width, height, counts);
    colours.letters[0] = most_frequent(counts);
    count_all(letters, (size_t)width * height, counts);
    counts[colours.letters[0]] = 0;
    while (colours.count < COLOURS_MAX && counts[most_frequent(counts)] > 0) {
        uint8_t letter = most_frequent(counts);
        colours.letters[colours.count++] = letter;
        counts[letter] = 0;
    }
    return colours;
}

static void pack_rows(model *self, const uint8_t *letters, uint32_t height, coder side)
{
    for (uint32_t y = 0; y < height; y++, letters += self->width) {
        next_row(self);
        memcpy(self->rows[0], letters, self->width);
        code_row(self, side);
    }
}

void cn_letters_pack(const uint8_t *letters, uint32_t width, uint32_t height, cn_buffer *out)
{
    palette colours = choose_palette(letters, width, height);
    uint8_t count = (uint8_t)colours.count;
    cn_range_encoder encoder;
    model *self = cn_array(out->mem, 1, sizeof *self);

    if (!self || model_init(self, &colours, width, out->mem) != CAIRN_OK) {
        cn_release(out->mem, self);
        out->status = CAIRN_E_MEMORY;
        return;
    }
    cn_buffer_append(out, &count, 1);
    cn_buffer_append(out, colours.letters, colours.count);
    cn_range_begin(&encoder, out);
    if (colours.count > 1)
        pack_rows(self, letters, height, (coder){.to = &encoder});
    cn_range_end(&encoder);
    cn_release(out->mem, self->memory);
    cn_release(out->mem, self);
}

/* ------------------------------------------------------------------------------ unpacking -- */

static bool read_palette(cn_cursor *cursor, palette *colours)
{
    const uint8_t *count = cn_cursor_take(cursor, 1);
    if (!count || *count == 0 || *count > COLOURS_MAX)
        return false;
    const uint8_t *letters = cn_cursor_take(cursor, *count);
    if (!letters)
        return false;
    colours->count = *count;
    memcpy(colours->letters, letters, *count);
    return true;
}

/* The decoder is copied, so that it can stay in registers while letters are written. */
static uint64_t unpack_row(model *self, cn_range_decoder *from)
{
    cn_range_decoder decoder = *from;
    uint64_t decisions = code_row(self, (coder){.from = &decoder});
    *from = decoder;
    return decisions;
}

static cairn_status unpack_rows(model *self, cn_range_decoder *decoder, uint32_t height,
                                const cn_letters_bounds *bounds, uint8_t *letters)
{
    uint64_t left = bounds->decisions_most;

    for (uint32_t y = 0; y < height; y++, letters += self->width) {
        next_row(self);
        uint64_t decisions = unpack_row(self, decoder);
        if (decisions == 0)
            return CAIRN_E_FORMAT;
        if (decisions > left)
            return CAIRN_E_LIMIT;
        left -= decisions;
        memcpy(letters, self->rows[0], self->width);
        if (!cn_watch_advance(bounds->watch, 0, self->width))
            return CAIRN_E_CANCELLED;
    }
    return cn_range_is_spent(decoder) ? CAIRN_OK : CAIRN_E_FORMAT;
}

cairn_status cn_letters_unpack(const uint8_t *bytes, size_t size, uint32_t width, uint32_t height,
                               const cn_mem *mem, const cn_letters_bounds *bounds, uint8_t *letters)
{
    cn_cursor cursor = {bytes, bytes + size};
    palette colours = {.count = 0};

    if (!read_palette(&cursor, &colours))
        return CAIRN_E_FORMAT;
    if (colours.count == 1) {
        memset(letters, colours.letters[0], (size_t)width * height);
        return cursor.at == cursor.end ? CAIRN_OK : CAIRN_E_FORMAT;
    }

    cairn_status status = CAIRN_E_MEMORY;
    model *self = cn_array(mem, 1, sizeof *self);
    if (self)
        status = model_init(self, &colours, width, mem);
    if (status == CAIRN_OK) {
        cn_range_decoder decoder = cn_range_open(cursor.at, (size_t)(cursor.end - cursor.at));
        status = unpack_rows(self, &decoder, height, bounds, letters);
        cn_release(mem, self->memory);
    }
    cn_release(mem, self);
    return status;
}

size_t cn_letters_palette(const uint8_t *bytes, const uint8_t **letters)
{
    *letters = bytes + 1;
    return bytes[0];
}
