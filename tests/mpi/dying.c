/* A process that dies in the middle: preloaded, it ends process DIE_RANK at its DIE_CALL-th call of
 * MPI by SIGKILL, and writes into the file `died` when that was, in seconds; DIE_CALL 0 makes every
 * process write how many calls it made, and how many kB of memory it had at most. With DIE_FLUSH a
 * process dies when it has a file flushed for that time, of which the last bytes are missing then,
 * as if it were still writing them. */
#define _GNU_SOURCE
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static long calls, flushes;

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

int fsync(int file)
{
    enum { MISSING = 40 };
    const char *flush = getenv("DIE_FLUSH");
    struct stat facts;

    flushes++;
    if (flush && flushes == atol(flush)) {
        if (fstat(file, &facts) == 0 && ftruncate(file, facts.st_size - MISSING) == 0)
            die();
        abort();
    }
    return fdatasync(file);
}

static long peak(void)
{
    struct rusage used = {0};
    getrusage(RUSAGE_SELF, &used);
    return used.ru_maxrss;
}

int MPI_Finalize(void)
{
    const char *call = getenv("DIE_CALL");
    int own;
    PMPI_Comm_rank(MPI_COMM_WORLD, &own);
    if (call && atol(call) == 0)
        fprintf(stderr, "process %d: %ld calls\nprocess %d: %ld kB\n", own, calls, own, peak());
    return PMPI_Finalize();
}
