#include "map/map.h"

#include "base/bits.h"
#include "map/dependents.h"

/* A hash of everything but the cells. docs/FORMAT.md defines it. */
static uint64_t hash_without_cells(const cairn_map *map)
{
    uint64_t size = (uint64_t)map->grid.height << 32 | map->grid.width;
    uint64_t metric = (uint64_t)map->metric.diagonal << 32 | map->metric.straight;
    const cn_rules *rules = &map->grid.rules;
    const bool is_graph = map->graph, is_uneven = !is_graph && !cn_map_is_even(map);
    uint64_t kind = (uint64_t)rules->rule | (uint64_t)rules->charge << 8 |
                    (uint64_t)is_uneven << 16 | (uint64_t)is_graph << 24;
    const cn_heights *heights = &map->grid.heights;
    uint64_t hash = cn_mix(cn_mix(size) ^ metric);
    if (heights->cells)
        hash = cn_mix(hash ^ ((uint64_t)heights->descend << 32 | heights->climb));
    return kind ? cn_mix(hash ^ kind) : hash;
}

bool cn_map_is_alike(const cairn_map *one, const cairn_map *other)
{
    return one->fixed_hash == other->fixed_hash &&
           (!one->graph || one->graph->is_directed == other->graph->is_directed);
}

/* That hash, and what the hash of a map otherwise covers only as far as letters, cells and arcs
 * occur in it. */
static uint64_t hash_what_is_fixed(const cairn_map *map)
{
    uint64_t hash = hash_without_cells(map);
    for (unsigned letter = 0; letter < 256; letter++)
        hash = cn_mix(hash ^ map->grid.rules.factor[letter]);
    for (unsigned letter = 0; letter < 256 && !cn_rules_have_usual_exits(&map->grid.rules);
         letter++)
        hash = cn_mix(hash ^ map->grid.rules.exits[letter]);
    return cn_mix(hash ^ map->layout_hash);
}

static uint64_t heights_hash(const cairn_map *map)
{
    const uint16_t *cells = map->grid.heights.cells;
    uint64_t hash = 0;
    for (cairn_node node = 0; cells && node < cn_map_node_count(map); node++)
        hash += cn_mix((uint64_t)node << 16 | cells[node]);
    return hash;
}

static uint64_t ends_hash(const cn_graph *graph)
{
    uint64_t hash = 0;
    for (cairn_node node = 0; node < graph->node_count; node++) {
        cn_arc_span span = cn_graph_out(graph, node);
        for (size_t i = 0; i < span.count; i++)
            hash += cn_mix((uint64_t)node << 32 | span.arcs[i].to);
    }
    return hash;
}

static uint64_t arcs_hash(const cn_graph *graph)
{
    uint64_t hash = 0;
    for (cairn_node node = 0; node < graph->node_count; node++) {
        cn_arc_span span = cn_graph_out(graph, node);
        for (size_t i = 0; i < span.count; i++)
            hash += cn_map_arc_hash(node, span.arcs[i].to, span.arcs[i].cost);
    }
    return hash;
}

static uint64_t row_hash(const cairn_map *map, uint32_t y)
{
    const uint64_t *open = cn_grid_open_row(&map->grid, y);
    uint64_t hash = 0;

    for (size_t word = 0; word < cn_grid_row_words(&map->grid); word++) {
        cairn_node first = y * map->grid.width + (cairn_node)word * 64;
        for (uint64_t left = open[word]; left; left &= left - 1)
            hash += cn_map_cell_hash(map, first + cn_lowest_bit(left));
    }
    return hash;
}

/* The part of the hash that does not depend on the metric. */
static uint64_t cells_hash(const cairn_map *map)
{
    uint64_t hash = 0;

    if (map->graph)
        return arcs_hash(map->graph);
    for (uint32_t y = 0; y < map->grid.height; y++)
        hash += row_hash(map, y);
    return hash;
}

bool cn_map_hash_is_right(const cairn_map *map)
{
    return !map->hash_is_kept || map->hash == hash_without_cells(map) + cells_hash(map);
}

/* The cost of a unit of slope: so many thousandths of a straight step, rounded, but not to zero. */
static uint64_t slope_cost(uint64_t straight, uint32_t thousandths)
{
    uint64_t cost = (straight * thousandths + 500) / 1000;
    return cost == 0 && thousandths > 0 ? 1 : cost;
}

/* What follows from a metric: unit, costs of steps and of slopes, and the least costs for base
 * heuristics. CAIRN_E_LIMIT where a step would cost too much; then nothing is set. */
static cairn_status derive_costs(cairn_map *map, cairn_metric metric)
{
    const cn_heights *heights = &map->grid.heights;
    const cn_rules *rules = &map->grid.rules;
    bool average = rules->charge == CAIRN_CHARGE_AVERAGE;
    uint32_t least, most;
    cn_rules_range(rules, &least, &most);

    uint32_t unit = average && ((metric.straight | metric.diagonal) & 1) ? 2 : 1;
    uint64_t up = slope_cost((uint64_t)metric.straight * unit, heights->climb);
    uint64_t down = slope_cost((uint64_t)metric.straight * unit, heights->descend);
    if ((uint64_t)metric.diagonal * unit * most + (up > down ? up : down) * heights->range >
        CN_ARC_COST_MAX)
        return CAIRN_E_LIMIT;
    map->metric = metric;
    map->unit = unit;
    map->slope[0] = heights->cells ? (cairn_cost)up : 0;
    map->slope[1] = heights->cells ? (cairn_cost)down : 0;
    map->step[0] = average ? metric.straight * unit / 2 : metric.straight;
    map->step[1] = average ? metric.diagonal * unit / 2 : metric.diagonal;
    if (rules->rule == CAIRN_RULE_HEX)
        map->step[1] = map->step[0]; /* on hexagons all steps have the same length */
    map->base_metric.straight = metric.straight * unit * least;
    map->base_metric.diagonal = rules->rule == CAIRN_RULE_4 ? 2 * map->base_metric.straight
                                                            : metric.diagonal * unit * least;
    return CAIRN_OK;
}

/* Sets the hashes by the metric; `cells` is the part of cells or arcs. */
static void set_hashes(cairn_map *map, uint64_t cells)
{
    map->hash = hash_without_cells(map) + cells;
    map->fixed_hash = hash_what_is_fixed(map);
    map->version++;
}

static bool is_directed(const cn_grid *grid, const cn_graph *graph)
{
    return graph ? graph->is_directed
                 : cn_rules_are_directed(&grid->rules) || cn_heights_are_directed(&grid->heights);
}

static cairn_status adopt(const cn_mem *mem, cairn_metric metric, cn_grid *grid, cn_graph *graph,
                          cairn_map **map)
{
    cairn_map *made = cn_zeroed(mem, 1, sizeof *made);
    cairn_status status = made ? CAIRN_OK : CAIRN_E_MEMORY;

    if (made) {
        made->mem = *mem;
        made->grid = *grid;
        made->graph = graph;
        made->is_even = !graph && cn_rules_are_even(&grid->rules) && !grid->heights.cells;
        made->is_directed = is_directed(grid, graph);
        status = derive_costs(made, metric);
    }
    if (status != CAIRN_OK) {
        cn_grid_free(grid, mem);
        cn_graph_free(graph, mem);
        cn_release(mem, made);
        return status;
    }
    made->layout_hash = graph ? ends_hash(graph) : heights_hash(made);
    set_hashes(made, cells_hash(made));
    *map = made;
    return CAIRN_OK;
}

cairn_status cn_map_new(const cn_mem *mem, cairn_metric metric, cn_grid *grid, cairn_map **map)
{
    *map = NULL;
    if (metric.straight == 0 && metric.diagonal == 0)
        metric = CAIRN_METRIC_OCTILE;
    if (!cn_metric_is_valid(metric)) {
        cn_grid_free(grid, mem);
        return CAIRN_E_ARGUMENT;
    }
    return adopt(mem, metric, grid, NULL, map);
}

cairn_status cn_map_new_graph(const cn_mem *mem, cn_graph *graph, cairn_map **map)
{
    cn_grid row;
    *map = NULL;
    uint8_t *letters = cn_array(mem, graph->node_count, 1);
    cairn_status status = letters ? cn_grid_init_row(&row, mem, graph->node_count, letters)
                                  : CAIRN_E_MEMORY;
    if (status != CAIRN_OK) {
        cn_graph_free(graph, mem);
        return status;
    }
    return adopt(mem, (cairn_metric){1, 1}, &row, graph, map);
}

cairn_cost cn_map_cheapest(const cairn_map *map)
{
    uint32_t least, most;
    if (map->graph)
        return map->graph->least;
    cn_rules_range(&map->grid.rules, &least, &most);
    return map->metric.straight * map->unit * least;
}

cairn_cost cn_map_dearest(const cairn_map *map)
{
    uint32_t least, most;
    if (map->graph)
        return map->graph->most;
    cn_rules_range(&map->grid.rules, &least, &most);
    const bool slants = cn_rule_has_diagonals(map->grid.rules.rule);
    cairn_cost slope = map->slope[0] > map->slope[1] ? map->slope[0] : map->slope[1];
    return (slants ? map->metric.diagonal : map->metric.straight) * map->unit * most +
           slope * map->grid.heights.range;
}

static void free_step_maps(cairn_map *map)
{
    for (cairn_map *step_map = map->step_maps, *next; step_map; step_map = next) {
        next = step_map->next_step_map;
        cairn_map_free(step_map);
    }
    map->step_maps = NULL;
}

void cairn_map_use_pool(cairn_map *map, const cairn_pool *pool)
{
    if (!map)
        return;
    map->pool = pool ? *pool : (cairn_pool){NULL, NULL};
    for (cairn_map *step_map = map->step_maps; step_map; step_map = step_map->next_step_map)
        cairn_map_use_pool(step_map, pool);
}

void cn_units_attach(cairn_map *units, cairn_map *map)
{
    units->cells_map = map;
    units->next_unit_map = map->unit_maps;
    map->unit_maps = units;
}

void cn_units_detach(cairn_map *units)
{
    if (!units->cells_map)
        return;
    cairn_map **place = &units->cells_map->unit_maps;
    while (*place != units)
        place = &(*place)->next_unit_map;
    *place = units->next_unit_map;
    units->cells_map = NULL;
    units->next_unit_map = NULL;
}

void cairn_map_free(cairn_map *map)
{
    if (!map)
        return;
    cn_mem mem = map->mem;
    cn_map_end_dependents(map);
    cn_units_detach(map);
    while (map->unit_maps)
        cn_units_detach(map->unit_maps);
    cn_release(&mem, map->bodies);
    cn_journal_free(&map->journal, &mem);
    cn_jump_free(map->jump, &mem);
    cn_corners_free(map->corners, &mem);
    cn_corners_free(map->former_corners, &mem);
    cn_components_free(map->components, &mem);
    free_step_maps(map);
    cn_grid_free(&map->grid, &mem);
    cn_graph_free(map->graph, &mem);
    cn_release(&mem, map);
}

/* The planes follow from the grid, so the map does not change by getting them. If two threads make
 * them at once, one frees its own. */
cairn_status cn_map_jump(const cairn_map *map, const cn_jump **jump)
{
    _Atomic(cn_jump *) *place = (_Atomic(cn_jump *) *)&map->jump;
    cn_jump *there = atomic_load_explicit(place, memory_order_acquire);
    cn_jump *made;

    *jump = there;
    if (there)
        return CAIRN_OK;
    cairn_status status = cn_jump_new(map, &map->mem, &made);
    if (status != CAIRN_OK)
        return status;
    if (atomic_compare_exchange_strong(place, &there, made))
        there = made;
    else
        cn_jump_free(made, &map->mem);
    *jump = there;
    return CAIRN_OK;
}

cn_changes cn_map_changes(const cairn_map *map, uint64_t hash, uint64_t fixed_hash,
                          const cairn_node **cells, size_t *count)
{
    *cells = NULL;
    *count = 0;
    if (map->hash == hash)
        return CN_CHANGES_NONE;
    if (cn_journal_since(&map->journal, hash, cells, count))
        return *cells ? CN_CHANGES_KNOWN : CN_CHANGES_FORGOTTEN;
    return map->journal.is_partial && map->fixed_hash == fixed_hash ? CN_CHANGES_FORGOTTEN
                                                                    : CN_CHANGES_STRANGER;
}

/* Where no more cells have changed than there are rows, the corners of a former state are copied
 * but for those around these cells. */
static cairn_status make_corners(const cairn_map *map, cn_corners **made)
{
    const cn_grid *grid = &map->grid;
    const cairn_node *cells;
    size_t count;

    if (map->former_corners &&
        cn_map_changes(map, map->former_hash, map->fixed_hash, &cells, &count) ==
            CN_CHANGES_KNOWN &&
        count <= grid->height)
        return cn_corners_derive(map->former_corners, grid, &map->mem, cells, count, made);
    return cn_corners_new(grid, &map->mem, NULL, 0, made);
}

/* Corners follow from the grid as well, and are made like the planes of cn_map_jump. */
cairn_status cn_map_corners(const cairn_map *map, const cn_corners **corners)
{
    _Atomic(cn_corners *) *place = (_Atomic(cn_corners *) *)&map->corners;
    cn_corners *there = atomic_load_explicit(place, memory_order_acquire);
    cn_corners *made;

    *corners = there;
    if (there)
        return CAIRN_OK;
    cairn_status status = make_corners(map, &made);
    if (status != CAIRN_OK)
        return status;
    if (atomic_compare_exchange_strong(place, &there, made))
        there = made;
    else
        cn_corners_free(made, &map->mem);
    *corners = there;
    return CAIRN_OK;
}

/* The runs of a former state are of no use. */
void cn_map_set_corners_aside(cairn_map *map, uint64_t hash)
{
    if (!map->corners)
        return;
    cn_corners_free(map->former_corners, &map->mem);
    map->former_corners = map->corners;
    cn_corner_arcs_free(map->former_corners->arcs);
    map->former_corners->arcs = NULL;
    map->former_hash = hash;
    map->corners = NULL;
}

/* The components follow from the cells or arcs, so the map does not change by getting them. If two
 * threads find them at once, one frees its own. */
cairn_status cn_map_connect(const cairn_map *map, const cn_components **components)
{
    _Atomic(cn_components *) *place = (_Atomic(cn_components *) *)&map->components;
    cn_components *there = atomic_load_explicit(place, memory_order_acquire);
    cn_components *made;

    *components = there;
    if (there)
        return CAIRN_OK;
    cairn_status status = map->graph ? cn_components_of_graph(&map->mem, map->graph, &made)
                                     : cn_components_new(&map->mem, &map->grid, &made);
    if (status != CAIRN_OK)
        return status;
    made->history = made->map_hash = map->hash;
    if (atomic_compare_exchange_strong(place, &there, made))
        there = made;
    else
        cn_components_free(made, &map->mem);
    *components = there;
    return CAIRN_OK;
}

cairn_status cn_map_renumber_components(cairn_map *map)
{
    cn_components *former = map->components;
    const cn_components *components;

    if (former && former->history != map->hash) {
        cn_components_free(former, &map->mem);
        map->components = NULL;
    }
    return cn_map_connect(map, &components);
}

/* When there is no memory they are dropped, and found again on the next call of cn_map_connect. */
void cn_map_reconnect(cairn_map *map)
{
    cn_components *components = map->components;
    if (!components)
        return;
    if (components->dirty_count || components->map_hash != map->hash)
        components->history = cn_mix(components->history ^ map->hash);
    components->map_hash = map->hash;
    if (cn_components_repair(components, &map->mem))
        return;
    cn_components_free(components, &map->mem);
    map->components = NULL;
}

bool cairn_connected(const cairn_map *map, cairn_node a, cairn_node b)
{
    const cn_components *components;

    if (!cairn_map_is_open(map, a) || !cairn_map_is_open(map, b))
        return false;
    if (cn_map_connect(map, &components) != CAIRN_OK)
        return true;
    return cn_component_of(components, a) == cn_component_of(components, b);
}

cairn_status cairn_map_set_metric(cairn_map *map, cairn_metric metric)
{
    if (!map || !cn_metric_is_valid(metric) || map->graph)
        return CAIRN_E_ARGUMENT;
    const uint64_t cells = map->hash - hash_without_cells(map);
    const cairn_status status = derive_costs(map, metric);
    if (status != CAIRN_OK)
        return status;
    cn_journal_clear(&map->journal, &map->mem);
    set_hashes(map, cells);
    if (map->jump)
        cn_jump_follow_metric(map->jump);
    return CAIRN_OK;
}
