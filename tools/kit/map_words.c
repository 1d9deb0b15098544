#include "map_words.h"

#include <stddef.h>

#include "cairn/cairn.h"

const char *const kit_moves[] = {
    [CAIRN_RULE_8] = "8",         [CAIRN_RULE_4] = "4",     [CAIRN_RULE_8_ONE_SIDE] = "8-one",
    [CAIRN_RULE_8_ANY] = "8-any", [CAIRN_RULE_HEX] = "hex", NULL,
};
const char *const kit_charges[] = {
    [CAIRN_CHARGE_ENTERED] = "entered",
    [CAIRN_CHARGE_AVERAGE] = "average",
    NULL,
};
const char *const kit_anchors[] = {
    [CAIRN_ANCHOR_TOP_LEFT] = "top-left",
    [CAIRN_ANCHOR_MIDDLE] = "middle",
    NULL,
};
