#include "render/png_file.h"

#include <stdlib.h>
#include <string.h>

#ifdef CAIRN_WITH_PNG

#  include <png.h>

enum { PALETTE_MAX = 256, TABLE_SIZE = 1024 };

/* The colours of a picture that has few: one byte a pixel then, and a file of half the size. */
typedef struct palette {
    png_color colours[PALETTE_MAX];
    unsigned count;
    uint16_t slots[TABLE_SIZE]; /* index + 1, by hash */
} palette;

bool png_is_built_in(void)
{
    return true;
}

/* The index of a colour, which is added when it is new; PALETTE_MAX when there is no room. */
static unsigned find_colour(palette *of, colour wanted)
{
    uint32_t key = (uint32_t)wanted.red << 16 | (uint32_t)wanted.green << 8 | wanted.blue;
    for (uint32_t slot = key * 2654435761u >> 22;; slot = (slot + 1) % TABLE_SIZE) {
        if (of->slots[slot] == 0) {
            if (of->count == PALETTE_MAX)
                return PALETTE_MAX;
            of->colours[of->count] = (png_color){wanted.red, wanted.green, wanted.blue};
            of->slots[slot] = (uint16_t)++of->count;
            return of->count - 1;
        }
        unsigned index = of->slots[slot] - 1u;
        const png_color *there = &of->colours[index];
        if (there->red == wanted.red && there->green == wanted.green && there->blue == wanted.blue)
            return index;
    }
}

/* The picture as indices; NULL when it has too many colours. */
static uint8_t *to_indices(const image *picture, palette *of)
{
    size_t count = (size_t)picture->width * picture->height;
    uint8_t *indices = malloc(count + 1);
    for (size_t i = 0; indices && i < count; i++) {
        unsigned index = find_colour(of, picture->pixels[i]);
        if (index == PALETTE_MAX) {
            free(indices);
            return NULL;
        }
        indices[i] = (uint8_t)index;
    }
    return indices;
}

typedef struct sink {
    uint8_t *bytes;
    size_t size;
    size_t capacity;
    bool failed;
} sink;

static void take_bytes(png_structp png, png_bytep bytes, png_size_t size)
{
    sink *to = png_get_io_ptr(png);
    if (!to->failed && to->size + size > to->capacity) {
        size_t capacity = 2 * to->capacity + size + 4096;
        uint8_t *grown = realloc(to->bytes, capacity);
        to->failed = !grown;
        if (grown) {
            to->bytes = grown;
            to->capacity = capacity;
        }
    }
    if (to->failed)
        return;
    memcpy(to->bytes + to->size, bytes, size);
    to->size += size;
}

static void flush_nothing(png_structp png)
{
    (void)png;
}

/* A picture as libpng takes it. */
typedef struct page {
    uint32_t width;
    uint32_t height;
    int colour_type;
    int depth;
    const uint8_t *pixels;
    size_t stride;          /* bytes of a row */
    const palette *colours; /* of the indices; NULL: the pixels are no indices */
} page;

static void write_rows(png_structp png, const page *written)
{
    for (uint32_t y = 0; y < written->height; y++)
        png_write_row(png, written->pixels + y * written->stride);
}

static bool is_little_endian(void)
{
    const uint16_t one = 1;
    uint8_t first;
    memcpy(&first, &one, 1);
    return first == 1;
}

/* libpng reports failures by a jump to here: nothing that changes lives in this function. */
static bool write_png(png_structp png, png_infop info, const page *written)
{
    if (setjmp(png_jmpbuf(png)))
        return false;
    png_set_IHDR(png, info, written->width, written->height, written->depth, written->colour_type,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (written->colours)
        png_set_PLTE(png, info, written->colours->colours, (int)written->colours->count);
    png_set_filter(png, 0, written->colours ? PNG_FILTER_NONE : PNG_ALL_FILTERS);
    /* Costs of 4000 x 4000 rooms take 7.8 MB in 2.6 s, by level 9 7.2 MB in 28. */
    png_set_compression_level(png, written->colours ? 9 : 6);
    png_write_info(png, info);
    if (written->depth == 16 && is_little_endian())
        png_set_swap(png);
    write_rows(png, written);
    png_write_end(png, info);
    return true;
}

/* What libpng says goes nowhere: the program has its own words for a picture that failed. */
static PNG_NORETURN void fail_silently(png_structp png, png_const_charp message)
{
    (void)message;
    png_longjmp(png, 1);
}

static void warn_silently(png_structp png, png_const_charp message)
{
    (void)png, (void)message;
}

static uint8_t *encode(const page *written, size_t *size)
{
    sink to = {0};
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, fail_silently,
                                              warn_silently);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    bool whole = false;

    if (info) {
        png_set_write_fn(png, &to, take_bytes, flush_nothing);
        whole = write_png(png, info, written) && !to.failed;
    }
    png_destroy_write_struct(&png, &info);
    *size = whole ? to.size : 0;
    if (whole)
        return to.bytes;
    free(to.bytes);
    return NULL;
}

uint8_t *png_encode(const image *picture, size_t *size)
{
    palette colours = {.count = 0};
    uint8_t *indices = to_indices(picture, &colours);
    page written = {picture->width,
                    picture->height,
                    PNG_COLOR_TYPE_RGB,
                    8,
                    (const uint8_t *)picture->pixels,
                    picture->width * sizeof(colour),
                    NULL};

    if (indices) {
        written.colour_type = PNG_COLOR_TYPE_PALETTE;
        written.pixels = indices;
        written.stride = picture->width;
        written.colours = &colours;
    }
    uint8_t *bytes = encode(&written, size);
    free(indices);
    return bytes;
}

uint8_t *png_encode_grey(const uint16_t *pixels, uint32_t width, uint32_t height, size_t *size)
{
    page written = {
        width, height, PNG_COLOR_TYPE_GRAY, 16, (const uint8_t *)pixels, width * sizeof *pixels,
        NULL};
    return encode(&written, size);
}

#else

bool png_is_built_in(void)
{
    return false;
}

uint8_t *png_encode(const image *picture, size_t *size)
{
    (void)picture;
    *size = 0;
    return NULL;
}

uint8_t *png_encode_grey(const uint16_t *pixels, uint32_t width, uint32_t height, size_t *size)
{
    (void)pixels;
    (void)width;
    (void)height;
    *size = 0;
    return NULL;
}

#endif
