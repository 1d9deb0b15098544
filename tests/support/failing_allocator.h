/* An allocator that counts, and fails when it is told to. */
#ifndef SUPPORT_FAILING_ALLOCATOR_H
#define SUPPORT_FAILING_ALLOCATOR_H

#include <stdatomic.h>

#include "cairn/cairn.h"

typedef struct failing_allocator {
    cairn_allocator allocator; /* hand this to the library */
    atomic_size_t calls;       /* allocations asked for since the last arming */
    atomic_size_t outstanding; /* blocks not given back */
    atomic_size_t largest;     /* size that was asked for */
    atomic_size_t held;        /* bytes not given back */
    atomic_size_t peak;        /* the most that were held at once since this was last set */
    size_t fail_at;            /* 1: the next allocation fails; 0: none does */
} failing_allocator;

void failing_allocator_init(failing_allocator *failing);

/* Lets the n-th allocation from now on fail; only that one. 0: none. */
void failing_allocator_arm(failing_allocator *failing, size_t n);

/* Whether the allocation that was to fail was asked for. */
bool failing_allocator_struck(failing_allocator *failing);

#endif
