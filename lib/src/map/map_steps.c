#include "map/map_steps.h"

static uint32_t list_steps(const cairn_map *map, cairn_node node, cn_way way, cairn_arc *steps,
                           uint32_t room)
{
    cn_arc scratch[CN_ARCS_SCRATCH];
    if (!cairn_map_is_open(map, node))
        return 0;
    cn_arc_span span = cn_map_arcs(map, node, way, scratch);
    for (size_t i = 0; i < span.count && i < room; i++) {
        cairn_node other = span.arcs[i].to;
        steps[i] = way == CN_FORWARD ? (cairn_arc){node, other, span.arcs[i].cost}
                                     : (cairn_arc){other, node, span.arcs[i].cost};
    }
    return (uint32_t)span.count;
}

uint32_t cairn_steps(const cairn_map *map, cairn_node node, cairn_arc *steps, uint32_t room)
{
    return list_steps(map, node, CN_FORWARD, steps, room);
}

uint32_t cairn_steps_to(const cairn_map *map, cairn_node node, cairn_arc *steps, uint32_t room)
{
    return list_steps(map, node, CN_REVERSE, steps, room);
}
