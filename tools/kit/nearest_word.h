/* What a misspelt word may have meant. */
#ifndef KIT_NEAREST_WORD_H
#define KIT_NEAREST_WORD_H

#include <stddef.h>

/* The best of the words that were offered so far. */
typedef struct kit_guess {
    const char *wrong;
    size_t size; /* of that word, without the value of an option */
    const char *best;
    unsigned distance;
} kit_guess;

/* Offers a word: it is taken where it is nearer than the others, and begins like the wrong one or
 * differs in at most every third letter. */
void kit_guess_offer(kit_guess *guess, const char *word);

#endif
