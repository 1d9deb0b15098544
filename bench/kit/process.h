/* Work in a process of its own, so that its peak memory can be told from everything else's. */
#ifndef BENCH_PROCESS_H
#define BENCH_PROCESS_H

#include <stdbool.h>
#include <stddef.h>

/* Runs `work` in a child, which fills `result`; the bytes come back to the caller. False when the
 * child could not be started or did not finish. */
bool bench_in_child(bool (*work)(void *context, void *result), void *context, void *result,
                    size_t result_size);

/* The same work in two children at once, on different processors where the system lets them be
 * chosen. They fill `results`, one after the other. */
bool bench_in_two_children(bool (*work)(void *context, void *result), void *context, void *results,
                           size_t result_size);

/* Resident memory of this process in bytes, now and at its peak since bench_forget_peak. 0 where
 * the system does not tell. */
size_t bench_resident(void);
size_t bench_peak(void);
void bench_forget_peak(void);

#endif
