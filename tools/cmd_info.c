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
    {.name = "landmarks",
     .help = "list the landmark cells of every row",
     .offset = offsetof(settings, landmarks)},
    KIT_MEMORY_LIMIT(settings),
    KIT_JSON(settings),
    {0},
};

/* What both reports need. */
typedef struct facts {
    const char *path;
    cairn_outline outline;
    const cairn_map *map;     /* NULL where the file has none, or one of more than COUNTED_MOST */
    const cairn_table *table; /* NULL but where landmarks are listed */
    uint64_t file_size;
} facts;

/* Maps of so many cells or nodes are unpacked, to count those that are open: no tenth of a second.
 * Of larger ones the outline tells everything else. */
enum { COUNTED_MOST = 1 << 20 };

static void gather(const kit_source *source, const cairn_map *map, const cairn_table *table,
                   facts *known)
{
    known->path = source->path;
    known->file_size = kit_source_size(source);
    known->map = map;
    known->table = table;
}

static bool is_graph(const facts *known)
{
    return known->outline.map.kind == CAIRN_MAP_GRAPH;
}

/* Rows that count steps are not of the map whose hash the file tells. */
static bool knows_hash(const facts *known)
{
    return known->map || !known->outline.counts_steps || !known->outline.map_size;
}

static uint64_t hash_of(const facts *known)
{
    return known->map ? cairn_map_hash(known->map) : known->outline.map_hash;
}

/* Letters as --terrain takes them: all that the map may hold, or those that are not as usual. */
enum { ITEMS_ROOM = 256 * 16 };

static size_t put_item(char *to, size_t room, unsigned letter, uint16_t factor)
{
    char name[8] = {(char)letter};
    if (letter <= ' ' || letter > '~')
        snprintf(name, sizeof name, "\\x%02x", letter);
    int size = factor == CAIRN_TERRAIN_BLOCKED ? snprintf(to, room, "%s=blocked,", name)
                                               : snprintf(to, room, "%s=%u,", name, factor);
    return (size_t)size;
}

static const char *terrain_items(const facts *known, bool all, char items[ITEMS_ROOM])
{
    const uint16_t *factors = known->outline.map.alphabet.cost;
    cairn_alphabet usual;
    size_t size = 0;

    cairn_alphabet_init(&usual);
    for (unsigned letter = 0; letter < 256; letter++) {
        if (factors[letter] != (all ? 0 : usual.cost[letter]))
            size += put_item(items + size, ITEMS_ROOM - size, letter, factors[letter]);
    }
    items[size > 0 ? size - 1 : 0] = '\0';
    return items;
}

/* The bits per entry of `size` bytes, with so many entries for each open cell; 0 where cells are
 * not known. */
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

/* Directed tables have two rows for each set of landmarks. */
static uint32_t rows_of_a_set(const cairn_outline *outline)
{
    return outline->is_directed ? 2 : 1;
}

static const char *way_of_row(uint32_t row)
{
    return row % 2 ? "to" : "from";
}

static void list_rows(const facts *known)
{
    const bool is_directed = known->outline.is_directed;
    printf("  row  %scodec          bytes%s\n", is_directed ? "costs  " : "",
           known->map ? "  bits per entry" : "");
    for (uint32_t row = 0; row < known->outline.row_count; row++) {
        uint64_t size = known->outline.rows[row].size;
        printf("  %3u  ", row);
        if (is_directed)
            printf("%-5s  ", way_of_row(row));
        printf("%-9s %10s", kit_codec_word(known->outline.rows[row].codec), kit_count(size).text);
        if (known->map)
            printf("  %14.4f", bits_per_entry(known, size, 1));
        printf("\n");
    }
}

/* "256 x 224", or "4 nodes" where the map is not at hand; more where it is. */
static kit_phrase map_size(const facts *known)
{
    const cairn_map_outline *map = &known->outline.map;
    kit_phrase phrase;

    if (known->map)
        return kit_map_size(known->map);
    if (is_graph(known))
        snprintf(phrase.text, sizeof phrase.text, "%s nodes", kit_count(map->width).text);
    else
        snprintf(phrase.text, sizeof phrase.text, "%u x %u", map->width, map->height);
    return phrase;
}

static void print_map(const facts *known)
{
    if (known->outline.map_size)
        printf("  map        %s, %s bytes", map_size(known).text,
               kit_count(known->outline.map_size).text);
    else
        printf("  map        left out: %s cells or nodes",
               kit_count(known->outline.node_count).text);
    if (knows_hash(known))
        printf(", hash %s", kit_hash(hash_of(known)).text);
    printf("\n");
}

static void print_metric(const facts *known)
{
    const char *rows = known->outline.counts_steps ? "rows count " : "";
    printf("  metric     ");
    if (known->outline.map_size && known->outline.counts_steps)
        printf("%s, ", kit_metric_text(known->outline.map.metric).text);
    printf("%s%s\n", rows, kit_metric_text(known->outline.metric).text);
}

static bool is_directed(const facts *known)
{
    return known->outline.map.is_directed || known->outline.is_directed ||
           (known->map && cairn_map_is_directed(known->map));
}

static void print_units(const cairn_outline *outline)
{
    if (outline->unit_size > 1)
        printf("  units      --unit-size %u --unit-anchor %s\n", outline->unit_size,
               kit_anchors[outline->unit_anchor]);
}

/* What else decides costs, as far as the file tells. */
static void print_steps(const facts *known)
{
    const cairn_map_outline *map = &known->outline.map;
    const char *ways = is_directed(known) ? "depend on the direction" : "are the same both ways";
    char items[ITEMS_ROOM];

    if (!known->outline.map_size) {
        printf("  steps      costs %s\n", ways);
        print_units(&known->outline);
        return;
    }
    if (is_graph(known)) {
        printf("  steps      arcs, costs %s\n", ways);
        return;
    }
    printf("  steps      --moves %s, costs %s\n", kit_moves[map->rule], ways);
    if (*terrain_items(known, false, items))
        printf("  terrain    --terrain '%s' --charge %s\n", items, kit_charges[map->charge]);
    print_units(&known->outline);
    if (map->climb || map->descend)
        printf("  heights    --climb %u --descend %u\n", map->climb, map->descend);
}

static void print_table(const facts *known)
{
    const cairn_outline *outline = &known->outline;
    const uint64_t cells = outline->landmark_count / rows_of_a_set(outline);
    const uint32_t sets = outline->row_count / rows_of_a_set(outline);
    const char *word = is_graph(known) ? "node" : "cell";

    printf("  table      %u row%s of %u-bit entries, %s in memory\n", outline->row_count,
           kit_plural(outline->row_count), outline->entry_bits,
           kit_bytes(outline->table_memory).text);
    printf("  landmarks  %s %s%s in %u set%s, %s\n", kit_count(cells).text, word, kit_plural(cells),
           sets, kit_plural(sets),
           outline->is_directed ? "two rows a set: costs from it and to it" : "one set a row");
    if (outline->part.number)
        printf("  part       %u of %u: rows from %u on, of %u; cairn merge joins them\n",
               outline->part.number, outline->part.count, outline->part.first_row,
               outline->part.row_count);
    printf("  file       %s bytes", kit_count(known->file_size).text);
    if (known->map)
        printf(", %.4f bits per entry",
               bits_per_entry(known, known->file_size, outline->row_count));
    printf("\n  rows       neither unpacked nor checked: cairn verify does that\n");
}

static void print_text(const facts *known)
{
    printf("%s\n", kit_source_label(known->path));
    print_map(known);
    print_metric(known);
    print_steps(known);
    print_table(known);
    list_rows(known);
    if (known->table)
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
        if (known->outline.is_directed)
            kit_json_text(json, "costs", way_of_row(row));
        kit_json_text(json, "codec", kit_codec_word(known->outline.rows[row].codec));
        kit_json_count(json, "bytes", size);
        if (known->map)
            kit_json_rounded(json, "bits_per_entry", bits_per_entry(known, size, 1), 4);
        kit_json_close(json, '}');
    }
    kit_json_close(json, ']');
}

static void map_json(kit_json *json, const facts *known)
{
    const cairn_outline *outline = &known->outline;
    if (outline->map_size) {
        kit_json_count(json, "width", outline->map.width);
        kit_json_count(json, "height", outline->map.height);
    }
    if (knows_hash(known))
        kit_json_text(json, "hash", kit_hash(hash_of(known)).text);
    if (known->map)
        kit_json_count(json, "nodes", cairn_map_open_count(known->map));
}

static void metric_json(kit_json *json, const cairn_outline *outline)
{
    if (outline->map_size || !outline->counts_steps)
        kit_json_text(
            json, "metric",
            kit_metric_text(outline->counts_steps ? outline->map.metric : outline->metric).text);
    if (outline->counts_steps)
        kit_json_text(json, "table_metric", kit_metric_text(outline->metric).text);
}

static void steps_json(kit_json *json, const facts *known)
{
    const cairn_map_outline *map = &known->outline.map;
    char items[ITEMS_ROOM];

    kit_json_bool(json, "directed", is_directed(known));
    if (known->outline.unit_size > 1) {
        kit_json_count(json, "unit_size", known->outline.unit_size);
        kit_json_text(json, "unit_anchor", kit_anchors[known->outline.unit_anchor]);
    }
    if (!known->outline.map_size || is_graph(known))
        return;
    kit_json_text(json, "moves", kit_moves[map->rule]);
    kit_json_text(json, "terrain", terrain_items(known, true, items));
    kit_json_text(json, "charge", kit_charges[map->charge]);
    if (!map->climb && !map->descend)
        return;
    kit_json_count(json, "climb", map->climb);
    kit_json_count(json, "descend", map->descend);
}

/* What a loaded table, its map and one search along it take. False where the table is not loaded
 * that way. */
static bool resident_json(kit_json *json, const kit_source *source, int resident)
{
    const cairn_load_options way = {.size = sizeof way, .resident = (cairn_resident)resident};
    cairn_map *map = NULL;
    cairn_table *table = NULL;
    cairn_search *search = NULL;
    cairn_error error;

    cairn_status status = kit_source_try(source, &way, &map, &table, &error);
    if (status == CAIRN_OK)
        status = cairn_search_new(map, table, NULL, &search);
    if (status == CAIRN_OK) {
        kit_json_open(json, kit_resident_words[resident], '{');
        kit_json_count(json, "map", cairn_map_memory(map));
        kit_json_count(json, "table", cairn_table_memory(table));
        kit_json_count(json, "search", cairn_search_memory(search));
        kit_json_close(json, '}');
    }
    cairn_search_free(search);
    cairn_table_free(table);
    cairn_map_free(map);
    return status == CAIRN_OK;
}

/* Null for a way that does not serve; nothing where the map is not unpacked. */
static void residents_json(kit_json *json, const facts *known, const kit_source *source)
{
    if (!known->map)
        return;
    kit_json_open(json, "resident", '{');
    for (int way = CAIRN_RESIDENT_CELLS; way <= CAIRN_RESIDENT_CORNERS; way++) {
        if (!resident_json(json, source, way))
            kit_json_null(json, kit_resident_words[way]);
    }
    kit_json_close(json, '}');
}

static void print_json(const facts *known, const kit_source *source)
{
    const cairn_outline *outline = &known->outline;
    kit_json json = {.file = stdout};
    kit_json_open(&json, NULL, '{');
    kit_json_text(&json, "table", known->path);
    map_json(&json, known);
    kit_json_count(&json, "rows", outline->row_count);
    metric_json(&json, outline);
    steps_json(&json, known);
    kit_json_count(&json, "entry_bits", outline->entry_bits);
    kit_json_count(&json, "landmarks", outline->row_count / rows_of_a_set(outline));
    kit_json_count(&json, "landmark_cell_count", outline->landmark_count / rows_of_a_set(outline));
    kit_json_count(&json, "memory_bytes", outline->table_memory);
    residents_json(&json, known, source);
    kit_json_count(&json, "map_bytes", outline->map_size);
    kit_json_count(&json, "file_bytes", known->file_size);
    if (known->map)
        kit_json_rounded(&json, "bits_per_entry",
                         bits_per_entry(known, known->file_size, outline->row_count), 4);
    if (outline->part.number) {
        kit_json_open(&json, "part", '{');
        kit_json_count(&json, "number", outline->part.number);
        kit_json_count(&json, "count", outline->part.count);
        kit_json_count(&json, "first_row", outline->part.first_row);
        kit_json_count(&json, "row_count", outline->part.row_count);
        kit_json_close(&json, '}');
    }
    rows_json(&json, known);
    if (known->table)
        landmarks_json(&json, known);
    kit_json_close(&json, '}');
}

/* Unpacks nothing of a file without its map, which cannot be loaded, all for the sake of a list of
 * landmarks, and maps that are soon counted. */
static int load(const settings *set, const kit_source *source, const cairn_outline *outline,
                cairn_map **map, cairn_table **table)
{
    if (!outline->map_size)
        return KIT_EXIT_OK;
    if (set->landmarks)
        return kit_source_load(source, NULL, map, table);
    return outline->node_count <= COUNTED_MOST ? kit_source_load(source, NULL, map, NULL)
                                               : KIT_EXIT_OK;
}

/* Whether the map may be that of the rows. Rows that count steps tell the hash of another one. */
static bool is_own_map(const cairn_outline *outline, const cairn_map *map)
{
    const cairn_map_outline *of_map = &outline->map;
    if (map && !outline->counts_steps)
        return cairn_map_hash(map) == outline->map_hash;
    return !outline->map_size || of_map->kind == CAIRN_MAP_GRAPH ||
           (uint64_t)of_map->width * of_map->height == outline->node_count;
}

static int check_map(const kit_source *source, const cairn_outline *outline, const cairn_map *map)
{
    const cairn_error error = {.status = CAIRN_E_FORMAT,
                               .expected = "rows of the map that the file holds"};
    return is_own_map(outline, map) ? KIT_EXIT_OK : kit_refuse_table(source->name, &error);
}

static int info(const settings *set, const kit_source *source)
{
    facts known = {.path = NULL};
    cairn_map *map = NULL;
    cairn_table *table = NULL;

    int code = kit_source_outline(source, &known.outline);
    if (code == KIT_EXIT_OK)
        code = load(set, source, &known.outline, &map, &table);
    if (code == KIT_EXIT_OK)
        code = check_map(source, &known.outline, map);
    if (code == KIT_EXIT_OK) {
        gather(source, map, table, &known);
        kit_progress_end();
        if (set->json)
            print_json(&known, source);
        else
            print_text(&known);
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
