#ifdef __linux__
#  ifndef _DEFAULT_SOURCE
#    define _DEFAULT_SOURCE /* madvise */
#  endif
#endif

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

#ifdef __linux__
#  include <sys/mman.h>
#endif

enum { ALIGNMENT = 64, HEADROOM = ALIGNMENT + sizeof(void *) };

cn_mem cn_mem_from(const cairn_allocator *allocator)
{
    cn_mem mem = {{0}};
    if (allocator)
        mem.allocator = *allocator;
    return mem;
}

/* A pointer to the block that was allocated is kept just below the aligned address. */
static void *align_block_to(void *block, size_t alignment)
{
    if (!block)
        return NULL;

    uintptr_t start = (uintptr_t)block + alignment + sizeof(void *);
    uintptr_t aligned = start - start % alignment;
    memcpy((void *)(aligned - sizeof(void *)), &block, sizeof block);
    return (void *)aligned;
}

static void *align_block(void *block)
{
    return align_block_to(block, ALIGNMENT);
}

static bool block_size(size_t count, size_t size, size_t *total)
{
    if (size && count > (SIZE_MAX / 2 - HEADROOM) / size)
        return false;
    *total = count * size + HEADROOM;
    return true;
}

size_t cn_block_size(size_t count, size_t size)
{
    return count * size + HEADROOM;
}

void *cn_array(const cn_mem *mem, size_t count, size_t size)
{
    size_t total;
    if (!block_size(count, size, &total))
        return NULL;
    if (mem->allocator.allocate)
        return align_block(mem->allocator.allocate(mem->allocator.context, total));
    return align_block(malloc(total));
}

void *cn_zeroed(const cn_mem *mem, size_t count, size_t size)
{
    size_t total;
    if (!block_size(count, size, &total))
        return NULL;
    /* calloc does not map the pages of a large block before they are written, so blocked regions of
     * a table take no memory. */
    if (!mem->allocator.allocate)
        return align_block(calloc(1, total));

    void *block = cn_array(mem, count, size);
    if (block)
        memset(block, 0, count * size);
    return block;
}

#ifdef MADV_HUGEPAGE

/* The last page is a huge one only if at least WORTH_IT bytes of it are used. */
enum {
    HUGE_PAGE = 1 << 21,
    WORTH_IT = HUGE_PAGE / 2,
    ROOM = HUGE_PAGE + (HUGE_PAGE - WORTH_IT) + sizeof(void *)
};

static bool wants_huge_pages(const cn_mem *mem, cn_use use, size_t count, size_t size)
{
    size_t total = 0;
    return use == CN_USED_ALL_OVER && !mem->allocator.allocate && block_size(count, size, &total) &&
           total >= WORTH_IT;
}

/* Aligns a block that has room for this and for the whole of its last huge page. On a system
 * without huge pages it is a usual block. */
static void *advise_huge(void *block, size_t size)
{
    void *memory = align_block_to(block, HUGE_PAGE);
    if (memory)
        (void)madvise(memory, (size + HUGE_PAGE - WORTH_IT) / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE);
    return memory;
}

void *cn_array_for(const cn_mem *mem, cn_use use, size_t count, size_t size)
{
    if (!wants_huge_pages(mem, use, count, size))
        return cn_array(mem, count, size);
    return advise_huge(malloc(count * size + ROOM), count * size);
}

void *cn_zeroed_for(const cn_mem *mem, cn_use use, size_t count, size_t size)
{
    if (!wants_huge_pages(mem, use, count, size))
        return cn_zeroed(mem, count, size);
    return advise_huge(calloc(1, count * size + ROOM), count * size);
}

#else

void *cn_array_for(const cn_mem *mem, cn_use use, size_t count, size_t size)
{
    (void)use;
    return cn_array(mem, count, size);
}

void *cn_zeroed_for(const cn_mem *mem, cn_use use, size_t count, size_t size)
{
    (void)use;
    return cn_zeroed(mem, count, size);
}

#endif

size_t cn_held_size(const void *block, size_t count, size_t size)
{
    return block ? cn_block_size(count, size) : 0;
}

void *cn_copy(const cn_mem *mem, const void *items, size_t count, size_t size)
{
    void *copy = cn_array(mem, count, size);
    if (copy && count)
        memcpy(copy, items, count * size);
    return copy;
}

void cn_release(const cn_mem *mem, void *memory)
{
    if (!memory)
        return;

    void *block;
    memcpy(&block, (char *)memory - sizeof block, sizeof block);
    if (mem->allocator.release)
        mem->allocator.release(mem->allocator.context, block);
    else
        free(block);
}

/* Pointers of every type are copied as those to anything, whatever type the variable has. */
bool cn_grow(const cn_mem *mem, void *items, size_t *capacity, size_t used, size_t needed,
             size_t size)
{
    void *held;
    memcpy(&held, items, sizeof held);
    if (held && needed <= *capacity)
        return true;

    size_t larger = *capacity < 16 ? 32 : *capacity * 2;
    if (larger < needed)
        larger = needed;
    void *grown = cn_array(mem, larger, size);
    if (!grown)
        return false;

    if (used)
        memcpy(grown, held, used * size);
    cn_release(mem, held);
    memcpy(items, &grown, sizeof grown);
    *capacity = larger;
    return true;
}
