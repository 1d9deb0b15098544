#include "avoided.h"

bool avoided_forbids_all(const avoided *list)
{
    for (size_t i = 0; i < list->count; i++) {
        if (list->extra[i] != CAIRN_UNREACHABLE)
            return false;
    }
    return true;
}

cairn_cost avoided_extra(const avoided *list, uint32_t node)
{
    cairn_cost most = 0;
    for (size_t i = 0; i < list->count; i++) {
        if (list->nodes[i] == node && list->extra[i] > most)
            most = list->extra[i];
    }
    return most;
}

oracle_arcs avoided_arcs(const avoided *list, const oracle_arcs *from)
{
    oracle_arcs arcs = oracle_arcs_copy(from);
    size_t kept = 0;
    for (size_t i = 0; i < arcs.count; i++) {
        const cairn_cost extra = avoided_extra(list, arcs.list[i].to);
        if (extra == CAIRN_UNREACHABLE)
            continue;
        arcs.list[kept] = arcs.list[i];
        arcs.list[kept++].cost += extra;
    }
    arcs.count = kept;
    return arcs;
}
