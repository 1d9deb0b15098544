#include "file/file_map_kinds.h"

#include <string.h>

#include "io/deflate.h"
#include "file/file_format.h"

enum {
    FACTORS_SIZE = 512,
    SLOPES_SIZE = 8,
    RAISED_MEMORY = 10,   /* bytes for a cell with a height: letter, openness, height, and more */
    WITH_COORDINATES = 1, /* flags of graphs */
    WITH_DIRECTIONS = 2,
    WITH_AVERAGE = 1, /* flags of grids */
    WITH_HEIGHTS = 2,
    WITH_EXITS = 4,
    EXITS_SIZE = 256,
    GRAPH_MEMORY = 40 /* at most so many bytes for each byte of the inflated section: an arc takes
                       * two of these, and is in five arrays while arcs are sorted */
};

/* --------------------------------------------------------------------------------- packing -- */

/* The low bytes of all differences between a cell and the one before it, then the high bytes. */
static void put_heights(cn_buffer *unpacked, const cn_heights *heights, size_t count)
{
    uint8_t slopes[SLOPES_SIZE];
    cn_put_u32(slopes, heights->climb);
    cn_put_u32(slopes + 4, heights->descend);
    cn_buffer_append(unpacked, slopes, sizeof slopes);
    for (unsigned shift = 0; shift <= 8; shift += 8) {
        uint16_t before = 0;
        for (size_t i = 0; i < count; i++) {
            uint8_t byte = (uint8_t)((uint16_t)(heights->cells[i] - before) >> shift);
            cn_buffer_append(unpacked, &byte, 1);
            before = heights->cells[i];
        }
    }
}

static void put_terrain(cn_buffer *unpacked, const cn_grid *grid)
{
    uint8_t factors[FACTORS_SIZE];
    for (unsigned letter = 0; letter < 256; letter++)
        cn_put_u16(factors + 2 * letter, grid->rules.factor[letter]);
    cn_buffer_append(unpacked, factors, sizeof factors);
    if (!cn_rules_have_usual_exits(&grid->rules))
        cn_buffer_append(unpacked, grid->rules.exits, EXITS_SIZE);
    cn_buffer_append(unpacked, grid->letters, cn_grid_cell_count(grid));
    if (grid->heights.cells)
        put_heights(unpacked, &grid->heights, cn_grid_cell_count(grid));
}

static uint64_t zigzag(int64_t value)
{
    return value < 0 ? ((uint64_t) - (value + 1) << 1) + 1 : (uint64_t)value << 1;
}

static int64_t zigzag_inverse(uint64_t zigzagged)
{
    return zigzagged & 1 ? -(int64_t)(zigzagged >> 1) - 1 : (int64_t)(zigzagged >> 1);
}

/* For each node: the number of its arcs, then for each arc its end, as the difference to the node
 * or to the end before it, and its cost. */
static void put_arcs(cn_buffer *unpacked, const cn_graph *graph)
{
    for (cairn_node node = 0; node < graph->node_count; node++) {
        cn_arc_span span = cn_graph_out(graph, node);
        int64_t before = node;
        cn_buffer_varint(unpacked, span.count);
        for (size_t i = 0; i < span.count; i++) {
            cn_buffer_varint(unpacked, zigzag((int64_t)span.arcs[i].to - before));
            cn_buffer_varint(unpacked, span.arcs[i].cost);
            before = span.arcs[i].to;
        }
    }
}

static void put_coordinates(cn_buffer *unpacked, const cn_coordinates *coordinates, uint32_t count)
{
    int64_t x = 0, y = 0;
    for (cairn_node node = 0; node < count; node++) {
        cn_buffer_varint(unpacked, zigzag(coordinates->x[node] - x));
        cn_buffer_varint(unpacked, zigzag(coordinates->y[node] - y));
        x = coordinates->x[node];
        y = coordinates->y[node];
    }
}

static uint8_t grid_flags(const cn_grid *grid)
{
    return (uint8_t)((grid->rules.charge == CAIRN_CHARGE_AVERAGE ? WITH_AVERAGE : 0u) |
                     (grid->heights.cells ? WITH_HEIGHTS : 0u) |
                     (cn_rules_have_usual_exits(&grid->rules) ? 0u : WITH_EXITS));
}

/* That a graph is directed need not be said where the costs of its arcs show it. */
static uint8_t graph_flags(const cn_graph *graph)
{
    return (uint8_t)((graph->coordinates.x ? WITH_COORDINATES : 0u) |
                     (graph->is_directed && cn_graph_is_symmetric(graph) ? WITH_DIRECTIONS : 0u));
}

void cn_other_map_pack(const cairn_map *map, cn_buffer *buffer)
{
    const cn_grid *grid = &map->grid;
    const cn_graph *graph = map->graph;
    uint8_t head[CN_MAP_HEAD_SIZE];
    cn_buffer unpacked = {.mem = buffer->mem};

    cn_put_map_head(head, (cn_map_head){.kind = graph ? CN_MAP_KIND_GRAPH : CN_MAP_KIND_TERRAIN,
                                        .rule = (uint8_t)(graph ? 0 : grid->rules.rule),
                                        .flags = graph ? graph_flags(graph) : grid_flags(grid),
                                        .width = grid->width,
                                        .height = grid->height});
    cn_buffer_append(buffer, head, sizeof head);
    if (graph)
        put_arcs(&unpacked, graph);
    else
        put_terrain(&unpacked, grid);
    if (graph && graph->coordinates.x)
        put_coordinates(&unpacked, &graph->coordinates, graph->node_count);
    cn_buffer_deflated(buffer, &unpacked, cn_deflate);
    cn_buffer_free(&unpacked);
}

/* ------------------------------------------------------------------------------- unpacking -- */

static bool rules_are_sound(const cn_rules *rules, const uint8_t *letters, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!rules->factor[letters[i]])
            return false;
    }
    return true;
}

/* CAIRN_OK and no heights where the flags say so. */
static cairn_status take_heights(const cn_mem *mem, cn_map_head head, cn_cursor *unpacked,
                                 uint16_t **cells, cairn_heights *heights)
{
    const size_t count = (size_t)cn_map_head_cells(head);
    uint16_t before = 0;

    *cells = NULL;
    if (!(head.flags & WITH_HEIGHTS))
        return CAIRN_OK;
    const uint8_t *slopes = cn_cursor_take(unpacked, SLOPES_SIZE);
    const uint8_t *low = slopes ? cn_cursor_take(unpacked, count) : NULL;
    const uint8_t *high = low ? cn_cursor_take(unpacked, count) : NULL;
    if (!high)
        return CAIRN_E_FORMAT;
    *cells = cn_array(mem, count, sizeof **cells);
    if (!*cells)
        return CAIRN_E_MEMORY;
    for (size_t i = 0; i < count; i++)
        before = (*cells)[i] = (uint16_t)(before + (low[i] | high[i] << 8));
    *heights = (cairn_heights){head.width, head.height, *cells, cn_get_u32(slopes),
                               cn_get_u32(slopes + 4)};
    return CAIRN_OK;
}

/* Heights that change no cost are never written, so they are an error. */
static cairn_status give_heights(const cn_mem *mem, const cairn_heights *heights, cn_grid *grid)
{
    cairn_status status = cn_heights_init(&grid->heights, mem, heights, cn_grid_cell_count(grid));
    return status == CAIRN_OK && !grid->heights.cells ? CAIRN_E_FORMAT : status;
}

static bool grid_head_is_sound(cn_map_head head)
{
    return head.width > 0 && head.width <= CAIRN_SIDE_MAX && head.height > 0 &&
           head.height <= CAIRN_SIDE_MAX && cn_map_head_cells(head) <= CAIRN_NODES_MAX &&
           head.flags <= (WITH_AVERAGE | WITH_HEIGHTS | WITH_EXITS);
}

static bool take_rules(cn_map_head head, const uint8_t *factors, cn_rules *rules)
{
    cairn_alphabet alphabet;
    for (unsigned letter = 0; letter < 256; letter++)
        alphabet.cost[letter] = cn_get_u16(factors + 2 * letter);
    return cn_rules_from(rules, (cairn_rule)head.rule, (cairn_charge)(head.flags & WITH_AVERAGE),
                         &alphabet);
}

/* Directions that letters have anyway are never written, so they are an error. */
static bool take_exits(cn_map_head head, cn_cursor *unpacked, cn_rules *rules)
{
    if (!(head.flags & WITH_EXITS))
        return true;
    const uint8_t *exits = cn_cursor_take(unpacked, EXITS_SIZE);
    if (exits)
        memcpy(rules->exits, exits, EXITS_SIZE);
    return exits && !cn_rules_have_usual_exits(rules);
}

static cairn_status take_terrain(const cn_mem *mem, cn_map_head head, cn_cursor *unpacked,
                                 cn_grid *grid)
{
    cairn_heights heights;
    cn_rules rules;
    uint16_t *raised;

    if (!grid_head_is_sound(head))
        return CAIRN_E_FORMAT;
    const size_t count = (size_t)cn_map_head_cells(head);
    const uint8_t *factors = cn_cursor_take(unpacked, FACTORS_SIZE);
    if (!factors || !take_rules(head, factors, &rules) || !take_exits(head, unpacked, &rules))
        return CAIRN_E_FORMAT;
    const uint8_t *cells = cn_cursor_take(unpacked, count);
    if (!cells || !rules_are_sound(&rules, cells, count))
        return CAIRN_E_FORMAT;

    cairn_status status = take_heights(mem, head, unpacked, &raised, &heights);
    if (status == CAIRN_OK && unpacked->at != unpacked->end)
        status = CAIRN_E_FORMAT;
    uint8_t *letters = status == CAIRN_OK ? cn_array(mem, count, 1) : NULL;
    if (letters) {
        memcpy(letters, cells, count);
        status = cn_grid_init_ruled(grid, mem, head.width, head.height, letters, &rules);
    } else if (status == CAIRN_OK) {
        status = CAIRN_E_MEMORY;
    }
    if (status == CAIRN_OK && raised)
        status = give_heights(mem, &heights, grid);
    if (status != CAIRN_OK && letters)
        cn_grid_free(grid, mem);
    cn_release(mem, raised);
    return status;
}

static bool take_arc(cn_cursor *unpacked, uint32_t nodes, int64_t *end, cairn_arc *arc)
{
    uint64_t difference, cost;
    if (!cn_cursor_varint(unpacked, &difference) || !cn_cursor_varint(unpacked, &cost) ||
        difference > UINT32_MAX || cost == 0 || cost > CN_ARC_COST_MAX)
        return false;
    *end += zigzag_inverse(difference);
    if (*end < 0 || *end >= nodes)
        return false;
    arc->to = (cairn_node)*end;
    arc->cost = (cairn_cost)cost;
    return true;
}

/* An arc takes at least two bytes, so `arcs` has room for half as many arcs as there are bytes. */
static bool take_arcs(cn_cursor *unpacked, uint32_t nodes, cairn_arc *arcs, size_t *arc_count)
{
    size_t used = 0;
    for (cairn_node node = 0; node < nodes; node++) {
        uint64_t count;
        int64_t end = node;
        if (!cn_cursor_varint(unpacked, &count) ||
            count > (size_t)(unpacked->end - unpacked->at) / 2)
            return false;
        for (uint64_t i = 0; i < count; i++, used++) {
            arcs[used].from = node;
            if (!take_arc(unpacked, nodes, &end, &arcs[used]))
                return false;
        }
    }
    *arc_count = used;
    return used <= CAIRN_ARCS_MAX;
}

static bool take_coordinate(cn_cursor *unpacked, int64_t *value, int32_t *coordinate)
{
    uint64_t difference;
    if (!cn_cursor_varint(unpacked, &difference) || difference > UINT64_C(1) << 34)
        return false;
    *value += zigzag_inverse(difference);
    *coordinate = (int32_t)*value;
    return *value >= INT32_MIN && *value <= INT32_MAX;
}

static cairn_status take_coordinates(const cn_mem *mem, cn_cursor *unpacked, cn_graph *graph)
{
    uint32_t nodes = graph->node_count;
    int32_t *x = cn_array(mem, nodes, sizeof *x), *y = cn_array(mem, nodes, sizeof *y);
    int64_t at_x = 0, at_y = 0;
    cairn_status status = x && y ? CAIRN_OK : CAIRN_E_MEMORY;

    for (cairn_node node = 0; status == CAIRN_OK && node < nodes; node++) {
        if (!take_coordinate(unpacked, &at_x, &x[node]) ||
            !take_coordinate(unpacked, &at_y, &y[node]))
            status = CAIRN_E_FORMAT;
    }
    if (status == CAIRN_OK)
        status = cn_graph_place(graph, mem, x, y);
    cn_release(mem, x);
    cn_release(mem, y);
    return status;
}

static bool graph_head_is_sound(cn_map_head head)
{
    return head.width > 0 && head.width <= CAIRN_NODES_MAX && head.height == 1 && head.rule == 0 &&
           head.flags <= (WITH_COORDINATES | WITH_DIRECTIONS);
}

/* Makes a graph directed although its arcs do not show it: edits have changed their costs since its
 * table was built. So even where all arcs cost 1 now it is not its own step map. */
static cairn_status take_directions(const cn_mem *mem, cn_graph *graph)
{
    if (graph->is_directed)
        return CAIRN_E_FORMAT;
    if (graph->most == 1)
        graph->most++;
    return cn_graph_direct(graph, mem);
}

static cairn_status take_graph(const cn_mem *mem, cn_map_head head, cn_cursor *unpacked,
                               cn_graph **graph)
{
    const uint32_t nodes = head.width;
    size_t size = (size_t)(unpacked->end - unpacked->at), count = 0;

    if (!graph_head_is_sound(head) || nodes > size)
        return CAIRN_E_FORMAT;
    cairn_arc *arcs = cn_array(mem, size / 2 + 1, sizeof *arcs);
    if (!arcs)
        return CAIRN_E_MEMORY;
    cairn_status status = take_arcs(unpacked, nodes, arcs, &count) ? CAIRN_OK : CAIRN_E_FORMAT;
    if (status == CAIRN_OK)
        status = cn_graph_new(mem, nodes, arcs, count, graph);
    cn_release(mem, arcs);
    if (status == CAIRN_OK && (head.flags & WITH_COORDINATES))
        status = take_coordinates(mem, unpacked, *graph);
    if (status == CAIRN_OK && (head.flags & WITH_DIRECTIONS))
        status = take_directions(mem, *graph);
    if (status == CAIRN_OK && unpacked->at != unpacked->end)
        status = CAIRN_E_FORMAT;
    if (status != CAIRN_OK) {
        cn_graph_free(*graph, mem);
        *graph = NULL;
    }
    return status;
}

static uint64_t exits_size(cn_map_head head)
{
    return head.flags & WITH_EXITS ? EXITS_SIZE : 0;
}

/* Whether the map that a section declares can be contained in so many bytes, and may take the
 * memory. */
static cairn_status check_size(cn_map_head head, size_t packed_size, uint64_t unpacked_size,
                               uint64_t memory_limit)
{
    const uint64_t cells = cn_map_head_cells(head);

    if (unpacked_size > cn_inflate_bound(packed_size) || unpacked_size > SIZE_MAX / 2)
        return CAIRN_E_FORMAT;
    if (head.kind == CN_MAP_KIND_TERRAIN) {
        bool raised = head.flags & WITH_HEIGHTS;
        uint64_t wanted = FACTORS_SIZE + exits_size(head) + cells +
                          (raised ? SLOPES_SIZE + 2 * cells : 0);
        if (unpacked_size != wanted)
            return CAIRN_E_FORMAT;
        return !raised || cells <= memory_limit / RAISED_MEMORY ? CAIRN_OK : CAIRN_E_LIMIT;
    }
    return unpacked_size <= memory_limit / GRAPH_MEMORY ? CAIRN_OK : CAIRN_E_LIMIT;
}

/* Finds the compressed data after the head of a payload, and their size when decompressed. */
static cairn_status open_packed(const uint8_t *bytes, size_t size, uint64_t memory_limit,
                                cn_cursor *packed, uint64_t *unpacked_size)
{
    const cn_map_head head = cn_get_map_head(bytes);
    *packed = (cn_cursor){bytes + CN_MAP_HEAD_SIZE, bytes + size};
    if ((head.kind != CN_MAP_KIND_TERRAIN && head.kind != CN_MAP_KIND_GRAPH) || head.coding != 0)
        return CAIRN_E_VERSION;
    if (!cn_cursor_varint(packed, unpacked_size))
        return CAIRN_E_FORMAT;
    return check_size(head, (size_t)(packed->end - packed->at), *unpacked_size, memory_limit);
}

static cairn_status outline_slopes(const cn_mem *mem, cn_map_head head, const cn_cursor *packed,
                                   cairn_map_outline *outline)
{
    uint64_t before = FACTORS_SIZE + exits_size(head) + cn_map_head_cells(head);
    uint8_t slopes[SLOPES_SIZE];

    if (!(head.flags & WITH_HEIGHTS))
        return CAIRN_OK;
    cairn_status status = cn_inflate_part(mem, packed->at, (size_t)(packed->end - packed->at),
                                          before, slopes, sizeof slopes);
    if (status != CAIRN_OK)
        return status;
    outline->climb = cn_get_u32(slopes);
    outline->descend = cn_get_u32(slopes + 4);
    return CAIRN_OK;
}

static cairn_status outline_grid(const cn_mem *mem, cn_map_head head, const cn_cursor *packed,
                                 cairn_map_outline *outline)
{
    uint8_t factors[FACTORS_SIZE];
    cn_rules rules;

    if (!grid_head_is_sound(head))
        return CAIRN_E_FORMAT;
    cairn_status status = cn_inflate_part(mem, packed->at, (size_t)(packed->end - packed->at), 0,
                                          factors, sizeof factors);
    if (status == CAIRN_OK && !take_rules(head, factors, &rules))
        status = CAIRN_E_FORMAT;
    if (status == CAIRN_OK)
        status = outline_slopes(mem, head, packed, outline);
    if (status != CAIRN_OK)
        return status;
    outline->rule = rules.rule;
    outline->charge = rules.charge;
    memcpy(outline->alphabet.cost, rules.factor, sizeof rules.factor);
    outline->is_directed = cn_rules_are_directed(&rules) || outline->climb != outline->descend;
    return CAIRN_OK;
}

cairn_status cn_other_map_outline(const cn_mem *mem, const uint8_t *bytes, size_t size,
                                  cairn_map_outline *outline)
{
    const cn_map_head head = cn_get_map_head(bytes);
    cn_cursor packed;
    uint64_t unpacked_size;
    cairn_status status = open_packed(bytes, size, UINT64_MAX, &packed, &unpacked_size);

    if (status != CAIRN_OK)
        return status;
    outline->width = head.width;
    outline->height = head.height;
    if (head.kind == CN_MAP_KIND_TERRAIN)
        return outline_grid(mem, head, &packed, outline);
    outline->kind = CAIRN_MAP_GRAPH;
    return graph_head_is_sound(head) ? CAIRN_OK : CAIRN_E_FORMAT;
}

cairn_status cn_other_map_unpack(const cn_mem *mem, const uint8_t *bytes, size_t size,
                                 uint64_t memory_limit, cn_grid *grid, cn_graph **graph)
{
    const cn_map_head head = cn_get_map_head(bytes);
    cn_cursor cursor;
    uint64_t unpacked_size;

    *graph = NULL;
    memset(grid, 0, sizeof *grid);
    cairn_status status = open_packed(bytes, size, memory_limit, &cursor, &unpacked_size);
    if (status != CAIRN_OK)
        return status;
    size_t packed_size = (size_t)(cursor.end - cursor.at);

    uint8_t *unpacked = cn_array(mem, (size_t)unpacked_size, 1);
    if (!unpacked)
        return CAIRN_E_MEMORY;
    status = cn_inflate(mem, cursor.at, packed_size, unpacked, (size_t)unpacked_size);
    cn_cursor inside = {unpacked, unpacked + unpacked_size};
    if (status == CAIRN_OK)
        status = head.kind == CN_MAP_KIND_GRAPH ? take_graph(mem, head, &inside, graph)
                                                : take_terrain(mem, head, &inside, grid);
    cn_release(mem, unpacked);
    return status;
}
