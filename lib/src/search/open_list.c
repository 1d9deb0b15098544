#include "search/open_list.h"

#include <string.h>

/* So many waiting items are kept in a list, in the order in which they came; more in a heap. */
enum { WAITING_IN_LIST = 64 };

uint32_t cn_open_buckets_for(uint64_t rise)
{
    uint32_t count = CN_BUCKETS_MIN;
    while (count <= rise) {
        if (count == CN_BUCKETS_MAX)
            return 0;
        count *= 2;
    }
    return count;
}

cairn_status cn_open_init(cn_open_list *open, const cn_mem *mem, uint32_t bucket_count)
{
    *open = (cn_open_list){.mem = *mem, .bucket_count = bucket_count, .free_slot = CN_OPEN_NONE};
    if (bucket_count == 0)
        return CAIRN_OK;

    size_t words = bucket_count / 64, groups = (words + 63) / 64;
    open->tops = cn_array(mem, bucket_count, sizeof *open->tops);
    open->filled = cn_zeroed(mem, words, sizeof *open->filled);
    open->filled_words = cn_zeroed(mem, groups, sizeof *open->filled_words);
    if (!open->tops || !open->filled || !open->filled_words) {
        cn_open_free(open);
        return CAIRN_E_MEMORY;
    }
    return CAIRN_OK;
}

void cn_open_free(cn_open_list *open)
{
    cn_mem mem = open->mem;
    cn_release(&mem, open->tops);
    cn_release(&mem, open->filled);
    cn_release(&mem, open->filled_words);
    cn_release(&mem, open->slots);
    cn_release(&mem, open->leaves);
    *open = (cn_open_list){.mem = mem};
}

size_t cn_open_memory(const cn_open_list *open)
{
    const size_t words = open->bucket_count / 64, groups = (words + 63) / 64;
    return cn_held_size(open->tops, open->bucket_count, sizeof *open->tops) +
           cn_held_size(open->filled, words, sizeof *open->filled) +
           cn_held_size(open->filled_words, groups, sizeof *open->filled_words) +
           cn_held_size(open->slots, open->slot_capacity, sizeof *open->slots) +
           cn_held_size(open->leaves, open->leaf_capacity, sizeof *open->leaves);
}

/* Clears only the words that are in use. */
static void clear_buckets(cn_open_list *open)
{
    size_t groups = (open->bucket_count / 64 + 63) / 64;
    for (size_t group = 0; group < groups; group++) {
        for (uint64_t bits = open->filled_words[group]; bits; bits &= bits - 1)
            open->filled[group * 64 + cn_lowest_bit(bits)] = 0;
        open->filled_words[group] = 0;
    }
}

void cn_open_reset(cn_open_list *open, uint32_t key)
{
    if (open->bucket_count)
        clear_buckets(open);
    open->count = 0;
    open->current = key;
    open->end = (uint64_t)key + open->bucket_count;
    open->waiting = 0;
    open->waits_in_heap = false;
    open->slot_used = 0;
    open->free_slot = CN_OPEN_NONE;
    open->has_held = false;
    open->added = 0;
}

/* Whether the item of one slot leaves the heap before that of another. */
static bool leaves_first(const cn_open_slot *slots, uint32_t one, uint32_t other)
{
    if (slots[one].key != slots[other].key)
        return slots[one].key < slots[other].key;
    return slots[one].below < slots[other].below;
}

static void lift_waiting(cn_open_slot *slots, uint32_t at)
{
    const uint32_t slot = slots[at].waits;
    while (at && leaves_first(slots, slot, slots[(at - 1) / 2].waits)) {
        slots[at].waits = slots[(at - 1) / 2].waits;
        at = (at - 1) / 2;
    }
    slots[at].waits = slot;
}

void cn_open_wait(cn_open_list *open, uint32_t key, uint32_t slot)
{
    uint32_t at = open->waiting++;

    open->slots[slot].key = key;
    open->slots[slot].below = open->added++;
    open->slots[at].waits = slot;
    if (!open->waits_in_heap && open->waiting <= WAITING_IN_LIST)
        return;
    for (at = open->waits_in_heap ? at : 1; at < open->waiting; at++)
        lift_waiting(open->slots, at);
    open->waits_in_heap = true;
}

/* The slot whose item leaves the heap first. */
static uint32_t take_waiting(cn_open_list *open)
{
    cn_open_slot *slots = open->slots;
    const uint32_t first = slots[0].waits, last = slots[--open->waiting].waits;
    uint32_t at = 0, below = 1;

    while (below < open->waiting) {
        below += below + 1 < open->waiting &&
                 leaves_first(slots, slots[below + 1].waits, slots[below].waits);
        if (!leaves_first(slots, slots[below].waits, last))
            break;
        slots[at].waits = slots[below].waits;
        at = below;
        below = 2 * at + 1;
    }
    slots[at].waits = last;
    return first;
}

static uint32_t least_waiting(const cn_open_list *open)
{
    uint32_t least = open->slots[open->slots[0].waits].key;
    for (uint32_t i = 1; !open->waits_in_heap && i < open->waiting; i++) {
        const uint32_t key = open->slots[open->slots[i].waits].key;
        least = key < least ? key : least;
    }
    return least;
}

static void advance_heap(cn_open_list *open)
{
    while (open->waiting && least_waiting(open) < open->end) {
        const uint32_t slot = take_waiting(open);
        cn_open_stack_slot(open, open->slots[slot].key, slot);
    }
    open->waits_in_heap = open->waiting > 0;
}

static void advance_list(cn_open_list *open)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < open->waiting; i++) {
        const uint32_t slot = open->slots[i].waits;
        if (open->slots[slot].key < open->end)
            cn_open_stack_slot(open, open->slots[slot].key, slot);
        else
            open->slots[left++].waits = slot;
    }
    open->waiting = left;
}

/* No item in a bucket has a key that gets one now; and of equal keys that comes first which waited
 * first. */
void cn_open_advance(cn_open_list *open)
{
    if (open->waiting == open->count)
        open->current = least_waiting(open);
    open->end = (uint64_t)open->current + open->bucket_count;
    if (open->waits_in_heap)
        advance_heap(open);
    else
        advance_list(open);
}

static bool grow_slots(cn_open_list *open, size_t needed)
{
    return CN_GROW(&open->mem, open->slots, &open->slot_capacity, open->slot_used, needed);
}

static bool grow_leaves(cn_open_list *open, size_t needed)
{
    return CN_GROW(&open->mem, open->leaves, &open->leaf_capacity, open->count, needed);
}

bool cn_open_grow(cn_open_list *open, size_t needed)
{
    if (needed >= CN_OPEN_NONE)
        return false;
    return open->bucket_count ? grow_slots(open, needed) : grow_leaves(open, needed);
}
