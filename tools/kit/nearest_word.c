#include "nearest_word.h"

#include <stdbool.h>
#include <string.h>

static unsigned least(unsigned one, unsigned two)
{
    return one < two ? one : two;
}

/* Letters to insert, remove, change, or exchange with the next one, by the usual table: three rows
 * of it, for the beginnings of `one` of two lengths before, one before, and this one. */
static unsigned distance_of(const char *one, size_t size, const char *two)
{
    enum { MOST = 31 };
    unsigned rows[3][MOST + 1];
    const size_t other = strlen(two);
    if (size > MOST || other > MOST)
        return MOST;

    for (size_t j = 0; j <= other; j++)
        rows[0][j] = (unsigned)j;
    for (size_t i = 1; i <= size; i++) {
        unsigned *row = rows[i % 3];
        const unsigned *before = rows[(i - 1) % 3], *earlier = rows[(i + 1) % 3];
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= other; j++) {
            row[j] = least(before[j - 1] + (one[i - 1] != two[j - 1]),
                           least(before[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && one[i - 1] == two[j - 2] && one[i - 2] == two[j - 1])
                row[j] = least(row[j], earlier[j - 2] + 1);
        }
    }
    return rows[size % 3][other];
}

void kit_guess_offer(kit_guess *guess, const char *word)
{
    const unsigned distance = distance_of(guess->wrong, guess->size, word);
    const size_t letters = strlen(word) < guess->size ? strlen(word) : guess->size;
    const bool begins_so = guess->size >= 3 && strncmp(word, guess->wrong, guess->size) == 0;
    if ((begins_so || 3 * (size_t)distance <= letters) &&
        (!guess->best || distance < guess->distance)) {
        guess->best = word;
        guess->distance = distance;
    }
}
