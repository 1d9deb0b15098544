#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void fuzz_wrong(const char *claim, const char *file, int line)
{
    fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, claim);
    abort();
}

cairn_map *fuzz_hall(void)
{
    static const char text[] = "type octile\nheight 12\nwidth 20\nmap\n"
                               "....................\n"
                               ".@@@@@@@@..@@@@@@@@.\n"
                               ".@......@..@......@.\n"
                               ".@.TT......@..SS..@.\n"
                               ".@.TT...@..@..SS..@.\n"
                               ".@......@..@......@.\n"
                               ".@@@.@@@@..@@@@@@@@.\n"
                               "....................\n"
                               "WWWWWWWW...GGGG.....\n"
                               "WWWWWWWW...GGGG..@@@\n"
                               "...............@@@..\n"
                               "...............@....\n";
    cairn_map *map;
    FUZZ_CHECK(cairn_map_parse(text, sizeof text - 1, NULL, &map, NULL) == CAIRN_OK);
    return map;
}

uint32_t fuzz_pick(const uint8_t *data, size_t size)
{
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ data[i]) * 16777619u;
    return hash ^ hash >> 15;
}

const char *fuzz_file(const uint8_t *data, size_t size)
{
    static FILE *file;
    static char path[64];

    if (!file) {
        file = tmpfile();
        FUZZ_CHECK(file);
        snprintf(path, sizeof path, "/dev/fd/%d", fileno(file));
    }
    FUZZ_CHECK(pwrite(fileno(file), data, size, 0) == (ssize_t)size);
    FUZZ_CHECK(ftruncate(fileno(file), (off_t)size) == 0);
    return path;
}

void fuzz_check_refusal(cairn_status status, const cairn_error *error)
{
    FUZZ_CHECK(status > CAIRN_OK && status < CAIRN_MORE);
    FUZZ_CHECK(status != CAIRN_E_ARGUMENT && status != CAIRN_E_MEMORY);
    FUZZ_CHECK(error->status == status);
    FUZZ_CHECK(memchr(error->found, '\0', sizeof error->found));
    for (const char *letter = error->found; *letter; letter++)
        FUZZ_CHECK(*letter >= ' ' && *letter <= '~');
}

void fuzz_check_text_refusal(cairn_status status, const cairn_error *error, size_t size)
{
    fuzz_check_refusal(status, error);
    FUZZ_CHECK(status == CAIRN_E_FORMAT || status == CAIRN_E_LIMIT);
    FUZZ_CHECK(error->line > 0);
    FUZZ_CHECK(error->offset <= size);
    FUZZ_CHECK(error->expected != NULL);
}

/* A way costs the same, seen from either end. */
static void check_way(const cairn_map *map, cairn_node start, cairn_node goal)
{
    uint32_t count = cairn_map_node_count(map);
    cairn_cost *from = malloc(count * sizeof *from), *to = malloc(count * sizeof *to);
    FUZZ_CHECK(from && to);
    cairn_status status = cairn_costs_from(map, &start, 1, from);
    if (status == CAIRN_OK)
        status = cairn_costs_to(map, &goal, 1, to);
    FUZZ_CHECK(status == CAIRN_OK || status == CAIRN_E_LIMIT);
    if (status == CAIRN_OK) {
        FUZZ_CHECK(from[start] == 0 && to[goal] == 0);
        FUZZ_CHECK(from[goal] == to[start]);
    }
    free(from);
    free(to);
}

void fuzz_check_map(const cairn_map *map)
{
    uint32_t count = cairn_map_node_count(map), open = 0;
    cairn_node first = CAIRN_NO_NODE, last = CAIRN_NO_NODE;

    FUZZ_CHECK(count > 0 && count <= CAIRN_NODES_MAX);
    FUZZ_CHECK((uint64_t)cairn_map_width(map) * cairn_map_height(map) == count);
    for (cairn_node node = 0; node < count; node++) {
        if (!cairn_map_is_open(map, node))
            continue;
        open++;
        first = first == CAIRN_NO_NODE ? node : first;
        last = node;
    }
    FUZZ_CHECK(open == cairn_map_open_count(map));
    if (open && count <= 1 << 14)
        check_way(map, first, last);
}

/* The size of a block stands before it. */
enum { FRONT = 16 };

static void *allocate(void *context, size_t size)
{
    fuzz_memory *memory = context;
    FUZZ_CHECK(size <= memory->most - memory->now);
    uint8_t *block = malloc(size + FRONT);
    FUZZ_CHECK(block);
    memcpy(block, &size, sizeof size);
    memory->now += size;
    return block + FRONT;
}

static void release(void *context, void *block)
{
    fuzz_memory *memory = context;
    uint8_t *start = (uint8_t *)block - FRONT;
    size_t size;
    memcpy(&size, start, sizeof size);
    memory->now -= size;
    free(start);
}

void fuzz_memory_init(fuzz_memory *memory, size_t most)
{
    *memory = (fuzz_memory){.allocator = {allocate, release, memory}, .most = most};
}

void fuzz_memory_check(const fuzz_memory *memory)
{
    FUZZ_CHECK(memory->now == 0);
}
