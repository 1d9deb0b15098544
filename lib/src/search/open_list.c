#include "search/open_list.h"

#include <string.h>

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

static size_t held(const void *block, size_t count, size_t size)
{
    return block ? cn_block_size(count, size) : 0;
}

size_t cn_open_memory(const cn_open_list *open)
{
    const size_t words = open->bucket_count / 64, groups = (words + 63) / 64;
    return held(open->tops, open->bucket_count, sizeof *open->tops) +
           held(open->filled, words, sizeof *open->filled) +
           held(open->filled_words, groups, sizeof *open->filled_words) +
           held(open->slots, open->slot_capacity, sizeof *open->slots) +
           held(open->leaves, open->leaf_capacity, sizeof *open->leaves);
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
    open->peak = 0;
    open->current = key;
    open->slot_used = 0;
    open->free_slot = CN_OPEN_NONE;
    open->holds = false;
    open->added = 0;
}

bool cn_open_grow(cn_open_list *open, size_t needed)
{
    void *items = open->bucket_count ? (void *)open->slots : (void *)open->leaves;
    size_t *capacity = open->bucket_count ? &open->slot_capacity : &open->leaf_capacity;
    size_t used = open->bucket_count ? open->slot_used : open->count;
    size_t size = open->bucket_count ? sizeof *open->slots : sizeof *open->leaves;

    if (needed >= CN_OPEN_NONE || !cn_grow(&open->mem, &items, capacity, used, needed, size))
        return false;
    if (open->bucket_count)
        open->slots = items;
    else
        open->leaves = items;
    return true;
}
