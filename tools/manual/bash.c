/* Completion for bash. */
#include "manual.h"

static void put_value(FILE *file, const kit_command *command, const kit_option *option)
{
    manual_value value = manual_value_of(option, false);
    if (value == MANUAL_NOTHING)
        return;
    fprintf(file, "    %s:--%s", command->name, option->name);
    if (option->letter)
        fprintf(file, " | %s:-%c", command->name, option->letter);
    fputs(") ", file);
    if (value == MANUAL_FILE) {
        fputs("_cairn_files \"$current\"", file);
    } else if (value == MANUAL_WORDS) {
        fputs("_cairn_words \"$current\"", file);
        manual_words(file, option->words);
    } else {
        fputc(':', file);
    }
    fputs("; return ;;\n", file);
}

static void put_values(FILE *file)
{
    fputs("    case $command:$previous in\n", file);
    for (const kit_command *const *command = all_commands; *command; command++)
        for (const kit_option *option = (*command)->options; option->name; option++)
            put_value(file, *command, option);
    fputs("    esac\n", file);
}

static void put_options(FILE *file, const kit_command *command)
{
    fprintf(file, "    %s:-*) _cairn_words \"$current\"", command->name);
    for (const kit_option *option = command->options; option->name; option++) {
        fprintf(file, " --%s", option->name);
        if (option->letter)
            fprintf(file, " -%c", option->letter);
    }
    fputs(" --help -h ;;\n", file);
}

static void put_operands(FILE *file, const kit_command *command)
{
    if (command->operands->words) {
        fprintf(file, "    %s:*) _cairn_words \"$current\"", command->name);
        manual_words(file, command->operands->words);
        fputs(" ;;\n", file);
    }
}

static void put_commands(FILE *file)
{
    for (const kit_command *const *command = all_commands; *command; command++)
        fprintf(file, " %s", (*command)->name);
}

void manual_bash(FILE *file)
{
    fputs("# Completion of cairn for bash.\n"
          "_cairn_words() {\n"
          "    local current=$1\n"
          "    shift\n"
          "    COMPREPLY=($(compgen -W \"$*\" -- \"$current\"))\n"
          "}\n\n"
          "_cairn_files() {\n"
          "    local IFS=$'\\n'\n"
          "    compopt -o filenames 2>/dev/null\n"
          "    COMPREPLY=($(compgen -f -- \"$1\"))\n"
          "}\n\n"
          "_cairn() {\n"
          "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n"
          "    local command=${COMP_WORDS[1]}\n"
          "    COMPREPLY=()\n"
          "    # --NAME=VALUE comes as three words.\n"
          "    if [[ $current == = ]]; then\n"
          "        current=\n"
          "    elif [[ $previous == = ]]; then\n"
          "        previous=${COMP_WORDS[COMP_CWORD-2]}\n"
          "    fi\n"
          "    if [[ $COMP_CWORD -eq 1 || $command == help ]]; then\n"
          "        _cairn_words \"$current\"",
          file);
    put_commands(file);
    fputs(" help --help --version\n"
          "        return\n"
          "    fi\n",
          file);
    put_values(file);
    fputs("    case $command:$current in\n", file);
    for (const kit_command *const *command = all_commands; *command; command++)
        put_options(file, *command);
    for (const kit_command *const *command = all_commands; *command; command++)
        put_operands(file, *command);
    fputs("    *) _cairn_files \"$current\" ;;\n"
          "    esac\n"
          "}\n"
          "complete -F _cairn cairn\n",
          file);
}
