/* Runs between one end and the nearest of many, which are goals or starts. */
#ifndef SUPPORT_MANY_ENDS_H
#define SUPPORT_MANY_ENDS_H

#include "cairn/cairn.h"

enum { MANY_ENDS_MOST = 60 };

typedef struct many_ends {
    cairn_node nodes[MANY_ENDS_MOST];
    size_t count;
    bool are_starts;
    cairn_node other; /* the other end of all paths */
} many_ends;

static inline cairn_status many_ends_run(const many_ends *ends, cairn_search *search,
                                         cairn_path *path)
{
    return ends->are_starts
               ? cairn_search_run_from_any(search, ends->nodes, ends->count, ends->other, path)
               : cairn_search_run_to_any(search, ends->other, ends->nodes, ends->count, path);
}

static inline cairn_status many_ends_begin(const many_ends *ends, cairn_search *search,
                                           cairn_path *path)
{
    return ends->are_starts
               ? cairn_search_begin_from_any(search, ends->nodes, ends->count, ends->other, path)
               : cairn_search_begin_to_any(search, ends->other, ends->nodes, ends->count, path);
}

#endif
