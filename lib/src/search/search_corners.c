/* Searches with a table of corners: where records are, and entries of cells that have none. */
#include <string.h>

#include "search/search.h"
#include "table/corner_rows.h"

cairn_cost cn_query_corner_rows(const cn_query *query, cairn_node node)
{
    uint32_t entries[CAIRN_ROWS_MAX];
    cn_corner_rows_at(query->corner_table, query->map, node, entries);
    return query->rows(entries, query->above, query->below, query->lane_count);
}

static void put_goal_together(cairn_search *search)
{
    const cn_query *query = &search->query;

    if (query->gates) {
        const cn_gates *gates = query->gates->gates;
        const void *entries = cn_gates_entries(gates, query->goal, search->goal_row);
        if (entries != search->goal_row)
            memcpy(search->goal_row, entries, gates->lane_size);
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
