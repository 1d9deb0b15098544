#include "render/png_file.h"

#include <stdlib.h>
#include <string.h>

#ifdef CAIRN_WITH_PNG

#include <png.h>

enum { PALETTE_MAX = 256, TABLE_SIZE = 1024 };

/* The colours of a picture that has few: one byte a pixel then, and a file of half the size. */
typedef struct palette {
    png_color colours[PALETTE_MAX];
    unsigned count;
    uint16_t slots[TABLE_SIZE];  /* index + 1, by hash */
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
        if (there->red == wanted.red && there->green == wanted.green &&
            there->blue == wanted.blue)
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

static void write_rows(png_structp png, const image *picture, const uint8_t *indices)
{
    for (uint32_t y = 0; y < picture->height; y++) {
        size_t first = (size_t)y * picture->width;
        const void *row = indices ? (const void *)(indices + first)
                                  : (const void *)(picture->pixels + first);
        png_write_row(png, row);
    }
}

/* libpng reports failures by a jump to here: nothing that changes lives in this function. */
static bool write_png(png_structp png, png_infop info, const image *picture,
                      const uint8_t *indices, const palette *colours)
{
    if (setjmp(png_jmpbuf(png)))
        return false;
    png_set_IHDR(png, info, picture->width, picture->height, 8,
                 indices ? PNG_COLOR_TYPE_PALETTE : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (indices)
        png_set_PLTE(png, info, colours->colours, (int)colours->count);
    png_set_filter(png, 0, indices ? PNG_FILTER_NONE : PNG_ALL_FILTERS);
    png_set_compression_level(png, 9);
    png_write_info(png, info);
    write_rows(png, picture, indices);
    png_write_end(png, info);
    return true;
}

uint8_t *png_encode(const image *picture, size_t *size)
{
    sink to = {0};
    palette colours = {.count = 0};
    uint8_t *indices = to_indices(picture, &colours);
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    bool whole = false;

    if (info) {
        png_set_write_fn(png, &to, take_bytes, flush_nothing);
        whole = write_png(png, info, picture, indices, &colours) && !to.failed;
    }
    png_destroy_write_struct(&png, &info);
    free(indices);
    *size = whole ? to.size : 0;
    if (whole)
        return to.bytes;
    free(to.bytes);
    return NULL;
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

#endif
