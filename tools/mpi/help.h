/* What cairn-mpi says of itself, for its help and its manual page. Knows nothing of MPI. */
#ifndef MPI_HELP_H
#define MPI_HELP_H

#include "kit/args.h"

/* The commands that it shares with cairn; ends with NULL. */
extern const kit_command *const mpi_commands[];

extern const char mpi_summary[];
extern const char mpi_about[];
extern const char mpi_example[];

#endif
