#include "grid/grid_terrain.h"

#include <string.h>

#include "base/text.h"

#include "grid/directions.h"

static const char one_way_letters[] = "^v<>";

void cairn_alphabet_init(cairn_alphabet *alphabet)
{
    if (!alphabet)
        return;
    memset(alphabet, 0, sizeof *alphabet);
    for (const char *letter = ".GS"; *letter; letter++)
        alphabet->cost[(uint8_t)*letter] = 1;
    for (const char *letter = "@OTW"; *letter; letter++)
        alphabet->cost[(uint8_t)*letter] = CAIRN_TERRAIN_BLOCKED;
}

static bool is_separator(char letter)
{
    return letter == ',' || letter == ' ' || letter == '\t' || letter == '\r' || letter == '\n';
}

/* One item of a terrain text, without separators. */
static bool apply_item(cn_span item, cairn_alphabet *alphabet)
{
    uint64_t factor;

    if (cn_span_equals(item, "one-way")) {
        for (const char *letter = one_way_letters; *letter; letter++)
            alphabet->cost[(uint8_t)*letter] = 1;
        return true;
    }
    uint8_t letter = (uint8_t)item.start[0];
    if (item.size < 3 || item.start[1] != '=' || letter <= ' ' || letter > '~')
        return false;
    cn_span value = {item.start + 2, item.size - 2};
    if (cn_span_equals(value, "blocked"))
        factor = CAIRN_TERRAIN_BLOCKED;
    else if (!cn_span_number(value, CAIRN_TERRAIN_BLOCKED - 1, &factor) || factor == 0)
        return false;
    alphabet->cost[letter] = (uint16_t)factor;
    return true;
}

cairn_status cairn_alphabet_parse(const char *text, size_t size, cairn_alphabet *alphabet,
                                  cairn_error *error)
{
    uint64_t line = 1;

    if (!alphabet || (!text && size))
        return cn_error_general(error, CAIRN_E_ARGUMENT, NULL);
    cairn_alphabet made = *alphabet;
    const cn_lines whole = cn_lines_of(text, size);
    const char *at = whole.at, *end = whole.end;
    while (at < end) {
        if (is_separator(*at)) {
            line += *at++ == '\n';
            continue;
        }
        cn_span item = {at, 1}; /* a comma may be the letter itself */
        while (item.start + item.size < end && !is_separator(item.start[item.size]))
            item.size++;
        if (!apply_item(item, &made))
            return cn_error_at_line(error, CAIRN_E_FORMAT, line,
                                    "LETTER=FACTOR (1 to 65534), LETTER=blocked or one-way",
                                    item.start, item.size);
        at = item.start + item.size;
    }
    *alphabet = made;
    return CAIRN_OK;
}

void cn_rules_default(cn_rules *rules)
{
    cn_rules_from(rules, CAIRN_RULE_8, CAIRN_CHARGE_ENTERED, NULL);
}

/* Those that the letters of an alphabet have: ^ v < > are one-way. */
static void set_usual_exits(uint8_t exits[256])
{
    memset(exits, 0xff, 256);
    exits['^'] = CN_BIT(CN_N) | CN_BIT(CN_NE) | CN_BIT(CN_NW);
    exits['v'] = CN_BIT(CN_S) | CN_BIT(CN_SE) | CN_BIT(CN_SW);
    exits['<'] = CN_BIT(CN_W) | CN_BIT(CN_NW) | CN_BIT(CN_SW);
    exits['>'] = CN_BIT(CN_E) | CN_BIT(CN_NE) | CN_BIT(CN_SE);
}

bool cn_rules_letter_is_usual(const cn_rules *rules, unsigned letter)
{
    uint8_t usual[256];
    set_usual_exits(usual);
    return rules->exits[letter] == usual[letter];
}

bool cn_rules_have_usual_exits(const cn_rules *rules)
{
    uint8_t usual[256];
    set_usual_exits(usual);
    return memcmp(usual, rules->exits, sizeof usual) == 0;
}

bool cn_rules_from(cn_rules *rules, cairn_rule rule, cairn_charge charge,
                   const cairn_alphabet *alphabet)
{
    cairn_alphabet known;

    if ((unsigned)rule > CAIRN_RULE_HEX || (unsigned)charge > CAIRN_CHARGE_AVERAGE)
        return false;
    cairn_alphabet_init(&known);
    if (alphabet)
        known = *alphabet;
    rules->rule = rule;
    rules->charge = charge;
    memcpy(rules->factor, known.cost, sizeof rules->factor);
    set_usual_exits(rules->exits);

    /* Where all cells have the same factor, the mean of two is that factor. */
    uint32_t least, most;
    cn_rules_range(rules, &least, &most);
    if (least == most)
        rules->charge = CAIRN_CHARGE_ENTERED;
    return true;
}

bool cn_rules_have_one_way(const cn_rules *rules)
{
    for (unsigned letter = 0; letter < 256; letter++) {
        if (rules->exits[letter] != 0xff && cn_rules_open(rules, letter))
            return true;
    }
    return false;
}

void cn_rules_range(const cn_rules *rules, uint32_t *least, uint32_t *most)
{
    *least = UINT32_MAX;
    *most = 1;
    for (unsigned letter = 0; letter < 256; letter++) {
        if (!cn_rules_open(rules, letter))
            continue;
        *least = rules->factor[letter] < *least ? rules->factor[letter] : *least;
        *most = rules->factor[letter] > *most ? rules->factor[letter] : *most;
    }
    *least = *least == UINT32_MAX ? 1 : *least;
}

bool cn_rules_are_even(const cn_rules *rules)
{
    uint32_t least, most;
    cn_rules_range(rules, &least, &most);
    return least == 1 && most == 1 && !cn_rules_have_one_way(rules);
}

bool cn_rules_are_directed(const cn_rules *rules)
{
    uint32_t least, most;
    cn_rules_range(rules, &least, &most);
    return cn_rules_have_one_way(rules) || (rules->charge == CAIRN_CHARGE_ENTERED && least != most);
}

const char *cn_rules_letters(const cn_rules *rules)
{
    cn_rules usual;
    cn_rules_default(&usual);
    bool same = memcmp(usual.factor, rules->factor, sizeof usual.factor) == 0;
    return same ? "one of the terrain letters . G S @ O T W, or a terrain with this letter"
                : "one of the terrain's letters";
}
