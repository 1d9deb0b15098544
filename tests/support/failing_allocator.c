#include "failing_allocator.h"

#include <stdlib.h>
#include <string.h>

static void note_size(failing_allocator *failing, size_t size)
{
    size_t largest = atomic_load(&failing->largest);
    while (size > largest &&
           !atomic_compare_exchange_weak(&failing->largest, &largest, size))
        continue;
}

static void *allocate(void *context, size_t size)
{
    failing_allocator *failing = context;
    note_size(failing, size);
    if (atomic_fetch_add(&failing->calls, 1) + 1 == failing->fail_at)
        return NULL;

    void *block = malloc(size);
    if (block) {
        /* Memory comes dirty, so that nobody relies on zeros that nobody wrote. */
        memset(block, 0xa5, size);
        atomic_fetch_add(&failing->outstanding, 1);
    }
    return block;
}

static void release(void *context, void *memory)
{
    failing_allocator *failing = context;
    atomic_fetch_sub(&failing->outstanding, 1);
    free(memory);
}

void failing_allocator_init(failing_allocator *failing)
{
    failing->allocator = (cairn_allocator){allocate, release, failing};
    atomic_init(&failing->calls, 0);
    atomic_init(&failing->outstanding, 0);
    atomic_init(&failing->largest, 0);
    failing->fail_at = 0;
}

void failing_allocator_arm(failing_allocator *failing, size_t n)
{
    atomic_store(&failing->calls, 0);
    failing->fail_at = n;
}

bool failing_allocator_struck(failing_allocator *failing)
{
    return failing->fail_at && atomic_load(&failing->calls) >= failing->fail_at;
}
