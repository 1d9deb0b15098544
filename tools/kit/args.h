/* The command line: operands and typed options of a subcommand, and the help made from them. */
#ifndef KIT_ARGS_H
#define KIT_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct kit_option kit_option;
typedef struct kit_command kit_command;

/* Turns the text of a value into `to`; false when the text is not what the option expects. */
typedef bool kit_reader(const kit_option *option, const char *text, void *to);

/* Readers, with the type behind `to`. */
kit_reader kit_read_number; /* uint32_t from least to most */
kit_reader kit_read_given;  /* kit_given, from least to most */
kit_reader kit_read_choice; /* kit_given: index into words */
kit_reader kit_read_seed;   /* uint64_t */
kit_reader kit_read_size;   /* uint64_t, bytes above 0: "4096", "512K", "64KiB" or "1.5G" */
kit_reader kit_read_text;   /* const char * */
kit_reader kit_read_output; /* const char *, a file to write: not "-" */
kit_reader kit_read_word;   /* int: index into words */
kit_reader kit_read_cell;   /* kit_cell, "X,Y" */
kit_reader kit_read_node;   /* kit_cell, "X,Y" or, of graphs, "N" */
kit_reader kit_read_words;  /* kit_words, one more: of an operand that repeats */
kit_reader kit_read_extent; /* kit_extent, "WxH" with both sides from least to most */

typedef struct kit_cell {
    uint32_t x; /* or the number of a node */
    uint32_t y;
    bool is_number;
} kit_cell;

/* A number, and whether it was given: to give the default is not the same as to give nothing. */
typedef struct kit_given {
    uint32_t number;
    bool is_given;
} kit_given;

typedef struct kit_extent {
    uint32_t width;
    uint32_t height;
} kit_extent;

/* Words of the command line, to be freed. */
typedef struct kit_words {
    const char **words;
    size_t count;
} kit_words;

/* Appends a word; false without memory. */
bool kit_words_add(kit_words *list, const char *word);
void kit_words_free(kit_words *list);

/* An option, or an operand when it stands in the operand list of a command. */
struct kit_option {
    const char *name;  /* "threads"; of an operand, what the help calls it: "MAP" */
    char letter;       /* 0: no short form */
    const char *value; /* what the help calls the value; NULL: a flag (a bool) */
    const char *help;
    kit_reader *read;
    size_t offset; /* where the result lies in the settings of the command */
    uint32_t least;
    uint32_t most;
    const char *const *words; /* ends with NULL */
    const char *expects;      /* for the error; NULL where the reader says enough */
    bool optional;            /* of an operand */
    bool repeats;             /* of the last operand: it takes all words that are left */
};

struct kit_command {
    const char *name;
    const char *summary; /* one line */
    const char *about;   /* what else the help says */
    const char *example;
    const char *usage;          /* the operands in one line; NULL: as they are listed */
    const kit_option *operands; /* both end with a name of NULL */
    const kit_option *options;
    int (*run)(const kit_command *command, char **words);
};

/* The option that every command with a report has. */
#define KIT_JSON(settings)                                                                 \
  {                                                                                        \
    .name = "json", .help = "print the report as JSON", .offset = offsetof(settings, json) \
  }

/* Options that more than one command has. */
#define KIT_THREADS(settings)                                                         \
  {                                                                                   \
    .name = "threads", .value = "N", .read = kit_read_number, .least = 1, .most = 64, \
    .help = "threads, 1 to 64 (default: by processors and work)",                     \
    .offset = offsetof(settings, thread_count)                                        \
  }

#define KIT_SEED(settings, says)                                                                   \
  {                                                                                                \
    .name = "seed", .value = "N", .read = kit_read_seed, .expects = "a number from 0 to 2^64 - 1", \
    .help = says, .offset = offsetof(settings, seed)                                               \
  }

/* CAIRN_ROWS_MAX is of cairn/cairn.h. */
#define KIT_LANDMARKS(settings, says)                                                      \
  {                                                                                        \
    .name = "landmarks", .letter = 'k', .value = "N", .read = kit_read_number, .least = 1, \
    .most = CAIRN_ROWS_MAX, .help = says, .offset = offsetof(settings, landmark_count)     \
  }

/* The path of the file to write becomes `member`. */
#define KIT_OUTPUT(settings, member, called, says)                                           \
  {                                                                                          \
    .name = "output", .letter = 'o', .value = called, .read = kit_read_output, .help = says, \
    .offset = offsetof(settings, member)                                                     \
  }

typedef enum kit_parsed {
    KIT_PARSED,
    KIT_PARSED_HELP, /* the help was asked for, and printed */
    KIT_PARSED_WRONG /* one line was printed about what is wrong */
} kit_parsed;

/* Reads the words after the command's name (they end with NULL) into its settings. */
kit_parsed kit_parse(const kit_command *command, char **words, void *settings);

/* The command whose words were read last, and whether it has an option of that name. */
const char *kit_command_name(void);
bool kit_command_has(const char *option);

/* The word of an operand of that command that takes one, by its place; NULL: there is none. */
const char *kit_command_operand(size_t place);

/* The exit code for a parse that does not go on. */
int kit_parsed_exit(kit_parsed parsed);

/* Reads the digits of a decimal number of at most `most`: no sign, no space. Leaves *end after the
 * last one. */
bool kit_digits(const char *text, const char **end, uint64_t most, uint64_t *number);

/* Reads a whole word as a decimal number of at most `most`. */
bool kit_number(const char *text, uint64_t most, uint64_t *number);

#endif
