/* Maps of the tests' own: letters drawn as strings. Knows nothing of the library. */
#ifndef SUPPORT_PICTURE_H
#define SUPPORT_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct picture {
    uint32_t width;
    uint32_t height;
    char *letters; /* width * height, row by row */
} picture;

/* PICTURE("..@", ".@.") is a picture of two rows; for picture_free. */
#define PICTURE(...) picture_draw((const char *const[]){__VA_ARGS__, NULL})
picture picture_draw(const char *const *rows);

picture picture_filled(uint32_t width, uint32_t height, char letter);
void picture_free(picture *map);

/* The same with `times` x `times` cells in place of each, in which corners are rare; the picture is
 * freed. */
picture picture_magnified(picture map, uint32_t times);

uint32_t picture_size(const picture *map);
static inline bool picture_is_open(const picture *map, int64_t x, int64_t y)
{
    if (x < 0 || y < 0 || x >= map->width || y >= map->height)
        return false;
    char letter = map->letters[(size_t)y * map->width + (size_t)x];
    return letter == '.' || letter == 'G' || letter == 'S';
}

uint32_t picture_open_count(const picture *map);

/* The .map file of a picture; for free. */
char *picture_text(const picture *map, const char *line_end, size_t *size);

/* Shows a picture on stderr, for a test that is about to fail. */
void picture_show(const picture *map);

#endif
