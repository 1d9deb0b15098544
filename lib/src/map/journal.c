#include "map/journal.h"

#include <string.h>

bool cn_former_cells_reserve(cn_former_cells *list, const cn_mem *mem, size_t count)
{
    if (count == 0)
        return true;
    const bool nodes_fit = CN_GROW(mem, list->nodes, &list->node_capacity, list->count, count);
    const bool letters_fit = CN_GROW(mem, list->letters, &list->letter_capacity, list->count,
                                     count);
    return nodes_fit && letters_fit;
}

bool cn_former_cells_copy(cn_former_cells *list, const cn_mem *mem, const cn_former_cells *from)
{
    if (!cn_former_cells_reserve(list, mem, from->count)) {
        cn_former_cells_free(list, mem);
        return false;
    }
    if (from->count) {
        memcpy(list->nodes, from->nodes, from->count * sizeof *list->nodes);
        memcpy(list->letters, from->letters, from->count);
    }
    list->count = from->count;
    return true;
}

void cn_former_cells_free(cn_former_cells *list, const cn_mem *mem)
{
    cn_release(mem, list->nodes);
    cn_release(mem, list->letters);
    memset(list, 0, sizeof *list);
}

size_t cn_former_cells_memory(const cn_former_cells *list)
{
    return cn_held_size(list->nodes, list->node_capacity, sizeof *list->nodes) +
           cn_held_size(list->letters, list->letter_capacity, 1);
}

/* ---------------------------------------------------------------------------------- journal -- */

void cn_journal_free(cn_journal *journal, const cn_mem *mem)
{
    cn_former_cells_free(&journal->cells, mem);
    cn_release(mem, journal->marks);
    memset(journal, 0, sizeof *journal);
}

size_t cn_journal_memory(const cn_journal *journal)
{
    return cn_former_cells_memory(&journal->cells) +
           cn_held_size(journal->marks, journal->mark_capacity, sizeof *journal->marks);
}

void cn_journal_clear(cn_journal *journal, const cn_mem *mem)
{
    const bool had_past = cn_journal_has_past(journal);
    cn_journal_free(journal, mem);
    journal->is_partial = had_past;
}

bool cn_journal_copy(cn_journal *journal, const cn_mem *mem, const cn_journal *from)
{
    cn_journal copy = *from;
    copy.cells = (cn_former_cells){0};
    copy.marks = cn_array(mem, from->mark_capacity, sizeof(cn_journal_mark));
    if (!copy.marks || !cn_former_cells_copy(&copy.cells, mem, &from->cells)) {
        cn_journal_free(&copy, mem);
        return false;
    }
    if (from->mark_count)
        memcpy(copy.marks, from->marks, from->mark_count * sizeof(cn_journal_mark));
    *journal = copy;
    return true;
}

/* Forgets all cells but the last ones. */
static void keep_cells(cn_journal *journal, size_t kept)
{
    cn_former_cells *cells = &journal->cells;
    const size_t gone = cells->count - kept;
    if (kept) {
        memmove(cells->nodes, cells->nodes + gone, kept * sizeof *cells->nodes);
        memmove(cells->letters, cells->letters + gone, kept);
    }
    journal->forgotten += gone;
    cells->count = kept;
}

static void drop_old_marks(cn_journal *journal)
{
    const size_t kept = journal->mark_count / 2;

    memmove(journal->marks, journal->marks + (journal->mark_count - kept),
            kept * sizeof *journal->marks);
    journal->mark_count = kept;
    journal->is_partial = true;
}

static bool reserve_mark(cn_journal *journal, const cn_mem *mem)
{
    return CN_GROW(mem, journal->marks, &journal->mark_capacity, journal->mark_count,
                   journal->mark_count + 1);
}

bool cn_journal_reserve(cn_journal *journal, const cn_mem *mem, size_t cell_count, size_t most)
{
    size_t listed = cell_count < most ? cell_count : most;
    bool overflows = journal->cells.count + listed > most;
    const size_t room = (most - listed) / 2;
    const size_t kept = overflows && room < journal->cells.count ? room : journal->cells.count;

    if (!cn_former_cells_reserve(&journal->cells, mem, kept + listed) ||
        !reserve_mark(journal, mem))
        return false;
    journal->most = most;
    journal->kept = kept;
    return true;
}

void cn_journal_begin(cn_journal *journal, uint64_t hash)
{
    keep_cells(journal, journal->kept);
    if (journal->mark_count >= CN_JOURNAL_MARKS)
        drop_old_marks(journal);
    journal->marks[journal->mark_count++] =
        (cn_journal_mark){.hash = hash, .position = journal->forgotten + journal->cells.count};
}

void cn_journal_add(cn_journal *journal, cairn_node cell, uint8_t letter)
{
    cn_former_cells *cells = &journal->cells;
    if (cells->count == journal->most)
        keep_cells(journal, 0);
    cells->letters[cells->count] = letter;
    cells->nodes[cells->count++] = cell;
}

void cn_journal_end(cn_journal *journal)
{
    const cn_journal_mark *marks = journal->marks;
    if (marks[journal->mark_count - 1].position == journal->forgotten + journal->cells.count)
        journal->mark_count--;
}

bool cn_journal_since(const cn_journal *journal, uint64_t hash, const cairn_node **cells,
                      size_t *count)
{
    const cn_journal_mark *marks = journal->marks;
    size_t i = journal->mark_count;

    *cells = NULL;
    *count = 0;
    while (i > 0 && marks[i - 1].hash != hash)
        i--;
    if (i == 0)
        return false;
    uint64_t position = marks[i - 1].position;
    if (position < journal->forgotten)
        return true;
    *cells = journal->cells.nodes + (position - journal->forgotten);
    *count = (size_t)(journal->forgotten + journal->cells.count - position);
    return true;
}
