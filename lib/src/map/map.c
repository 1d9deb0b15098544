#include "map/map.h"

#include <string.h>

#include "base/bits.h"
#include "io/file.h"

/* Everything but the cells. docs/FORMAT.md gives the definition. */
static uint64_t frame_hash(const cairn_map *map)
{
    uint64_t size = (uint64_t)map->grid.height << 32 | map->grid.width;
    uint64_t metric = (uint64_t)map->metric.diagonal << 32 | map->metric.straight;
    const cn_rules *rules = &map->grid.rules;
    uint64_t kind = (uint64_t)rules->rule | (uint64_t)rules->charge << 8 |
                    (uint64_t)!map->is_even << 16 | (uint64_t)(map->roads != NULL) << 24;
    const cn_heights *heights = &map->grid.heights;
    uint64_t hash = cn_map_mix(cn_map_mix(size) ^ metric);
    if (heights->cells)
        hash = cn_map_mix(hash ^ ((uint64_t)heights->descend << 32 | heights->climb));
    return kind ? cn_map_mix(hash ^ kind) : hash;
}

bool cn_map_is_alike(const cairn_map *one, const cairn_map *other)
{
    return one->frame == other->frame &&
           (!one->roads || one->roads->is_directed == other->roads->is_directed);
}

/* What the hash of a map only says of the letters that it holds. */
static uint64_t whole_frame(const cairn_map *map)
{
    uint64_t hash = frame_hash(map);
    for (unsigned letter = 0; letter < 256; letter++)
        hash = cn_map_mix(hash ^ map->grid.rules.factor[letter]);
    return cn_map_mix(hash ^ map->grid.heights.range);
}

static uint64_t arcs_hash(const cn_roadmap *roads)
{
    uint64_t hash = 0;
    for (cairn_node node = 0; node < roads->node_count; node++) {
        cn_arc_span span = cn_roadmap_out(roads, node);
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
            hash += cn_map_open_cell_hash(map, first + cn_lowest_bit(left));
    }
    return hash;
}

/* Whatever the metric. */
static uint64_t cells_hash(const cairn_map *map)
{
    uint64_t hash = 0;

    if (map->roads)
        return arcs_hash(map->roads);
    for (uint32_t y = 0; y < map->grid.height; y++)
        hash += row_hash(map, y);
    return hash;
}

bool cn_map_hash_is_right(const cairn_map *map)
{
    return map->hash == frame_hash(map) + cells_hash(map);
}

/* The dearest arc leaves room for sums of a few in 32 bits. */
enum { ARC_MAX = CAIRN_COST_MAX / 4 };

/* What so many thousandths of a straight step come to: something, if they are anything. */
static uint64_t slope_cost(uint64_t straight, uint32_t thousandths)
{
    uint64_t cost = (straight * thousandths + 500) / 1000;
    return cost == 0 && thousandths > 0 ? 1 : cost;
}

/* What follows from the metric: steps, unit, the least that plain distance may count on. */
static cairn_status set_metric(cairn_map *map, cairn_metric metric)
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
        ARC_MAX)
        return CAIRN_E_LIMIT;
    cn_journal_free(&map->journal, &map->mem);
    const bool is_new = map->metric.straight == 0;
    const uint64_t cells = is_new ? cells_hash(map) : map->hash - frame_hash(map);
    map->metric = metric;
    map->unit = unit;
    map->slope[0] = heights->cells ? (cairn_cost)up : 0;
    map->slope[1] = heights->cells ? (cairn_cost)down : 0;
    map->step[0] = average ? metric.straight * unit / 2 : metric.straight;
    map->step[1] = average ? metric.diagonal * unit / 2 : metric.diagonal;
    if (rules->rule == CAIRN_RULE_HEX)
        map->step[1] = map->step[0];  /* their slanting steps are as long as the others */
    map->plain.straight = metric.straight * unit * least;
    map->plain.diagonal = rules->rule == CAIRN_RULE_4 ? 2 * map->plain.straight
                                                      : metric.diagonal * unit * least;
    map->hash = frame_hash(map) + cells;
    map->frame = whole_frame(map);
    map->version++;
    return CAIRN_OK;
}

static cairn_status adopt(const cn_mem *mem, cairn_metric metric, cn_grid *grid, cn_roadmap *roads,
                          cairn_map **map)
{
    cairn_map *made = cn_zeroed(mem, 1, sizeof *made);
    cairn_status status = made ? CAIRN_OK : CAIRN_E_MEMORY;

    if (made) {
        made->mem = *mem;
        made->grid = *grid;
        made->roads = roads;
        made->is_even = cn_rules_are_uniform(&grid->rules) && !grid->heights.cells;
        status = set_metric(made, metric);
    }
    if (status != CAIRN_OK) {
        cn_grid_free(grid, mem);
        cn_roadmap_free(roads, mem);
        cn_release(mem, made);
        return status;
    }
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

cairn_status cn_map_new_roads(const cn_mem *mem, cn_roadmap *roads, cairn_map **map)
{
    cn_grid row;
    *map = NULL;
    uint8_t *letters = cn_array(mem, roads->node_count, 1);
    cairn_status status = letters ? cn_grid_init_row(&row, mem, roads->node_count, letters)
                                  : CAIRN_E_MEMORY;
    if (status != CAIRN_OK) {
        cn_roadmap_free(roads, mem);
        return status;
    }
    return adopt(mem, (cairn_metric){1, 1}, &row, roads, map);
}

cairn_cost cn_map_cheapest(const cairn_map *map)
{
    uint32_t least, most;
    if (map->roads)
        return map->roads->least;
    cn_rules_range(&map->grid.rules, &least, &most);
    return map->metric.straight * map->unit * least;
}

cairn_cost cn_map_dearest(const cairn_map *map)
{
    uint32_t least, most;
    if (map->roads)
        return map->roads->most;
    cn_rules_range(&map->grid.rules, &least, &most);
    bool slants = map->grid.rules.rule != CAIRN_RULE_4 && map->grid.rules.rule != CAIRN_RULE_HEX;
    cairn_cost slope = map->slope[0] > map->slope[1] ? map->slope[0] : map->slope[1];
    return (slants ? map->metric.diagonal : map->metric.straight) * map->unit * most +
           slope * map->grid.heights.range;
}

static cairn_status read_options(const cairn_map_options *from, cairn_map_options *options,
                                 cn_rules *rules, cn_mem *mem)
{
    if (!cn_options_copy(options, sizeof *options, from))
        return CAIRN_E_ARGUMENT;
    options->size = sizeof *options;
    if ((options->metric.straight || options->metric.diagonal) &&
        !cn_metric_is_valid(options->metric))
        return CAIRN_E_ARGUMENT;
    if (!cn_rules_from(rules, options->rule, options->charge, options->alphabet))
        return CAIRN_E_ARGUMENT;
    *mem = cn_mem_from(options->allocator);
    return CAIRN_OK;
}

static cairn_status refuse_metric(cairn_status status, cairn_error *error)
{
    return cn_error_plain(error, status,
                          status == CAIRN_E_LIMIT
                              ? "steps that cost at most 268435455: metric times factor"
                              : NULL);
}

/* A map around a grid that it takes over, also when it fails, with the heights of the options. */
static cairn_status make_map(cn_grid *grid, const cairn_map_options *options, const cn_mem *mem,
                             cairn_map **map)
{
    const cairn_heights *heights = options->heights;
    cairn_status status = CAIRN_OK;

    *map = NULL;
    if (heights && (heights->width != grid->width || heights->height != grid->height ||
                    !heights->cells))
        status = CAIRN_E_ARGUMENT;
    else if (heights)
        status = cn_heights_init(&grid->heights, mem, heights,
                                 (size_t)grid->width * grid->height);
    if (status != CAIRN_OK) {
        cn_grid_free(grid, mem);
        return status;
    }
    return cn_map_new(mem, options->metric, grid, map);
}

/* For `memory` see cn_grid_parse. */
static cairn_status parse(const char *text, size_t size, uint8_t **memory,
                          const cairn_map_options *options, const cn_rules *rules,
                          const cn_mem *mem, cairn_map **map, cairn_error *error)
{
    cn_grid grid;
    if (cn_text_is_roadmap(text, size))
        return cairn_roads_parse(text, size, NULL, 0, options, map, error);
    cairn_status status = cn_grid_parse(mem, text, size, memory, rules, &grid, error);
    if (status != CAIRN_OK)
        return status;
    status = make_map(&grid, options, mem, map);
    return status == CAIRN_OK ? status : refuse_metric(status, error);
}

cairn_status cairn_map_parse(const char *text, size_t size, const cairn_map_options *options,
                             cairn_map **map, cairn_error *error)
{
    cairn_map_options known;
    cn_rules rules;
    cn_mem mem;

    if (!map || (!text && size))
        return cn_error_plain(error, CAIRN_E_ARGUMENT, NULL);
    *map = NULL;
    cairn_status status = read_options(options, &known, &rules, &mem);
    if (status != CAIRN_OK)
        return cn_error_plain(error, status, NULL);
    return parse(text ? text : "", size, NULL, &known, &rules, &mem, map, error);
}

cairn_status cairn_map_load(const char *path, const cairn_map_options *options, cairn_map **map,
                            cairn_error *error)
{
    cairn_map_options known;
    cn_rules rules;
    cn_mem mem;
    uint8_t *text;
    size_t size;

    if (!path || !map)
        return cn_error_plain(error, CAIRN_E_ARGUMENT, NULL);
    *map = NULL;
    cairn_status status = read_options(options, &known, &rules, &mem);
    if (status == CAIRN_OK)
        status = cn_file_read(path, &mem, &text, &size);
    if (status != CAIRN_OK)
        return cn_error_plain(error, status, NULL);

    status = parse((const char *)text, size, &text, &known, &rules, &mem, map, error);
    cn_release(&mem, text);
    return status;
}

static cairn_status check_letters(const cn_rules *rules, uint32_t width, const char *letters,
                                  size_t count, cairn_error *error)
{
    for (size_t i = 0; i < count; i++) {
        if (!rules->factor[(uint8_t)letters[i]])
            return cn_error_at_line(error, CAIRN_E_FORMAT, i / width + 1, cn_rules_letters(rules),
                                    letters + i, 1);
    }
    return CAIRN_OK;
}

cairn_status cairn_map_from_letters(uint32_t width, uint32_t height, const char *letters,
                                    const cairn_map_options *options, cairn_map **map,
                                    cairn_error *error)
{
    cairn_map_options known;
    cn_rules rules;
    cn_mem mem;
    cn_grid grid;

    if (!map)
        return cn_error_plain(error, CAIRN_E_ARGUMENT, NULL);
    *map = NULL;
    cairn_status status = read_options(options, &known, &rules, &mem);
    if (status != CAIRN_OK || !letters || width == 0 || height == 0)
        return cn_error_plain(error, CAIRN_E_ARGUMENT, NULL);
    size_t count = (size_t)width * height;
    if (width > CAIRN_SIDE_MAX || height > CAIRN_SIDE_MAX || count > CAIRN_NODES_MAX)
        return cn_error_plain(error, CAIRN_E_LIMIT, "at most 65535 x 65535 and 2^28 cells");
    status = check_letters(&rules, width, letters, count, error);
    if (status != CAIRN_OK)
        return status;

    uint8_t *copy = cn_array(&mem, count, 1);
    if (!copy)
        return cn_error_plain(error, CAIRN_E_MEMORY, NULL);
    memcpy(copy, letters, count);
    status = cn_grid_init_ruled(&grid, &mem, width, height, copy, &rules);
    if (status == CAIRN_OK)
        status = make_map(&grid, &known, &mem, map);
    return status == CAIRN_OK ? status : refuse_metric(status, error);
}

/* The copy of a map without ground. The copied map may be one itself, though it was not when the
 * first was made: its own journal then tells what it was. */
static bool copy_flat(const cairn_map *flat, cairn_map *copy)
{
    const cairn_map *made;
    if (cn_map_flat(copy, flat->metric, &made) != CAIRN_OK)
        return false;
    return made == copy || cn_journal_copy(&((cairn_map *)(uintptr_t)made)->journal, &made->mem,
                                           &flat->journal);
}

/* What the map was before its edits, the copy was, too. */
static cairn_status copy_journals(const cairn_map *map, cairn_map *copy)
{
    bool done = cn_journal_copy(&copy->journal, &copy->mem, &map->journal);
    for (const cairn_map *flat = map->flats; flat && done; flat = flat->next_flat)
        done = copy_flat(flat, copy);
    return done ? CAIRN_OK : CAIRN_E_MEMORY;
}

static cairn_status clone_grid(const cairn_map *map, cairn_map **copy)
{
    cn_grid grid;
    size_t count = cn_map_node_count(map);
    uint8_t *letters = cn_array(&map->mem, count, 1);
    if (!letters)
        return CAIRN_E_MEMORY;
    memcpy(letters, map->grid.letters, count);
    cairn_status status = cn_grid_init_ruled(&grid, &map->mem, map->grid.width, map->grid.height,
                                             letters, &map->grid.rules);
    cairn_map_options options = {.metric = map->metric};
    cairn_heights heights;
    if (cairn_map_heights(map, &heights))
        options.heights = &heights;
    return status == CAIRN_OK ? make_map(&grid, &options, &map->mem, copy) : status;
}

static cairn_status clone_roads(const cairn_map *map, cairn_map **copy)
{
    cn_roadmap *roads;
    cairn_status status = cn_roadmap_clone(map->roads, &map->mem, &roads);
    return status == CAIRN_OK ? cn_map_new_roads(&map->mem, roads, copy) : status;
}

cairn_status cairn_map_clone(const cairn_map *map, cairn_map **copy)
{
    if (!map || !copy)
        return CAIRN_E_ARGUMENT;
    *copy = NULL;
    cairn_status status = map->roads ? clone_roads(map, copy) : clone_grid(map, copy);
    if (status == CAIRN_OK)
        status = copy_journals(map, *copy);
    if (status != CAIRN_OK) {
        cairn_map_free(*copy);
        *copy = NULL;
    }
    return status;
}

void cairn_map_free(cairn_map *map)
{
    if (!map)
        return;
    cn_mem mem = map->mem;
    cn_journal_free(&map->journal, &mem);
    cn_jump_free(map->jump, &mem);
    cn_map_free_flats(map);
    cn_grid_free(&map->grid, &mem);
    cn_roadmap_free(map->roads, &mem);
    cn_release(&mem, map);
}

/* The planes follow from the grid, so a map that gets them late is still the same map. Of two
 * threads that make them at once, one gives way. */
cairn_status cn_map_jump(const cairn_map *map, const cn_jump **jump)
{
    _Atomic(cn_jump *) *place = (_Atomic(cn_jump *) *)&map->jump;
    cn_jump *there = atomic_load_explicit(place, memory_order_acquire);
    cn_jump *made;

    *jump = there;
    if (there)
        return CAIRN_OK;
    cairn_status status = cn_jump_new(&map->grid, &map->mem, &made);
    if (status != CAIRN_OK)
        return status;
    if (atomic_compare_exchange_strong(place, &there, made))
        there = made;
    else
        cn_jump_free(made, &map->mem);
    *jump = there;
    return CAIRN_OK;
}

uint32_t cairn_map_width(const cairn_map *map)
{
    return map->grid.width;
}

uint32_t cairn_map_height(const cairn_map *map)
{
    return map->grid.height;
}

uint32_t cairn_map_node_count(const cairn_map *map)
{
    return cn_map_node_count(map);
}

uint32_t cairn_map_open_count(const cairn_map *map)
{
    return map->grid.open_count;
}

char cairn_map_letter(const cairn_map *map, cairn_node node)
{
    return node < cn_map_node_count(map) ? (char)map->grid.letters[node] : '\0';
}

bool cairn_map_is_open(const cairn_map *map, cairn_node node)
{
    return node < cn_map_node_count(map) && cn_grid_is_open(&map->grid, node);
}

cairn_node cairn_node_at(const cairn_map *map, uint32_t x, uint32_t y)
{
    if (x >= map->grid.width || y >= map->grid.height)
        return CAIRN_NO_NODE;
    return y * map->grid.width + x;
}

bool cairn_node_xy(const cairn_map *map, cairn_node node, uint32_t *x, uint32_t *y)
{
    if (node >= cn_map_node_count(map))
        return false;
    cn_grid_xy(&map->grid, node, x, y);
    return true;
}

cairn_node cairn_node_at_axial(const cairn_map *map, int32_t q, int32_t r)
{
    int64_t x = r < 0 ? -1 : (int64_t)q + r / 2;
    if (r < 0 || x < 0 || x >= map->grid.width)
        return CAIRN_NO_NODE;
    return cairn_node_at(map, (uint32_t)x, (uint32_t)r);
}

bool cairn_node_axial(const cairn_map *map, cairn_node node, int32_t *q, int32_t *r)
{
    uint32_t x, y;
    if (!cairn_node_xy(map, node, &x, &y))
        return false;
    *q = (int32_t)x - (int32_t)(y / 2);
    *r = (int32_t)y;
    return true;
}

cairn_metric cairn_map_metric(const cairn_map *map)
{
    return map->metric;
}

cairn_status cairn_map_set_metric(cairn_map *map, cairn_metric metric)
{
    if (!map || !cn_metric_is_valid(metric) || map->roads)
        return CAIRN_E_ARGUMENT;
    return set_metric(map, metric);
}

cairn_rule cairn_map_rule(const cairn_map *map)
{
    return map->grid.rules.rule;
}

uint32_t cairn_map_unit(const cairn_map *map)
{
    return map->unit;
}

bool cairn_map_heights(const cairn_map *map, cairn_heights *heights)
{
    const cn_heights *own = &map->grid.heights;
    *heights = (cairn_heights){0};
    if (own->cells)
        *heights = (cairn_heights){map->grid.width, map->grid.height, own->cells, own->climb,
                                   own->descend};
    return own->cells != NULL;
}

bool cairn_map_is_directed(const cairn_map *map)
{
    return cn_map_is_directed(map);
}


uint64_t cairn_map_hash(const cairn_map *map)
{
    return map->hash;
}

uint64_t cairn_map_version(const cairn_map *map)
{
    return map->version;
}

double cairn_length(const cairn_map *map, cairn_cost cost)
{
    return (double)cost / ((double)map->metric.straight * map->unit);
}
