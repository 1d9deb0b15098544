/* Steps of the library: how many of its basic blocks ran. The library of these tests is compiled to
 * count them (-fsanitize-coverage=trace-pc), so that tests can say how much work something is
 * without measuring time. Blocks of zlib and the C library do not count. */
#ifndef STEPS_COUNT_H
#define STEPS_COUNT_H

#include <stdint.h>

/* Since the last call. One thread at a time. */
uint64_t steps_taken(void);

#endif
