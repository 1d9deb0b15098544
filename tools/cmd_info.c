#include <stdio.h>

#include "commands.h"
#include "kit/exits.h"
#include "kit/json.h"
#include "kit/load.h"
#include "kit/metric.h"
#include "kit/output.h"
#include "kit/say.h"

typedef struct settings {
    const char *table_path;
    bool json;
    bool landmarks;
} settings;

static const kit_option operands[] = {
    {.name = "TABLE", .help = "a file written by cairn build", .read = kit_read_text,
     .offset = offsetof(settings, table_path)},
    {0},
};

static const kit_option options[] = {
    {.name = "landmarks", .help = "list the landmark cells of every row",
     .offset = offsetof(settings, landmarks)},
    KIT_JSON(settings),
    {0},
};

/* What both reports need. */
typedef struct facts {
    const char *path;
    const cairn_map *map;
    const cairn_table *table;
    uint32_t row_count;
    uint64_t landmark_cells;    /* over all rows */
    unsigned long long file_size;
    double bits_per_entry;
} facts;

static facts gather(const char *path, const cairn_map *map, const cairn_table *table)
{
    facts known = {path, map, table, cairn_table_row_count(table), 0, kit_file_size(path), 0};
    for (uint32_t row = 0; row < known.row_count; row++)
        known.landmark_cells += cairn_table_landmarks(table, row, &(const cairn_node *){NULL});
    double entries = (double)cairn_map_open_count(map) * known.row_count;
    if (entries > 0)
        known.bits_per_entry = 8.0 * (double)known.file_size / entries;
    return known;
}

static void list_text(const facts *known)
{
    for (uint32_t row = 0; row < known->row_count; row++) {
        const cairn_node *nodes;
        size_t count = cairn_table_landmarks(known->table, row, &nodes);
        printf("  row %-6u", row);
        for (size_t index = 0; index < count; index++) {
            uint32_t x;
            uint32_t y;
            if (cairn_node_xy(known->map, nodes[index], &x, &y))
                printf(" %u,%u", x, y);
        }
        printf("\n");
    }
}

static void print_text(const facts *known, bool landmarks)
{
    const cairn_map *map = known->map;
    const cairn_table *table = known->table;
    printf("%s\n", known->path);
    printf("  map        %u x %u, %s open cells, hash %s\n", cairn_map_width(map),
           cairn_map_height(map), kit_count(cairn_map_open_count(map)).text,
           kit_hash(cairn_map_hash(map)).text);
    printf("  metric     %s\n", kit_metric_text(cairn_map_metric(map)).text);
    printf("  table      %u row%s of %u-bit entries, %s in memory\n", known->row_count,
           kit_plural(known->row_count), cairn_table_entry_bits(table),
           kit_bytes(cairn_table_memory(table)).text);
    printf("  landmarks  %s cell%s in %u set%s, one per connected component in each\n",
           kit_count(known->landmark_cells).text, kit_plural(known->landmark_cells),
           known->row_count, kit_plural(known->row_count));
    printf("  file       %s bytes, %.2f bits per entry\n", kit_count(known->file_size).text,
           known->bits_per_entry);
    if (landmarks)
        list_text(known);
}

static void list_json(kit_json *json, const facts *known)
{
    kit_json_open(json, "landmark_cells", '[');
    for (uint32_t row = 0; row < known->row_count; row++) {
        const cairn_node *nodes;
        size_t count = cairn_table_landmarks(known->table, row, &nodes);
        kit_json_open(json, NULL, '[');
        for (size_t index = 0; index < count; index++) {
            uint32_t x;
            uint32_t y;
            if (cairn_node_xy(known->map, nodes[index], &x, &y))
                kit_json_pair(json, NULL, x, y);
        }
        kit_json_close(json, ']');
    }
    kit_json_close(json, ']');
}

static void print_json(const facts *known, bool landmarks)
{
    const cairn_map *map = known->map;
    kit_json json = {.file = stdout};
    kit_json_open(&json, NULL, '{');
    kit_json_text(&json, "table", known->path);
    kit_json_count(&json, "width", cairn_map_width(map));
    kit_json_count(&json, "height", cairn_map_height(map));
    kit_json_text(&json, "hash", kit_hash(cairn_map_hash(map)).text);
    kit_json_count(&json, "nodes", cairn_map_open_count(map));
    kit_json_count(&json, "rows", known->row_count);
    kit_json_text(&json, "metric", kit_metric_text(cairn_map_metric(map)).text);
    kit_json_count(&json, "entry_bits", cairn_table_entry_bits(known->table));
    kit_json_count(&json, "landmarks", known->row_count);
    kit_json_count(&json, "landmark_cell_count", known->landmark_cells);
    kit_json_count(&json, "memory_bytes", cairn_table_memory(known->table));
    kit_json_count(&json, "file_bytes", known->file_size);
    kit_json_rounded(&json, "bits_per_entry", known->bits_per_entry, 4);
    if (landmarks)
        list_json(&json, known);
    kit_json_close(&json, '}');
}

static int run(const kit_command *command, char **words)
{
    settings set = {0};
    kit_parsed parsed = kit_parse(command, words, &set);
    if (parsed != KIT_PARSED)
        return kit_parsed_exit(parsed);

    cairn_map *map = NULL;
    cairn_table *table = NULL;
    int code = kit_load_table(set.table_path, &map, &table);
    if (code == KIT_EXIT_OK) {
        facts known = gather(set.table_path, map, table);
        (set.json ? print_json : print_text)(&known, set.landmarks);
    }
    cairn_table_free(table);
    cairn_map_free(map);
    return code;
}

const kit_command info_command = {
    .name = "info",
    .summary = "what is in a table: map, metric, rows, sizes, landmarks",
    .example = "cairn info town.cairn --landmarks",
    .operands = operands,
    .options = options,
    .run = run,
};
