#include "map/journal.h"

#include <string.h>

void cn_journal_free(cn_journal *journal, const cn_mem *mem)
{
    cn_release(mem, journal->cells);
    cn_release(mem, journal->letters);
    cn_release(mem, journal->marks);
    memset(journal, 0, sizeof *journal);
}

size_t cn_journal_memory(const cn_journal *journal)
{
    return cn_held_size(journal->cells, journal->cell_capacity, sizeof *journal->cells) +
           cn_held_size(journal->letters, journal->letter_capacity, 1) +
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
    copy.cells = cn_array(mem, from->cell_capacity, sizeof(cairn_node));
    copy.letters = cn_array(mem, from->letter_capacity, 1);
    copy.marks = cn_array(mem, from->mark_capacity, sizeof(cn_journal_mark));
    if (!copy.cells || !copy.letters || !copy.marks) {
        cn_journal_free(&copy, mem);
        return false;
    }
    if (from->cell_count) {
        memcpy(copy.cells, from->cells, from->cell_count * sizeof(cairn_node));
        memcpy(copy.letters, from->letters, from->cell_count);
    }
    if (from->mark_count)
        memcpy(copy.marks, from->marks, from->mark_count * sizeof(cn_journal_mark));
    *journal = copy;
    return true;
}

/* Forgets all cells but the last ones. */
static void keep_cells(cn_journal *journal, size_t kept)
{
    const size_t gone = journal->cell_count - kept;
    if (kept) {
        memmove(journal->cells, journal->cells + gone, kept * sizeof *journal->cells);
        memmove(journal->letters, journal->letters + gone, kept);
    }
    journal->forgotten += gone;
    journal->cell_count = kept;
}

static void drop_old_marks(cn_journal *journal)
{
    const size_t kept = journal->mark_count / 2;

    memmove(journal->marks, journal->marks + (journal->mark_count - kept),
            kept * sizeof *journal->marks);
    journal->mark_count = kept;
    journal->is_partial = true;
}

static bool hold_cells(cn_journal *journal, const cn_mem *mem, size_t count)
{
    if (count == 0)
        return true;
    cairn_node *cells = cn_grown(mem, journal->cells, &journal->cell_capacity, journal->cell_count,
                                 count, sizeof *cells);
    if (cells)
        journal->cells = cells;
    uint8_t *letters = cn_grown(mem, journal->letters, &journal->letter_capacity,
                                journal->cell_count, count, 1);
    if (letters)
        journal->letters = letters;
    return cells && letters;
}

static bool hold_mark(cn_journal *journal, const cn_mem *mem)
{
    cn_journal_mark *marks = cn_grown(mem, journal->marks, &journal->mark_capacity,
                                      journal->mark_count, journal->mark_count + 1, sizeof *marks);
    if (marks)
        journal->marks = marks;
    return marks;
}

bool cn_journal_reserve(cn_journal *journal, const cn_mem *mem, size_t cell_count, size_t most)
{
    size_t listed = cell_count < most ? cell_count : most;
    bool overflows = journal->cell_count + listed > most;
    const size_t room = (most - listed) / 2;
    const size_t kept = overflows && room < journal->cell_count ? room : journal->cell_count;

    if (!hold_cells(journal, mem, kept + listed) || !hold_mark(journal, mem))
        return false;
    journal->most = most;
    keep_cells(journal, kept);
    if (journal->mark_count >= CN_JOURNAL_MARKS)
        drop_old_marks(journal);
    return true;
}

void cn_journal_begin(cn_journal *journal, uint64_t hash)
{
    journal->marks[journal->mark_count++] =
        (cn_journal_mark){.hash = hash, .position = journal->forgotten + journal->cell_count};
}

void cn_journal_add(cn_journal *journal, cairn_node cell, uint8_t letter)
{
    if (journal->cell_count == journal->most)
        keep_cells(journal, 0);
    journal->letters[journal->cell_count] = letter;
    journal->cells[journal->cell_count++] = cell;
}

void cn_journal_end(cn_journal *journal)
{
    const cn_journal_mark *marks = journal->marks;
    if (marks[journal->mark_count - 1].position == journal->forgotten + journal->cell_count)
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
    *cells = journal->cells + (position - journal->forgotten);
    *count = (size_t)(journal->forgotten + journal->cell_count - position);
    return true;
}
