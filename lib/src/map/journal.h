/* Which cells of a map opened or closed, and when. */
#ifndef CN_MAP_JOURNAL_H
#define CN_MAP_JOURNAL_H

#include "base/mem.h"

/* One call of cairn_map_edit that changed something. */
typedef struct cn_journal_mark {
    uint64_t hash;     /* of the map before it */
    uint64_t position; /* of its first cell, counted since the map was made */
} cn_journal_mark;

typedef struct cn_journal {
    void *cells;       /* cairn_node: the latest changes, oldest first */
    size_t cell_count;
    size_t cell_capacity;
    void *marks;       /* cn_journal_mark, oldest first */
    size_t mark_count;
    size_t mark_capacity;
    size_t most;        /* cells listed at once */
    uint64_t forgotten; /* position of cells[0] */
    bool is_partial;    /* the map had hashes that no mark tells of */
} cn_journal;

enum { CN_JOURNAL_MARKS = 4096 };

void cn_journal_free(cn_journal *journal, const cn_mem *mem);

/* Forgets everything, and remembers that there was something. */
void cn_journal_clear(cn_journal *journal, const cn_mem *mem);

/* Whether the map may have had hashes that are not known any more. */
CN_ALWAYS_INLINE bool cn_journal_has_past(const cn_journal *journal)
{
    return journal->is_partial || journal->mark_count > 0;
}

/* Gives an empty journal what another remembers; false, with nothing changed, when there is no
 * memory. */
bool cn_journal_copy(cn_journal *journal, const cn_mem *mem, const cn_journal *from);

/* Makes room for a batch of at most `cell_count` cells under a limit of `most` in all: older cells
 * are forgotten where there would be more, and a batch above the limit will not be listed. False,
 * with nothing lost, when there is no memory. */
bool cn_journal_reserve(cn_journal *journal, const cn_mem *mem, size_t cell_count, size_t most);

/* Starts a batch: the map had this hash until now. */
void cn_journal_begin(cn_journal *journal, uint64_t hash);

/* A cell of the batch. Goes unlisted where cn_journal_reserve found it too large. */
void cn_journal_add(cn_journal *journal, cairn_node cell);

/* Ends a batch; one without cells leaves nothing. */
void cn_journal_end(cn_journal *journal);

/* The latest moment at which the map had a hash: the cells changed since, or NULL where they are
 * forgotten. False when it is not known to have had it. */
bool cn_journal_since(const cn_journal *journal, uint64_t hash, const cairn_node **cells,
                      size_t *count);

#endif
