#include "support/crowd.h"

#include <pthread.h>

#include "support/check.h"

typedef struct crowd {
    uint32_t processes;
    pthread_mutex_t lock;
    pthread_cond_t all_came;
    uint32_t waiting;
    uint64_t round;
    cairn_status told[CROWD_MAX];
    void *items[CROWD_MAX];
    const void *mine[CROWD_MAX];
    size_t sizes[CROWD_MAX];
    int calls[CROWD_MAX]; /* what each calls in this round */
    bool is_over;
    bool is_wrong;
    crowd_work work;
    void *context;
    cairn_status *results;
} crowd;

typedef struct member {
    crowd *all;
    uint32_t rank;
} member;

enum { CALLS_AGREE = 1, CALLS_SHARE, CALLS_COLLECT };

static void meet(crowd *all)
{
    pthread_mutex_lock(&all->lock);
    const uint64_t round = all->round;
    if (++all->waiting == all->processes) {
        all->waiting = 0;
        all->round++;
        pthread_cond_broadcast(&all->all_came);
    }
    while (round == all->round)
        pthread_cond_wait(&all->all_came, &all->lock);
    pthread_mutex_unlock(&all->lock);
}

/* All must call the same. */
static void begin(const member *self, int call)
{
    crowd *all = self->all;
    all->calls[self->rank] = call;
    meet(all);
    if (all->calls[0] != call || all->is_over)
        all->is_wrong = true;
}

static cairn_status agree(void *context, cairn_status status)
{
    const member *self = context;
    crowd *all = self->all;
    cairn_status agreed = CAIRN_OK;

    all->told[self->rank] = status;
    begin(self, CALLS_AGREE);
    for (uint32_t rank = 0; rank < all->processes && agreed == CAIRN_OK; rank++)
        agreed = all->told[rank];
    meet(all);
    if (self->rank == 0)
        all->is_over = agreed != CAIRN_OK;
    meet(all);
    return agreed;
}

static cairn_status share(void *context, void *items, size_t item_size, size_t count)
{
    const member *self = context;
    crowd *all = self->all;

    all->items[self->rank] = items;
    all->sizes[self->rank] = item_size * count;
    begin(self, CALLS_SHARE);
    for (uint32_t rank = 0; rank < all->processes; rank++) {
        const size_t first = count * rank / all->processes * item_size;
        const size_t end = count * (rank + 1) / all->processes * item_size;
        if (all->sizes[rank] != item_size * count)
            all->is_wrong = true;
        else if (rank != self->rank && end > first)
            memcpy((char *)items + first, (char *)all->items[rank] + first, end - first);
    }
    meet(all);
    return CAIRN_OK;
}

static cairn_status collect(void *context, const void *mine, size_t size, void *to,
                            const size_t *starts)
{
    const member *self = context;
    crowd *all = self->all;

    all->mine[self->rank] = mine;
    all->sizes[self->rank] = size;
    begin(self, CALLS_COLLECT);
    for (uint32_t rank = 0; rank < all->processes && self->rank == 0; rank++) {
        if (starts[rank + 1] - starts[rank] != all->sizes[rank])
            all->is_wrong = true;
        else if (all->sizes[rank])
            memcpy((char *)to + starts[rank], all->mine[rank], all->sizes[rank]);
    }
    meet(all);
    return CAIRN_OK;
}

static void *run_member(void *context)
{
    member *self = context;
    const cairn_team team = {.processes = self->all->processes,
                             .rank = self->rank,
                             .agree = agree,
                             .share = share,
                             .collect = collect,
                             .context = self};
    self->all->results[self->rank] = self->all->work(self->all->context, self->rank, &team);
    return NULL;
}

void crowd_run(uint32_t processes, crowd_work work, void *context, cairn_status *results)
{
    crowd all = {.processes = processes, .work = work, .context = context, .results = results};
    member members[CROWD_MAX];
    pthread_t threads[CROWD_MAX];

    assert_true(processes <= CROWD_MAX);
    pthread_mutex_init(&all.lock, NULL);
    pthread_cond_init(&all.all_came, NULL);
    for (uint32_t rank = 0; rank < processes; rank++) {
        members[rank] = (member){&all, rank};
        assert_int_equal(pthread_create(&threads[rank], NULL, run_member, &members[rank]), 0);
    }
    for (uint32_t rank = 0; rank < processes; rank++)
        pthread_join(threads[rank], NULL);
    pthread_cond_destroy(&all.all_came);
    pthread_mutex_destroy(&all.lock);
    assert_false(all.is_wrong);
}
