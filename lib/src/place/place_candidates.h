/* Candidates for landmarks, and the choice among them by what each saves. */
#ifndef CN_PLACE_PLACE_CANDIDATES_H
#define CN_PLACE_PLACE_CANDIDATES_H

#include "base/cpu.h"
#include "place/place_sample.h"

/* Candidates: each is one site in each part, with the sampled cells that landmarks there save. */
typedef struct cn_candidates {
    const cn_sample *sample;
    cn_cpu level;
    size_t count;
    size_t capacity;
    size_t farthest_count; /* the first ones, which are placed while they are measured */
    uint64_t seed;         /* of these */
    cairn_node *nodes;     /* [capacity][part_count] */
    uint64_t *saved;       /* [capacity][word_count of the sample] */
} cn_candidates;

cairn_status cn_candidates_init(cn_candidates *pool, const cn_sample *sample, size_t capacity);
void cn_candidates_free(cn_candidates *pool);

/* The sites of a candidate; those of a new candidate are to be filled in. */
cairn_node *cn_candidates_at(const cn_candidates *pool, size_t candidate);

/* The bits of a candidate. */
uint64_t *cn_candidates_saved(const cn_candidates *pool, size_t candidate);

/* Places the farthest-first candidates and computes the bits of all, by a flood for each
 * (place_measure.c). */
cairn_status cn_candidates_flood(cn_candidates *pool, const cairn_progress *progress);

/* In each part the best candidates, in order of what each saves beyond those before it: the greedy
 * algorithm for coverage (Nemhauser, Wolsey and Fisher, "An analysis of approximations for
 * maximizing submodular set functions", 1978; for landmarks: Fuchs, "On preprocessing the
 * ALT-algorithm", 2010). chosen[row][part] becomes the index of a candidate. When none saves more,
 * the first candidates are chosen. There must be at least as many candidates as rows. */
cairn_status cn_candidates_rank(const cn_candidates *pool, uint32_t row_count, uint32_t *chosen);

/* Exchanges chosen candidates for others while that saves more, in each part. */
cairn_status cn_candidates_swap(const cn_candidates *pool, uint32_t row_count, uint32_t *chosen);

/* Sorts the chosen candidates by what each saves beyond those before it. */
cairn_status cn_candidates_order(const cn_candidates *pool, uint32_t row_count, uint32_t *chosen);

/* Each adds `count` candidates of its kind to the pool. Farthest-first ones come first of all, and
 * get their sites from cn_candidates_flood. Of cn_place_any several may have the same site; of the
 * others none have while their component has other sites, and then the repeated ones come last. */
void cn_candidates_begin_with_farthest(cn_candidates *pool, size_t count, uint64_t seed);
void cn_place_any(cn_candidates *pool, size_t count, uint64_t seed);
cairn_status cn_place_random(cn_candidates *pool, size_t count, uint64_t seed);
cairn_status cn_place_border(cn_candidates *pool, size_t count);
cairn_status cn_place_avoid(cn_candidates *pool, size_t count, uint64_t seed,
                            const cairn_progress *progress);

#endif
