/* Steps of the library: how many of its basic blocks ran. The library of these tests is compiled to
 * count them (-fsanitize-coverage=trace-pc), so that tests can say how much work something is
 * without measuring time. Blocks of zlib and the C library do not count. */
#ifndef STEPS_COUNT_H
#define STEPS_COUNT_H

#include <stddef.h>
#include <stdint.h>

#include "cairn/cairn.h"

/* Since the last call. One thread at a time. */
uint64_t steps_taken(void);

/* Memory that is counted, for one thread. */
typedef struct counted_memory {
    cairn_allocator allocator;
    size_t now;
    size_t peak;
} counted_memory;

void counted_memory_init(counted_memory *memory);

#endif
