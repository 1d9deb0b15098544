/* Threads, locks and conditions, of POSIX or of Windows. Where there are none (CAIRN_NO_THREADS,
 * WebAssembly) no thread can be started, and everything else but spin locks does nothing. */
#ifndef CN_SYSTEM_THREADS_H
#define CN_SYSTEM_THREADS_H

#include <stdatomic.h>
#include <stdbool.h>

#if !defined(CAIRN_NO_THREADS) && defined(__wasm__)
#  define CAIRN_NO_THREADS
#endif

#if defined(CAIRN_NO_THREADS)
enum { CN_HAS_THREADS = 0 };
typedef char cn_system_lock, cn_system_condition, cn_system_thread;
#elif defined(_WIN32)
/* SRWLOCK, CONDITION_VARIABLE and HANDLE, which are pointers; the header of Windows stays out. */
enum { CN_HAS_THREADS = 1 };
typedef void *cn_system_lock, *cn_system_condition, *cn_system_thread;
#else
#  include <pthread.h>
enum { CN_HAS_THREADS = 1 };
typedef pthread_mutex_t cn_system_lock;
typedef pthread_cond_t cn_system_condition;
typedef pthread_t cn_system_thread;
#endif

void cn_lock_init(cn_system_lock *lock);
void cn_lock_free(cn_system_lock *lock);
void cn_lock_take(cn_system_lock *lock);
void cn_lock_leave(cn_system_lock *lock);

void cn_condition_init(cn_system_condition *condition);
void cn_condition_free(cn_system_condition *condition);
void cn_condition_wake_all(cn_system_condition *condition);

/* Leaves the lock while it waits. May return before anybody wakes it. */
void cn_condition_wait(cn_system_condition *condition, cn_system_lock *lock);

/* A thread that runs a function. It stays where it is until it has been joined. */
typedef struct cn_thread {
    void (*run)(void *argument);
    void *argument;
    cn_system_thread system;
} cn_thread;

/* Whether it could be started. */
bool cn_thread_start(cn_thread *thread, void (*run)(void *argument), void *argument);
void cn_thread_join(cn_thread *thread);

/* Lets other threads that are ready to run have the processor. */
void cn_thread_yield(void);

/* A lock for a few instructions at a time. All zero, nobody has it. */
typedef struct cn_spin {
    _Atomic(bool) is_taken;
} cn_spin;

/* Whether it was free; then the caller has it. */
static inline bool cn_spin_try(cn_spin *spin)
{
    return !atomic_exchange_explicit(&spin->is_taken, true, memory_order_acquire);
}

/* Waits for it. Whoever has it may wait for the processor itself. */
static inline void cn_spin_take(cn_spin *spin)
{
    while (!cn_spin_try(spin))
        cn_thread_yield();
}

static inline void cn_spin_leave(cn_spin *spin)
{
    atomic_store_explicit(&spin->is_taken, false, memory_order_release);
}

/* Processors that this process may use, at least 1. */
unsigned cn_processor_count(void);

#endif
