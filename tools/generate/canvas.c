#include "generate/generate.h"

#include <string.h>

void canvas_write(const canvas *map, FILE *file)
{
    fprintf(file, "type octile\nheight %u\nwidth %u\nmap\n", map->height, map->width);
    for (uint32_t y = 0; y < map->height; y++) {
        fwrite(canvas_at(map, 0, y), 1, map->width, file);
        fputc('\n', file);
    }
}

void canvas_fill(canvas *map, area place, char letter)
{
    for (uint32_t y = place.top; y < place.bottom; y++)
        memset(canvas_at(map, place.left, y), letter, place.right - place.left);
}

void canvas_disc(canvas *map, uint32_t x, uint32_t y, uint32_t radius, char letter)
{
    uint32_t left = x > radius ? x - radius : 0;
    uint32_t top = y > radius ? y - radius : 0;
    for (uint32_t row = top; row < map->height && row <= y + radius; row++) {
        for (uint32_t column = left; column < map->width && column <= x + radius; column++) {
            int64_t dx = (int64_t)column - x;
            int64_t dy = (int64_t)row - y;
            if (dx * dx + dy * dy <= (int64_t)radius * radius + radius)
                *canvas_at(map, column, row) = letter;
        }
    }
}

/* Collects the open region around a cell into `work` from `first` on, marking its cells with
 * bit 7; returns the end. */
static size_t collect_region(canvas *map, size_t cell, size_t first)
{
    size_t end = first;
    size_t width = map->width;
    size_t count = width * map->height;
    map->letters[cell] ^= (char)0x80;
    map->work[end++] = (uint32_t)cell;
    for (size_t next = first; next < end; next++) {
        size_t here = map->work[next];
        size_t around[4] = {
            here % width > 0 ? here - 1 : here, (here + 1) % width > 0 ? here + 1 : here,
            here >= width ? here - width : here, here + width < count ? here + width : here};
        for (int side = 0; side < 4; side++) {
            if (map->letters[around[side]] == LETTER_OPEN) {
                map->letters[around[side]] ^= (char)0x80;
                map->work[end++] = (uint32_t)around[side];
            }
        }
    }
    return end;
}

void canvas_drop_regions(canvas *map, uint32_t least, char letter)
{
    size_t kept = 0; /* cells in `work` that stay open */
    size_t count = (size_t)map->width * map->height;
    for (size_t cell = 0; cell < count; cell++) {
        if (map->letters[cell] != LETTER_OPEN)
            continue;
        size_t end = collect_region(map, cell, kept);
        if (end - kept >= least) {
            kept = end;
            continue;
        }
        for (size_t index = kept; index < end; index++)
            map->letters[map->work[index]] = letter;
    }
    for (size_t index = 0; index < kept; index++)
        map->letters[map->work[index]] = LETTER_OPEN;
}
