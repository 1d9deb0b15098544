/* Completion for zsh. */
#include <string.h>

#include "manual.h"

/* Text between single quotes, where brackets and colons have a meaning for _arguments. */
static void put_quoted(FILE *file, const char *text, const char *escaped)
{
    for (; *text; text++) {
        if (*text == '\'')
            fputs("'\\''", file);
        else if (strchr(escaped, *text))
            fprintf(file, "\\%c", *text);
        else
            fputc(*text, file);
    }
}

static void put_what(FILE *file, const kit_option *option, const char *name, bool is_operand)
{
    manual_value value = manual_value_of(option, is_operand);
    if (value == MANUAL_NOTHING)
        return;
    fputc(':', file);
    put_quoted(file, name, ":");
    if (value == MANUAL_FILE) {
        fputs(":_files", file);
    } else if (value == MANUAL_WORDS) {
        fputs(":(", file);
        manual_words(file, option->words);
        fputc(')', file);
    } else {
        fputs(": ", file);
    }
}

static void put_option(FILE *file, const kit_option *option)
{
    fputs("            ", file);
    if (option->letter)
        fprintf(file, "'(-%c --%s)'{-%c%s,--%s%s}'[", option->letter, option->name, option->letter,
                option->value ? "+" : "", option->name, option->value ? "=" : "");
    else
        fprintf(file, "'--%s%s[", option->name, option->value ? "=" : "");
    put_quoted(file, option->help, "[]:");
    fputc(']', file);
    put_what(file, option, option->value ? option->value : "", false);
    fputs("' \\\n", file);
}

static void put_operand(FILE *file, const kit_option *operand, int position)
{
    if (operand->repeats)
        fputs("            '*", file);
    else
        fprintf(file, "            '%d", position);
    put_what(file, operand, operand->name, true);
    fputs("' \\\n", file);
}

static void put_command(FILE *file, const kit_command *command)
{
    int position = 1;
    fprintf(file, "        %s)\n            _arguments -s \\\n", command->name);
    for (const kit_option *option = command->options; option->name; option++)
        put_option(file, option);
    for (const kit_option *operand = command->operands; operand->name; operand++)
        put_operand(file, operand, position++);
    fputs("            '(-h --help)'{-h,--help}'[print the help]' ;;\n", file);
}

void manual_zsh(FILE *file)
{
    fputs("#compdef cairn\n"
          "# Completion of cairn for zsh.\n"
          "local -a commands=(\n",
          file);
    for (const kit_command *const *command = all_commands; *command; command++) {
        fprintf(file, "    '%s:", (*command)->name);
        put_quoted(file, (*command)->summary, ":");
        fputs("'\n", file);
    }
    fputs(")\n"
          "local curcontext=$curcontext state line\n"
          "_arguments -C '1: :->command' '*:: :->rest'\n"
          "case $state in\n"
          "command) _describe command commands -- \"('help:explain a command')\" ;;\n"
          "rest)\n"
          "    case $line[1] in\n"
          "        help) _describe command commands ;;\n",
          file);
    for (const kit_command *const *command = all_commands; *command; command++)
        put_command(file, *command);
    fputs("    esac ;;\n"
          "esac\n",
          file);
}
