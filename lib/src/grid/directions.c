#include "grid/directions.h"

const int8_t cn_step_x[CN_DIRECTIONS] = {1, -1, 0, 0, 1, -1, 1, -1};
const int8_t cn_step_y[CN_DIRECTIONS] = {0, 0, 1, -1, 1, 1, -1, -1};

unsigned cn_rule_directions(cairn_rule rule)
{
    switch (rule) {
    case CAIRN_RULE_4: return CN_BIT(CN_STRAIGHT) - 1;
    case CAIRN_RULE_HEX: return CN_BIT(CN_DIRECTIONS) - 1 - CN_BIT(CN_S) - CN_BIT(CN_N);
    default: return CN_BIT(CN_DIRECTIONS) - 1;
    }
}

bool cn_rule_is_major(cairn_rule rule, unsigned direction)
{
    switch (rule) {
    case CAIRN_RULE_4: return direction == CN_S || direction == CN_N;
    case CAIRN_RULE_HEX: return direction == CN_E || direction == CN_NW || direction == CN_SW;
    default: return direction >= CN_STRAIGHT;
    }
}

bool cn_rule_joins_straight(cairn_rule rule)
{
    return rule != CAIRN_RULE_8_ANY && rule != CAIRN_RULE_HEX;
}

cn_row_reach cn_rule_reach_above(cairn_rule rule, uint32_t y)
{
    switch (rule) {
    case CAIRN_RULE_8_ANY: return (cn_row_reach){1, 1};
    case CAIRN_RULE_HEX: return y & 1 ? (cn_row_reach){0, 1} : (cn_row_reach){1, 0};
    default: return (cn_row_reach){0, 0};
    }
}
