/* What the letters of a grid mean, and which steps there are. */
#ifndef CN_GRID_GRID_TERRAIN_H
#define CN_GRID_GRID_TERRAIN_H

#include "base/base.h"

typedef struct cn_rules {
    cairn_rule rule;
    cairn_charge charge;
    uint16_t factor[256];  /* by letter, as in cairn_alphabet */
} cn_rules;

/* 8 neighbours without cutting of corners, the letters of Moving AI maps at factor 1. */
void cn_rules_default(cn_rules *rules);

/* From the options of a map; false for numbers that no enumeration has. `alphabet` may be NULL. */
bool cn_rules_from(cn_rules *rules, cairn_rule rule, cairn_charge charge,
                   const cairn_alphabet *alphabet);

/* Whether every step costs the metric alone, both ways: one factor, 1, and no one-way letters.
 * Letters decide, not the cells that happen to hold them, so that edits change nothing here. */
bool cn_rules_are_uniform(const cn_rules *rules);

/* Whether any letter is one-way. */
bool cn_rules_have_one_way(const cn_rules *rules);

/* Whether a step and the step back may cost differently. */
bool cn_rules_are_directed(const cn_rules *rules);

/* The least and the largest factor of an open letter; 1 where there is none. */
void cn_rules_range(const cn_rules *rules, uint32_t *least, uint32_t *most);

/* What an error says was expected in place of a letter that is not known. */
const char *cn_rules_letters(const cn_rules *rules);

#endif
