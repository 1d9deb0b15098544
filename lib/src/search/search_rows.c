/* The rows of a table in one query: which of them are used, and what follows for the path. */
#include "search/search.h"

#include <string.h>

void cn_search_prepare_rows(cairn_search *search)
{
    cn_query *query = &search->query;
    if (!query->entries)
        return;
    if (search->table->corners) {
        cn_search_prepare_corner_rows(search);
    } else {
        query->above = query->below = query->entries + query->goal * query->stride;
    }
    if (query->gate_view) {
        const cn_gates *gates = query->gate_view->gates;
        cn_goal_gates *self = &search->goal_gates;
        cn_gates_limit(gates, query->goal, query->above, self->limits);
        cn_gates_aim(gates, query->goal, self->limits, &self->aim);
        cn_gate_begin_ways(&self->view);
        memset(self->view.inside, 0xff, gates->border_count * sizeof *self->view.inside);
        return;
    }
    if (search->table->is_directed || search->followed.trust == CN_TRUST_SOME) {
        cn_bound_limits(search->table, query->above, search->goal_entries.above,
                        search->goal_entries.below);
        query->above = search->goal_entries.above;
        query->below = search->goal_entries.below;
    }
}

void cn_search_report_rows(const cairn_search *search, cairn_path *path)
{
    const cairn_table *table = search->table;

    if (!table)
        return;
    if (search->query.gate_view) {
        path->row_count = search->goal_gates.view.gates->row_count;
        path->state = CAIRN_ROW_WEAKER;
        return;
    }
    if (search->followed.trust == CN_TRUST_NONE) {
        path->state = CAIRN_ROW_UNSAFE;
        return;
    }
    if (search->followed.goal_by_ends) { /* all of them hold the costs of the map */
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

bool cn_search_rows_are_mute(const cairn_search *search)
{
    if (search->table->corners)
        return false;
    return cn_query_rows(&search->query, search->query.start) <= cn_search_base_from_start(search);
}

cairn_status cn_search_leave_out_rows(cairn_search *search, cairn_path *path)
{
    path->row_count = 0;
    path->state = CAIRN_ROW_FRESH;
    cairn_status status = cn_search_follow_mute(search);
    cn_search_find_records(search);
    return status;
}
