#include "tasks.h"

#if !defined(CAIRN_NO_THREADS) && (defined(__wasm__) || defined(_WIN32))
#  define CAIRN_NO_THREADS
#endif

#ifdef CAIRN_NO_THREADS

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

struct cn_gate {
    cn_mem mem;
    size_t level;
};

cairn_status cn_gate_new(const cn_mem *mem, cn_gate **gate)
{
    *gate = cn_zeroed(mem, 1, sizeof **gate);
    if (!*gate)
        return CAIRN_E_MEMORY;
    (*gate)->mem = *mem;
    return CAIRN_OK;
}

void cn_gate_free(cn_gate *gate)
{
    if (!gate)
        return;
    cn_mem mem = gate->mem;
    cn_release(&mem, gate);
}

void cn_gate_raise(cn_gate *gate, size_t level)
{
    gate->level = level;
}

void cn_gate_break(cn_gate *gate)
{
    (void)gate;
}

bool cn_gate_wait(cn_gate *gate, size_t level)
{
    return gate->level >= level;
}

#else

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

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

struct cn_gate {
    cn_mem mem;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    size_t level;
    bool broken;
};

cairn_status cn_gate_new(const cn_mem *mem, cn_gate **gate)
{
    *gate = cn_zeroed(mem, 1, sizeof **gate);
    if (!*gate)
        return CAIRN_E_MEMORY;
    (*gate)->mem = *mem;
    pthread_mutex_init(&(*gate)->lock, NULL);
    pthread_cond_init(&(*gate)->changed, NULL);
    return CAIRN_OK;
}

void cn_gate_free(cn_gate *gate)
{
    if (!gate)
        return;
    cn_mem mem = gate->mem;
    pthread_cond_destroy(&gate->changed);
    pthread_mutex_destroy(&gate->lock);
    cn_release(&mem, gate);
}

void cn_gate_raise(cn_gate *gate, size_t level)
{
    pthread_mutex_lock(&gate->lock);
    gate->level = level;
    pthread_cond_broadcast(&gate->changed);
    pthread_mutex_unlock(&gate->lock);
}

void cn_gate_break(cn_gate *gate)
{
    pthread_mutex_lock(&gate->lock);
    gate->broken = true;
    pthread_cond_broadcast(&gate->changed);
    pthread_mutex_unlock(&gate->lock);
}

bool cn_gate_wait(cn_gate *gate, size_t level)
{
    pthread_mutex_lock(&gate->lock);
    while (gate->level < level && !gate->broken)
        pthread_cond_wait(&gate->changed, &gate->lock);
    bool reached = gate->level >= level;
    pthread_mutex_unlock(&gate->lock);
    return reached;
}

#endif
