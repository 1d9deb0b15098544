/* The only access to the heap. Every block is aligned to 64 bytes. */
#ifndef CN_BASE_MEM_H
#define CN_BASE_MEM_H

#include "base/base.h"

typedef struct cn_mem {
    cairn_allocator allocator; /* allocate NULL: malloc, calloc, free */
} cn_mem;

/* A copy of the caller's allocator; malloc for NULL. */
cn_mem cn_mem_from(const cairn_allocator *allocator);

/* Whether blocks from one may be released by the other. */
static inline bool cn_mem_is_same(const cn_mem *a, const cn_mem *b)
{
    return a->allocator.allocate == b->allocator.allocate &&
           a->allocator.release == b->allocator.release &&
           a->allocator.context == b->allocator.context;
}

/* `count` items of `size` bytes; NULL when there is no memory or the product overflows. */
void *cn_array(const cn_mem *mem, size_t count, size_t size);

/* Like cn_array, filled with zeros. The pages of a large block take no memory until they are
 * used. */
void *cn_zeroed(const cn_mem *mem, size_t count, size_t size);

/* Which part of a block will be used. Large blocks from malloc that are used nearly everywhere ask
 * the system for huge pages: these take much less time to allocate, but are allocated as a
 * whole. */
typedef enum cn_use { CN_USED_IN_PARTS, CN_USED_ALL_OVER } cn_use;

/* Like cn_array and cn_zeroed, for a known use. */
void *cn_array_for(const cn_mem *mem, cn_use use, size_t count, size_t size);
void *cn_zeroed_for(const cn_mem *mem, cn_use use, size_t count, size_t size);

/* The bytes that the caller's allocator is asked for when `count` items of `size` are. */
size_t cn_block_size(size_t count, size_t size);

/* What cn_block_size says of a block that was allocated; 0 for NULL. */
size_t cn_held_size(const void *block, size_t count, size_t size);

/* A copy of items; NULL when there is no memory. */
void *cn_copy(const cn_mem *mem, const void *items, size_t count, size_t size);

/* Frees a block; NULL is allowed. */
void cn_release(const cn_mem *mem, void *memory);

/* Makes room for `needed` items of `size` bytes in an array, of which `items` is the address of the
 * variable that points to it. An array that is too small, or NULL, is replaced by one that is at
 * least twice as large and begins with the first `used`. False, with nothing changed, when there is
 * no memory. */
bool cn_grow(const cn_mem *mem, void *items, size_t *capacity, size_t used, size_t needed,
             size_t size);

/* The same, of the variable itself. */
#define CN_GROW(mem, items, capacity, used, needed) \
  cn_grow(mem, &(items), capacity, used, needed, sizeof *(items))

#endif
