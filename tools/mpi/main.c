/* cairn-mpi: builds and comparisons over the processes of MPI, with the words of cairn. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#include "cairn/cairn.h"
#include "commands.h"
#include "kit/exits.h"
#include "kit/interrupt.h"
#include "kit/output.h"
#include "kit/progress.h"
#include "kit/say.h"
#include "kit/team.h"
#include "mpi/help.h"
#include "mpi/team.h"

static int print_help(void)
{
    printf("cairn-mpi %s - %s\n\n", cairn_version(), mpi_summary);
    for (const kit_command *const *command = mpi_commands; *command; command++) {
        printf("%s mpirun -n N cairn-mpi %s %s\n", command == mpi_commands ? "Usage:" : "      ",
               (*command)->name, (*command)->usage);
    }
    printf("\n%s%s", mpi_about, exit_codes);
    return KIT_EXIT_OK;
}

static int run(char **words)
{
    const char *name = *words;
    if (!name) {
        kit_complain("expected a command (see cairn-mpi --help)");
        return KIT_EXIT_USAGE;
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        return print_help();
    for (const kit_command *const *command = mpi_commands; *command; command++)
        if (strcmp((*command)->name, name) == 0)
            return (*command)->run(*command, words + 1);
    kit_complain("unknown command \"%s\" (see cairn-mpi --help)", name);
    return KIT_EXIT_USAGE;
}

/* With the name of the process where that is not the first of all. */
static void tell(void *context)
{
    const mpi_team *all = context;
    char host[MPI_MAX_PROCESSOR_NAME + 1] = "";
    int size = 0;

    MPI_Get_processor_name(host, &size);
    if (all->team.rank == 0)
        kit_complain_now("cairn-mpi: ");
    else {
        char place[sizeof host + 40];
        snprintf(place, sizeof place, "cairn-mpi: process %u on %s: ", all->team.rank, host);
        kit_complain_now(place);
    }
}

/* Every process tells how it went, so that none is waited for in vain; the first one that failed
 * tells why. */
static int end_step(void *context, int code)
{
    mpi_team *all = context;

    if (!all->is_over)
        all->team.agree(all, code > KIT_EXIT_NO ? CAIRN_E_IO : CAIRN_OK);
    if (!all->is_over)
        return code;
    if (all->failed_rank == all->team.rank)
        tell(all);
    kit_complain_forget();
    all->is_over = false;
    return code > KIT_EXIT_NO ? code : KIT_EXIT_IO;
}

/* One process fails for all. */
static int finish(mpi_team *all, int code)
{
    code = end_step(all, code);
    return code > KIT_EXIT_NO && all->failed_rank != all->team.rank ? KIT_EXIT_OK : code;
}

/* Only the first process writes to standard output. */
static bool mute(const mpi_team *all)
{
    return all->team.rank == 0 || freopen("/dev/null", "w", stdout);
}

int main(int count, char **words)
{
    mpi_team all;
    const kit_fellows fellows = {&all.team, end_step, tell};
    int code = KIT_EXIT_IO, level;

    kit_interrupt_start();
    /* Threads compute, and the first one alone calls MPI. */
    if (MPI_Init_thread(&count, &words, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS)
        return KIT_EXIT_IO;
    mpi_team_open(&all);
    kit_complain_later();
    kit_team_join(&fellows);
    if (all.team.rank == 0)
        kit_progress_start();
    if (mute(&all))
        code = run(count > 0 ? words + 1 : words);
    kit_progress_end();
    if (!kit_stdout_finish())
        code = KIT_EXIT_IO;
    code = finish(&all, code);
    MPI_Finalize();
    kit_interrupt_release();
    return code;
}
