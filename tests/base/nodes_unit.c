/* Sorting of nodes with their places. */
#include "base/nodes.h"
#include "support/check.h"
#include "support/random_maps.h"

enum { MOST = 700 };

/* As nodes are drawn: any, of few bits, of few nodes, or alike in their lower digits. */
static cairn_node draw_node(dice *luck, unsigned kind)
{
    switch (kind) {
    case 0: return dice_below(luck, UINT32_MAX);
    case 1: return dice_below(luck, 70000);
    case 2: return dice_below(luck, 9);
    default: return dice_below(luck, 300) << 24 | 5;
    }
}

static void nodes_are_in_order_and_those_of_one_node_as_they_were(void **state)
{
    (void)state;
    dice luck = {11};
    static cn_placed_node nodes[2 * MOST];
    for (unsigned round = 0; round < 400; round++) {
        const size_t count = round < 4 ? round : dice_below(&luck, MOST);
        uint64_t sum = 0, sorted_sum = 0;
        for (size_t i = 0; i < count; i++) {
            nodes[i] = cn_place_node(draw_node(&luck, round % 4), i);
            sum += nodes[i];
        }
        cn_sort_placed(nodes, nodes + MOST, count);
        for (size_t i = 0; i < count; i++) {
            sorted_sum += nodes[i];
            if (i > 0)
                assert_true(nodes[i - 1] < nodes[i]);
        }
        assert_true(sum == sorted_sum);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_are_in_order_and_those_of_one_node_as_they_were),
    };
    return cmocka_run_group_tests_name("nodes", tests, NULL, NULL);
}
