/* Making gates: the costs between ports. */
#include <string.h>

#include "bound/gate_maker.h"

/* The least from a cell of one port to one of another by old steps. */
static cairn_cost gap_between(const cn_gates *gates, uint32_t one, uint32_t other)
{
    if (!cn_gate_same_part(gates, one, gates->port_parts[other]))
        return CAIRN_COST_MAX;
    const cairn_cost rows = cn_gate_apart(gates, cn_gate_row(gates, gates->from.above, one),
                                          cn_gate_row(gates, gates->from.below, one),
                                          cn_gate_row(gates, gates->to.above, other),
                                          cn_gate_row(gates, gates->to.below, other));
    const cairn_cost base = cn_gate_base_to_port(gates, one, gates->centre[other]);
    const cairn_cost apart = base > gates->radius[other] ? base - gates->radius[other] : 0;
    return rows > apart ? rows : apart;
}

static void find_gaps(cn_gates *gates)
{
    for (uint32_t one = 0; one < gates->port_count; one++) {
        gates->between[one][one] = 0;
        for (uint32_t other = 0; other < one; other++) {
            const cairn_cost gap = gap_between(gates, one, other);
            gates->between[one][other] = gap;
            gates->between[other][one] = gates->is_directed ? gap_between(gates, other, one) : gap;
        }
    }
}

/* Lowers costs to those of going on by `rest` after `first`. They are at most CAIRN_COST_MAX, so
 * that sums of two fit 31 bits: every processor compares numbers with a sign in vectors. */
static void lower_costs(cairn_cost *costs, cairn_cost first, const cairn_cost *rest, uint32_t count)
{
    int32_t *to = (int32_t *)costs;
    const int32_t *from = (const int32_t *)rest, begin = (int32_t)first;

    if (first >= CAIRN_COST_MAX)
        return;
    for (uint32_t i = 0; i < count; i++)
        to[i] = begin + from[i] < to[i] ? begin + from[i] : to[i];
}

/* Costs from the port where a crossing ended to the port where the next one ends: by old steps, and
 * that crossing. There are few crossings. */
static void follow_one(const cn_gates *gates, cairn_cost (*later)[CN_PORTS_MAX])
{
    const uint32_t count = gates->port_count;
    for (uint32_t i = 0; i < count * CN_PORTS_MAX; i++)
        later[i / CN_PORTS_MAX][i % CN_PORTS_MAX] = CAIRN_COST_MAX;
    for (uint32_t by = 0; by < count; by++) {
        for (uint32_t to = 0; to < count; to++) {
            const cairn_cost crossed = gates->across[by][to];
            for (uint32_t from = 0; crossed < CAIRN_COST_MAX && from < count; from++)
                cn_gate_lower(&later[from][to], gates->between[from][by] + crossed);
        }
    }
}

/* The least of these costs after any number of further crossings (Floyd, "Algorithm 97: shortest
 * path", 1962). */
static void follow_crossings(const cn_gates *gates, cairn_cost (*later)[CN_PORTS_MAX])
{
    const uint32_t count = gates->port_count;
    follow_one(gates, later);
    for (uint32_t by = 0; by < count; by++) {
        for (uint32_t from = 0; from < count; from++)
            lower_costs(later[from], later[from][by], later[by], count);
    }
}

/* Makes `across` the costs of one crossing or several, from before the first to after the last. */
static void join_crossings(cn_gates *gates)
{
    cairn_cost later[CN_PORTS_MAX][CN_PORTS_MAX], single[CN_PORTS_MAX];

    follow_crossings(gates, later);
    for (uint32_t from = 0; from < gates->port_count; from++) {
        memcpy(single, gates->across[from], sizeof single);
        for (uint32_t by = 0; by < gates->port_count; by++)
            lower_costs(gates->across[from], single[by], later[by], gates->port_count);
    }
}

/* The limits that kernels compare entries with, where each row gives only one of its differences:
 * rows of costs from landmarks and, in odd lanes, to them. */
static void limit_ports(const cn_gates *gates)
{
    for (uint32_t port = 0; gates->is_directed && port < gates->port_count; port++) {
        for (uint32_t lane = 0; lane < gates->lane_count; lane++) {
            const cn_gate_interval all = cn_gate_interval_of(gates, port, lane);
            const bool is_back = lane & 1;
            cn_gate_put(gates, cn_gate_row(gates, gates->to.above, port), lane,
                        is_back ? all.high : UINT32_MAX);
            cn_gate_put(gates, cn_gate_row(gates, gates->to.below, port), lane,
                        is_back ? 0 : all.low);
            cn_gate_put(gates, cn_gate_row(gates, gates->from.above, port), lane,
                        is_back ? UINT32_MAX : all.high);
            cn_gate_put(gates, cn_gate_row(gates, gates->from.below, port), lane,
                        is_back ? all.low : 0);
        }
    }
}

void cn_gate_sum_up(cn_gates *gates)
{
    limit_ports(gates);
    find_gaps(gates);
    join_crossings(gates);
}
