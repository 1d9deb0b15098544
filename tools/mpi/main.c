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
#include "mpi/team.h"

static const kit_command *const shared_commands[] = {&build_command, &compare_command};

static int print_help(void)
{
    printf("cairn-mpi %s - tables built and compared by all processes of mpirun together\n\n"
           "Usage: mpirun -n N cairn-mpi build MAP ...\n"
           "       mpirun -n N cairn-mpi compare TABLE... SCEN...\n\n"
           "The operands and options are those of `cairn build` and `cairn compare`; files are\n"
           "read by every process and written by the first one. A build writes the bytes that\n"
           "one process would write. Each process runs one thread unless --threads says more.\n"
           "%s",
           cairn_version(), exit_codes);
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
    for (size_t i = 0; i < sizeof shared_commands / sizeof *shared_commands; i++)
        if (strcmp(shared_commands[i]->name, name) == 0)
            return shared_commands[i]->run(shared_commands[i], words + 1);
    kit_complain("unknown command \"%s\" (see cairn-mpi --help)", name);
    return KIT_EXIT_USAGE;
}

/* The first process that failed tells why, with its name where that is not the first of all. */
static void tell(const mpi_team *all)
{
    char host[MPI_MAX_PROCESSOR_NAME + 1] = "";
    int size = 0;

    if (all->failed_rank != all->team.rank)
        return;
    MPI_Get_processor_name(host, &size);
    if (all->team.rank == 0)
        kit_complain_now("cairn-mpi: ");
    else {
        char place[sizeof host + 40];
        snprintf(place, sizeof place, "cairn-mpi: process %u on %s: ", all->team.rank, host);
        kit_complain_now(place);
    }
}

/* Every process tells how it went, so that none is waited for in vain. */
static int finish(mpi_team *all, int code)
{
    if (!all->is_over)
        all->team.agree(all, code > KIT_EXIT_NO ? CAIRN_E_IO : CAIRN_OK);
    if (!all->is_over)
        return code;
    tell(all);
    return all->failed_rank == all->team.rank ? code : KIT_EXIT_OK;
}

/* Only the first process writes to standard output. */
static bool mute(const mpi_team *all)
{
    return all->team.rank == 0 || freopen("/dev/null", "w", stdout);
}

int main(int count, char **words)
{
    mpi_team all;
    int code = KIT_EXIT_IO, level;

    kit_interrupt_start();
    /* Threads compute, and the first one alone calls MPI. */
    if (MPI_Init_thread(&count, &words, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS)
        return KIT_EXIT_IO;
    mpi_team_open(&all);
    kit_complain_later();
    kit_team_join(&all.team);
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
