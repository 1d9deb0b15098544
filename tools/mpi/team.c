#include "mpi/team.h"

#include <limits.h>
#include <mpi.h>

/* MPI counts in int. */
enum { PORTION = 1 << 28, TAG = 1 };

/* The lowest rank with a failure, and what it is. */
static cairn_status agree(void *context, cairn_status status)
{
    mpi_team *all = context;
    struct {
        int rank;
        int status;
    } mine = {status == CAIRN_OK ? INT_MAX : (int)all->team.rank, (int)status}, first;

    MPI_Allreduce(&mine, &first, 1, MPI_2INT, MPI_MINLOC, MPI_COMM_WORLD);
    if (first.rank == INT_MAX)
        return CAIRN_OK;
    all->is_over = true;
    all->failed_rank = (uint32_t)first.rank;
    return (cairn_status)first.status;
}

static size_t portion_of(size_t left)
{
    return left < PORTION ? left : PORTION;
}

static void share_slice(char *bytes, size_t size, uint32_t rank)
{
    for (size_t at = 0; at < size; at += portion_of(size - at))
        MPI_Bcast(bytes + at, (int)portion_of(size - at), MPI_BYTE, (int)rank, MPI_COMM_WORLD);
}

static cairn_status share(void *context, void *items, size_t item_size, size_t count)
{
    const mpi_team *all = context;
    const uint32_t processes = all->team.processes;

    for (uint32_t rank = 0; rank < processes; rank++) {
        const size_t first = (size_t)((uint64_t)count * rank / processes) * item_size;
        const size_t end = (size_t)((uint64_t)count * (rank + 1) / processes) * item_size;
        share_slice((char *)items + first, end - first, rank);
    }
    return CAIRN_OK;
}

static void receive(char *to, size_t size, uint32_t rank)
{
    for (size_t at = 0; at < size; at += portion_of(size - at))
        MPI_Recv(to + at, (int)portion_of(size - at), MPI_BYTE, (int)rank, TAG, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

static cairn_status collect(void *context, const void *mine, size_t size, void *to,
                            const size_t *starts)
{
    const mpi_team *all = context;
    const char *from = mine;

    for (size_t at = 0; at < size && !to; at += portion_of(size - at))
        MPI_Send(from + at, (int)portion_of(size - at), MPI_BYTE, 0, TAG, MPI_COMM_WORLD);
    for (size_t at = 0; at < size && to; at++)
        ((char *)to)[starts[0] + at] = from[at];
    for (uint32_t rank = 1; to && rank < all->team.processes; rank++)
        receive((char *)to + starts[rank], starts[rank + 1] - starts[rank], rank);
    return CAIRN_OK;
}

void mpi_team_open(mpi_team *all)
{
    int processes, rank;
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    *all = (mpi_team){.team = {.processes = (uint32_t)processes,
                               .rank = (uint32_t)rank,
                               .agree = agree,
                               .share = share,
                               .collect = collect,
                               .context = all}};
}
