/* The rules of a grid: what its letters mean, and which steps there are. */
#ifndef CN_GRID_GRID_TERRAIN_H
#define CN_GRID_GRID_TERRAIN_H

#include "base/base.h"

typedef struct cn_rules {
    cairn_rule rule;
    cairn_charge charge;
    uint16_t factor[256]; /* by letter, as in cairn_alphabet */
    uint8_t exits[256];   /* by letter: the directions in which its cells may be left */
} cn_rules;

/* Whether cells with a letter may be entered. */
CN_ALWAYS_INLINE bool cn_rules_open(const cn_rules *rules, unsigned letter)
{
    return rules->factor[letter] && rules->factor[letter] != CAIRN_TERRAIN_BLOCKED;
}

/* 8 neighbours without cutting of corners; the letters of Moving AI maps with factor 1. */
void cn_rules_default(cn_rules *rules);

/* Rules from the options of a map; false for invalid values of the enumerations. `alphabet` may be
 * NULL. */
bool cn_rules_from(cn_rules *rules, cairn_rule rule, cairn_charge charge,
                   const cairn_alphabet *alphabet);

/* Whether every step costs exactly the metric in both directions: every open letter has factor 1,
 * and none is one-way. This depends on the letters that are allowed, not on those that occur, so
 * edits do not change it. */
bool cn_rules_are_even(const cn_rules *rules);

/* Whether letters have the directions that cn_rules_from gives them: ^ v < > are one-way, and no
 * others. */
bool cn_rules_have_usual_exits(const cn_rules *rules);

/* Whether that is so of one letter. */
bool cn_rules_letter_is_usual(const cn_rules *rules, unsigned letter);

/* Whether any letter is one-way. */
bool cn_rules_have_one_way(const cn_rules *rules);

/* Whether a step and its reverse may cost differently. */
bool cn_rules_are_directed(const cn_rules *rules);

/* The smallest and the largest factor of an open letter; 1 where there is none. */
void cn_rules_range(const cn_rules *rules, uint32_t *least, uint32_t *most);

/* What an error says was expected in place of an unknown letter. */
const char *cn_rules_letters(const cn_rules *rules);

#endif
