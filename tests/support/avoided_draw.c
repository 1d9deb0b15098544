#include "avoided.h"

#include "check.h"

enum { FARTHEST = 4 };

/* By node how many arcs lead there from the centre or back, UINT32_MAX beyond a number; for free.
 */
static uint32_t *arcs_between(const oracle_arcs *arcs, cairn_node centre, uint32_t most)
{
    uint32_t *steps = malloc((arcs->node_count + 1u) * sizeof *steps);
    assert_non_null(steps);
    memset(steps, 0xff, (arcs->node_count + 1u) * sizeof *steps);
    steps[centre] = 0;
    for (uint32_t step = 1; step <= most; step++) {
        for (size_t i = 0; i < arcs->count; i++) {
            const uint32_t from = arcs->list[i].from, to = arcs->list[i].to;
            if (steps[from] == step - 1 && steps[to] > step)
                steps[to] = step;
            if (steps[to] == step - 1 && steps[from] > step)
                steps[from] = step;
        }
    }
    return steps;
}

static void list_node(avoided *list, cairn_node node)
{
    if (list->count < AVOIDED_MOST)
        list->nodes[list->count++] = node;
}

static void list_anywhere(avoided *list, dice *luck, uint32_t node_count)
{
    const uint32_t most = dice_below(luck, 3) ? 5 : AVOIDED_MOST / 2;
    for (uint32_t left = 1 + dice_below(luck, most); left; left--)
        list_node(list, dice_below(luck, node_count));
}

static void list_near(avoided *list, dice *luck, const oracle_arcs *arcs, cairn_node centre)
{
    const uint32_t reach = 1 + dice_below(luck, FARTHEST), one_of = 1 + dice_below(luck, 6);
    uint32_t *steps = arcs_between(arcs, centre, reach);
    for (cairn_node node = 0; node < arcs->node_count; node++) {
        if (steps[node] <= reach && dice_below(luck, one_of) == 0)
            list_node(list, node);
    }
    free(steps);
}

/* Now and then with a gap, or with nodes elsewhere. */
static void list_around(avoided *list, dice *luck, const oracle_arcs *arcs, cairn_node centre)
{
    const uint32_t reach = 1 + dice_below(luck, FARTHEST), most = dice_below(luck, 3) ? 0 : 12;
    uint32_t *steps = arcs_between(arcs, centre, reach);
    for (cairn_node node = 0; node < arcs->node_count; node++) {
        if (steps[node] == reach && (!most || dice_below(luck, most)))
            list_node(list, node);
    }
    free(steps);
    if (dice_below(luck, 3) == 0)
        list_anywhere(list, luck, arcs->node_count);
}

/* Often the same for all, sometimes so much that paths cost more than the most that can be. */
static cairn_cost draw_extra(dice *luck)
{
    static const cairn_cost most[] = {4, 60, 3000, 100000};
    if (dice_below(luck, 40) == 0)
        return CAIRN_COST_MAX - dice_below(luck, 60);
    return dice_below(luck, most[dice_below(luck, COUNT_OF(most))]);
}

static void draw_extras(avoided *list, dice *luck)
{
    const uint32_t forbidden_of_4 = dice_below(luck, 3) ? 4 * dice_below(luck, 2) : 2;
    for (size_t i = 0; i < list->count; i++)
        list->extra[i] = dice_below(luck, 4) < forbidden_of_4 ? CAIRN_UNREACHABLE
                                                              : draw_extra(luck);
}

void avoided_draw(avoided *list, dice *luck, const oracle_arcs *arcs, cairn_node centre)
{
    list->count = 0;
    switch (dice_below(luck, 8)) {
    case 0: break;
    case 1:
    case 2: list_anywhere(list, luck, arcs->node_count); break;
    case 3:
    case 4: list_near(list, luck, arcs, centre); break;
    default: list_around(list, luck, arcs, centre);
    }
    draw_extras(list, luck);
}
