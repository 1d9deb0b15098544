/*
 * The open list: nodes that a search has found and not expanded yet. There are two kinds with the
 * same order, so that a search does the same with either: the least key first, and of equal keys
 * the one that was added last.
 *
 *  buckets  a ring of stacks, one per key. For keys that are never below the last one removed.
 *           Needs no comparisons. Items whose keys are beyond the ring wait until it comes
 *           near them: a few in a list, many in a heap.
 *  heap     4-ary, for any keys, and also for other orders of equal keys.
 */
#ifndef CN_SEARCH_OPEN_LIST_H
#define CN_SEARCH_OPEN_LIST_H

#include "base/bits.h"
#include "base/mem.h"

enum { CN_BUCKETS_MIN = 64, CN_BUCKETS_MAX = 1 << 16 };

typedef enum cn_open_kind { CN_OPEN_BUCKETS, CN_OPEN_HEAP } cn_open_kind;

typedef struct cn_open_item {
    uint32_t label;
    uint32_t value;
} cn_open_item;

typedef struct cn_open_slot {
    cn_open_item item;
    uint32_t below; /* the slot below this one in its stack, or in the stack of free slots; of an
                     * item that waits, its number in the order in which items came to wait */
    uint32_t key;   /* of an item that waits */
    uint32_t waits; /* not of this slot's item: these fields of the first slots, as many as items
                     * wait, hold the slots of those items, as a list or a binary heap */
} cn_open_slot;

typedef struct cn_open_leaf {
    uint64_t order; /* key, then rank: see cn_open_rank */
    cn_open_item item;
} cn_open_leaf;

#define CN_OPEN_NONE UINT32_MAX

typedef struct cn_open_list {
    cn_mem mem;
    size_t count;
    size_t peak; /* the most items since whoever uses the list set it to 0 */

    /* buckets */
    uint32_t bucket_count;  /* a power of two */
    uint32_t current;       /* the key that was removed last */
    uint32_t *tops;         /* by bucket: its top slot; valid where its bit is set */
    uint64_t *filled;       /* a bit per bucket */
    uint64_t *filled_words; /* a bit per word of `filled` */
    cn_open_slot *slots;
    size_t slot_capacity;
    uint32_t slot_used;
    uint32_t free_slot;
    uint64_t end;     /* above the keys that have buckets now: at most current + bucket_count */
    uint32_t waiting; /* items that wait */
    bool waits_in_heap;
    bool has_held;     /* the last item added at the current key is kept outside its
                        * stack, because it is most likely removed next */
    cn_open_item held; /* that item */

    /* heap */
    cairn_ties ties;
    cn_open_leaf *leaves;
    size_t leaf_capacity;
    uint32_t added;
} cn_open_list;

/* The smallest bucket count for keys that rise by at most `rise` at a time; 0 where that is more
 * than CN_BUCKETS_MAX. */
uint32_t cn_open_buckets_for(uint64_t rise);

/* The smallest shift with which a range of keys fits a ring of so many buckets. */
static inline unsigned cn_open_shift_for(uint32_t range, uint32_t bucket_count)
{
    unsigned shift = 0;
    while ((range >> shift) + 2 > bucket_count)
        shift++;
    return shift;
}

/* `bucket_count` 0: a heap. */
cairn_status cn_open_init(cn_open_list *open, const cn_mem *mem, uint32_t bucket_count);
void cn_open_free(cn_open_list *open);

/* The bytes that it has taken from its allocator. */
size_t cn_open_memory(const cn_open_list *open);

/* Empties the list, of which the peak is kept; buckets start at `key`. */
void cn_open_reset(cn_open_list *open, uint32_t key);

bool cn_open_grow(cn_open_list *open, size_t needed);

/* Makes room for `more` items; false when there is no memory. */
CN_ALWAYS_INLINE bool cn_open_reserve(cn_open_list *open, size_t more)
{
    size_t capacity = open->bucket_count ? open->slot_capacity : open->leaf_capacity;
    return CN_LIKELY(open->count + more <= capacity) || cn_open_grow(open, open->count + more);
}

/* An unused slot. Selects instead of branching: what is chosen could not be predicted. */
CN_ALWAYS_INLINE uint32_t cn_open_take_slot(cn_open_list *open)
{
    const bool is_new = open->free_slot == CN_OPEN_NONE;
    const uint32_t slot = is_new ? open->slot_used : open->free_slot;
    const uint32_t below = open->slots[slot].below;

    open->slot_used += is_new;
    open->free_slot = is_new ? CN_OPEN_NONE : below;
    return slot;
}

/* Puts a slot on top of the bucket of a key. */
CN_ALWAYS_INLINE void cn_open_stack_slot(cn_open_list *open, uint32_t key, uint32_t slot)
{
    uint32_t bucket = key & (open->bucket_count - 1);
    uint64_t *word = &open->filled[bucket / 64];
    uint64_t bit = UINT64_C(1) << bucket % 64;
    const uint32_t top = open->tops[bucket];

    open->slots[slot].below = *word & bit ? top : CN_OPEN_NONE;
    open->tops[bucket] = slot;
    *word |= bit;
    open->filled_words[bucket / 4096] |= UINT64_C(1) << bucket / 64 % 64;
}

/* Lets the item of a slot wait until its key gets a bucket. */
void cn_open_wait(cn_open_list *open, uint32_t key, uint32_t slot);

CN_ALWAYS_INLINE void cn_open_stack(cn_open_list *open, uint32_t key, cn_open_item item)
{
    const uint32_t slot = cn_open_take_slot(open);
    open->slots[slot].item = item;
    if (CN_LIKELY(key < open->end))
        cn_open_stack_slot(open, key, slot);
    else
        cn_open_wait(open, key, slot);
}

/* No key is below the current one: it would come up a whole ring too late. */
CN_ALWAYS_INLINE void cn_open_push_bucket(cn_open_list *open, uint32_t key, cn_open_item item)
{
    CN_ASSERT(key >= open->current);
    if (key != open->current) {
        cn_open_stack(open, key, item);
        return;
    }
    if (open->has_held)
        cn_open_stack(open, key, open->held);
    open->held = item;
    open->has_held = true;
}

/* Gives buckets to the keys from the current one on, which first becomes the least key that waits
 * where no bucket is filled. Items with equal keys stay in their order. */
void cn_open_advance(cn_open_list *open);

/* Moves the end of the ring on after the current key has risen: where items wait, only once half of
 * the ring is behind it. */
CN_ALWAYS_INLINE void cn_open_follow(cn_open_list *open)
{
    if (CN_LIKELY(!open->waiting))
        open->end = (uint64_t)open->current + open->bucket_count;
    else if (open->end < (uint64_t)open->current + open->bucket_count / 2)
        cn_open_advance(open);
}

/* The first filled bucket at or after that of the current key, around the ring. */
CN_ALWAYS_INLINE uint32_t cn_open_next_bucket(const cn_open_list *open)
{
    uint32_t bucket = open->current & (open->bucket_count - 1);
    uint32_t word = bucket / 64;
    uint64_t bits = open->filled[word] >> bucket % 64;
    if (bits)
        return bucket + cn_lowest_bit(bits);

    uint32_t group = word / 64, group_count = (open->bucket_count / 64 + 63) / 64;
    bits = word % 64 == 63 ? 0 : open->filled_words[group] >> (word % 64 + 1) << (word % 64 + 1);
    while (!bits) {
        group = group + 1 == group_count ? 0 : group + 1;
        bits = open->filled_words[group];
    }
    word = group * 64 + cn_lowest_bit(bits);
    return word * 64 + cn_lowest_bit(open->filled[word]);
}

CN_ALWAYS_INLINE uint32_t cn_open_pop_bucket(cn_open_list *open, cn_open_item *item)
{
    if (open->has_held) {
        open->has_held = false;
        *item = open->held;
        return open->current;
    }
    if (CN_UNLIKELY(open->waiting == open->count))
        cn_open_advance(open);
    uint32_t mask = open->bucket_count - 1;
    uint32_t bucket = cn_open_next_bucket(open);
    uint32_t slot = open->tops[bucket];
    uint32_t below = open->slots[slot].below;

    open->current += (bucket - open->current) & mask;
    cn_open_follow(open);
    *item = open->slots[slot].item;
    open->tops[bucket] = below;
    if (below == CN_OPEN_NONE) {
        uint64_t left = open->filled[bucket / 64] &= ~(UINT64_C(1) << bucket % 64);
        if (!left)
            open->filled_words[bucket / 4096] &= ~(UINT64_C(1) << bucket / 64 % 64);
    }
    open->slots[slot].below = open->free_slot;
    open->free_slot = slot;
    return open->current;
}

/* The rank of an item in the heap: of equal keys the item with the lower rank comes first. */
CN_ALWAYS_INLINE uint32_t cn_open_rank(cn_open_list *open, cn_open_item item)
{
    uint32_t number = open->added++;
    if (open->ties == CAIRN_TIES_FIRST)
        return number;
    return open->ties == CAIRN_TIES_LARGER_G ? ~item.value : ~number;
}

CN_ALWAYS_INLINE void cn_open_push_heap(cn_open_list *open, uint32_t key, cn_open_item item)
{
    cn_open_leaf leaf = {.order = (uint64_t)key << 32 | cn_open_rank(open, item), .item = item};
    size_t at = open->count;
    while (at) {
        size_t above = (at - 1) / 4;
        if (open->leaves[above].order <= leaf.order)
            break;
        open->leaves[at] = open->leaves[above];
        at = above;
    }
    open->leaves[at] = leaf;
}

CN_ALWAYS_INLINE size_t cn_open_least_child(const cn_open_list *open, size_t first, size_t count)
{
    size_t least = first, end = first + 4 < count ? first + 4 : count;
    for (size_t child = first + 1; child < end; child++) {
        if (open->leaves[child].order < open->leaves[least].order)
            least = child;
    }
    return least;
}

CN_ALWAYS_INLINE uint32_t cn_open_pop_heap(cn_open_list *open, cn_open_item *item)
{
    uint32_t key = (uint32_t)(open->leaves[0].order >> 32);
    size_t count = open->count - 1, at = 0;
    cn_open_leaf last = open->leaves[count];

    *item = open->leaves[0].item;
    while (at * 4 + 1 < count) {
        size_t child = cn_open_least_child(open, at * 4 + 1, count);
        if (open->leaves[child].order >= last.order)
            break;
        open->leaves[at] = open->leaves[child];
        at = child;
    }
    open->leaves[at] = last;
    return key;
}

/* Adds an item, for which cn_open_reserve must have made room. `kind` is a constant where this is
 * inlined. */
CN_ALWAYS_INLINE void cn_open_push(cn_open_list *open, cn_open_kind kind, uint32_t key,
                                   cn_open_item item)
{
    if (kind == CN_OPEN_BUCKETS)
        cn_open_push_bucket(open, key, item);
    else
        cn_open_push_heap(open, key, item);
    open->count++;
    open->peak = open->count > open->peak ? open->count : open->peak;
}

/* Removes the first item from a list that is not empty, and returns its key. */
CN_ALWAYS_INLINE uint32_t cn_open_pop(cn_open_list *open, cn_open_kind kind, cn_open_item *item)
{
    uint32_t key = kind == CN_OPEN_BUCKETS ? cn_open_pop_bucket(open, item)
                                           : cn_open_pop_heap(open, item);
    open->count--;
    return key;
}

#endif
