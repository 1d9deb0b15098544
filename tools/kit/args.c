#include "args.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exits.h"
#include "nearest_word.h"
#include "say.h"

enum { HELP_COLUMN = 26, EXPECTATION_SIZE = 160 };

/* --------------------------------------------------------------------------- readers -- */

bool kit_digits(const char *text, const char **end, uint64_t most, uint64_t *number)
{
    const char *at = text;
    uint64_t value = 0;
    for (; *at >= '0' && *at <= '9'; at++) {
        uint64_t digit = (uint64_t)(*at - '0');
        if (digit > most || value > (most - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    *end = at;
    *number = value;
    return at > text;
}

bool kit_number(const char *text, uint64_t most, uint64_t *number)
{
    const char *end;
    return kit_digits(text, &end, most, number) && *end == '\0';
}

bool kit_read_number(const kit_option *option, const char *text, void *to)
{
    uint64_t number;
    if (!kit_number(text, option->most, &number) || number < option->least)
        return false;
    *(uint32_t *)to = (uint32_t)number;
    return true;
}

bool kit_read_given(const kit_option *option, const char *text, void *to)
{
    kit_given *given = to;
    given->is_given = kit_read_number(option, text, &given->number);
    return given->is_given;
}

bool kit_read_seed(const kit_option *option, const char *text, void *to)
{
    (void)option;
    return kit_number(text, UINT64_MAX, to);
}

bool kit_read_text(const kit_option *option, const char *text, void *to)
{
    (void)option;
    *(const char **)to = text;
    return *text != '\0';
}

/* Doubles at powers of two. */
bool kit_words_add(kit_words *list, const char *word)
{
    if ((list->count & (list->count - 1)) == 0) {
        size_t room = list->count ? 2 * list->count : 1;
        const char **grown = realloc(list->words, room * sizeof *grown);
        if (!grown)
            return false;
        list->words = grown;
    }
    list->words[list->count++] = word;
    return true;
}

/* Without memory the word is refused like a wrong one. */
bool kit_read_words(const kit_option *option, const char *text, void *to)
{
    (void)option;
    return *text != '\0' && kit_words_add(to, text);
}

void kit_words_free(kit_words *list)
{
    free(list->words);
    *list = (kit_words){0};
}

bool kit_read_output(const kit_option *option, const char *text, void *to)
{
    return strcmp(text, "-") != 0 && kit_read_text(option, text, to);
}

/* A decimal number, without a sign or an exponent. Leaves *end after it. */
static bool read_decimal(const char *text, char **end, double *number)
{
    const size_t size = strspn(text, "0123456789.");
    *number = strtod(text, end);
    return size > 0 && *end == text + size;
}

/* How many bits a unit of 1024, 1024 x 1024 ... bytes shifts; negative: it is no unit. */
static int unit_shift(const char *unit)
{
    static const char letters[] = "kKMG", shifts[] = {10, 10, 20, 30};
    if (*unit == '\0' || strcmp(unit, "B") == 0)
        return 0;
    const char *letter = strchr(letters, *unit);
    if (!letter || (unit[1] && strcmp(unit + 1, "iB") != 0))
        return -1;
    return shifts[letter - letters];
}

bool kit_read_size(const kit_option *option, const char *text, void *to)
{
    char *unit;
    double number;
    (void)option;
    if (!read_decimal(text, &unit, &number) || unit_shift(unit) < 0)
        return false;
    number *= (double)(1 << unit_shift(unit));
    if (!(number >= 1 && number < 1e18))
        return false;
    *(uint64_t *)to = (uint64_t)number;
    return true;
}

bool kit_read_word(const kit_option *option, const char *text, void *to)
{
    for (int index = 0; option->words[index]; index++) {
        if (strcmp(option->words[index], text) == 0) {
            *(int *)to = index;
            return true;
        }
    }
    return false;
}

/* Two numbers with one letter between them. */
static bool read_pair(const char *text, char between, uint32_t most, uint32_t pair[2])
{
    const char *end;
    uint64_t first;
    uint64_t second;
    if (!kit_digits(text, &end, most, &first) || *end != between)
        return false;
    if (!kit_number(end + 1, most, &second))
        return false;
    pair[0] = (uint32_t)first;
    pair[1] = (uint32_t)second;
    return true;
}

bool kit_read_choice(const kit_option *option, const char *text, void *to)
{
    kit_given *given = to;
    int index;
    given->is_given = kit_read_word(option, text, &index);
    if (given->is_given)
        given->number = (uint32_t)index;
    return given->is_given;
}

bool kit_read_cell(const kit_option *option, const char *text, void *to)
{
    (void)option;
    uint32_t pair[2];
    if (!read_pair(text, ',', UINT32_MAX, pair))
        return false;
    *(kit_cell *)to = (kit_cell){.x = pair[0], .y = pair[1]};
    return true;
}

bool kit_read_node(const kit_option *option, const char *text, void *to)
{
    uint64_t number;
    if (!kit_number(text, UINT32_MAX, &number))
        return kit_read_cell(option, text, to);
    *(kit_cell *)to = (kit_cell){.x = (uint32_t)number, .is_number = true};
    return true;
}

bool kit_read_extent(const kit_option *option, const char *text, void *to)
{
    uint32_t pair[2];
    if (!read_pair(text, 'x', option->most, pair))
        return false;
    if (pair[0] < option->least || pair[1] < option->least)
        return false;
    *(kit_extent *)to = (kit_extent){pair[0], pair[1]};
    return true;
}

/* What a value should have been, in words. */
static void expectation(const kit_option *option, char text[EXPECTATION_SIZE])
{
    if (option->expects) {
        snprintf(text, EXPECTATION_SIZE, "%s", option->expects);
    } else if (option->read == kit_read_number || option->read == kit_read_given) {
        snprintf(text, EXPECTATION_SIZE, "a number from %u to %u", option->least, option->most);
    } else if (option->read == kit_read_extent) {
        snprintf(text, EXPECTATION_SIZE, "WIDTHxHEIGHT, sides from %u to %u", option->least,
                 option->most);
    } else if (option->read == kit_read_size) {
        snprintf(text, EXPECTATION_SIZE, "a size such as 4096, 512K, 64KiB or 1.5G");
    } else if (option->read == kit_read_cell) {
        snprintf(text, EXPECTATION_SIZE, "a cell as X,Y");
    } else if (option->read == kit_read_node) {
        snprintf(text, EXPECTATION_SIZE, "a cell as X,Y or, of a graph, the number of a node");
    } else if (option->read == kit_read_output) {
        snprintf(text, EXPECTATION_SIZE, "a file (standard output is for the report)");
    } else if (option->words) {
        size_t used = (size_t)snprintf(text, EXPECTATION_SIZE, "%s", option->words[0]);
        for (int index = 1; option->words[index] && used < EXPECTATION_SIZE; index++)
            used += (size_t)snprintf(text + used, EXPECTATION_SIZE - used, "%s%s",
                                     option->words[index + 1] ? ", " : " or ",
                                     option->words[index]);
    } else {
        snprintf(text, EXPECTATION_SIZE, "a value");
    }
}

/* ------------------------------------------------------------------------------ help -- */

static void print_entry(const kit_option *option, bool is_option)
{
    char left[64];
    if (!is_option)
        snprintf(left, sizeof left, "  %s", option->name);
    else
        snprintf(left, sizeof left, "  %c%c%c --%s%s%s", option->letter ? '-' : ' ',
                 option->letter ? option->letter : ' ', option->letter ? ',' : ' ', option->name,
                 option->value ? " " : "", option->value ? option->value : "");
    if (strlen(left) + 2 <= HELP_COLUMN)
        printf("%-*s%s\n", HELP_COLUMN, left, option->help);
    else
        printf("%s\n%*s%s\n", left, HELP_COLUMN, "", option->help);
}

static void print_help(const kit_command *command)
{
    printf("cairn %s - %s\n\nUsage: cairn %s", command->name, command->summary, command->name);
    if (command->usage)
        printf(" %s", command->usage);
    for (const kit_option *operand = command->operands; !command->usage && operand->name; operand++)
        printf(operand->optional ? " [%s]" : " %s", operand->name);
    printf(" [options]\n\n");

    for (const kit_option *operand = command->operands; operand->name; operand++)
        print_entry(operand, false);
    printf("\nOptions:\n");
    for (const kit_option *option = command->options; option->name; option++)
        print_entry(option, true);
    print_entry(&(kit_option){.name = "help", .letter = 'h', .help = "print this help"}, true);

    if (command->about)
        printf("\n%s\n", command->about);
    printf("\nExample:\n  %s\n", command->example);
}

/* --------------------------------------------------------------------------- parsing -- */

typedef struct parser {
    const kit_command *command;
    char **next; /* the word to read next */
    char *settings;
    const kit_option *operand; /* the next one to fill */
    bool only_operands;        /* "--" was seen */
} parser;

static kit_parsed complain_value(const parser *state, const kit_option *option, const char *dashes,
                                 const char *text)
{
    char expected[EXPECTATION_SIZE];
    expectation(option, expected);
    kit_complain("%s: %s%s: expected %s, found \"%s\"", state->command->name, dashes, option->name,
                 expected, text);
    return KIT_PARSED_WRONG;
}

static kit_parsed take_value(parser *state, const kit_option *option, const char *text)
{
    if (!text && !*state->next) {
        kit_complain("%s: --%s: expected a value, found the end of the line", state->command->name,
                     option->name);
        return KIT_PARSED_WRONG;
    }
    if (!text)
        text = *state->next++;
    if (!option->read(option, text, state->settings + option->offset))
        return complain_value(state, option, "--", text);
    return KIT_PARSED;
}

static kit_parsed complain_unknown(const parser *state, const char *word)
{
    kit_guess guess = {.wrong = word};
    char meant[64] = "";
    if (word[1] == '-') {
        guess.wrong = word + 2;
        guess.size = strcspn(guess.wrong, "=");
        for (const kit_option *option = state->command->options; option->name; option++)
            kit_guess_offer(&guess, option->name);
    }
    if (guess.best)
        snprintf(meant, sizeof meant, "; did you mean --%s?", guess.best);
    kit_complain("%s: unknown option \"%s\"%s (see cairn %s --help)", state->command->name, word,
                 meant, state->command->name);
    return KIT_PARSED_WRONG;
}

static const kit_option *find_long(const kit_command *command, const char *name, size_t size)
{
    for (const kit_option *option = command->options; option->name; option++)
        if (strlen(option->name) == size && memcmp(option->name, name, size) == 0)
            return option;
    return NULL;
}

static kit_parsed take_long(parser *state, const char *word)
{
    const char *equals = strchr(word, '=');
    size_t size = equals ? (size_t)(equals - word) : strlen(word);
    if (strcmp(word, "--help") == 0)
        return KIT_PARSED_HELP;

    const kit_option *option = find_long(state->command, word + 2, size - 2);
    if (!option)
        return complain_unknown(state, word);
    if (option->value)
        return take_value(state, option, equals ? equals + 1 : NULL);
    if (equals) {
        kit_complain("%s: --%s takes no value", state->command->name, option->name);
        return KIT_PARSED_WRONG;
    }
    *(bool *)(state->settings + option->offset) = true;
    return KIT_PARSED;
}

/* A short option stands alone; its value may touch it (-k16). */
static kit_parsed take_short(parser *state, const char *word)
{
    if (strcmp(word, "-h") == 0)
        return KIT_PARSED_HELP;
    for (const kit_option *option = state->command->options; option->name; option++) {
        if (!option->letter || option->letter != word[1])
            continue;
        if (option->value)
            return take_value(state, option, word[2] ? word + 2 : NULL);
        if (word[2])
            break;
        *(bool *)(state->settings + option->offset) = true;
        return KIT_PARSED;
    }
    return complain_unknown(state, word);
}

/* The operands of this run. */
enum { OPERANDS_KEPT = 4 };
static const char *operands_kept[OPERANDS_KEPT];

const char *kit_command_operand(size_t place)
{
    return place < OPERANDS_KEPT ? operands_kept[place] : NULL;
}

static kit_parsed take_operand(parser *state, const char *word)
{
    const kit_option *operand = state->operand;
    if (!operand->name) {
        kit_complain("%s: one operand too many: \"%s\"", state->command->name, word);
        return KIT_PARSED_WRONG;
    }
    if (!operand->read(operand, word, state->settings + operand->offset))
        return complain_value(state, operand, "", word);
    if (operand->repeats)
        return KIT_PARSED;
    const ptrdiff_t place = state->operand++ - state->command->operands;
    if (place < OPERANDS_KEPT)
        operands_kept[place] = word;
    return KIT_PARSED;
}

/* No option begins with a digit: -1,0 is meant as a cell. */
static bool is_operand(const char *word)
{
    return word[0] != '-' || word[1] == '\0' || (word[1] >= '0' && word[1] <= '9');
}

static kit_parsed take_word(parser *state)
{
    const char *word = *state->next++;
    if (state->only_operands || is_operand(word))
        return take_operand(state, word);
    if (strcmp(word, "--") == 0) {
        state->only_operands = true;
        return KIT_PARSED;
    }
    return word[1] == '-' ? take_long(state, word) : take_short(state, word);
}

/* The command of this run. */
static const kit_command *current;

const char *kit_command_name(void)
{
    return current ? current->name : "cairn";
}

bool kit_command_has(const char *option)
{
    return current && find_long(current, option, strlen(option));
}

kit_parsed kit_parse(const kit_command *command, char **words, void *settings)
{
    current = command;
    parser state = {command, words, settings, command->operands, false};
    while (*state.next) {
        kit_parsed parsed = take_word(&state);
        if (parsed == KIT_PARSED_HELP)
            print_help(command);
        if (parsed != KIT_PARSED)
            return parsed;
    }
    if (state.operand->name && !state.operand->optional) {
        kit_complain("%s: %s is missing (see cairn %s --help)", command->name, state.operand->name,
                     command->name);
        return KIT_PARSED_WRONG;
    }
    return KIT_PARSED;
}

int kit_parsed_exit(kit_parsed parsed)
{
    return parsed == KIT_PARSED_WRONG ? KIT_EXIT_USAGE : KIT_EXIT_OK;
}
