/* A monotonic clock. */
#ifndef CN_BASE_CLOCK_H
#define CN_BASE_CLOCK_H

#include <time.h>

#include "base/base.h"

/* Microseconds since some fixed moment. */
CN_ALWAYS_INLINE uint64_t cn_clock_microseconds(void)
{
    struct timespec now;
#if defined(CLOCK_MONOTONIC)
    clock_gettime(CLOCK_MONOTONIC, &now);
#else
    timespec_get(&now, TIME_UTC);
#endif
    return (uint64_t)now.tv_sec * 1000000u + (uint64_t)now.tv_nsec / 1000u;
}

#endif
