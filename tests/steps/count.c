#include "count.h"

#include <stdlib.h>
#include <string.h>

static uint64_t steps;

/* Called by the compiler's code at the beginning of every basic block. */
void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void)
{
    steps++;
}

uint64_t steps_taken(void)
{
    uint64_t taken = steps;
    steps = 0;
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
