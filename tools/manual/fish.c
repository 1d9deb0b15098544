/* Completion for fish. */
#include "manual.h"

static void put_quoted(FILE *file, const char *text)
{
    fputc('\'', file);
    for (; *text; text++) {
        if (*text == '\'' || *text == '\\')
            fputc('\\', file);
        fputc(*text, file);
    }
    fputc('\'', file);
}

static void put_within(FILE *file, const kit_command *command)
{
    fprintf(file, "complete -c cairn -n '__fish_seen_subcommand_from %s'", command->name);
}

static void put_option(FILE *file, const kit_command *command, const kit_option *option)
{
    manual_value value = manual_value_of(option, false);
    put_within(file, command);
    fprintf(file, " -l %s", option->name);
    if (option->letter)
        fprintf(file, " -s %c", option->letter);
    if (value == MANUAL_FILE)
        fputs(" -r -F", file);
    else if (value != MANUAL_NOTHING)
        fputs(" -x", file);
    if (value == MANUAL_WORDS) {
        fputs(" -a '", file);
        manual_words(file, option->words);
        fputc('\'', file);
    }
    fputs(" -d ", file);
    put_quoted(file, option->help);
    fputc('\n', file);
}

static void put_command(FILE *file, const kit_command *command)
{
    fprintf(file, "complete -c cairn -n __fish_use_subcommand -f -a %s -d ", command->name);
    put_quoted(file, command->summary);
    fprintf(file, "\ncomplete -c cairn -n '__fish_seen_subcommand_from help' -f -a %s\n",
            command->name);
    for (const kit_option *option = command->options; option->name; option++)
        put_option(file, command, option);
    put_option(file, command,
               &(kit_option){.name = "help", .letter = 'h', .help = "print the help"});
    if (manual_takes_files(command))
        return;
    put_within(file, command);
    fputs(" -f -a '", file);
    manual_words(file, command->operands->words);
    fputs("'\n", file);
}

void manual_fish(FILE *file)
{
    fputs("# Completion of cairn for fish.\n"
          "complete -c cairn -n __fish_use_subcommand -f -a help -d 'explain a command'\n"
          "complete -c cairn -n __fish_use_subcommand -l version -d 'print the version'\n",
          file);
    for (const kit_command *const *command = all_commands; *command; command++)
        put_command(file, *command);
}
