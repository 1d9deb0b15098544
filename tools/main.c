#include <stdio.h>
#include <string.h>

#include "cairn/cairn.h"
#include "commands.h"
#include "kit/exits.h"
#include "kit/interrupt.h"
#include "kit/nearest_word.h"
#include "kit/output.h"
#include "kit/progress.h"
#include "kit/say.h"
#include "kit/system.h"

static void print_help(void)
{
    printf("cairn %s - exact landmark tables for pathfinding on maps\n\n"
           "Usage: cairn COMMAND ...\n\n",
           cairn_version());
    for (const kit_command *const *command = all_commands; *command; command++)
        printf("  %-13s  %s\n", (*command)->name, (*command)->summary);
    printf("\n`cairn help COMMAND` or `cairn COMMAND --help` explains one, with an example.\n"
           "%s",
           exit_codes);
}

static const kit_command *find(const char *name)
{
    for (const kit_command *const *command = all_commands; *command; command++)
        if (strcmp((*command)->name, name) == 0)
            return *command;
    return NULL;
}

static int refuse_unknown(const char *name)
{
    kit_guess guess = {.wrong = name, .size = strlen(name)};
    char meant[64] = "";
    for (const kit_command *const *command = all_commands; *command; command++)
        kit_guess_offer(&guess, (*command)->name);
    if (guess.best)
        snprintf(meant, sizeof meant, "; did you mean %s?", guess.best);
    kit_complain("unknown %s \"%s\"%s (see cairn --help)", name[0] == '-' ? "option" : "command",
                 name, meant);
    return KIT_EXIT_USAGE;
}

static bool refuse_more(char **words)
{
    if (*words)
        kit_complain("one word too many: \"%s\" (see cairn --help)", *words);
    return *words;
}

static bool is_one_of(const char *word, const char *one, const char *two, const char *three)
{
    return strcmp(word, one) == 0 || strcmp(word, two) == 0 || (three && strcmp(word, three) == 0);
}

/* `cairn help build`, or `cairn --help build`, is `cairn build --help`. */
static int help(char **words)
{
    static char option[] = "--help";
    const kit_command *command = *words ? find(*words) : NULL;
    if (!*words) {
        print_help();
        return KIT_EXIT_OK;
    }
    if (!command)
        return refuse_unknown(*words);
    return refuse_more(words + 1) ? KIT_EXIT_USAGE
                                  : command->run(command, (char *[]){option, NULL});
}

static int run(char **words)
{
    const char *name = *words;
    if (!name) {
        kit_complain("expected a command (see cairn --help)");
        return KIT_EXIT_USAGE;
    }
    if (is_one_of(name, "help", "--help", "-h"))
        return help(words + 1);
    const bool is_version = is_one_of(name, "--version", "-V", NULL);
    if (is_version && refuse_more(words + 1))
        return KIT_EXIT_USAGE;
    if (is_version) {
        printf("cairn %s\n", cairn_version());
        return KIT_EXIT_OK;
    }

    const kit_command *command = find(name);
    return command ? command->run(command, words + 1) : refuse_unknown(name);
}

int main(int count, char **words)
{
    kit_system_start(&words);
    kit_interrupt_start();
    kit_progress_start();
    int code = run(count > 0 ? words + 1 : words);
    kit_progress_end();
    if (!kit_stdout_finish())
        code = KIT_EXIT_IO;
    kit_interrupt_release();
    return code;
}
