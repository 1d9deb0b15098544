#include "system/clock.h"

#ifdef _WIN32

#  define WIN32_LEAN_AND_MEAN
#  include <windows.h>

/* The counter may tick ten million times a second: whole seconds apart, so that nothing wraps. */
uint64_t cn_clock_microseconds(void)
{
    LARGE_INTEGER now, a_second;
    QueryPerformanceCounter(&now);
    QueryPerformanceFrequency(&a_second);
    uint64_t ticks = (uint64_t)now.QuadPart, rate = (uint64_t)a_second.QuadPart;
    return ticks / rate * 1000000u + ticks % rate * 1000000u / rate;
}

#else

#  include <time.h>

uint64_t cn_clock_microseconds(void)
{
    struct timespec now;
#  if defined(CLOCK_MONOTONIC)
    clock_gettime(CLOCK_MONOTONIC, &now);
#  else
    timespec_get(&now, TIME_UTC);
#  endif
    return (uint64_t)now.tv_sec * 1000000u + (uint64_t)now.tv_nsec / 1000u;
}

#endif
