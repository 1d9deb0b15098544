/* Reads the sections of the map: its cells or arcs, its metric, and the units that it is for. */
#include "file/file_read.h"

#include <string.h>

#include "codec/map_letters.h"
#include "io/deflate.h"
#include "file/file_map_kinds.h"

/* A map whose metric is not known yet: a grid or a graph. */
typedef struct map_parts {
    cn_grid grid;
    bool has_grid;
    cn_graph *graph;
} map_parts;

/* A cell of a grid takes a letter and a byte of openness, a node of a graph more. */
static cairn_status check_memory(cn_reader *in, uint64_t offset, uint64_t node_count)
{
    enum { FOR_A_CELL = 2 };
    if (node_count <= cn_reader_memory_limit(in) / FOR_A_CELL)
        return CAIRN_OK;
    return cn_reader_too_large(in, offset, "a map that takes no more than the limit of memory",
                               node_count * FOR_A_CELL);
}

static cairn_status check_grid_head(cn_reader *in, const cn_section *section)
{
    const cn_map_head head = cn_get_map_head(section->payload.bytes);
    const uint64_t start = section->start, count = cn_map_head_cells(head);
    cn_sections *sections = &in->sections;

    if (head.rule != CN_MAP_RULE_NO_CORNERS)
        return cn_sections_unknown(sections, start + CN_MAP_AT_RULE, "movement rule 0", head.rule);
    if (head.coding > CN_LETTERS_MODELLED)
        return cn_sections_unknown(sections, start + CN_MAP_AT_CODING, "letter coding 0 or 1",
                                   head.coding);
    if (head.flags != 0)
        return cn_sections_unknown(sections, start + CN_MAP_AT_FLAGS, "0", head.flags);
    if (head.width == 0 || head.width > CAIRN_SIDE_MAX)
        return cn_sections_wrong_number(sections, start + CN_MAP_AT_WIDTH,
                                        "a width from 1 to 65535", head.width);
    if (head.height == 0 || head.height > CAIRN_SIDE_MAX || count > CAIRN_NODES_MAX)
        return cn_sections_wrong_number(sections, start + CN_MAP_AT_HEIGHT,
                                        "a height from 1 to 65535 and at most 2^28 cells",
                                        head.height);
    if (head.coding == CN_LETTERS_DEFLATED &&
        count > cn_inflate_bound(section->size - CN_MAP_HEAD_SIZE))
        return cn_sections_wrong(sections, start + CN_MAP_HEAD_SIZE, "bytes enough for that size");
    return CAIRN_OK;
}

static bool letters_are_known(const uint8_t *letters, size_t count)
{
    bool seen[256] = {false};

    for (size_t i = 0; i < count; i++)
        seen[letters[i]] = true;
    for (unsigned letter = 0; letter < 256; letter++) {
        if (seen[letter] && !cn_letter_is_known((uint8_t)letter))
            return false;
    }
    return true;
}

static cairn_status unpack_letters(cn_reader *in, const cn_section *section, uint8_t *letters)
{
    const cn_map_head head = cn_get_map_head(section->payload.bytes);
    const uint8_t *coded = section->payload.bytes + CN_MAP_HEAD_SIZE;
    uint64_t offset = section->start + CN_MAP_HEAD_SIZE;
    size_t coded_size = (size_t)section->size - CN_MAP_HEAD_SIZE;
    size_t count = (size_t)cn_map_head_cells(head);
    cn_letters_bounds bounds = {cn_reader_work_limit(in) / 4, &in->watch};

    cairn_status status = head.coding == CN_LETTERS_DEFLATED
                              ? cn_inflate(&in->mem, coded, coded_size, letters, count)
                              : cn_letters_unpack(coded, coded_size, head.width, head.height,
                                                  &in->mem, &bounds, letters);
    if (status == CAIRN_E_FORMAT)
        return cn_sections_wrong(&in->sections, offset, "the letters of the map, coded");
    if (status == CAIRN_E_LIMIT)
        return cn_reader_too_much(in, offset,
                                  "letters that take no more steps than a quarter of the limit of "
                                  "memory has bytes",
                                  bounds.decisions_most);
    if (status != CAIRN_OK)
        return cn_sections_failed(&in->sections, status);
    const uint8_t *used = letters;
    if (head.coding == CN_LETTERS_MODELLED)
        count = cn_letters_palette(coded, &used);
    if (!letters_are_known(used, count))
        return cn_sections_wrong(&in->sections, offset, "letters that are known");
    return CAIRN_OK;
}

static cairn_status unpack_grid(cn_reader *in, const cn_section *section, map_parts *found)
{
    const cn_map_head head = cn_get_map_head(section->payload.bytes);
    const uint64_t count = cn_map_head_cells(head);

    cairn_status status = check_grid_head(in, section);
    if (status == CAIRN_OK)
        status = check_memory(in, section->start + CN_MAP_AT_WIDTH, count);
    if (status != CAIRN_OK)
        return status;
    if (!cn_watch_stage(&in->watch, "map", count))
        return cn_sections_failed(&in->sections, CAIRN_E_CANCELLED);
    uint8_t *letters = cn_array(&in->mem, (size_t)count, 1);
    if (!letters)
        return cn_sections_failed(&in->sections, CAIRN_E_MEMORY);
    status = unpack_letters(in, section, letters);
    if (status != CAIRN_OK) {
        cn_release(&in->mem, letters);
        return status;
    }
    status = cn_grid_init(&found->grid, &in->mem, head.width, head.height, letters);
    found->has_grid = status == CAIRN_OK;
    return status == CAIRN_OK ? status : cn_sections_failed(&in->sections, status);
}

static cairn_status other_failed(cn_reader *in, const cn_section *section, cairn_status status)
{
    if (status == CAIRN_E_FORMAT)
        return cn_sections_wrong(&in->sections, section->start,
                                 "a map: cells with known letters, or nodes and arcs");
    if (status == CAIRN_E_VERSION)
        return cn_sections_unknown(&in->sections, section->start, "map kind 0, 1 or 2",
                                   section->payload.bytes[CN_MAP_AT_KIND]);
    if (status == CAIRN_E_LIMIT)
        return cn_error_at_byte(in->sections.error, status, section->start + CN_MAP_HEAD_SIZE,
                                "a map that takes no more than the limit of memory", NULL, 0);
    return status == CAIRN_OK ? status : cn_sections_failed(&in->sections, status);
}

static cairn_status unpack_other(cn_reader *in, const cn_section *section, map_parts *found)
{
    const uint8_t *bytes = section->payload.bytes;
    const uint64_t count = cn_map_head_cells(cn_get_map_head(bytes));

    cairn_status status = check_memory(in, section->start + CN_MAP_AT_WIDTH, count);
    if (status != CAIRN_OK)
        return status;
    if (!cn_watch_stage(&in->watch, "map", count))
        return cn_sections_failed(&in->sections, CAIRN_E_CANCELLED);
    status = cn_other_map_unpack(&in->mem, bytes, (size_t)section->size, cn_reader_memory_limit(in),
                                 &found->grid, &found->graph);
    found->has_grid = status == CAIRN_OK && !found->graph;
    return other_failed(in, section, status);
}

static cairn_status outline_map(cn_reader *in, const cn_section *section)
{
    const uint8_t *bytes = section->payload.bytes;
    const cn_map_head head = cn_get_map_head(bytes);
    cairn_status status;

    if (head.kind != CN_MAP_KIND_GRID) {
        status = cn_other_map_outline(&in->mem, bytes, (size_t)section->size, &in->map_outline);
        return other_failed(in, section, status);
    }
    status = check_grid_head(in, section);
    in->map_outline.width = head.width;
    in->map_outline.height = head.height;
    cairn_alphabet_init(&in->map_outline.alphabet);
    return status;
}

static cairn_status read_map_parts(cn_reader *in, map_parts *found)
{
    cn_section section;
    cairn_status status = cn_sections_open(&in->sections, CN_TYPE_MAP, &section);
    if (status != CAIRN_OK)
        return status;
    in->map_size = section.size;
    if (cn_reader_wants_no_map(in))
        status = outline_map(in, &section);
    else if (section.payload.bytes[CN_MAP_AT_KIND] == CN_MAP_KIND_GRID)
        status = unpack_grid(in, &section, found);
    else
        status = unpack_other(in, &section, found);
    if (in->wants == CN_READ_PACKED) {
        in->packed_map = section.payload;
        section.payload = (cn_chunk){.bytes = NULL};
    }
    cn_sections_close(&in->sections, &section);
    return status;
}

/* *offset: where it is in the file. */
static cairn_status read_metric(cn_reader *in, bool is_graph, cairn_metric *metric,
                                uint64_t *offset)
{
    cn_section section;
    cairn_status status = cn_sections_open(&in->sections, CN_TYPE_METRIC, &section);
    if (status != CAIRN_OK)
        return status;
    *metric = cn_get_metric(section.payload.bytes);
    *offset = section.start;
    cn_sections_close(&in->sections, &section);
    if (!cn_metric_is_valid(*metric))
        return cn_sections_wrong(&in->sections, section.start,
                                 "a metric: 0 < straight <= diagonal <= 2 straight, at most 2^24");
    if (is_graph && (metric->straight != 1 || metric->diagonal != 1))
        return cn_sections_wrong(&in->sections, section.start, "the metric 1/1 for nodes and arcs");
    return CAIRN_OK;
}

/* What the file says of units, which only grids are for. */
static cairn_status check_units(cn_reader *in, bool is_graph)
{
    if (is_graph && in->marks.unit_size > 1)
        return cn_sections_wrong(&in->sections, CN_HEADER_SIZE, "a grid, where units have a size");
    return CAIRN_OK;
}

static cairn_status note_units(cn_reader *in)
{
    cairn_map *map = in->own_map;
    if (in->marks.unit_size == 1)
        return CAIRN_OK;
    map->bodies = cn_array(&map->mem, 1, sizeof *map->bodies);
    if (!map->bodies)
        return CAIRN_E_MEMORY;
    cn_bodies_of(map->bodies, &map->grid, in->marks.unit_size, in->marks.unit_anchor);
    return CAIRN_OK;
}

/* The caller's limit counts all that the map has taken: with the rows, or here without any. */
static cairn_status check_map_fits(cn_reader *in)
{
    const uint64_t taken = cairn_map_memory(in->own_map), most = in->options.memory_limit;
    if (in->wants != CN_READ_MAP || most == 0 || taken <= most)
        return CAIRN_OK;
    return cn_reader_too_large(in, CN_HEADER_SIZE,
                               "a map that takes no more than the limit of memory", taken);
}

static cairn_status map_failed(cn_reader *in, cairn_status status, uint64_t metric_offset)
{
    return status == CAIRN_E_LIMIT ? cn_error_at_byte(in->sections.error, status, metric_offset,
                                                      CN_METRIC_FITS, NULL, 0)
                                   : cn_sections_failed(&in->sections, status);
}

static cairn_status make_map(cn_reader *in, map_parts *found, cairn_metric metric,
                             uint64_t metric_offset)
{
    cn_graph *graph = found->graph;

    found->graph = NULL;
    found->has_grid = false;
    cairn_status status = graph ? cn_map_new_graph(&in->mem, graph, &in->own_map)
                                : cn_map_new(&in->mem, metric, &found->grid, &in->own_map);
    in->map = in->own_map;
    if (status == CAIRN_OK)
        cairn_map_use_pool(in->own_map, in->options.pool);
    if (status == CAIRN_OK)
        status = note_units(in);
    return status == CAIRN_OK ? check_map_fits(in) : map_failed(in, status, metric_offset);
}

cairn_status cn_reader_take_map(cn_reader *in)
{
    map_parts found = {.has_grid = false};
    cairn_metric metric;
    uint64_t metric_offset = 0;
    uint32_t type = 0;

    cairn_status status = cn_sections_next(&in->sections, "section MAP", &type);
    if (status != CAIRN_OK || type == CN_TYPE_TABLE)
        return status;
    status = read_map_parts(in, &found);
    const bool is_graph = found.graph || in->map_outline.kind == CAIRN_MAP_GRAPH;
    if (status == CAIRN_OK)
        status = check_units(in, is_graph);
    if (status == CAIRN_OK)
        status = read_metric(in, is_graph, &metric, &metric_offset);
    if (status == CAIRN_OK)
        in->map_outline.metric = metric;
    if (status == CAIRN_OK && !cn_reader_wants_no_map(in))
        status = make_map(in, &found, metric, metric_offset);
    if (found.has_grid)
        cn_grid_free(&found.grid, &in->mem);
    cn_graph_free(found.graph, &in->mem);
    return status;
}
