/* Which table is compared on which scenario. */
#ifndef COMPARE_UNITS_H
#define COMPARE_UNITS_H

#include "compare/many.h"

typedef struct unit {
    char *table;
    char *scenario;
    const char *problem; /* why it is not compared; NULL: it is */
} unit;

typedef struct units {
    unit *all;
    size_t count;
    size_t room;
} units;

/* Lists the pairs that the options ask to compare, each once. A file without a partner is a unit
 * with a problem, whose other path is NULL. An exit code; to be freed in any case. */
int units_take(units *list, const many_options *set);
void units_free(units *list);

#endif
