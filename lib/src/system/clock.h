/* A monotonic clock. */
#ifndef CN_SYSTEM_CLOCK_H
#define CN_SYSTEM_CLOCK_H

#include <stdint.h>

/* Microseconds since some fixed moment. */
uint64_t cn_clock_microseconds(void);

#endif
