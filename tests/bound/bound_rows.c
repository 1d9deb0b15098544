/* The kernels of every instruction set give what a loop over the rows gives. */
#include "bound/bound_rows.h"
#include "support/check.h"
#include "support/random_maps.h"

enum { ROUNDS = 20000, LANES_MAX = 256 };

static uint64_t spread(uint64_t a, uint64_t high, uint64_t low)
{
    uint64_t over = a > high ? a - high : 0, under = low > a ? low - a : 0;
    return over > under ? over : under;
}

/* Values at the ends of the range as often as in between. */
static uint32_t some_value(dice *luck, uint32_t most)
{
    switch (dice_below(luck, 6)) {
    case 0: return most;
    case 1: return 0;
    case 2: return most - 1 - dice_below(luck, 3);
    case 3: return dice_below(luck, 4);
    default: return dice_below(luck, most);
    }
}

static void check_16(dice *luck, uint32_t lanes)
{
    uint16_t a[LANES_MAX], high[LANES_MAX], low[LANES_MAX];
    uint64_t most = 0;
    bool split = dice_below(luck, 2); /* lanes taken in one direction or not at all */
    for (uint32_t i = 0; i < lanes; i++) {
        a[i] = (uint16_t)some_value(luck, UINT16_MAX);
        uint32_t goal = some_value(luck, UINT16_MAX);
        high[i] = (uint16_t)(split && dice_below(luck, 2) ? UINT16_MAX : goal);
        low[i] = (uint16_t)(split && dice_below(luck, 2) ? 0 : goal);
        uint64_t mine = spread(a[i], high[i], low[i]);
        most = mine > most ? mine : most;
    }
    for (cn_cpu cpu = CN_CPU_PORTABLE; cpu <= cn_cpu_level(); cpu++)
        assert_int_equal(cn_rows_kernel_for(16, cpu)(a, high, low, lanes), most);
}

static void check_32(dice *luck, uint32_t lanes)
{
    uint32_t a[LANES_MAX], high[LANES_MAX], low[LANES_MAX];
    uint64_t most = 0;
    bool split = dice_below(luck, 2); /* lanes taken in one direction or not at all */
    for (uint32_t i = 0; i < lanes; i++) {
        a[i] = some_value(luck, UINT32_MAX);
        uint32_t goal = some_value(luck, UINT32_MAX);
        high[i] = (split && dice_below(luck, 2) ? UINT32_MAX : goal);
        low[i] = (split && dice_below(luck, 2) ? 0 : goal);
        uint64_t mine = spread(a[i], high[i], low[i]);
        most = mine > most ? mine : most;
    }
    for (cn_cpu cpu = CN_CPU_PORTABLE; cpu <= cn_cpu_level(); cpu++)
        assert_int_equal(cn_rows_kernel_for(32, cpu)(a, high, low, lanes), most);
}

/* More nodes than are fetched ahead, and fewer; lanes of the usual number and of others. */
static void a_loop_over_many_nodes_equals_one_call_for_each(void **state)
{
    (void)state;
    enum { NODES = 97, BYTES = 64 * sizeof(uint32_t) };
    static _Alignas(64) uint8_t entries[NODES * BYTES], goal[BYTES];
    dice luck = {5};
    for (size_t i = 0; i < sizeof entries; i++)
        entries[i] = (uint8_t)dice_below(&luck, 256);
    for (size_t i = 0; i < sizeof goal; i++)
        goal[i] = (uint8_t)dice_below(&luck, 256);
    for (int round = 0; round < 400; round++) {
        cairn_node nodes[2 * NODES];
        cairn_cost most[2 * NODES];
        unsigned bits = dice_below(&luck, 2) ? 16 : 32;
        uint32_t lanes = dice_below(&luck, 3) ? 16u << dice_below(&luck, 3) : 128 / bits;
        cn_rows_view view = {entries, goal, goal, lanes};
        size_t size = view.lane_count * (bits / 8), count = dice_below(&luck, 2 * NODES);
        for (size_t i = 0; i < count; i++)
            nodes[i] = dice_below(&luck, NODES);
        for (cn_cpu cpu = CN_CPU_PORTABLE; cpu <= cn_cpu_level(); cpu++) {
            cn_rows_kernel_of_many_for(bits, cpu)(&view, nodes, count, most);
            for (size_t i = 0; i < count; i++)
                assert_int_equal(most[i],
                                 cn_rows_kernel_for(bits, cpu)(entries + nodes[i] * size, goal,
                                                               goal, view.lane_count));
        }
    }
}

static void every_kernel_equals_the_scalar_loop(void **state)
{
    (void)state;
    dice luck = {99};
    for (int round = 0; round < ROUNDS; round++) {
        uint32_t vectors = dice_below(&luck, 5) ? 1 + dice_below(&luck, 4)
                                                : 1 + dice_below(&luck, LANES_MAX / 16);
        check_16(&luck, dice_below(&luck, 4) ? 16 * vectors : 8);
        check_32(&luck, dice_below(&luck, 4) ? 8 * vectors : 4);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kernel_equals_the_scalar_loop),
        cmocka_unit_test(a_loop_over_many_nodes_equals_one_call_for_each),
    };
    return cmocka_run_group_tests_name("bound_rows", tests, NULL, NULL);
}
