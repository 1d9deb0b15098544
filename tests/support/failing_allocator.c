#include "failing_allocator.h"

#include <stdlib.h>
#include <string.h>

/* The size of a block lies before it. */
enum { HEADROOM = 64 };

static void raise_to(atomic_size_t *most, size_t size)
{
    size_t known = atomic_load(most);
    while (size > known && !atomic_compare_exchange_weak(most, &known, size))
        continue;
}

static void *allocate(void *context, size_t size)
{
    failing_allocator *failing = context;
    raise_to(&failing->largest, size);
    if (atomic_fetch_add(&failing->calls, 1) + 1 == failing->fail_at)
        return NULL;

    char *block = malloc(HEADROOM + size);
    if (!block)
        return NULL;
    /* Memory comes dirty, so that nobody relies on zeros that nobody wrote. */
    memset(block, 0xa5, HEADROOM + size);
    memcpy(block, &size, sizeof size);
    atomic_fetch_add(&failing->outstanding, 1);
    raise_to(&failing->peak, atomic_fetch_add(&failing->held, size) + size);
    return block + HEADROOM;
}

static void release(void *context, void *memory)
{
    failing_allocator *failing = context;
    char *block = (char *)memory - HEADROOM;
    size_t size;
    memcpy(&size, block, sizeof size);
    atomic_fetch_sub(&failing->outstanding, 1);
    atomic_fetch_sub(&failing->held, size);
    free(block);
}

void failing_allocator_init(failing_allocator *failing)
{
    failing->allocator = (cairn_allocator){allocate, release, failing};
    atomic_init(&failing->calls, 0);
    atomic_init(&failing->outstanding, 0);
    atomic_init(&failing->largest, 0);
    atomic_init(&failing->held, 0);
    atomic_init(&failing->peak, 0);
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
