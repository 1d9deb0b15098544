/* Lists of nodes, and sorting of nodes with their places. */
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

static void assert_first_is_found(const cn_placed_node *nodes, size_t count, size_t i)
{
    const size_t first = cn_placed_find(nodes, count, cn_placed(nodes[i]));
    assert_true(first <= i && cn_placed(nodes[first]) == cn_placed(nodes[i]));
    assert_true(first == 0 || cn_placed(nodes[first - 1]) != cn_placed(nodes[i]));
}

static void nodes_are_in_order_and_those_of_one_node_as_they_were(void **state)
{
    (void)state;
    dice luck = {11};
    static cn_placed_node nodes[2 * MOST];
    for (unsigned round = 0; round < 400; round++) {
        const size_t count = round < 160 ? round / 4 : dice_below(&luck, MOST);
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
            assert_first_is_found(nodes, count, i);
        }
        assert_true(cn_placed_find(nodes, count, UINT32_MAX) == SIZE_MAX);
        assert_true(sum == sorted_sum);
    }
}

/* Memory for so many blocks more. */
static void *allocate_some(void *context, size_t size)
{
    size_t *left = context;
    return (*left)-- ? malloc(size) : (*left = 0, NULL);
}

static void release_one(void *context, void *memory)
{
    (void)context;
    free(memory);
}

static void lists_grow_and_stay_as_they_are_without_memory(void **state)
{
    (void)state;
    size_t left = 4;
    const cairn_allocator allocator = {allocate_some, release_one, &left};
    const cn_mem mem = cn_mem_from(&allocator);
    cn_nodes list = {0};
    cairn_node added = 0;

    while (cn_nodes_add(&list, &mem, added))
        added++;
    assert_int_equal(added, 32 << 3);
    assert_int_equal(list.count, added);
    assert_int_equal(list.capacity, added);
    for (cairn_node i = 0; i < added; i++)
        assert_int_equal(list.items[i], i);
    left = 1;
    assert_true(cn_nodes_reserve(&list, &mem, 1000));
    assert_int_equal(list.items[added - 1], added - 1);
    assert_int_equal(list.count, added);
    assert_false(cn_nodes_reserve(&list, &mem, SIZE_MAX / 2));
    cn_release(&mem, list.items);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_grow_and_stay_as_they_are_without_memory),
        cmocka_unit_test(nodes_are_in_order_and_those_of_one_node_as_they_were),
    };
    return cmocka_run_group_tests_name("nodes", tests, NULL, NULL);
}
