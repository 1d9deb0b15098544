/* Maps and tables from the command line, with complaints about those that are refused. */
#ifndef KIT_LOAD_H
#define KIT_LOAD_H

#include "cairn/cairn.h"

/* Each gives an exit code: KIT_EXIT_OK, or what to leave with. Outputs are NULL after a failure;
 * what is there is the caller's. */
int kit_load_table(const char *path, cairn_map **map, cairn_table **table);
int kit_load_map(const char *path, cairn_metric metric, cairn_map **map);

/* What a map as text does not say of itself. All zero: nothing else than the default. */
typedef struct kit_map_choice {
    cairn_metric metric;
    int moves;            /* cairn_rule */
    int charge;           /* cairn_charge */
    const char *terrain;  /* items like S=3, or a file of them; NULL: Moving AI's letters */
    const char *places;   /* the .co file to a .gr file; NULL: none */
} kit_map_choice;

/* The words of moves and charge, in the order of the library's numbers. */
extern const char *const kit_moves[];
extern const char *const kit_charges[];

int kit_load_map_as(const char *path, const kit_map_choice *choice, cairn_map **map);

/* A table, or a map as text: *table is then NULL. */
int kit_load_either(const char *path, cairn_map **map, cairn_table **table);

#endif
