#include "count.h"

#include <stdlib.h>
#include <string.h>

/* Blocks that follow one another mostly have different counters: each increment of the same one
 * would wait for the one before. */
enum { COUNTERS = 64 };
static uint64_t steps[COUNTERS];

/* Called by the compiler's code at the beginning of every basic block. */
void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void)
{
    steps[(uintptr_t)__builtin_return_address(0) / 8 % COUNTERS]++;
}

uint64_t steps_taken(void)
{
    uint64_t taken = 0;
    for (size_t i = 0; i < COUNTERS; i++) {
        taken += steps[i];
        steps[i] = 0;
    }
    return taken;
}

/* The size of a block stands before it. */
enum { FRONT = 16 };

static void *allocate(void *context, size_t size)
{
    counted_memory *memory = context;
    uint8_t *block = malloc(size + FRONT);
    if (!block)
        return NULL;
    memcpy(block, &size, sizeof size);
    memory->now += size;
    if (memory->now > memory->peak)
        memory->peak = memory->now;
    return block + FRONT;
}

static void release(void *context, void *block)
{
    counted_memory *memory = context;
    uint8_t *start = (uint8_t *)block - FRONT;
    size_t size;
    memcpy(&size, start, sizeof size);
    memory->now -= size;
    free(start);
}

void counted_memory_init(counted_memory *memory)
{
    *memory = (counted_memory){.allocator = {allocate, release, memory}};
}
