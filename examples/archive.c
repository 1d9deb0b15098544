/*
 * A game that keeps its files in an archive: map, table and scenarios come from memory, and the
 * table is read as a stream, a few bytes at a time, as if from a compressed file.
 */
#include <stdio.h>
#include <string.h>

#include "cairn/cairn.h"

static const char map_text[] = "type octile\nheight 3\nwidth 5\nmap\n"
                               ".....\n"
                               ".@@@.\n"
                               ".....\n";
static const char scenario_text[] = "version 1\n"
                                    "0 yard.map 5 3 0 0 4 2 6\n";
static const char dynamic_text[] = "version 2\nheight 3\nwidth 5\ncost 1 octile\n"
                                   "patch walls.patch\ncommands\n"
                                   "P 0 0 1 0\nQ 1 0 0 4 0 6.82842712\n";
static const char patches_text[] = "type patch\npatches 1\n"
                                   "patch 0\nheight 2\nwidth 1\nmap\n@\n@\n";

/* The part of an archive entry that is still to be read. */
typedef struct entry {
    const uint8_t *at;
    size_t left;
} entry;

static size_t read_some(void *context, void *bytes, size_t size)
{
    entry *from = context;
    size_t count = size < from->left ? size : from->left;
    memcpy(bytes, from->at, count);
    from->at += count;
    from->left -= count;
    return count;
}

/* Puts a table without its map into the archive, and loads it for a map that is loaded already. */
static cairn_status load_table(cairn_map *map, cairn_table **table)
{
    cairn_save_options save = {.size = sizeof save, .map_part = CAIRN_MAP_LEFT_OUT};
    cairn_load_options load = {.size = sizeof load, .map = map};
    cairn_table *built = NULL;
    uint8_t *bytes = NULL;
    size_t size = 0;

    cairn_status status = cairn_table_build(map, NULL, &built);
    if (status == CAIRN_OK)
        status = cairn_save_bytes(map, built, &save, &bytes, &size);
    if (status == CAIRN_OK) {
        entry packed = {bytes, size};
        cairn_stream stream = {.read = read_some, .context = &packed, .size = size};
        status = cairn_load_from(&stream, &load, NULL, table, NULL);
    }
    cairn_bytes_free(map, bytes);
    cairn_table_free(built);
    return status;
}

static cairn_status run(const cairn_map *map, const cairn_table *table, const cairn_query *query)
{
    cairn_search *search = NULL;
    cairn_path path;

    cairn_status status = cairn_search_new(map, table, NULL, &search);
    if (status == CAIRN_OK)
        status = cairn_search_run(search, query->start, query->goal, &path);
    if (status == CAIRN_OK)
        printf("length %.2f, published %.2f\n", path.length, query->length);
    cairn_search_free(search);
    return status;
}

static cairn_status run_scenario(const cairn_map *map, const cairn_table *table)
{
    cairn_scenario *scenario = NULL;
    cairn_status status = cairn_scenario_parse(scenario_text, strlen(scenario_text), map, &scenario,
                                               NULL);
    for (size_t i = 0; status == CAIRN_OK && i < cairn_scenario_count(scenario); i++)
        status = run(map, table, &cairn_scenario_queries(scenario)[i]);
    cairn_scenario_free(scenario);
    return status;
}

/* Runs queries on a map that begins open and changes between them. */
static cairn_status run_dynamic(const cairn_dynamic *dynamic)
{
    char letters[15];
    cairn_map *map = NULL;

    memset(letters, '.', sizeof letters);
    cairn_status status = cairn_map_from_letters(
        cairn_dynamic_width(dynamic), cairn_dynamic_height(dynamic), letters, NULL, &map, NULL);
    const cairn_event *event = cairn_dynamic_events(dynamic);
    for (size_t i = cairn_dynamic_count(dynamic); status == CAIRN_OK && i > 0; i--, event++)
        status = event->kind == CAIRN_EVENT_EDIT ? cairn_map_edit(map, &event->edit, 1)
                                                 : run(map, NULL, &event->query);
    cairn_map_free(map);
    return status;
}

int main(void)
{
    cairn_map *map = NULL;
    cairn_table *table = NULL;
    cairn_dynamic *dynamic = NULL;

    cairn_status status = cairn_map_parse(map_text, strlen(map_text), NULL, &map, NULL);
    if (status == CAIRN_OK)
        status = load_table(map, &table);
    if (status == CAIRN_OK && cairn_table_map_hash(table) != cairn_map_hash(map))
        status = CAIRN_E_MISMATCH;
    if (status == CAIRN_OK)
        status = run_scenario(map, table);
    if (status == CAIRN_OK)
        status = cairn_dynamic_parse(dynamic_text, strlen(dynamic_text), patches_text,
                                     strlen(patches_text), &dynamic, NULL);
    if (status == CAIRN_OK)
        status = run_dynamic(dynamic);
    if (status != CAIRN_OK)
        fprintf(stderr, "%s\n", cairn_status_text(status));
    cairn_dynamic_free(dynamic);
    cairn_table_free(table);
    cairn_map_free(map);
    return status == CAIRN_OK ? 0 : 1;
}
