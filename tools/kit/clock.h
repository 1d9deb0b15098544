/* Time that never runs backwards. */
#ifndef KIT_CLOCK_H
#define KIT_CLOCK_H

#include <time.h>

/* Seconds since some fixed moment. */
static inline double kit_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
