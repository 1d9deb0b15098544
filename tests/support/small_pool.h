/* A pool of threads as callers of the library have them, and others that keep the same contract in
 * unusual ways. */
#ifndef SUPPORT_SMALL_POOL_H
#define SUPPORT_SMALL_POOL_H

#include "cairn/cairn.h"

typedef enum pool_kind {
    POOL_THREADS,  /* jobs wait in a queue for three threads */
    POOL_IN_ORDER, /* one after another in the thread of the call */
    POOL_FEW,      /* only one of the jobs, in another thread */
    POOL_NONE,     /* no job at all */
    POOL_MANY,     /* more jobs than were asked for */
    POOL_KINDS
} pool_kind;

typedef struct small_pool small_pool;

small_pool *small_pool_new(pool_kind kind);
void small_pool_free(small_pool *pool);

/* For the library. */
cairn_pool small_pool_for(small_pool *pool);

/* How many jobs have run, and how often `run` was called. */
unsigned small_pool_jobs(const small_pool *pool);
unsigned small_pool_runs(const small_pool *pool);

#endif
