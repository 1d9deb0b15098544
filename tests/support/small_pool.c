#include "small_pool.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { THREADS = 3 };

/* The jobs of one call of `run`; it lives on the stack of that call. */
typedef struct batch {
    void (*job)(void *argument);
    void *argument;
    uint32_t waiting;
    uint32_t running;
    struct batch *next;
} batch;

struct small_pool {
    pool_kind kind;
    atomic_uint jobs;
    atomic_uint runs;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    batch *first;
    bool is_closed;
    pthread_t threads[THREADS];
    unsigned thread_count;
};

/* Takes a job of the first call that has one waiting, and runs it. The lock is held before and
 * after. */
static bool run_one(small_pool *pool)
{
    batch *from = pool->first;
    while (from && !from->waiting)
        from = from->next;
    if (!from)
        return false;
    from->waiting--;
    from->running++;
    pthread_mutex_unlock(&pool->lock);
    from->job(from->argument);
    atomic_fetch_add(&pool->jobs, 1);
    pthread_mutex_lock(&pool->lock);
    from->running--;
    pthread_cond_broadcast(&pool->changed);
    return true;
}

static void *live(void *argument)
{
    small_pool *pool = argument;
    pthread_mutex_lock(&pool->lock);
    while (!pool->is_closed) {
        if (!run_one(pool))
            pthread_cond_wait(&pool->changed, &pool->lock);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

static void run_on_threads(small_pool *pool, uint32_t count, void (*job)(void *), void *argument)
{
    batch added = {.job = job, .argument = argument, .waiting = count};
    pthread_mutex_lock(&pool->lock);
    added.next = pool->first;
    pool->first = &added;
    pthread_cond_broadcast(&pool->changed);
    while (added.waiting || added.running)
        pthread_cond_wait(&pool->changed, &pool->lock);
    batch **at = &pool->first;
    while (*at != &added)
        at = &(*at)->next;
    *at = added.next;
    pthread_mutex_unlock(&pool->lock);
}

static void run(void *context, uint32_t count, void (*job)(void *argument), void *argument)
{
    small_pool *pool = context;
    atomic_fetch_add(&pool->runs, 1);
    switch (pool->kind) {
    case POOL_THREADS: run_on_threads(pool, count, job, argument); return;
    case POOL_FEW: run_on_threads(pool, 1, job, argument); return;
    case POOL_MANY: run_on_threads(pool, count + 2, job, argument); return;
    case POOL_IN_ORDER:
        for (uint32_t i = 0; i < count; i++)
            job(argument);
        atomic_fetch_add(&pool->jobs, count);
        return;
    default: return;
    }
}

small_pool *small_pool_new(pool_kind kind)
{
    small_pool *pool = calloc(1, sizeof *pool);
    if (!pool)
        abort();
    pool->kind = kind;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->changed, NULL);
    while (pool->thread_count < THREADS) {
        if (pthread_create(&pool->threads[pool->thread_count], NULL, live, pool) != 0)
            abort();
        pool->thread_count++;
    }
    return pool;
}

void small_pool_free(small_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    pool->is_closed = true;
    pthread_cond_broadcast(&pool->changed);
    pthread_mutex_unlock(&pool->lock);
    for (unsigned i = 0; i < pool->thread_count; i++)
        pthread_join(pool->threads[i], NULL);
    pthread_cond_destroy(&pool->changed);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}

cairn_pool small_pool_for(small_pool *pool)
{
    return (cairn_pool){.run = run, .context = pool};
}

unsigned small_pool_jobs(const small_pool *pool)
{
    return atomic_load(&pool->jobs);
}

unsigned small_pool_runs(const small_pool *pool)
{
    return atomic_load(&pool->runs);
}
