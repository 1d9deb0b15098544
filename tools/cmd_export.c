#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "export/flow_field.h"
#include "export/map_text.h"
#include "kit/exits.h"
#include "kit/json.h"
#include "kit/metric.h"
#include "kit/nodes.h"
#include "kit/output.h"
#include "kit/progress.h"
#include "kit/say.h"
#include "kit/source.h"
#include "render/png_file.h"

/* What a format has where there is no cost: all bits set, or, in CSV, nothing. */
enum { NO_GREY = UINT16_MAX };

static const char *const formats[] = {"png", "raw", "csv", NULL};

typedef struct settings {
    const char *table_path;
    const char *output_path;
    kit_given row;
    flow_targets flow;
    bool clearance;
    bool map;
    int format;
    uint64_t memory_limit;
    bool json;
} settings;

static const kit_option operands[] = {
    KIT_TABLE(settings, table_path),
    {0},
};

static const kit_option options[] = {
    KIT_OUTPUT(settings, output_path, "FILE", "file to write"),
    {.name = "row",
     .value = "N",
     .read = kit_read_given,
     .most = CAIRN_ROWS_MAX - 1,
     .help = "which row, from 0 (default 0)",
     .offset = offsetof(settings, row)},
    {.name = "flow",
     .value = "CELLS",
     .read = flow_read_targets,
     .expects = "up to 64 cells as X,Y;X,Y or, of a graph, numbers of nodes",
     .help = "instead of a row, steps to the nearest of at most 64 cells: \"X,Y;X,Y;...\"",
     .offset = offsetof(settings, flow)},
    {.name = "clearance",
     .help = "instead of costs, the size of the largest unit at every cell",
     .offset = offsetof(settings, clearance)},
    {.name = "map",
     .help = "instead of costs, the map as text: .map of a grid, .gr of roads",
     .offset = offsetof(settings, map)},
    {.name = "format",
     .value = "FORMAT",
     .read = kit_read_word,
     .words = formats,
     .help = "png, raw or csv (default: by the end of FILE)",
     .offset = offsetof(settings, format)},
    KIT_MEMORY_LIMIT(settings),
    KIT_JSON(settings),
    {0},
};

/* A row with what is told of it. */
typedef struct row_export {
    const settings *set;
    const char *name; /* of the table */
    const cairn_map *map;
    const cairn_table *table;
    uint16_t *clearance; /* by cell; NULL: costs are wanted */
    cairn_cost most;     /* the largest number */
    uint32_t scale;      /* so many units of cost make one of the file */
} row_export;

static cairn_cost cost_of(const row_export *work, cairn_node node)
{
    if (!cairn_map_is_open(work->map, node))
        return CAIRN_UNREACHABLE;
    if (work->clearance)
        return work->clearance[node];
    return cairn_table_cost(work->table, work->set->row.number, node);
}

static unsigned entry_bits(const row_export *work)
{
    return work->clearance ? 16 : cairn_table_entry_bits(work->table);
}

static cairn_cost largest_cost(const row_export *work)
{
    cairn_cost most = 0;
    for (cairn_node node = 0; node < cairn_map_node_count(work->map); node++) {
        cairn_cost cost = cost_of(work, node);
        if (cost != CAIRN_UNREACHABLE && cost > most)
            most = cost;
    }
    return most;
}

/* --------------------------------------------------------------------------------- the formats */

static uint16_t *grey_pixels(const row_export *work)
{
    uint32_t count = cairn_map_node_count(work->map);
    uint16_t *pixels = malloc(count * sizeof *pixels);

    for (cairn_node node = 0; pixels && node < count; node++) {
        cairn_cost cost = cost_of(work, node);
        pixels[node] = (uint16_t)(cost == CAIRN_UNREACHABLE ? NO_GREY : cost / work->scale);
    }
    return pixels;
}

static bool write_png(const row_export *work, FILE *file)
{
    size_t size = 0;
    uint16_t *pixels = grey_pixels(work);
    uint8_t *bytes = pixels ? png_encode_grey(pixels, cairn_map_width(work->map),
                                              cairn_map_height(work->map), &size)
                            : NULL;
    if (bytes)
        fwrite(bytes, 1, size, file);
    free(bytes);
    free(pixels);
    return bytes != NULL;
}

static bool write_raw(const row_export *work, FILE *file)
{
    unsigned size = entry_bits(work) / 8;
    for (cairn_node node = 0; node < cairn_map_node_count(work->map); node++) {
        cairn_cost cost = cost_of(work, node);
        for (unsigned byte = 0; byte < size; byte++)
            fputc((int)(cost >> 8 * byte & 0xff), file);
    }
    return true;
}

/* One line for each open cell or node. */
static bool write_csv(const row_export *work, FILE *file)
{
    bool is_grid = cairn_map_kind_of(work->map) == CAIRN_MAP_GRID;

    fputs(work->clearance ? "x,y,clearance\n" : is_grid ? "x,y,cost\n" : "node,cost\n", file);
    for (cairn_node node = 0; node < cairn_map_node_count(work->map); node++) {
        uint32_t x, y;
        if (!cairn_map_is_open(work->map, node) || !cairn_node_xy(work->map, node, &x, &y))
            continue;
        cairn_cost cost = cost_of(work, node);
        fprintf(file, is_grid ? "%u,%u," : "%u,", x, y);
        if (cost != CAIRN_UNREACHABLE)
            fprintf(file, "%u", cost);
        fputc('\n', file);
    }
    return true;
}

/* ---------------------------------------------------------------------------------- the report */

static const char *way_of_costs(const row_export *work)
{
    switch (cairn_table_direction(work->table, work->set->row.number)) {
    case CAIRN_DIRECTION_FROM: return " from the landmarks";
    case CAIRN_DIRECTION_TO: return " to the landmarks";
    default: return "";
    }
}

static void print_text(const row_export *work, uint64_t size)
{
    const settings *set = work->set;
    if (work->clearance) {
        printf("%s: clearance, %s, up to %s, %s bytes\n", set->output_path,
               kit_map_size(work->map).text, kit_count(work->most).text, kit_count(size).text);
        return;
    }
    printf("%s: row %u, %s, costs%s up to %s in ", set->output_path, set->row.number,
           kit_map_size(work->map).text, way_of_costs(work), kit_count(work->most).text);
    if (cairn_table_counts_steps(work->table))
        printf("metric %s", kit_metric_text(cairn_table_metric(work->table)).text);
    else
        printf("%s", kit_cost_unit_text(work->map).text);
    if (work->scale > 1)
        printf(", divided by %u", work->scale);
    printf(", %s bytes\n", kit_count(size).text);
}

static void print_json(const row_export *work, uint64_t size)
{
    const settings *set = work->set;
    kit_json json = {.file = stdout};
    kit_json_open(&json, NULL, '{');
    kit_json_text(&json, "file", set->output_path);
    kit_json_text(&json, "format", formats[set->format]);
    if (!work->clearance)
        kit_json_count(&json, "row", set->row.number);
    kit_json_count(&json, "width", cairn_map_width(work->map));
    kit_json_count(&json, "height", cairn_map_height(work->map));
    kit_json_text(&json, "metric", kit_metric_text(cairn_map_metric(work->map)).text);
    kit_json_count(&json, "unit", cairn_map_unit(work->map));
    if (!work->clearance && cairn_table_counts_steps(work->table))
        kit_json_text(&json, "table_metric", kit_metric_text(cairn_table_metric(work->table)).text);
    kit_json_count(&json, "entry_bits", entry_bits(work));
    kit_json_count(&json, work->clearance ? "clearance_max" : "cost_max", work->most);
    kit_json_count(&json, "divided_by", work->scale);
    kit_json_size(&json, "file_bytes", size);
    kit_json_close(&json, '}');
}

/* ------------------------------------------------------------------------------------ the work */

static bool write_as_asked(const void *what, FILE *file)
{
    static bool (*const writers[])(const row_export *, FILE *) = {write_png, write_raw, write_csv};
    const row_export *work = what;
    return writers[work->set->format](work, file);
}

static int write_row(const row_export *work)
{
    uint64_t size = 0;
    int code = kit_output_write(work->set->output_path, write_as_asked, work, &size);
    if (code == KIT_EXIT_OK && work->set->json)
        print_json(work, size);
    else if (code == KIT_EXIT_OK && size > 0)
        print_text(work, size);
    return code;
}

static int export_flow(const row_export *work)
{
    const settings *set = work->set;
    const flow_order order = {.map_name = work->name,
                              .output_path = set->output_path,
                              .format_name = formats[set->format],
                              .format = set->format,
                              .json = set->json,
                              .targets = &set->flow};
    return flow_export(&order, work->map);
}

static int export_what_was_asked(row_export *work)
{
    const settings *set = work->set;
    if (!work->clearance && set->row.number >= cairn_table_row_count(work->table)) {
        kit_complain("export: --row: %s has rows 0 to %u", work->name,
                     cairn_table_row_count(work->table) - 1);
        return KIT_EXIT_USAGE;
    }
    if (set->format == PNG_FORMAT && cairn_map_kind_of(work->map) != CAIRN_MAP_GRID) {
        kit_complain("export: %s is of a graph; only grids make a picture", work->name);
        return KIT_EXIT_USAGE;
    }
    if (set->flow.count)
        return export_flow(work);
    work->most = largest_cost(work);
    work->scale = set->format == PNG_FORMAT ? work->most / NO_GREY + 1 : 1;
    return write_row(work);
}

static int export_clearance(row_export *work)
{
    if (cairn_map_kind_of(work->map) != CAIRN_MAP_GRID) {
        kit_complain("export: %s is of a graph; only grids have clearance", work->name);
        return KIT_EXIT_USAGE;
    }
    if (cairn_map_unit_size(work->map) > 1) {
        kit_complain("export: --clearance needs a table for units of one cell, not of %u as in %s",
                     cairn_map_unit_size(work->map), work->name);
        return KIT_EXIT_USAGE;
    }
    work->clearance = malloc(cairn_map_node_count(work->map) * sizeof *work->clearance);
    cairn_status status = work->clearance
                              ? cairn_clearance(work->map, CAIRN_ANCHOR_TOP_LEFT, work->clearance)
                              : CAIRN_E_MEMORY;
    const int code = status == CAIRN_OK ? export_what_was_asked(work)
                                        : kit_fail(work->name, status);
    free(work->clearance);
    return code;
}

static int export_from_table(row_export *work)
{
    const settings *set = work->set;
    if (set->map)
        return map_text_export(work->map, work->name, set->output_path, set->json);
    return set->clearance ? export_clearance(work) : export_what_was_asked(work);
}

/* Rows before the one that is wanted are loaded, rows behind it are not. */
static int load_and_export(const settings *set)
{
    cairn_load_options loading = {.size = sizeof loading, .row_count = set->row.number + 1};
    cairn_map *map = NULL;
    cairn_table *table = NULL;
    kit_source source;

    int code = kit_source_open(&source, set->table_path);
    if (code == KIT_EXIT_OK)
        code = kit_source_load(&source, &loading, &map, &table);
    row_export work = {.set = set, .name = source.name, .map = map, .table = table};
    if (code == KIT_EXIT_OK)
        code = export_from_table(&work);
    cairn_table_free(table);
    cairn_map_free(map);
    kit_source_close(&source);
    return code;
}

/* The format that the end of a name says; FORMATS for none. */
static int format_of(const char *path)
{
    const char *dot = strrchr(kit_file_name(path), '.');
    int format = 0;
    while (format < FORMATS && !(dot && strcmp(dot + 1, formats[format]) == 0))
        format++;
    return format;
}

static int run(const kit_command *command, char **words)
{
    settings set = {.format = FORMAT_BY_NAME};
    kit_parsed parsed = kit_parse(command, words, &set);
    if (parsed != KIT_PARSED)
        return kit_parsed_exit(parsed);
    kit_source_limit(set.memory_limit);
    if (!set.output_path) {
        kit_complain("export: --output is missing (see cairn export --help)");
        return KIT_EXIT_USAGE;
    }
    if ((set.flow.count > 0) + set.clearance + set.map + set.row.is_given > 1) {
        kit_complain("export: --row, --flow, --clearance and --map: one of them");
        return KIT_EXIT_USAGE;
    }
    if (set.map && set.format != FORMAT_BY_NAME) {
        kit_complain("export: --format is not for --map, which is text");
        return KIT_EXIT_USAGE;
    }
    if (set.map && format_of(set.output_path) != FORMATS) {
        kit_complain("export: --map writes text, and %s ends in .%s", set.output_path,
                     formats[format_of(set.output_path)]);
        return KIT_EXIT_USAGE;
    }
    if (set.format == FORMAT_BY_NAME)
        set.format = set.map ? FORMATS : format_of(set.output_path);
    if (set.format == FORMATS && !set.map) {
        kit_complain("export: %s does not end in .png, .raw or .csv: --format is needed",
                     set.output_path);
        return KIT_EXIT_USAGE;
    }
    if (set.format == PNG_FORMAT && !png_is_built_in()) {
        kit_complain("export: this build has no libpng, and so no pictures");
        return KIT_EXIT_IO;
    }
    if (kit_same_file(set.output_path, set.table_path)) {
        kit_complain("export: --output: %s is the table itself", set.output_path);
        return KIT_EXIT_USAGE;
    }
    return kit_output_is_possible(set.output_path) ? load_and_export(&set) : KIT_EXIT_IO;
}

const kit_command export_command = {
    .name = "export",
    .summary = "a row, a flow field, clearance or the map of a table, for other programs",
    .about =
        "  png  16-bit grey, white (65535) where there is no cost; costs above 65,534 are\n"
        "       divided by the least whole number that makes all fit, which the report tells\n"
        "  raw  a little-endian entry for each cell, row by row, of 16 or 32 bits as in the\n"
        "       table, all bits set where there is no cost; of a graph, one for each node\n"
        "  csv  x,y,cost for each open cell, or node,cost; no cost where there is no path\n"
        "\n"
        "Grey values are data, not for the eye: small ones, as of clearance, are all but black.\n"
        "\"cairn render\" draws rows and clearance in colours.\n"
        "\n"
        "A flow field has a byte for each cell: 0 east, 1 west, 2 south, 3 north, 4 south-east,\n"
        "5 south-west, 6 north-east, 7 north-west, of a graph the index of the arc; 254 is a\n"
        "target, 255 no step. As a picture it has a colour for each direction, white targets\n"
        "and grey where no path leads; in CSV, x,y,step or node,step, where the step of targets\n"
        "is \"target\", and empty where no path leads.\n"
        "\n"
        "The map is that of the table, with its edits, in the Moving AI .map format or, of\n"
        "roads, the DIMACS .gr format. --moves, costs of letters, heights and coordinates are\n"
        "not in the text: cairn info shows them.",
    .example = "cairn export town.cairn --row 3 -o row3.png",
    .operands = operands,
    .options = options,
    .run = run,
};
