/* Processes of MPI as a team. */
#ifndef MPI_TEAM_H
#define MPI_TEAM_H

#include "cairn/cairn.h"

typedef struct mpi_team {
    cairn_team team;
    bool is_over;         /* something has failed somewhere */
    uint32_t failed_rank; /* where first */
} mpi_team;

/* After MPI_Init. The pointer must not move. */
void mpi_team_open(mpi_team *all);

#endif
