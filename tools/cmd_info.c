#include <stdio.h>

#include "commands.h"
#include "kit/codec.h"
#include "kit/exits.h"
#include "kit/json.h"
#include "kit/load.h"
#include "kit/metric.h"
#include "kit/nodes.h"
#include "kit/progress.h"
#include "kit/say.h"
#include "kit/source.h"

typedef struct settings {
    const char *table_path;
    uint64_t memory_limit;
    bool json;
    bool landmarks;
} settings;

static const kit_option operands[] = {
    KIT_TABLE(settings, table_path),
    {0},
};

static const kit_option options[] = {
    {.name = "landmarks", .help = "list the landmark cells of every row",
     .offset = offsetof(settings, landmarks)},
    KIT_MEMORY_LIMIT(settings),
    KIT_JSON(settings),
    {0},
};

/* What both reports need. */
typedef struct facts {
    const char *path;
    cairn_outline outline;
    const cairn_map *map;       /* NULL, as is the table, where the file has no map */
    const cairn_table *table;
    uint64_t landmark_cells;    /* over all rows */
    uint64_t file_size;
} facts;

static void gather(const kit_source *source, const cairn_map *map, const cairn_table *table,
                   facts *known)
{
    known->path = source->path;
    known->file_size = kit_source_size(source);
    known->map = map;
    known->table = table;
    for (uint32_t row = 0; table && row < known->outline.row_count; row++)
        known->landmark_cells += cairn_table_landmarks(table, row, &(const cairn_node *){NULL});
}

/* Of bytes for some entries of each open cell; 0 where they are not known. */
static double bits_per_entry(const facts *known, uint64_t size, uint32_t entries)
{
    double count = known->map ? (double)cairn_map_open_count(known->map) * entries : 0;
    return count > 0 ? 8.0 * (double)size / count : 0;
}

/* ---------------------------------------------------------------------------------- as text */

static void list_landmarks(const facts *known)
{
    for (uint32_t row = 0; row < known->outline.row_count; row++) {
        const cairn_node *nodes;
        size_t count = cairn_table_landmarks(known->table, row, &nodes);
        printf("  row %-6u", row);
        for (size_t index = 0; index < count; index++)
            printf(" %s", kit_node_text(known->map, nodes[index]).text);
        printf("\n");
    }
}

static void list_rows(const facts *known)
{
    printf("  row  codec          bytes%s\n", known->map ? "  bits per entry" : "");
    for (uint32_t row = 0; row < known->outline.row_count; row++) {
        uint64_t size = known->outline.rows[row].size;
        printf("  %3u  %-9s %10s", row, kit_codec_word(known->outline.rows[row].codec),
               kit_count(size).text);
        if (known->map)
            printf("  %14.4f", bits_per_entry(known, size, 1));
        printf("\n");
    }
}

static void print_map(const facts *known)
{
    const cairn_map *map = known->map;
    if (map)
        printf("  map        %s, %s bytes, hash %s\n", kit_map_size(map).text,
               kit_count(known->outline.map_size).text, kit_hash(cairn_map_hash(map)).text);
    else
        printf("  map        left out: %s cells or nodes, hash %s\n",
               kit_count(known->outline.node_count).text,
               kit_hash(known->outline.map_hash).text);
}

static void print_metric(const facts *known)
{
    const char *rows = known->outline.is_flat ? "rows count " : "";
    printf("  metric     ");
    if (known->map && known->outline.is_flat)
        printf("%s, ", kit_metric_text(cairn_map_metric(known->map)).text);
    printf("%s%s\n", rows, kit_metric_text(known->outline.metric).text);
}

/* What else decides costs, as far as the map tells. */
static void print_steps(const facts *known)
{
    const cairn_map *map = known->map;
    const char *ways = known->outline.is_directed ? "depend on the direction"
                                                  : "are the same both ways";
    cairn_heights heights;

    if (!map)
        printf("  steps      costs %s\n", ways);
    else if (cairn_map_kind_of(map) == CAIRN_MAP_GRAPH)
        printf("  steps      arcs, costs %s\n", ways);
    else
        printf("  steps      --moves %s, costs %s\n", kit_moves[cairn_map_rule(map)], ways);
    if (map && cairn_map_heights(map, &heights))
        printf("  heights    --climb %u --descend %u\n", heights.climb, heights.descend);
}

static void print_text(const facts *known, bool landmarks)
{
    const cairn_outline *outline = &known->outline;
    printf("%s\n", known->path);
    print_map(known);
    print_metric(known);
    print_steps(known);
    printf("  table      %u row%s of %u-bit entries", outline->row_count,
           kit_plural(outline->row_count), outline->entry_bits);
    if (known->table) {
        printf(", %s in memory\n", kit_bytes(cairn_table_memory(known->table)).text);
        printf("  landmarks  %s %s in %u set%s, one per connected component in each\n",
               kit_count(known->landmark_cells).text,
               kit_cells_word(known->map, known->landmark_cells),
               outline->row_count, kit_plural(outline->row_count));
        printf("  file       %s bytes, %.4f bits per entry\n", kit_count(known->file_size).text,
               bits_per_entry(known, known->file_size, outline->row_count));
    } else {
        printf("\n  file       %s bytes\n", kit_count(known->file_size).text);
    }
    list_rows(known);
    if (landmarks && known->table)
        list_landmarks(known);
}

/* ---------------------------------------------------------------------------------- as JSON */

static void landmarks_json(kit_json *json, const facts *known)
{
    kit_json_open(json, "landmark_cells", '[');
    for (uint32_t row = 0; row < known->outline.row_count; row++) {
        const cairn_node *nodes;
        size_t count = cairn_table_landmarks(known->table, row, &nodes);
        kit_json_open(json, NULL, '[');
        for (size_t index = 0; index < count; index++)
            kit_json_node(json, NULL, known->map, nodes[index]);
        kit_json_close(json, ']');
    }
    kit_json_close(json, ']');
}

static void rows_json(kit_json *json, const facts *known)
{
    kit_json_open(json, "row_list", '[');
    for (uint32_t row = 0; row < known->outline.row_count; row++) {
        uint64_t size = known->outline.rows[row].size;
        kit_json_open(json, NULL, '{');
        kit_json_text(json, "codec", kit_codec_word(known->outline.rows[row].codec));
        kit_json_count(json, "bytes", size);
        if (known->map)
            kit_json_rounded(json, "bits_per_entry", bits_per_entry(known, size, 1), 4);
        kit_json_close(json, '}');
    }
    kit_json_close(json, ']');
}

static void table_json(kit_json *json, const facts *known)
{
    kit_json_count(json, "landmarks", known->outline.row_count);
    kit_json_count(json, "landmark_cell_count", known->landmark_cells);
    kit_json_count(json, "memory_bytes", cairn_table_memory(known->table));
}

static void steps_json(kit_json *json, const facts *known)
{
    const cairn_map *map = known->map;
    cairn_heights heights;

    kit_json_bool(json, "directed", known->outline.is_directed);
    if (map && cairn_map_kind_of(map) == CAIRN_MAP_GRID)
        kit_json_text(json, "moves", kit_moves[cairn_map_rule(map)]);
    if (!map || !cairn_map_heights(map, &heights))
        return;
    kit_json_count(json, "climb", heights.climb);
    kit_json_count(json, "descend", heights.descend);
}

static void print_json(const facts *known, bool landmarks)
{
    const cairn_outline *outline = &known->outline;
    kit_json json = {.file = stdout};
    kit_json_open(&json, NULL, '{');
    kit_json_text(&json, "table", known->path);
    if (known->map) {
        kit_json_count(&json, "width", cairn_map_width(known->map));
        kit_json_count(&json, "height", cairn_map_height(known->map));
    }
    kit_json_text(&json, "hash", kit_hash(known->map ? cairn_map_hash(known->map)
                                                     : outline->map_hash).text);
    if (known->map)
        kit_json_count(&json, "nodes", cairn_map_open_count(known->map));
    kit_json_count(&json, "rows", outline->row_count);
    if (known->map || !outline->is_flat)
        kit_json_text(&json, "metric",
                      kit_metric_text(outline->is_flat ? cairn_map_metric(known->map)
                                                       : outline->metric).text);
    if (outline->is_flat)
        kit_json_text(&json, "table_metric", kit_metric_text(outline->metric).text);
    steps_json(&json, known);
    kit_json_count(&json, "entry_bits", outline->entry_bits);
    if (known->table)
        table_json(&json, known);
    kit_json_count(&json, "map_bytes", outline->map_size);
    kit_json_count(&json, "file_bytes", known->file_size);
    if (known->map)
        kit_json_rounded(&json, "bits_per_entry",
                         bits_per_entry(known, known->file_size, outline->row_count), 4);
    rows_json(&json, known);
    if (landmarks && known->table)
        landmarks_json(&json, known);
    kit_json_close(&json, '}');
}

/* A file without its map can be told of, not loaded. */
static int info(const settings *set, const kit_source *source)
{
    facts known = {.path = NULL};
    cairn_map *map = NULL;
    cairn_table *table = NULL;

    int code = kit_source_outline(source, &known.outline);
    if (code == KIT_EXIT_OK && known.outline.map_size)
        code = kit_source_load(source, NULL, &map, &table);
    if (code == KIT_EXIT_OK) {
        gather(source, map, table, &known);
        kit_progress_end();
        (set->json ? print_json : print_text)(&known, set->landmarks);
    }
    cairn_table_free(table);
    cairn_map_free(map);
    return code;
}

static int run(const kit_command *command, char **words)
{
    settings set = {0};
    kit_source source;
    kit_parsed parsed = kit_parse(command, words, &set);
    if (parsed != KIT_PARSED)
        return kit_parsed_exit(parsed);
    kit_source_limit(set.memory_limit);

    int code = kit_source_open(&source, set.table_path);
    if (code == KIT_EXIT_OK)
        code = info(&set, &source);
    kit_source_close(&source);
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
