/* What a file says of itself, for its reader and for its writer. */
#ifndef CN_FILE_FILE_FACTS_H
#define CN_FILE_FILE_FACTS_H

#include "base/base.h"

/* What the optional sections before the map say. The file of a whole table that was merged says the
 * same as its parts, but for `part`. */
typedef struct cn_marks {
    uint64_t stamp;     /* 0: none */
    cairn_part part;    /* number 0: the file has a whole table */
    uint32_t unit_size; /* of the units of the map; 1 where the file says nothing */
    cairn_anchor unit_anchor;
} cn_marks;

/* Whether a file has any of these sections. */
CN_ALWAYS_INLINE bool cn_marks_are_there(const cn_marks *marks)
{
    return marks->stamp || marks->part.number || marks->unit_size > 1;
}

/* What the rows are, as section TABL tells; how many there are differs between a part and the
 * whole, and is kept elsewhere. */
typedef struct cn_table_facts {
    uint64_t map_hash;
    uint32_t node_count;
    uint32_t entry_bits;
    cairn_metric metric;
    bool is_directed;
    bool counts_steps; /* the rows hold the costs of a step map */
} cn_table_facts;

#endif
