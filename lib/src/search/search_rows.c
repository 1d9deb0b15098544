/*
 * The rows of a table in one query: the goal's entries, which of the rows are used, what they say
 * of the query, and what follows for its path. Tables of corners have no entries of most cells:
 * those of a goal are put together from those of corners near by, and runs may begin without them.
 */
#include <string.h>

#include "map/map.h"
#include "search/search.h"
#include "table/corner_rows.h"

/* Of a cell whose entries are put together from those of the corners that see it. */
static cairn_cost rows_of_any_cell(const cn_query *query, cairn_node node)
{
    uint32_t entries[CN_LANES_MAX];
    cn_corner_rows_at(query->corner_table, query->map, node, entries);
    return query->rows(entries, query->above, query->below, query->lane_count);
}

/* From cell to cell it is worth it to put together what the rows say at the start, too: with less
 * all cells around it are expanded, up to the next corners. */
cairn_cost cn_query_corner_rows(const cn_query *query, cairn_node node)
{
    const cn_gate_view *view = query->gate_view;
    const cn_corners *corners = view ? view->gates->extension->corners
                                     : query->corner_table->corners;
    uint32_t x, y;

    cn_grid_xy(query->grid, node, &x, &y);
    const uint32_t number = cn_corners_find(corners, x, y);
    if (number == CN_NO_CORNER && (query->jump || node != query->start))
        return 0;
    if (view)
        return cn_gates_bound(view, node);
    if (number == CN_NO_CORNER)
        return rows_of_any_cell(query, node);
    return query->rows(query->entries + number * query->stride, query->above, query->below,
                       query->lane_count);
}

/* ------------------------------------------------------------------------ ways by landmarks -- */

/* Both cells are in one component, so in each row both entries are unreachable, or neither is. */
static uint64_t least_sum_32(const uint32_t *from, const uint32_t *to, uint32_t count)
{
    uint64_t least = CAIRN_UNREACHABLE;
    for (uint32_t row = 0; row < count; row++) {
        const uint64_t sum = (uint64_t)from[row] + to[row];
        least = sum < least ? sum : least;
    }
    return least;
}

cairn_cost cn_query_corner_way(const void *context)
{
    const cn_query *query = context;
    const cn_run_field field = cn_query_run_field(query);
    cn_arc some[CN_SOME_ENDS];
    uint64_t least = CAIRN_UNREACHABLE;
    uint32_t x, y;

    cn_grid_xy(query->grid, query->start, &x, &y);
    const size_t count = cn_corner_some_ends(&field, CN_XY_OF(x, y), some);
    for (size_t i = 0; i < count; i++) {
        const void *from = cn_reads_rows(query, CN_NODE_OF(some[i].to));
        const uint64_t way = query->entry_bits == 16
                                 ? cn_bound_least_sum_16(from, query->above, query->row_count)
                                 : least_sum_32(from, query->above, query->row_count);
        least = way + some[i].cost < least ? way + some[i].cost : least;
    }
    return least > CAIRN_COST_MAX || least < cn_query_base(query, query->start) ? CAIRN_UNREACHABLE
                                                                                : (cairn_cost)least;
}

/* ---------------------------------------------------------------------- landmarks in sight -- */

/* In a table of at most LANDMARKS_FEW landmarks, those of the goal's component are listed again
 * whenever a goal is in another one. There is room for PLACES_BY_ROW of them for each row: few rows
 * have several landmarks in one component. */
enum { LANDMARKS_FEW = 128, PLACES_BY_ROW = 2 };

static void forget_places(cn_landmark_places *places)
{
    places->count = 0;
    places->component = CN_NO_COMPONENT;
    places->size = 0;
}

cairn_status cn_search_reserve_places(cairn_search *search)
{
    cn_landmark_places *places = &search->places;
    const size_t capacity = PLACES_BY_ROW * search->table->row_count;

    if (places->map_version != search->map->version ||
        places->table_version != cn_table_version(search->table))
        forget_places(places);
    places->map_version = search->map->version;
    places->table_version = cn_table_version(search->table);
    if (places->capacity == capacity)
        return CAIRN_OK;
    cn_release(&search->mem, places->items);
    places->items = cn_array(&search->mem, capacity, sizeof *places->items);
    places->capacity = places->items ? capacity : 0;
    return places->items ? CAIRN_OK : CAIRN_E_MEMORY;
}

/* Of the table's set and the planes of the map, which are there along jump points: also where a run
 * keeps off avoided nodes. */
static cn_run_field table_run_field(const cairn_search *search)
{
    cn_run_field field = cn_query_run_field(&search->query);
    field.corners = search->table->corners;
    field.jump = search->map->jump;
    return field;
}

static void list_places(cairn_search *search, const cn_components *components, uint32_t component)
{
    const cairn_table *table = search->table;
    const cn_run_field field = table_run_field(search);
    cn_landmark_places *places = &search->places;

    places->count = 0;
    places->component = component;
    places->size = components->items[component].size;
    for (size_t i = 0; i < table->landmark_start[table->row_count]; i++) {
        const cairn_node landmark = table->landmarks[i];
        if (cn_component_of(components, landmark) != component)
            continue;
        if (places->count < places->capacity) {
            uint32_t x, y;
            cn_grid_xy(search->query.grid, landmark, &x, &y);
            places->items[places->count] = cn_run_target_of(&field, CN_XY_OF(x, y));
        }
        places->count++;
    }
}

/* Lists the landmarks of the goal's component, where they are not yet; false where they are not all
 * listed. In a table of many landmarks the list stays that of the largest component which had a
 * goal so far: in small components goals see few corners, and gain little by it. */
static bool list_goal_places(cairn_search *search)
{
    const cairn_table *table = search->table;
    cn_landmark_places *places = &search->places;
    const cn_components *components;

    if (cn_map_connect(search->map, &components) != CAIRN_OK)
        return false;
    if (places->history != components->history)
        forget_places(places);
    places->history = components->history;
    const uint32_t component = cn_component_of(components, search->query.goal);
    if (component != places->component) {
        if (table->landmark_start[table->row_count] > LANDMARKS_FEW &&
            components->items[component].size <= places->size)
            return false;
        list_places(search, components, component);
    }
    return places->count <= places->capacity;
}

static void gather_landmarks(cn_corner_gathering *gathering, const cn_run_field *field, cn_xy goal,
                             const uint32_t reach[CN_DIRECTIONS - CN_STRAIGHT],
                             const cn_landmark_places *places)
{
    for (size_t i = 0; i < places->count; i++) {
        const cn_run_target *place = &places->items[i];
        if (CN_LIKELY(!cn_cell_sees(goal, place, reach)))
            continue;
        const cairn_cost cost = cn_octile(field->metric, CN_X_OF(goal), CN_Y_OF(goal),
                                          CN_X_OF(place->xy), CN_Y_OF(place->xy));
        cn_corner_gather(gathering, &(cn_seen_corner){place->number, cost}, 1);
    }
}

/* ---------------------------------------------------------------------- the goal's entries -- */

static void gather_arcs(cn_corner_gathering *gathering, const cn_arc *arcs, size_t count)
{
    cn_seen_corner seen[CN_SEEN_MOST];

    while (count) {
        const size_t some = count < CN_SEEN_MOST ? count : CN_SEEN_MOST;
        for (size_t i = 0; i < some; i++)
            seen[i] = (cn_seen_corner){CN_NODE_OF(arcs[i].to), arcs[i].cost};
        cn_corner_gather(gathering, seen, some);
        arcs += some;
        count -= some;
    }
}

/* A shortest path from a landmark to a cell leads to the end of a run from the cell, or the cell
 * sees the landmark. False without memory for the ends. */
static bool put_together_from_ends(cairn_search *search, cn_xy cell, void *entries)
{
    const cn_run_field field = table_run_field(search);
    const cn_corner_view view = cn_corner_view_of(search->table, search->map);
    cn_arc_list *arcs = &search->scratch.arcs;
    uint32_t reach[CN_DIRECTIONS - CN_STRAIGHT];

    if (!cn_corner_ends(&field, cell, (1u << CN_DIRECTIONS) - 1, NULL, arcs, reach))
        return false;
    cn_corner_gathering gathering = cn_corner_gathering_of(&view, entries);
    gather_arcs(&gathering, arcs->items, arcs->count);
    gather_landmarks(&gathering, &field, cell, reach, &search->places);
    cn_corner_gathering_end(&gathering);
    return true;
}

/* Whether a cell's entries follow from those at the ends of its runs and the landmarks that it
 * sees: all rows hold the costs of the map, whose jump points are known. */
static bool ends_serve(const cairn_search *search, cn_xy cell)
{
    const cairn_table *table = search->table;
    return search->space == CAIRN_SPACE_JUMP &&
           cn_table_is_fresh(table, search->followed.row_map) &&
           cn_corners_find(table->corners, CN_X_OF(cell), CN_Y_OF(cell)) == CN_NO_CORNER;
}

void cn_search_corner_entries(cairn_search *search, cairn_node node, void *entries)
{
    uint32_t x, y;
    cn_grid_xy(search->query.grid, node, &x, &y);
    const cn_xy cell = CN_XY_OF(x, y);
    if (!ends_serve(search, cell) || !list_goal_places(search) ||
        !put_together_from_ends(search, cell, entries))
        cn_corner_rows_at(search->table, search->map, node, entries);
}

static void put_goal_together(cairn_search *search)
{
    const cn_query *query = &search->query;

    if (query->gate_view) {
        const cn_gates *gates = query->gate_view->gates;
        const void *entries = cn_gates_entries(gates, query->goal, search->goal_entries.row);
        if (entries != search->goal_entries.row)
            memcpy(search->goal_entries.row, entries, gates->lane_size);
    } else {
        cn_search_corner_entries(search, query->goal, search->goal_entries.row);
    }
    search->goal_entries.goal = query->goal;
}

/* Units share goals: the entries of the last one are kept until map or table change. */
static void prepare_corner_rows(cairn_search *search)
{
    cn_query *query = &search->query;

    if (search->goal_entries.goal != query->goal && cn_grid_is_open(query->grid, query->goal))
        put_goal_together(search);
    query->above = query->below = search->goal_entries.row;
}

void cn_search_prepare_goal_rows(cairn_search *search)
{
    cn_query *query = &search->query;
    if (!query->entries)
        return;
    if (search->table->corners)
        prepare_corner_rows(search);
    else
        query->above = query->below = query->entries + query->goal * query->stride;
    if (query->gate_view) {
        const cn_gates *gates = query->gate_view->gates;
        cn_goal_gates *self = &search->goal_gates;
        cn_gates_limit(gates, query->goal, query->above, self->limits);
        cn_gates_aim(gates, query->goal, self->limits, &self->aim);
        cn_gate_begin_ways(&self->view);
        memset(self->view.inside, 0xff, gates->rim_count * sizeof *self->view.inside);
        return;
    }
    if (search->table->is_directed || search->followed.rows == CN_ROWS_SAFE) {
        cn_bound_limits(search->table, query->above, search->goal_entries.above,
                        search->goal_entries.below);
        query->above = search->goal_entries.above;
        query->below = search->goal_entries.below;
    }
}

/* ------------------------------------------------------------------ what rows say of a query -- */

cairn_cost cn_search_base_from_start(const cairn_search *search)
{
    const cn_query *query = &search->query;
    return search->is_general
               ? cn_base_between(query->map, query->heuristic, query->start, query->goal)
               : cn_query_kind_base(query, query->start);
}

void cn_search_choose_heuristic(cairn_search *search)
{
    cn_query *query = &search->query;
    query->heuristic = cn_base_beside(search->map, query->entries ? search->table : NULL,
                                      query->gate_view ? query->gate_view->gates : NULL,
                                      search->run.heuristic);
}

bool cn_search_rows_decide(const cairn_search *search, cairn_node start, cairn_node goal,
                           cairn_cost *upper)
{
    *upper = CAIRN_UNREACHABLE;
    if (search->table->corners || search->query.gate_view)
        return false;
    /* Costs of another state of the map limit nothing, and components tell what is apart. */
    if (cn_map_leads_back(search->map) && !cn_table_fits(search->table, search->followed.row_map))
        return false;
    bool apart = cn_bound_separates(search->table, start, goal, upper);
    if (search->query.scale.factor)
        *upper = CAIRN_UNREACHABLE;
    return apart;
}

/* Of a graph: gates that leave less than three quarters of what rows say at the start cost more at
 * each node than they save. */
static bool gates_leave_little(const cn_query *query, cairn_cost by_gates)
{
    const cn_gate_limits *limits = query->gate_view->limits;
    CN_ASSERT(!query->scale.factor); /* rows that count the steps of a graph have no gates */
    const cairn_cost rows = query->rows(cn_reads_rows(query, query->start), limits->above,
                                        limits->below, query->lane_count);
    return (uint64_t)by_gates * 4 < (uint64_t)cn_cost_capped(rows) * 3;
}

/* Whether rows count the steps of a grid with terrain. */
static bool count_steps_of_terrain(const cairn_search *search)
{
    const cairn_map *map = search->map;
    return search->table->counts_steps && !map->graph && !cn_map_is_even(map);
}

/* Exact rows say more than the base heuristic, but for those that count steps, most of which may
 * cost many times as much as the cheapest one. On grids what gates leave at the start tells too
 * little: docs/decisions/gates.md. */
static bool may_be_mute(const cairn_search *search, cairn_row_state state)
{
    const bool is_graph = search->map->graph;
    if (!search->query.entries || search->table->corners)
        return false;
    if ((is_graph && search->table->counts_steps) || count_steps_of_terrain(search))
        return true;
    return state == CAIRN_ROW_WEAKER && (is_graph || !search->query.gate_view);
}

/* Whether rows say no more at the start than the base heuristic. Those that count the steps of
 * terrain have to say a quarter more, as in mazes. Elsewhere they take half of the time of a search
 * and save nothing: docs/benchmarks/searches.md. */
static bool say_no_more(const cairn_search *search, cairn_cost rows)
{
    const uint64_t base = cn_search_base_from_start(search);
    return rows <= base + (count_steps_of_terrain(search) ? base / 4 : 0);
}

bool cn_search_rows_are_mute(const cairn_search *search, cairn_row_state state)
{
    const cn_query *query = &search->query;
    if (!may_be_mute(search, state))
        return false;
    const cairn_cost rows = cn_query_rows(query, query->start);
    return say_no_more(search, rows) ||
           (search->map->graph && query->gate_view && gates_leave_little(query, rows));
}

bool cn_search_edits_mute_rows(const cairn_search *search)
{
    return search->query.gate_view && !count_steps_of_terrain(search);
}

/* A member of the table's set near a cell, from which a run leads there; CN_NO_CORNER: there is
 * none. */
static uint32_t member_near(const cairn_search *search, cairn_node node)
{
    const cn_run_field field = table_run_field(search);
    cn_arc ends[CN_SOME_ENDS];
    uint32_t x, y;

    cn_grid_xy(search->query.grid, node, &x, &y);
    const uint32_t own = cn_corners_find(field.corners, x, y);
    if (own != CN_NO_CORNER)
        return own;
    const size_t count = cn_corner_some_ends(&field, CN_XY_OF(x, y), ends);
    const cn_arc *nearest = ends;
    for (size_t i = 1; i < count; i++)
        nearest = ends[i].cost < nearest->cost ? &ends[i] : nearest;
    return count ? CN_NODE_OF(nearest->to) : CN_NO_CORNER;
}

/* Beside very many runs the entries of start and goal would take as long as many expansions, so
 * those of two members near them tell. */
bool cn_search_rows_are_worth_it(const cairn_search *search)
{
    enum { PARTS = 32 };
    const cairn_table *table = search->table;
    const uint32_t from = member_near(search, search->query.start);
    const uint32_t to = member_near(search, search->query.goal);

    if (from == CN_NO_CORNER || to == CN_NO_CORNER)
        return false;
    const void *goal = cn_table_entries_at(table, to, 0);
    const cairn_cost rows = cn_rows_kernel_for(table->entry_bits, table->cpu)(
        cn_table_entries_at(table, from, 0), goal, goal, table->lane_count);
    const cairn_cost base = cn_base_between(search->map, search->query.heuristic,
                                            table->corners->nodes[from], table->corners->nodes[to]);
    return rows > base + base / PARTS;
}

void cn_search_report_rows(const cairn_search *search, cairn_path *path)
{
    const cairn_table *table = search->table;

    if (!table || cn_search_leaves_rows_out(search))
        return;
    if (search->followed.rows == CN_ROWS_BY_GATES) {
        path->row_count = search->goal_gates.view.gates->row_count;
        path->state = CAIRN_ROW_WEAKER;
        return;
    }
    if (search->followed.rows == CN_ROWS_NONE) {
        path->state = CAIRN_ROW_UNSAFE;
        return;
    }
    if (search->followed.goal_by != CN_GOAL_BY_NODE) { /* all of them hold the costs of the map */
        path->row_count = table->row_count;
        path->state = CAIRN_ROW_FRESH;
        return;
    }
    uint8_t most = 0;
    for (uint32_t row = 0; row < table->row_count; row++) {
        const uint8_t state = table->row_state[row], used = state != CAIRN_ROW_UNSAFE;
        path->row_count += used;
        most = used && state > most ? state : most;
    }
    path->state = (cairn_row_state)most;
    if (path->state == CAIRN_ROW_FRESH && !cn_table_fits(table, search->followed.row_map))
        path->state = CAIRN_ROW_WEAKER;
}

uint32_t cn_ratio(cairn_cost cost, cairn_cost least)
{
    if (least == 0)
        return cost == 0 ? CN_WEIGHT_ONE : 0;
    uint64_t ratio = ((uint64_t)cost * CN_WEIGHT_ONE + least - 1) / least;
    return ratio <= UINT32_MAX ? (uint32_t)ratio : 0;
}

/* Where the bound of the search may be too high, a bound that is admissible gives the guarantee: no
 * path costs less than it says at the start. */
uint32_t cn_search_guarantee(const cairn_search *search, cairn_cost cost)
{
    const cn_query *query = &search->query;
    cairn_bound bound;

    if (search->guarantee)
        return search->guarantee;
    if (cairn_bound_to(search->map, search->table, query->goal, &bound) != CAIRN_OK)
        return 0;
    return cn_ratio(cost, cairn_bound_at(&bound, query->start));
}

/* ---------------------------------------------------------------------------- open ground -- */

/* Of each row SAMPLES_OF_ROW entries are compared with the base heuristic. Ground is open if in all
 * they exceed it by at most one part in OPEN_PARTS. The guess for a query exceeds it by less, one
 * part in GUESS_PARTS, since most queries lead less far than to a landmark. */
enum { SAMPLES_OF_ROW = 16, OPEN_PARTS = 6, GUESS_PARTS = 16 };

bool cn_search_ground_is_open(const cairn_table *table, const cairn_map *map)
{
    const cairn_heuristic heuristic = cn_base_of(map, CAIRN_HEURISTIC_BEST);
    const size_t count = table->corners->count, step = count / SAMPLES_OF_ROW + 1;
    uint64_t bases = 0, costs = 0;

    for (uint32_t row = 0; row < table->row_count; row++) {
        const size_t first = table->landmark_start[row];
        if (first == table->landmark_start[row + 1])
            continue;
        for (size_t i = row % step; i < count; i += step) {
            const cairn_node landmark = table->landmarks[first];
            const cairn_cost cost = cn_table_entry(table, row, (cairn_node)i);
            const cairn_cost base = cn_base_between(map, heuristic, table->corners->nodes[i],
                                                    landmark);
            /* The cell is in another component, or nearer to another landmark. */
            if (cost == CAIRN_UNREACHABLE || cost < base)
                continue;
            bases += base;
            costs += cost;
        }
    }
    return costs <= bases + bases / OPEN_PARTS;
}

cairn_cost cn_guess(cairn_cost base)
{
    return base + base / GUESS_PARTS;
}

/* ------------------------------------------------------------------------- rows that wait -- */

bool cn_search_rows_may_wait(const cairn_search *search)
{
    return search->followed.goal_by == CN_GOAL_BY_ENDS_ON_OPEN_GROUND &&
           search->query.corners->count <= CN_CORNERS_FEW;
}

/* Takes the items out of the open list, in their order. False when there is no memory. */
static bool lift_items(cairn_search *search)
{
    cn_open_list *open = &search->scratch.open;
    cn_numbers *lifted = &search->lifted;

    lifted->count = 0;
    if (!cn_nodes_reserve(lifted, &search->mem, 2 * open->count))
        return false;
    while (open->count) {
        cn_open_item item;
        cn_open_pop(open, CN_OPEN_BUCKETS, &item);
        lifted->items[lifted->count++] = item.label;
        lifted->items[lifted->count++] = item.value;
    }
    return true;
}

/* Gives the bound of the rows to every node that is known: one that is not in the open list, since
 * it was expanded or lay beyond the limit, may be reached by a cheaper path, and keys must not fall
 * then. */
static void raise_bounds(cairn_search *search)
{
    const cn_query *query = &search->query;
    const cn_scratch *scratch = &search->scratch;

    for (uint32_t number = 0; number < query->corners->count; number++) {
        if (!cn_scratch_knows(scratch, true, number))
            continue;
        cn_record *record = cn_scratch_record(scratch, true, number);
        const cairn_cost rows = cn_query_rows(query, number);
        cn_record_set_bound(record, cn_larger_cost(cn_record_bound(record), rows));
    }
}

/* Puts an item back, by the bound that its node has now. */
static void put_item(cairn_search *search, cn_open_item item)
{
    cn_scratch *scratch = &search->scratch;
    const cn_record *record = cn_scratch_record(scratch, true, CN_NODE_OF(item.label));

    if (item.value != record->g)
        return;
    const uint64_t f = (uint64_t)item.value + cn_record_bound(record);
    if (f < scratch->limit)
        cn_open_push(&scratch->open, CN_OPEN_BUCKETS, (uint32_t)(f >> scratch->shift), item);
}

cairn_status cn_search_end_wait_for_rows(cairn_search *search)
{
    cn_open_list *open = &search->scratch.open;
    const cn_numbers *lifted = &search->lifted;
    const uint32_t key = open->current;

    prepare_corner_rows(search);
    if (!lift_items(search))
        return CAIRN_E_MEMORY;
    cn_open_reset(open, key);
    raise_bounds(search);
    for (size_t i = lifted->count; i; i -= 2)
        put_item(search, (cn_open_item){lifted->items[i - 2], lifted->items[i - 1]});
    search->run.rows_due = 0;
    return CAIRN_OK;
}
