/*
 * Step maps: the same nodes and steps as a map, but every straight step has one cost and every
 * diagonal step another, whatever the terrain; on graphs every arc costs 1. The rows of a table
 * that counts steps are those of a step map, so floods, proofs, files and repair need no code for
 * such tables.
 *
 * A step map belongs to its map, is made when it is first needed, and follows the edits of the map.
 */
#include <string.h>

#include "map/map.h"

static cairn_status make_step_grid(const cairn_map *map, cairn_metric metric, cairn_map **step_map)
{
    const cn_grid *grid = &map->grid;
    size_t count = cn_map_node_count(map);
    cn_rules rules = grid->rules;
    cn_grid copy;

    uint8_t *letters = cn_array(&map->mem, count, 1);
    if (!letters)
        return CAIRN_E_MEMORY;
    memcpy(letters, grid->letters, count);
    rules.charge = CAIRN_CHARGE_ENTERED;
    for (unsigned letter = 0; letter < 256; letter++) {
        if (grid->open_letter[letter])
            rules.factor[letter] = 1;
    }
    cairn_status status = cn_grid_init_ruled(&copy, &map->mem, grid->width, grid->height, letters,
                                             &rules);
    return status == CAIRN_OK ? cn_map_new(&map->mem, metric, &copy, step_map) : status;
}

static cairn_status make_step_graph(const cairn_map *map, cairn_map **step_map)
{
    cn_graph *graph;
    cairn_status status = cn_graph_clone_steps(map->graph, &map->mem, &graph);
    return status == CAIRN_OK ? cn_map_new_graph(&map->mem, graph, step_map) : status;
}

static bool is_step_map(const cairn_map *map, cairn_metric metric)
{
    if (map->graph)
        return map->graph->least == 1 && map->graph->most == 1;
    return (cn_map_is_even(map) || map->is_step_map) && cn_metric_is_same(metric, map->metric);
}

static cairn_map *find(const cairn_map *map, cairn_metric metric)
{
    cairn_map *step_map = atomic_load_explicit(&map->step_maps, memory_order_acquire);
    while (step_map && !cn_metric_is_same(step_map->metric, metric))
        step_map = step_map->next_step_map;
    return step_map;
}

/* If two threads make the same step map at once, one frees its own. */
static cairn_map *hang(const cairn_map *map, cairn_map *made)
{
    _Atomic(cairn_map *) *list = (_Atomic(cairn_map *) *)&map->step_maps;
    cairn_map *first = atomic_load_explicit(list, memory_order_acquire);
    do {
        cairn_map *there = find(map, made->metric);
        if (there) {
            cairn_map_free(made);
            return there;
        }
        made->next_step_map = first;
    } while (!atomic_compare_exchange_strong(list, &first, made));
    return made;
}

cairn_status cn_map_step_map(const cairn_map *map, cairn_metric metric, const cairn_map **step_map)
{
    cairn_map *made;

    *step_map = NULL;
    if (!cn_metric_is_valid(metric) ||
        (map->graph && (metric.straight != 1 || metric.diagonal != 1)))
        return CAIRN_E_ARGUMENT;
    *step_map = is_step_map(map, metric) ? map : find(map, metric);
    if (*step_map)
        return CAIRN_OK;
    cairn_status status = map->graph ? make_step_graph(map, &made)
                                     : make_step_grid(map, metric, &made);
    if (status != CAIRN_OK)
        return status;
    made->is_step_map = true;
    made->pool = map->pool;
    made->journal.is_partial = cn_journal_has_past(&map->journal);
    *step_map = hang(map, made);
    return status;
}

bool cn_map_differs_from_step_map(const cairn_map *map, const cairn_map *step_map)
{
    if (step_map == map || !map->graph || step_map->hash != map->hash)
        return step_map != map;
    return cn_map_is_directed(step_map) != cn_map_is_directed(map);
}
