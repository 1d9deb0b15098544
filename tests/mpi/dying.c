/* A process that dies in the middle: preloaded, it ends process DIE_RANK at its DIE_CALL-th call of
 * MPI by SIGKILL, and writes into the file `died` when that was, in seconds; DIE_CALL 0 makes every
 * process write how many calls it made. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static long calls;

static void die(void)
{
    FILE *file = fopen("died", "w");
    if (file) {
        fprintf(file, "%lld\n", (long long)time(NULL));
        fclose(file);
    }
    raise(SIGKILL);
}

static void count_call(void)
{
    const char *rank = getenv("DIE_RANK"), *call = getenv("DIE_CALL");
    int own;

    calls++;
    if (!rank || !call)
        return;
    PMPI_Comm_rank(MPI_COMM_WORLD, &own);
    if (own == atoi(rank) && calls == atol(call))
        die();
}

int MPI_Allreduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm all)
{
    count_call();
    return PMPI_Allreduce(from, to, count, type, op, all);
}

int MPI_Bcast(void *bytes, int count, MPI_Datatype type, int root, MPI_Comm all)
{
    count_call();
    return PMPI_Bcast(bytes, count, type, root, all);
}

int MPI_Send(const void *bytes, int count, MPI_Datatype type, int to, int tag, MPI_Comm all)
{
    count_call();
    return PMPI_Send(bytes, count, type, to, tag, all);
}

int MPI_Finalize(void)
{
    const char *call = getenv("DIE_CALL");
    int own;
    PMPI_Comm_rank(MPI_COMM_WORLD, &own);
    if (call && atol(call) == 0)
        fprintf(stderr, "process %d: %ld calls\n", own, calls);
    return PMPI_Finalize();
}
