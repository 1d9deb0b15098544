/* Writes what the help of the commands says as manual pages and as completion for shells. */
#ifndef MANUAL_H
#define MANUAL_H

#include <stdio.h>

#include "commands.h"

/* What stands where a word of the command line is expected. */
typedef enum manual_value {
    MANUAL_NOTHING, /* a flag takes no value */
    MANUAL_FILE,
    MANUAL_WORDS, /* one of option->words */
    MANUAL_OTHER  /* a number, a cell: nothing to complete */
} manual_value;

/* The kind of value that an option or an operand takes. */
manual_value manual_value_of(const kit_option *option, bool is_operand);

/* Whether the first operand of a command is a file. */
bool manual_takes_files(const kit_command *command);

/* Words with a space before each, until NULL. */
void manual_words(FILE *file, const char *const *words);

/* Pages for man. */
void manual_page_of_program(FILE *file);
void manual_page_of_mpi(FILE *file);
void manual_page_of_command(FILE *file, const kit_command *command);

/* Completion of commands, options and values. */
void manual_bash(FILE *file);
void manual_zsh(FILE *file);
void manual_fish(FILE *file);

#endif
