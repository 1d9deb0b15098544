/* Searches with a table of corners: where records are, and entries of cells that have none. */
#include <string.h>

#include "map/corner_ends.h"
#include "map/map.h"
#include "search/search.h"
#include "table/corner_rows.h"

cairn_cost cn_query_corner_rows(const cn_query *query, cairn_node node)
{
    uint32_t entries[CAIRN_ROWS_MAX];
    cn_corner_rows_at(query->corner_table, query->map, node, entries);
    return query->rows(entries, query->above, query->below, query->lane_count);
}

/* ---------------------------------------------------------------------- landmarks in sight -- */

/* Up to so many landmarks in all, those of the goal's component are listed again for each goal in
 * another one. Few rows have several landmarks in one component. */
enum { LANDMARKS_FEW = 128, PLACES_BY_ROW = 2 };

cairn_status cn_search_hold_places(cairn_search *search)
{
    cn_landmark_places *places = &search->places;
    const size_t capacity = PLACES_BY_ROW * search->table->row_count;

    places->count = 0;
    places->component = CN_NO_COMPONENT;
    places->size = 0;
    if (places->capacity == capacity)
        return CAIRN_OK;
    cn_release(&search->mem, places->items);
    places->items = cn_array(&search->mem, capacity, sizeof *places->items);
    places->capacity = places->items ? capacity : 0;
    return places->items ? CAIRN_OK : CAIRN_E_MEMORY;
}

static void list_places(cairn_search *search, const cn_components *components, uint32_t component)
{
    const cairn_table *table = search->table;
    cn_landmark_places *places = &search->places;

    places->count = 0;
    places->component = component;
    places->size = components->items[component].size;
    for (size_t i = 0; i < table->landmark_start[table->row_count]; i++) {
        const cairn_node landmark = table->landmarks[i];
        if (cn_component_of(components, landmark) != component)
            continue;
        if (places->count < places->capacity) {
            cn_landmark_place *place = &places->items[places->count];
            cn_grid_xy(search->query.grid, landmark, &place->x, &place->y);
        }
        places->count++;
    }
}

/* Whether the landmarks of the goal's component are listed. Where there are many components, those
 * of the largest one that had a goal stay: elsewhere goals see few corners. */
static bool has_places(cairn_search *search)
{
    const cairn_table *table = search->table;
    const cn_landmark_places *places = &search->places;
    const cn_components *components;

    if (cn_map_connect(search->map, &components) != CAIRN_OK)
        return false;
    const uint32_t component = cn_component_of(components, search->query.goal);
    if (component != places->component) {
        if (table->landmark_start[table->row_count] > LANDMARKS_FEW &&
            components->items[component].size <= places->size)
            return false;
        list_places(search, components, component);
    }
    return places->count <= places->capacity;
}

static void gather_landmarks(cn_corner_gathering *gathering, const cn_viewpoint *viewpoint,
                             const cn_landmark_places *places)
{
    const cn_corner_view *view = gathering->view;

    for (size_t i = 0; i < places->count; i++) {
        const cn_landmark_place *place = &places->items[i];
        if (CN_LIKELY(!cn_viewpoint_sees(viewpoint, place->x, place->y)))
            continue;
        const cn_seen_corner seen = {
            cn_corners_find(view->corners, place->x, place->y),
            cn_octile(view->metric, place->x, place->y, viewpoint->x, viewpoint->y)};
        cn_corner_gather(gathering, &seen, 1);
    }
}

/* ---------------------------------------------------------------------- the goal's entries -- */

/* A path from a landmark to the goal leads to the end of a run from the goal, or the goal sees the
 * landmark. */
static void put_goal_together_from_ends(cairn_search *search)
{
    const cn_query *query = &search->query;
    const cn_corner_view view = cn_corner_view_of(search->table, search->map);
    cn_corner_gathering gathering = cn_corner_gathering_of(&view, search->goal_row);
    cn_viewpoint viewpoint;

    cn_corner_ends(query->corners, query->grid, query->jump, view.metric, query->goal,
                   cn_corner_gather, &gathering, &viewpoint);
    gather_landmarks(&gathering, &viewpoint, &search->places);
    cn_corner_gathering_end(&gathering);
}

static void put_goal_together(cairn_search *search)
{
    const cn_query *query = &search->query;

    if (query->gates) {
        const cn_gates *gates = query->gates->gates;
        const void *entries = cn_gates_entries(gates, query->goal, search->goal_row);
        if (entries != search->goal_row)
            memcpy(search->goal_row, entries, gates->lane_size);
    } else if (search->goal_by_ends &&
               cn_corners_find(query->corners, query->goal_x, query->goal_y) == CN_NO_CORNER &&
               has_places(search)) {
        put_goal_together_from_ends(search);
    } else {
        cn_corner_rows_at(search->table, search->map, query->goal, search->goal_row);
    }
    search->goal_of_row = query->goal;
}

void cn_search_prepare_corner_rows(cairn_search *search)
{
    cn_query *query = &search->query;

    if (search->goal_of_row != query->goal && cn_grid_is_open(query->grid, query->goal))
        put_goal_together(search);
    query->above = query->below = search->goal_row;
}

void cn_search_find_records(cairn_search *search)
{
    cn_query *query = &search->query;
    const cn_corners *corners = query->corners;
    uint32_t x, y;

    query->start_record = query->start;
    query->goal_record = query->goal;
    if (!corners)
        return;
    cn_grid_xy(query->grid, query->start, &x, &y);
    query->start_record = cn_corners_find(corners, x, y);
    query->goal_record = cn_corners_find(corners, query->goal_x, query->goal_y);
    if (query->start_record == CN_NO_CORNER)
        query->start_record = corners->count;
    if (query->goal_record == CN_NO_CORNER)
        query->goal_record = query->goal == query->start ? corners->count : corners->count + 1;
}

uint32_t cn_search_record_of(const cairn_search *search, cairn_node node)
{
    const cn_query *query = &search->query;
    uint32_t x, y;

    if (!query->corners)
        return node < search->record_count ? node : CN_NO_CORNER;
    if (!cn_search_is_as_begun(search))
        return CN_NO_CORNER;
    if (node == query->start)
        return query->start_record;
    if (node == query->goal)
        return query->goal_record;
    cn_grid_xy(query->grid, node, &x, &y);
    return cn_corners_find(query->corners, x, y);
}
