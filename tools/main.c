#include <stdio.h>
#include <string.h>

#include "cairn/cairn.h"
#include "commands.h"
#include "kit/exits.h"
#include "kit/interrupt.h"
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

static bool refuse_more(char **words)
{
    if (*words)
        kit_complain("one word too many: \"%s\" (see cairn --help)", *words);
    return *words;
}

/* `cairn help build` is `cairn build --help`. */
static int help(char **words)
{
    static char option[] = "--help";
    const kit_command *command = *words ? find(*words) : NULL;
    if (!*words) {
        print_help();
        return KIT_EXIT_OK;
    }
    if (!command) {
        kit_complain("unknown command \"%s\" (see cairn --help)", *words);
        return KIT_EXIT_USAGE;
    }
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
    const bool is_help = strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0;
    if ((is_help || strcmp(name, "--version") == 0) && refuse_more(words + 1))
        return KIT_EXIT_USAGE;
    if (is_help)
        return help((char *[]){NULL});
    if (strcmp(name, "help") == 0)
        return help(words + 1);
    if (strcmp(name, "--version") == 0) {
        printf("cairn %s\n", cairn_version());
        return KIT_EXIT_OK;
    }

    const kit_command *command = find(name);
    if (!command) {
        kit_complain("unknown %s \"%s\" (see cairn --help)", name[0] == '-' ? "option" : "command",
                     name);
        return KIT_EXIT_USAGE;
    }
    return command->run(command, words + 1);
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
