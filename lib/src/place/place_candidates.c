#include "place/place_candidates.h"

#include <string.h>

#include "base/bits.h"

cairn_status cn_candidates_init(cn_candidates *pool, const cn_sample *sample, size_t capacity)
{
    const cn_mem *mem = &sample->sites->map->mem;

    memset(pool, 0, sizeof *pool);
    pool->sample = sample;
    pool->level = cn_cpu_level();
    pool->capacity = capacity;
    pool->nodes = cn_array(mem, capacity, sample->part_count * sizeof *pool->nodes);
    pool->saved = cn_zeroed(mem, capacity, sample->word_count * sizeof *pool->saved);
    if (pool->nodes && pool->saved)
        return CAIRN_OK;
    cn_candidates_free(pool);
    return CAIRN_E_MEMORY;
}

void cn_candidates_free(cn_candidates *pool)
{
    if (!pool->sample)
        return;
    const cn_mem *mem = &pool->sample->sites->map->mem;
    cn_release(mem, pool->nodes);
    cn_release(mem, pool->saved);
    memset(pool, 0, sizeof *pool);
}

cairn_node *cn_candidates_at(const cn_candidates *pool, size_t candidate)
{
    return pool->nodes + candidate * pool->sample->part_count;
}

uint64_t *cn_candidates_saved(const cn_candidates *pool, size_t candidate)
{
    return pool->saved + candidate * pool->sample->word_count;
}

/* --------------------------------------------------------------------------- choosing -- */

/* The queries of one part, as a range of words of a candidate's bits. */
typedef struct part_view {
    const cn_candidates *pool;
    uint32_t part;
    const cn_sampled_query *queries;
    size_t query_count;
    size_t first_word;
    size_t word_count;
} part_view;

static part_view view_of(const cn_candidates *pool, uint32_t part)
{
    const cn_sample *sample = pool->sample;
    const size_t first = sample->part_start[part], end = sample->part_start[part + 1];
    const size_t first_word = sample->queries[first].first_word;
    const size_t end_word = end < sample->query_count ? sample->queries[end].first_word
                                                      : sample->word_count;
    return (part_view){.pool = pool,
                       .part = part,
                       .queries = sample->queries + first,
                       .query_count = end - first,
                       .first_word = first_word,
                       .word_count = end_word - first_word};
}

static const uint64_t *view_bits(const part_view *view, size_t candidate)
{
    return cn_candidates_saved(view->pool, candidate) + view->first_word;
}

/* The weight of the cells in `bits` that are not in `without`. */
CN_ALWAYS_INLINE uint64_t weigh_words(const part_view *view, const uint64_t *bits,
                                      const uint64_t *without)
{
    uint64_t sum = 0;
    for (size_t i = 0, word = 0; i < view->query_count; i++) {
        const cn_sampled_query *query = &view->queries[i];
        const size_t end = word + (query->cell_count + 63) / 64;
        unsigned count = 0;
        for (; word < end; word++)
            count += cn_count_bits(bits[word] & ~without[word]);
        sum += query->weight * count;
    }
    return sum;
}

#if CN_CPU_X86
/* Processors with AVX2 count bits by an instruction. */
static CN_TARGET_AVX2 uint64_t weigh_avx2(const part_view *view, const uint64_t *bits,
                                          const uint64_t *without)
{
    return weigh_words(view, bits, without);
}
#else
#  define weigh_avx2 weigh_words
#endif

static uint64_t weigh(const part_view *view, const uint64_t *bits, const uint64_t *without)
{
    return view->pool->level >= CN_CPU_AVX2 ? weigh_avx2(view, bits, without)
                                            : weigh_words(view, bits, without);
}

static void add_bits(const part_view *view, const uint64_t *bits, uint64_t *to)
{
    for (size_t word = 0; word < view->word_count; word++)
        to[word] |= bits[word];
}

typedef struct ranking {
    uint64_t *covered;
    uint64_t *most_gain; /* by candidate: what it saved when it was weighed last */
    uint8_t *used;
    uint32_t *among; /* the chosen ones of a part, or NULL for the whole pool */
    size_t among_count;
} ranking;

static uint64_t gain_of(const part_view *view, const ranking *by, size_t i)
{
    return weigh(view, view_bits(view, by->among ? by->among[i] : i), by->covered);
}

/* The unused candidate that saved most when it was weighed last; the first of several. */
static size_t most_hopeful(const ranking *by)
{
    size_t best = by->among_count;
    for (size_t i = 0; i < by->among_count; i++) {
        if (!by->used[i] && (best == by->among_count || by->most_gain[i] > by->most_gain[best]))
            best = i;
    }
    return best;
}

/* The unused candidate that saves most beyond `covered`; the first of several. As `covered` only
 * grows, no candidate saves more than when it was weighed last, so most need not be weighed again
 * (Minoux, "Accelerated greedy algorithms for maximizing submodular set functions", 1978). */
static size_t best_of(const part_view *view, ranking *by)
{
    size_t best = most_hopeful(by);
    uint64_t most = by->most_gain[best] = gain_of(view, by, best);

    for (size_t i = 0; i < by->among_count; i++) {
        if (by->used[i] || by->most_gain[i] < most || (by->most_gain[i] == most && i >= best))
            continue;
        by->most_gain[i] = gain_of(view, by, i);
        if (by->most_gain[i] > most || (by->most_gain[i] == most && i < best)) {
            most = by->most_gain[i];
            best = i;
        }
    }
    return best;
}

static void rank_part(const part_view *view, ranking *by, uint32_t row_count, uint32_t *chosen)
{
    uint32_t part_count = view->pool->sample->part_count;

    memset(by->covered, 0, view->word_count * sizeof *by->covered);
    memset(by->most_gain, 0xff, by->among_count * sizeof *by->most_gain);
    memset(by->used, 0, by->among_count);
    for (uint32_t row = 0; row < row_count; row++) {
        size_t best = best_of(view, by);
        uint32_t candidate = by->among ? by->among[best] : (uint32_t)best;
        by->used[best] = 1;
        add_bits(view, view_bits(view, candidate), by->covered);
        chosen[row * part_count + view->part] = candidate;
    }
}

static cairn_status rank(const cn_candidates *pool, ranking *by, uint32_t row_count,
                         uint32_t *chosen)
{
    const cn_mem *mem = &pool->sample->sites->map->mem;
    uint32_t part_count = pool->sample->part_count;

    CN_ASSERT(by->among_count >= row_count);
    by->covered = cn_array(mem, pool->sample->word_count, sizeof *by->covered);
    by->most_gain = cn_array(mem, by->among_count, sizeof *by->most_gain);
    by->used = cn_array(mem, by->among_count, 1);
    cairn_status status = by->covered && by->most_gain && by->used ? CAIRN_OK : CAIRN_E_MEMORY;
    for (uint32_t part = 0; status == CAIRN_OK && part < part_count; part++) {
        part_view view = view_of(pool, part);
        for (uint32_t row = 0; by->among && row < row_count; row++)
            by->among[row] = chosen[row * part_count + part];
        rank_part(&view, by, row_count, chosen);
    }
    cn_release(mem, by->covered);
    cn_release(mem, by->most_gain);
    cn_release(mem, by->used);
    return status;
}

cairn_status cn_candidates_rank(const cn_candidates *pool, uint32_t row_count, uint32_t *chosen)
{
    ranking by = {.among_count = pool->count};
    return rank(pool, &by, row_count, chosen);
}

cairn_status cn_candidates_order(const cn_candidates *pool, uint32_t row_count, uint32_t *chosen)
{
    const cn_mem *mem = &pool->sample->sites->map->mem;
    ranking by = {.among_count = row_count};

    by.among = cn_array(mem, row_count, sizeof *by.among);
    cairn_status status = by.among ? rank(pool, &by, row_count, chosen) : CAIRN_E_MEMORY;
    cn_release(mem, by.among);
    return status;
}

/* What the chosen candidates of a part save together without that of row `except`. */
static void cover_without(const part_view *view, uint32_t row_count, uint32_t except,
                          const uint32_t *chosen, uint64_t *covered)
{
    memset(covered, 0, view->word_count * sizeof *covered);
    for (uint32_t row = 0; row < row_count; row++) {
        size_t candidate = chosen[row * view->pool->sample->part_count + view->part];
        if (row != except)
            add_bits(view, view_bits(view, candidate), covered);
    }
}

/* Gives a row the best candidate beside those of the other rows; true when that saves more. */
static bool improve_row(const part_view *view, uint32_t row_count, uint32_t row, uint32_t *chosen,
                        uint64_t *covered)
{
    uint32_t *mine = &chosen[row * view->pool->sample->part_count + view->part];
    uint32_t before = *mine;

    cover_without(view, row_count, row, chosen, covered);
    uint64_t most = weigh(view, view_bits(view, before), covered);
    for (size_t i = 0; i < view->pool->count; i++) {
        uint64_t gain = weigh(view, view_bits(view, i), covered);
        if (gain > most) {
            most = gain;
            *mine = (uint32_t)i;
        }
    }
    return *mine != before;
}

cairn_status cn_candidates_swap(const cn_candidates *pool, uint32_t row_count, uint32_t *chosen)
{
    enum { ROUNDS_MAX = 16 };
    const cn_mem *mem = &pool->sample->sites->map->mem;
    uint64_t *covered = cn_array(mem, pool->sample->word_count, sizeof *covered);
    if (!covered)
        return CAIRN_E_MEMORY;
    for (uint32_t part = 0; part < pool->sample->part_count; part++) {
        part_view view = view_of(pool, part);
        bool changed = true;
        for (unsigned round = 0; changed && round < ROUNDS_MAX; round++) {
            changed = false;
            for (uint32_t row = 0; row < row_count; row++)
                changed |= improve_row(&view, row_count, row, chosen, covered);
        }
    }
    cn_release(mem, covered);
    return CAIRN_OK;
}
