#include "picture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

picture picture_filled(uint32_t width, uint32_t height, char letter)
{
    picture map = {width, height, malloc((size_t)width * height + 1)};
    if (!map.letters)
        abort();
    memset(map.letters, letter, (size_t)width * height);
    return map;
}

picture picture_draw(const char *const *rows)
{
    uint32_t height = 0;
    while (rows[height])
        height++;

    uint32_t width = (uint32_t)strlen(rows[0]);
    picture map = picture_filled(width, height, '@');
    for (uint32_t y = 0; y < height; y++) {
        if (strlen(rows[y]) != width)
            abort();
        memcpy(map.letters + (size_t)y * width, rows[y], width);
    }
    return map;
}

void picture_free(picture *map)
{
    free(map->letters);
    *map = (picture){0};
}

uint32_t picture_size(const picture *map)
{
    return map->width * map->height;
}

uint32_t picture_open_count(const picture *map)
{
    uint32_t count = 0;
    for (uint32_t y = 0; y < map->height; y++)
        for (uint32_t x = 0; x < map->width; x++)
            count += picture_is_open(map, x, y);
    return count;
}

char *picture_text(const picture *map, const char *line_end, size_t *size)
{
    size_t row_size = map->width + strlen(line_end);
    size_t capacity = 128 + map->height * row_size;
    char *text = malloc(capacity);
    if (!text)
        abort();

    size_t used = (size_t)snprintf(text, capacity, "type octile%sheight %u%swidth %u%smap%s",
                                   line_end, map->height, line_end, map->width, line_end, line_end);
    for (uint32_t y = 0; y < map->height; y++) {
        memcpy(text + used, map->letters + (size_t)y * map->width, map->width);
        memcpy(text + used + map->width, line_end, strlen(line_end));
        used += row_size;
    }
    text[used] = '\0';
    *size = used;
    return text;
}

void picture_show(const picture *map)
{
    fprintf(stderr, "%u x %u\n", map->width, map->height);
    for (uint32_t y = 0; y < map->height; y++)
        fprintf(stderr, "%.*s\n", (int)map->width, map->letters + (size_t)y * map->width);
}

picture picture_magnified(picture map, uint32_t times)
{
    picture made = picture_filled(map.width * times, map.height * times, '@');
    for (uint32_t y = 0; y < made.height; y++) {
        for (uint32_t x = 0; x < made.width; x++)
            made.letters[y * made.width + x] = map.letters[y / times * map.width + x / times];
    }
    picture_free(&map);
    return made;
}
