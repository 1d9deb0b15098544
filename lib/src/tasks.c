#include "tasks.h"

#if !defined(CAIRN_NO_THREADS) && (defined(__wasm__) || defined(_WIN32))
#  define CAIRN_NO_THREADS
#endif

#ifdef CAIRN_NO_THREADS

/* Nobody else is there to be locked out or waited for. */
typedef struct monitor {
    char nothing;
} monitor;

static void monitor_init(monitor *self)
{
    (void)self;
}

#define monitor_free monitor_init
#define monitor_lock monitor_init
#define monitor_unlock monitor_init
#define monitor_wake monitor_init

/* Whether it can change what is waited for. */
static bool monitor_wait(monitor *self)
{
    (void)self;
    return false;
}

unsigned cn_tasks_threads(uint32_t asked, size_t task_count)
{
    (void)asked;
    (void)task_count;
    return 1;
}

cairn_status cn_tasks_run(unsigned thread_count, size_t task_count, cn_task task, void *context)
{
    (void)thread_count;
    for (size_t i = 0; i < task_count; i++) {
        cairn_status status = task(context, i, 0);
        if (status != CAIRN_OK)
            return status;
    }
    return CAIRN_OK;
}

#else

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

typedef struct monitor {
    pthread_mutex_t lock;
    pthread_cond_t changed;
} monitor;

static void monitor_init(monitor *self)
{
    pthread_mutex_init(&self->lock, NULL);
    pthread_cond_init(&self->changed, NULL);
}

static void monitor_free(monitor *self)
{
    pthread_cond_destroy(&self->changed);
    pthread_mutex_destroy(&self->lock);
}

static void monitor_lock(monitor *self)
{
    pthread_mutex_lock(&self->lock);
}

static void monitor_unlock(monitor *self)
{
    pthread_mutex_unlock(&self->lock);
}

static void monitor_wake(monitor *self)
{
    pthread_cond_broadcast(&self->changed);
}

static bool monitor_wait(monitor *self)
{
    pthread_cond_wait(&self->changed, &self->lock);
    return true;
}

unsigned cn_tasks_threads(uint32_t asked, size_t task_count)
{
    if (asked == 0) {
        long processors = sysconf(_SC_NPROCESSORS_ONLN);
        asked = processors > 0 && processors < CN_THREADS_MAX ? (uint32_t)processors : 1;
    }
    if (asked > CN_THREADS_MAX)
        asked = CN_THREADS_MAX;
    if (asked > task_count)
        asked = task_count ? (uint32_t)task_count : 1;
    return asked;
}

typedef struct gang {
    cn_task task;
    void *context;
    size_t task_count;
    atomic_size_t next;
    atomic_bool stop;
    pthread_mutex_t lock;
    size_t failed_task;
    cairn_status status;
} gang;

typedef struct member {
    gang *crew;
    unsigned worker;
} member;

static void note_failure(gang *crew, size_t task, cairn_status status)
{
    atomic_store(&crew->stop, true);
    pthread_mutex_lock(&crew->lock);
    if (crew->status == CAIRN_OK || task < crew->failed_task) {
        crew->status = status;
        crew->failed_task = task;
    }
    pthread_mutex_unlock(&crew->lock);
}

static void *work(void *argument)
{
    member *self = argument;
    gang *crew = self->crew;

    while (!atomic_load(&crew->stop)) {
        size_t task = atomic_fetch_add(&crew->next, 1);
        if (task >= crew->task_count)
            break;
        cairn_status status = crew->task(crew->context, task, self->worker);
        if (status != CAIRN_OK)
            note_failure(crew, task, status);
    }
    return NULL;
}

cairn_status cn_tasks_run(unsigned thread_count, size_t task_count, cn_task task, void *context)
{
    gang crew = {.task = task, .context = context, .task_count = task_count};
    member members[CN_THREADS_MAX];
    pthread_t threads[CN_THREADS_MAX];
    unsigned started = 0;

    atomic_init(&crew.next, 0);
    atomic_init(&crew.stop, false);
    pthread_mutex_init(&crew.lock, NULL);
    for (unsigned worker = 1; worker < thread_count && worker < CN_THREADS_MAX; worker++) {
        members[worker] = (member){&crew, worker};
        if (pthread_create(&threads[started], NULL, work, &members[worker]) != 0)
            break;
        started++;
    }
    members[0] = (member){&crew, 0};
    work(&members[0]);
    for (unsigned i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    pthread_mutex_destroy(&crew.lock);
    return crew.status;
}

#endif

/* -------------------------------------------------------------------------------- belts -- */

enum { FREE, CLAIMED, OFFERED, TAKEN };

struct cn_belt {
    cn_mem mem;
    monitor monitor;
    size_t slot_count;
    uint8_t *state;     /* [slot] */
    uint64_t *order;    /* [slot]: when it was offered */
    uint64_t offers;
    bool closed;
    bool signal;
};

cairn_status cn_belt_new(const cn_mem *mem, size_t slot_count, cn_belt **belt)
{
    cn_belt *made = cn_zeroed(mem, 1, sizeof *made);
    *belt = NULL;
    if (!made)
        return CAIRN_E_MEMORY;
    made->mem = *mem;
    made->slot_count = slot_count;
    made->state = cn_zeroed(mem, slot_count, sizeof *made->state);
    made->order = cn_zeroed(mem, slot_count, sizeof *made->order);
    monitor_init(&made->monitor);
    if (!made->state || !made->order) {
        cn_belt_free(made);
        return CAIRN_E_MEMORY;
    }
    *belt = made;
    return CAIRN_OK;
}

void cn_belt_free(cn_belt *belt)
{
    if (!belt)
        return;
    cn_mem mem = belt->mem;
    monitor_free(&belt->monitor);
    cn_release(&mem, belt->state);
    cn_release(&mem, belt->order);
    cn_release(&mem, belt);
}

static void set_state(cn_belt *belt, size_t slot, uint8_t state)
{
    monitor_lock(&belt->monitor);
    belt->state[slot] = state;
    if (state == OFFERED)
        belt->order[slot] = belt->offers++;
    monitor_wake(&belt->monitor);
    monitor_unlock(&belt->monitor);
}

void cn_belt_offer(cn_belt *belt, size_t slot)
{
    set_state(belt, slot, OFFERED);
}

void cn_belt_release(cn_belt *belt, size_t slot)
{
    set_state(belt, slot, FREE);
}

void cn_belt_close(cn_belt *belt)
{
    monitor_lock(&belt->monitor);
    belt->closed = true;
    monitor_wake(&belt->monitor);
    monitor_unlock(&belt->monitor);
}

static bool find_offered(const cn_belt *belt, size_t *slot)
{
    bool found = false;
    for (size_t i = 0; i < belt->slot_count; i++) {
        if (belt->state[i] != OFFERED || (found && belt->order[i] > belt->order[*slot]))
            continue;
        *slot = i;
        found = true;
    }
    return found;
}

static bool find_free(const cn_belt *belt, size_t *slot)
{
    for (*slot = 0; *slot < belt->slot_count; ++*slot) {
        if (belt->state[*slot] == FREE)
            return true;
    }
    return false;
}

cn_belt_find cn_belt_claim(cn_belt *belt, size_t *slot)
{
    bool empty, offered;
    monitor_lock(&belt->monitor);
    do {
        empty = find_free(belt, slot);
        offered = !empty && find_offered(belt, slot);
    } while (!empty && !offered && monitor_wait(&belt->monitor));
    CN_ASSERT(empty || offered);
    belt->state[*slot] = empty ? CLAIMED : TAKEN;
    monitor_unlock(&belt->monitor);
    return empty ? CN_BELT_TO_FILL : CN_BELT_TO_WORK_ON;
}

bool cn_belt_take(cn_belt *belt, cn_belt_patience patience, size_t *slot)
{
    monitor_lock(&belt->monitor);
    bool found = find_offered(belt, slot);
    while (!found && patience == CN_BELT_WAIT && !belt->closed && monitor_wait(&belt->monitor))
        found = find_offered(belt, slot);
    if (found)
        belt->state[*slot] = TAKEN;
    monitor_unlock(&belt->monitor);
    return found;
}

static bool is_idle(const cn_belt *belt)
{
    for (size_t i = 0; i < belt->slot_count; i++) {
        if (belt->state[i] == OFFERED || belt->state[i] == TAKEN)
            return false;
    }
    return true;
}

void cn_belt_clear(cn_belt *belt)
{
    monitor_lock(&belt->monitor);
    while (!is_idle(belt) && monitor_wait(&belt->monitor))
        continue;
    monitor_unlock(&belt->monitor);
}

void cn_belt_signal(cn_belt *belt, bool raised)
{
    monitor_lock(&belt->monitor);
    belt->signal = raised;
    monitor_wake(&belt->monitor);
    monitor_unlock(&belt->monitor);
}

void cn_belt_await_signal(cn_belt *belt)
{
    monitor_lock(&belt->monitor);
    while (!belt->signal && monitor_wait(&belt->monitor))
        continue;
    monitor_unlock(&belt->monitor);
}
