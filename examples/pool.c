/*
 * A program with threads of its own: two workers wait for jobs and do Cairn's parallel work, so
 * that Cairn starts no threads.
 */
#include <pthread.h>
#include <stdio.h>

#include "cairn/cairn.h"

enum { WORKERS = 2, WIDTH = 12, HEIGHT = 5 };

static const char hall[] = "............"
                           ".@@@@@@@@@@."
                           "............"
                           ".@@@@@@@@@@."
                           "............";

/* One piece of work at a time: a job, how often it has still to begin, how many are running it. */
typedef struct workers {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    void (*job)(void *argument);
    void *argument;
    uint32_t waiting;
    uint32_t busy;
    uint32_t done;
    bool is_closed;
    pthread_t threads[WORKERS];
} workers;

static void *live(void *context)
{
    workers *self = context;
    pthread_mutex_lock(&self->lock);
    while (!self->is_closed) {
        if (self->waiting == 0) {
            pthread_cond_wait(&self->changed, &self->lock);
            continue;
        }
        self->waiting--;
        self->busy++;
        pthread_mutex_unlock(&self->lock);
        self->job(self->argument);
        pthread_mutex_lock(&self->lock);
        self->busy--;
        self->done++;
        pthread_cond_broadcast(&self->changed);
    }
    pthread_mutex_unlock(&self->lock);
    return NULL;
}

/* Cairn calls this: it hands the job to the workers, and waits until they are done with it. */
static void run_jobs(void *context, uint32_t count, void (*job)(void *argument), void *argument)
{
    workers *self = context;
    pthread_mutex_lock(&self->lock);
    self->job = job;
    self->argument = argument;
    self->waiting = count;
    pthread_cond_broadcast(&self->changed);
    while (self->waiting || self->busy)
        pthread_cond_wait(&self->changed, &self->lock);
    pthread_mutex_unlock(&self->lock);
}

static void open_workers(workers *self)
{
    pthread_mutex_init(&self->lock, NULL);
    pthread_cond_init(&self->changed, NULL);
    for (size_t i = 0; i < WORKERS; i++)
        pthread_create(&self->threads[i], NULL, live, self);
}

static void close_workers(workers *self)
{
    pthread_mutex_lock(&self->lock);
    self->is_closed = true;
    pthread_cond_broadcast(&self->changed);
    pthread_mutex_unlock(&self->lock);
    for (size_t i = 0; i < WORKERS; i++)
        pthread_join(self->threads[i], NULL);
    pthread_cond_destroy(&self->changed);
    pthread_mutex_destroy(&self->lock);
}

int main(void)
{
    static workers crew;
    const cairn_pool pool = {.run = run_jobs, .context = &crew};
    const cairn_build_options build = {
        .size = sizeof build, .landmark_count = 4, .thread_count = WORKERS};
    cairn_map *map = NULL;
    cairn_table *table = NULL;

    open_workers(&crew);
    cairn_status status = cairn_map_from_letters(WIDTH, HEIGHT, hall, NULL, &map, NULL);
    if (status == CAIRN_OK) {
        cairn_map_use_pool(map, &pool);
        status = cairn_table_build(map, &build, &table);
    }
    if (status == CAIRN_OK)
        status = cairn_table_verify(table, map, WORKERS, NULL);
    if (status == CAIRN_OK)
        printf("every entry is exact, by %s jobs of the program\n",
               crew.done >= WORKERS ? "several" : "no");
    else
        fprintf(stderr, "%s\n", cairn_status_text(status));
    close_workers(&crew);
    cairn_table_free(table);
    cairn_map_free(map);
    return status == CAIRN_OK ? 0 : 1;
}
