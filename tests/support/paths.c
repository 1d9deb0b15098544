#include "paths.h"

#include <math.h>

#include "check.h"

void assert_shortest_path(const picture *drawn, oracle_steps steps, const cairn_path *path,
                          cairn_node start, cairn_node goal, uint64_t cost)
{
    if (cost == ORACLE_NEVER) {
        assert_int_equal(path->outcome, CAIRN_PATH_NONE);
        assert_int_equal(path->cost, CAIRN_UNREACHABLE);
        assert_int_equal(path->node_count, 0);
        assert_int_equal(path->corner_count, 0);
        return;
    }
    assert_int_equal(path->outcome, CAIRN_PATH_FOUND);
    assert_int_equal(path->cost, cost);
    assert_true(path->node_count >= 1);
    assert_int_equal(path->nodes[0], start);
    assert_int_equal(path->nodes[path->node_count - 1], goal);
    assert_true(oracle_path_cost(drawn, steps, path->nodes, path->node_count) == cost);
    double length = oracle_path_length(drawn, path->nodes, path->node_count);
    assert_true(fabs(length - path->length) < 1e-9 * (1 + length));
}
