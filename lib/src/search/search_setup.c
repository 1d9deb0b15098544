/* Making, redirecting and freeing searches, and choosing a space by options and map. */
#include "search/search.h"

enum { WEIGHT_MAX = 1000000 };

/* Whether runs across the whole map, in its dearest terrain, cost far less than CAIRN_COST_MAX. */
static bool costs_are_moderate(const cairn_map *map)
{
    uint64_t span = (uint64_t)map->grid.width + map->grid.height;
    uint32_t least, most;
    cn_rules_range(&map->grid.rules, &least, &most);
    return span * map->unit * map->metric.diagonal * most <= CAIRN_COST_MAX / 2;
}

/* Whether an option is set that only the general search supports. */
static bool has_options(const cairn_search_options *options)
{
    return options->bound || options->heuristic || options->weight > CN_WEIGHT_ONE ||
           options->ties || options->on_expand;
}

/* Jump points serve on every grid; the fast searches along cells know the default rule at
 * uniform costs alone. */
static bool has_fast_space(const cairn_search *search)
{
    cairn_space wish = search->options.space;
    return cn_map_is_classic(search->map) ||
           (!search->map->graph && (wish == CAIRN_SPACE_AUTO || wish == CAIRN_SPACE_JUMP));
}

static void judge_bound(cairn_search *search)
{
    const cairn_search_options *options = &search->options;
    bool is_own = options->bound != NULL;
    bool is_weighted = options->weight > CN_WEIGHT_ONE;

    search->is_general = has_options(options) || !has_fast_space(search) ||
                         !costs_are_moderate(search->map);
    search->is_consistent = !is_own && !is_weighted &&
                            cairn_bound_is_consistent(search->map, options->heuristic);
    search->guarantee = is_weighted ? options->weight : CN_WEIGHT_ONE;
    if (!is_own && !cairn_bound_is_admissible(search->map, options->heuristic))
        search->guarantee = 0;
    if (options->never_reopen && !search->is_consistent)
        search->guarantee = 0; /* rounding of a weight may add up along a path */
}

/* The fastest space that is exact for the map, or the caller's choice if that is exact. */
static cairn_space choose_space(const cairn_search *search)
{
    cairn_space wish = search->options.space;

    if (search->is_general)
        return CAIRN_SPACE_CELLS;
    return wish == CAIRN_SPACE_AUTO ? CAIRN_SPACE_JUMP : wish;
}

static void init_query(cairn_search *search)
{
    cn_query *query = &search->query;

    query->map = search->map;
    query->grid = &search->map->grid;
    query->metric = search->map->base_metric;
    if (search->map->grid.rules.rule == CAIRN_RULE_HEX)
        query->metric.diagonal = 2 * query->metric.straight;
    query->own_context = search->options.bound_context;
    query->on_expand = search->options.on_expand;
    query->expand_context = search->options.expand_context;
}

/* The arcs for every set of steps from a cell. */
static cairn_status init_steps(cairn_search *search)
{
    const cn_grid *grid = &search->map->grid;
    cn_steps *steps = cn_array(&search->mem, CN_STEP_SETS, sizeof *steps);
    if (!steps)
        return CAIRN_E_MEMORY;

    for (unsigned set = 0; set < CN_STEP_SETS; set++) {
        steps[set].count = 0;
        for (unsigned left = set; left; left &= left - 1) {
            unsigned direction = cn_lowest_bit(left);
            steps[set].arcs[steps[set].count++] = (cn_arc){
                .to = (cairn_node)grid->offset[direction],
                .cost = direction < CN_STRAIGHT ? search->metric.straight : search->metric.diagonal,
                .arrival = direction};
        }
    }
    search->query.steps = search->steps = steps;
    return CAIRN_OK;
}

static cairn_status init(cairn_search *search)
{
    const cairn_map *map = search->map;
    const cn_components *components;

    judge_bound(search);
    search->space = choose_space(search);
    search->query.cpu = cn_cpu_level();
    search->searchers = cn_searchers_for(search->query.cpu);
    init_query(search);
    cairn_status status = CAIRN_OK;
    if (search->space == CAIRN_SPACE_JUMP)
        status = cn_map_jump(map, &search->query.jump);
    else if (!search->is_general)
        status = init_steps(search);
    if (status == CAIRN_OK)
        status = cn_search_follow(search);
    return status == CAIRN_OK ? cn_map_connect(map, &components) : status;
}

cairn_status cairn_search_use(cairn_search *search, const cairn_map *map, const cairn_table *table)
{
    if (!search || !map)
        return CAIRN_E_ARGUMENT;
    if (search->options.bound)
        table = NULL;
    if (!cn_metric_is_same(search->metric, map->metric))
        return CAIRN_E_MISMATCH;
    if (search->map == map && search->table == table)
        return CAIRN_OK;
    if (search->map != map && !cn_map_is_alike(search->map, map))
        return CAIRN_E_MISMATCH;
    const cn_components *components;
    const cn_jump *jump = NULL;
    cairn_status status = cn_map_connect(map, &components);
    if (status == CAIRN_OK && search->space == CAIRN_SPACE_JUMP)
        status = cn_map_jump(map, &jump);
    if (status != CAIRN_OK)
        return status;
    if (search->map != map)
        search->worth.spent_version = 0;
    search->worth.judged_version = search->worth.sight_version = 0;
    search->worth.gates_version = search->worth.far_version = 0;
    search->places.map_version = 0;
    search->open_choice.was_led = true;
    search->map = map;
    search->table = table;
    cn_search_unfollow(search);
    search->query.map = map;
    search->query.grid = &map->grid;
    search->query.jump = jump;
    return CAIRN_OK;
}

static bool options_are_valid(const cairn_map *map, const cairn_search_options *options)
{
    return (unsigned)options->space <= CAIRN_SPACE_JUMP &&
           (unsigned)options->form <= CAIRN_FORM_NONE &&
           (unsigned)options->ties <= CAIRN_TIES_LARGER_G &&
           cn_base_exists(map, options->heuristic) &&
           (options->weight == 0 ||
            (options->weight >= CN_WEIGHT_ONE && options->weight <= WEIGHT_MAX));
}

cairn_status cairn_search_new(const cairn_map *map, const cairn_table *table,
                              const cairn_search_options *options, cairn_search **search)
{
    cairn_search_options known;

    if (!search)
        return CAIRN_E_ARGUMENT;
    *search = NULL;
    if (!map || !cn_options_copy(&known, sizeof known, options) || !options_are_valid(map, &known))
        return CAIRN_E_ARGUMENT;
    cn_mem mem = known.allocator ? cn_mem_from(known.allocator) : map->mem;
    cairn_search *made = cn_zeroed(&mem, 1, sizeof *made);
    if (!made)
        return CAIRN_E_MEMORY;

    made->map = map;
    made->table = known.bound ? NULL : table;
    made->options = known;
    made->mem = mem;
    cn_worth_begin(&made->worth, map);
    made->metric = map->metric;
    made->scratch.open.mem = mem;
    made->scratch.arcs.mem = &made->mem;
    made->ball.scratch.open.mem = mem;
    made->ball.scratch.arcs.mem = &made->mem;
    (void)cn_open_init(&made->members.queue, &mem, 0); /* cannot fail: it has no buckets */
    cairn_status status = init(made);
    if (status != CAIRN_OK) {
        cairn_search_free(made);
        return status;
    }
    *search = made;
    return CAIRN_OK;
}

static void free_lists(const cn_path_lists *lists, const cn_mem *mem)
{
    cn_release(mem, lists->points.items);
    cn_release(mem, lists->corners.items);
    cn_release(mem, lists->cells.items);
}

void cairn_search_free(cairn_search *search)
{
    if (!search)
        return;
    cn_mem mem = search->mem;
    cn_scratch_free(&search->scratch);
    cn_scratch_free(&search->ball.scratch);
    cn_open_free(&search->members.queue);
    cn_release(&mem, search->goal_gates.view.inside);
    cn_release(&mem, search->goal_gates.limits);
    cn_release(&mem, search->goal_entries.row);
    cn_release(&mem, search->places.items);
    cn_avoidance_free(&search->avoidance, &mem);
    cn_release(&mem, search->steps);
    cn_release(&mem, search->members.nodes.items);
    cn_release(&mem, search->members.taken.items);
    cn_release(&mem, search->members.bases.items);
    cn_release(&mem, search->members.bounds.items);
    cn_release(&mem, search->members.chosen.items);
    free_lists(&search->members.best, &mem);
    cn_release(&mem, search->lifted.items);
    free_lists(&search->path, &mem);
    cn_release(&mem, search);
}

static size_t lists_memory(const cn_path_lists *lists)
{
    return cn_nodes_memory(&lists->points) + cn_nodes_memory(&lists->corners) +
           cn_nodes_memory(&lists->cells);
}

size_t cairn_search_memory(const cairn_search *search)
{
    return cn_block_size(1, sizeof *search) + cn_scratch_memory(&search->scratch) +
           cn_scratch_memory(&search->ball.scratch) + cn_open_memory(&search->members.queue) +
           cn_held_size(search->places.items, search->places.capacity,
                        sizeof *search->places.items) +
           cn_held_size(search->goal_gates.view.inside, search->goal_gates.inside_count,
                        sizeof(cairn_cost)) +
           cn_held_size(search->goal_gates.limits, 1, sizeof *search->goal_gates.limits) +
           cn_held_size(search->goal_entries.row, 3 * (size_t)search->goal_entries.lane_count,
                        sizeof *search->goal_entries.row) +
           cn_avoidance_memory(&search->avoidance, search->map) +
           cn_held_size(search->steps, CN_STEP_SETS, sizeof *search->steps) +
           cn_nodes_memory(&search->members.nodes) + cn_nodes_memory(&search->members.taken) +
           cn_nodes_memory(&search->members.bases) + cn_nodes_memory(&search->members.bounds) +
           cn_nodes_memory(&search->members.chosen) + cn_nodes_memory(&search->lifted) +
           lists_memory(&search->path) + lists_memory(&search->members.best);
}
