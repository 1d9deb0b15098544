/* Base heuristics and ties as words. */
#ifndef KIT_HEURISTIC_H
#define KIT_HEURISTIC_H

#include "args.h"
#include "cairn/cairn.h"

/* The words for values of cairn_heuristic and cairn_ties, in their order, for kit_read_word; both
 * end with NULL. */
extern const char *const kit_heuristic_words[];
extern const char *const kit_ties_words[];

/* The name of a base heuristic on a map: what "best" stands for there, beside a table if there is
 * one of whose rows all may be used. */
const char *kit_heuristic_name(const cairn_map *map, const cairn_table *table,
                               cairn_heuristic heuristic);

/* Whether the map has a base heuristic; false with a complaint of the command. */
bool kit_heuristic_is_there(const char *command, const cairn_map *map, int heuristic);

/* What a search is asked to do otherwise than best. All zero: nothing. */
typedef struct kit_wish {
    int heuristic;   /* a cairn_heuristic */
    int ties;        /* a cairn_ties */
    uint32_t weight; /* in thousandths; 0: 1000 */
    uint32_t limit;  /* of expansions; 0: none */
    bool no_reopening;
} kit_wish;

bool kit_wish_is_set(const kit_wish *wish);

/* Puts it into the options of a search. */
void kit_wish_put(const kit_wish *wish, cairn_search_options *options);

/* All words of --heuristic, for what a command says about itself. */
#define KIT_WISH_ABOUT                                                              \
  "Words of --heuristic: best (the default), zero, manhattan, chebyshev, octile,\n" \
  "euclidean, hex and squared."

/* The options for it; `wish` is the member of the settings. */
#define KIT_WISH(settings, wish)                                                            \
  {.name = "heuristic",                                                                     \
   .value = "NAME",                                                                         \
   .read = kit_read_word,                                                                   \
   .words = kit_heuristic_words,                                                            \
   .help = "base heuristic: best (default), zero, manhattan, ...: see below",               \
   .offset = offsetof(settings, wish.heuristic)},                                           \
      {.name = "weight",                                                                    \
       .value = "N",                                                                        \
       .read = kit_read_number,                                                             \
       .least = 1000,                                                                       \
       .most = 1000000,                                                                     \
       .expects = "thousandths from 1000 to 1000000, 1500 for a weight of 1.5",             \
       .help = "weight of the bound in thousandths (default 1000)",                         \
       .offset = offsetof(settings, wish.weight)},                                          \
      {.name = "ties",                                                                      \
       .value = "ORDER",                                                                    \
       .read = kit_read_word,                                                               \
       .words = kit_ties_words,                                                             \
       .help = "at equal f: last (default), first, larger-g",                               \
       .offset = offsetof(settings, wish.ties)},                                            \
      {.name = "no-reopening",                                                              \
       .help = "closed nodes stay closed, also with a weight",                              \
       .offset = offsetof(settings, wish.no_reopening)},                                    \
  {                                                                                         \
    .name = "limit", .value = "N", .read = kit_read_number, .least = 1, .most = UINT32_MAX, \
    .help = "give up after so many expansions", .offset = offsetof(settings, wish.limit)    \
  }

#endif
