#include "mpi/help.h"

#include "commands.h"

const kit_command *const mpi_commands[] = {&build_command, &compare_command, NULL};

const char mpi_summary[] = "tables built and compared by all processes of mpirun together";

const char mpi_about[] =
    "The operands and options are those of `cairn build` and `cairn compare`; files are\n"
    "read by every process and written by the first one, which gives standard input to\n"
    "all. A build writes the bytes that one process would write; of several maps and of\n"
    "--part it wants none, as these are work for processes that know nothing of one\n"
    "another. Each process runs one thread unless --threads says more, and needs the\n"
    "memory of the map, of a row for each thread, and of the rows that it holds.\n"
    "When one process fails, all end with one line that says why and, where that is not\n"
    "the first one, which process of which host it was; the file that was to be written\n"
    "is then as it was. When a process dies, mpirun ends the others.\n";

const char mpi_example[] = "mpirun -n 16 cairn-mpi build world.map -k 64 -p greedy -o world.cairn";
