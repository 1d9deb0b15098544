/* Time that never runs backwards: wall time, or the processor time of one thread. */
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

/* Seconds that this thread has had a processor: what else runs on the machine does not count, nor
 * does waiting. Reading it takes longer than kit_now(), as long as a short search. POSIX leaves
 * such a clock to the system; without one this is kit_now(), and searches look slower on a busy
 * machine. */
static inline double kit_thread_now(void)
{
#ifdef CLOCK_THREAD_CPUTIME_ID
    struct timespec now;
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) == 0)
        return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
#endif
    return kit_now();
}

#endif
