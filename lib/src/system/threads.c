#if defined(__linux__) && !defined(__ANDROID__)
#  define HAS_AFFINITY
#  ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#  endif
#endif

#include "system/threads.h"

#if defined(CAIRN_NO_THREADS)

static void do_nothing(const void *to)
{
    (void)to;
}

void cn_lock_init(cn_system_lock *lock)
{
    do_nothing(lock);
}

void cn_lock_free(cn_system_lock *lock)
{
    do_nothing(lock);
}

void cn_lock_take(cn_system_lock *lock)
{
    do_nothing(lock);
}

void cn_lock_leave(cn_system_lock *lock)
{
    do_nothing(lock);
}

void cn_condition_init(cn_system_condition *condition)
{
    do_nothing(condition);
}

void cn_condition_free(cn_system_condition *condition)
{
    do_nothing(condition);
}

void cn_condition_wake_all(cn_system_condition *condition)
{
    do_nothing(condition);
}

void cn_condition_wait(cn_system_condition *condition, cn_system_lock *lock)
{
    do_nothing(condition);
    do_nothing(lock);
}

bool cn_thread_start(cn_thread *thread, void (*run)(void *argument), void *argument)
{
    *thread = (cn_thread){.run = run, .argument = argument};
    return false;
}

void cn_thread_join(cn_thread *thread)
{
    do_nothing(thread);
}

void cn_thread_yield(void)
{
}

unsigned cn_processor_count(void)
{
    return 1;
}

#elif defined(_WIN32)

#  define WIN32_LEAN_AND_MEAN
#  include <windows.h>

#  include <process.h>
#  include <stdint.h>

/* Locks and conditions of Windows are zero before their first use, and need no end. */
void cn_lock_init(cn_system_lock *lock)
{
    *lock = NULL;
}

void cn_lock_free(cn_system_lock *lock)
{
    *lock = NULL;
}

void cn_lock_take(cn_system_lock *lock)
{
    AcquireSRWLockExclusive((PSRWLOCK)lock);
}

void cn_lock_leave(cn_system_lock *lock)
{
    ReleaseSRWLockExclusive((PSRWLOCK)lock);
}

void cn_condition_init(cn_system_condition *condition)
{
    *condition = NULL;
}

void cn_condition_free(cn_system_condition *condition)
{
    *condition = NULL;
}

void cn_condition_wake_all(cn_system_condition *condition)
{
    WakeAllConditionVariable((PCONDITION_VARIABLE)condition);
}

void cn_condition_wait(cn_system_condition *condition, cn_system_lock *lock)
{
    SleepConditionVariableSRW((PCONDITION_VARIABLE)condition, (PSRWLOCK)lock, INFINITE, 0);
}

static unsigned __stdcall run_thread(void *argument)
{
    cn_thread *thread = argument;
    thread->run(thread->argument);
    return 0;
}

bool cn_thread_start(cn_thread *thread, void (*run)(void *argument), void *argument)
{
    *thread = (cn_thread){.run = run, .argument = argument};
    thread->system = (void *)_beginthreadex(NULL, 0, run_thread, thread, 0, NULL);
    return thread->system != NULL;
}

void cn_thread_join(cn_thread *thread)
{
    WaitForSingleObject(thread->system, INFINITE);
    CloseHandle(thread->system);
}

void cn_thread_yield(void)
{
    SwitchToThread();
}

unsigned cn_processor_count(void)
{
    SYSTEM_INFO system;
    GetSystemInfo(&system);
    return system.dwNumberOfProcessors ? system.dwNumberOfProcessors : 1;
}

#else

#  include <sched.h>
#  include <unistd.h>

void cn_lock_init(cn_system_lock *lock)
{
    pthread_mutex_init(lock, NULL);
}

void cn_lock_free(cn_system_lock *lock)
{
    pthread_mutex_destroy(lock);
}

void cn_lock_take(cn_system_lock *lock)
{
    pthread_mutex_lock(lock);
}

void cn_lock_leave(cn_system_lock *lock)
{
    pthread_mutex_unlock(lock);
}

void cn_condition_init(cn_system_condition *condition)
{
    pthread_cond_init(condition, NULL);
}

void cn_condition_free(cn_system_condition *condition)
{
    pthread_cond_destroy(condition);
}

void cn_condition_wake_all(cn_system_condition *condition)
{
    pthread_cond_broadcast(condition);
}

void cn_condition_wait(cn_system_condition *condition, cn_system_lock *lock)
{
    pthread_cond_wait(condition, lock);
}

/* Linux may leave a new thread waiting on the processor of the thread that started it, for longer
 * than a whole build takes, while another processor is idle. So the new thread is moved to another
 * processor; after that the system may move it anywhere as before. */
static void move_apart(pthread_t thread)
{
#  ifdef HAS_AFFINITY
    cpu_set_t all, others;
    const int own = sched_getcpu();

    if (own < 0 || pthread_getaffinity_np(thread, sizeof all, &all) != 0)
        return;
    others = all;
    CPU_CLR((size_t)own, &others);
    if (CPU_COUNT(&others) > 0 && pthread_setaffinity_np(thread, sizeof others, &others) == 0)
        (void)pthread_setaffinity_np(thread, sizeof all, &all);
#  else
    (void)thread;
#  endif
}

static void *run_thread(void *argument)
{
    cn_thread *thread = argument;
    thread->run(thread->argument);
    return NULL;
}

bool cn_thread_start(cn_thread *thread, void (*run)(void *argument), void *argument)
{
    *thread = (cn_thread){.run = run, .argument = argument};
    if (pthread_create(&thread->system, NULL, run_thread, thread) != 0)
        return false;
    move_apart(thread->system);
    return true;
}

void cn_thread_join(cn_thread *thread)
{
    pthread_join(thread->system, NULL);
}

void cn_thread_yield(void)
{
    sched_yield();
}

unsigned cn_processor_count(void)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return processors > 0 ? (unsigned)processors : 1;
}

#endif
