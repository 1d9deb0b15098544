/* The journal of a map: which cells its edits changed, and which hashes it had. */
#ifndef CN_MAP_JOURNAL_H
#define CN_MAP_JOURNAL_H

#include "base/mem.h"

/* Cells that changed, with what they were before. All zero, the list is empty. */
typedef struct cn_former_cells {
    cairn_node *nodes;
    uint8_t *letters; /* by cell: what it was before */
    size_t count;
    size_t node_capacity;
    size_t letter_capacity;
} cn_former_cells;

/* Makes room for `count` cells in all; false when there is no memory. */
bool cn_former_cells_reserve(cn_former_cells *list, const cn_mem *mem, size_t count);

/* Copies a list into an empty one; false, and it stays empty, when there is no memory. */
bool cn_former_cells_copy(cn_former_cells *list, const cn_mem *mem, const cn_former_cells *from);

void cn_former_cells_free(cn_former_cells *list, const cn_mem *mem);

/* The bytes that it has taken from its allocator. */
size_t cn_former_cells_memory(const cn_former_cells *list);

/* One call of cairn_map_edit that changed something. */
typedef struct cn_journal_mark {
    uint64_t hash;     /* of the map before the call */
    uint64_t position; /* of its first cell, counted since the map was made */
} cn_journal_mark;

typedef struct cn_journal {
    cn_former_cells cells;  /* that changed last, oldest first */
    cn_journal_mark *marks; /* oldest first */
    size_t mark_count;
    size_t mark_capacity;
    size_t most;        /* the most cells that it lists */
    size_t kept;        /* so many of these stay when the batch begins for which there is room */
    uint64_t forgotten; /* position of the first cell */
    bool is_partial;    /* the map had hashes that are not in `marks` */
} cn_journal;

/* What it holds: calls, and cells, of which larger maps have more. When there is no room, the older
 * half is dropped, so cairn_map_edit promises half of both to programs. */
enum { CN_JOURNAL_MARKS = 4096, CN_JOURNAL_CELLS = 4096 };

void cn_journal_free(cn_journal *journal, const cn_mem *mem);

/* The bytes that a journal has taken from its allocator. */
size_t cn_journal_memory(const cn_journal *journal);

/* Removes all cells and marks, but remembers that there have been some. */
void cn_journal_clear(cn_journal *journal, const cn_mem *mem);

/* Whether the map may have had hashes that the journal no longer has. */
CN_ALWAYS_INLINE bool cn_journal_has_past(const cn_journal *journal)
{
    return journal->is_partial || journal->mark_count > 0;
}

/* Copies a journal into an empty one; false, and nothing is changed, when there is no memory. */
bool cn_journal_copy(cn_journal *journal, const cn_mem *mem, const cn_journal *from);

/* Makes room for a batch of at most `cell_count` cells, with a limit of `most` in all. Where there
 * would be more, older cells are dropped when it begins, but as many of the last as half of the
 * room that the batch leaves; the cells of a batch larger than the limit will not be listed. False
 * when there is no memory. */
bool cn_journal_reserve(cn_journal *journal, const cn_mem *mem, size_t cell_count, size_t most);

/* Begins the batch for which there is room. `hash` is that of the map until now. */
void cn_journal_begin(cn_journal *journal, uint64_t hash);

/* Adds a cell that had this letter until now to the batch. Where there is no room, all that is
 * listed is dropped. */
void cn_journal_add(cn_journal *journal, cairn_node cell, uint8_t letter);

/* Ends a batch. A batch without cells leaves no mark. */
void cn_journal_end(cn_journal *journal);

/* Finds the latest moment at which the map had a hash. *cells are those that changed since, or NULL
 * if the journal has dropped some of them. False if the map is not known to have had the hash. */
bool cn_journal_since(const cn_journal *journal, uint64_t hash, const cairn_node **cells,
                      size_t *count);

/* What such cells were before they changed. */
CN_ALWAYS_INLINE const uint8_t *cn_journal_letters(const cn_journal *journal,
                                                   const cairn_node *cells)
{
    return journal->cells.letters + (cells - journal->cells.nodes);
}

#endif
