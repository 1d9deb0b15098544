#include "interrupt.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>

#include "system.h"

/* Atomic, as any thread may read it. */
static atomic_int held;
static atomic_int asked;
static _Atomic(time_t) asked_at;
static atomic_int drawn;
static atomic_int drawing; /* some thread is drawing */
static atomic_int ending;  /* no thread may begin to draw any more */
static _Thread_local volatile sig_atomic_t draws_here;
static _Atomic(const char *) temporary;

/* Waits for another thread that draws, but not for long: its terminal may have been stopped. */
static void end_drawing(void)
{
    enum { TIMES = 100 };

    ending = 1;
    for (int i = 0; drawing && !draws_here && i < TIMES; i++)
        kit_sleep(0.001);
}

/* Makes only calls that are safe in a handler of signals. */
static void clean_up(void)
{
    static const char wipe[] = "\r\033[K";
    const char *path = atomic_load(&temporary);

    if (path)
        kit_file_remove(path);
    end_drawing();
    if (drawn)
        kit_terminal_write(wipe, sizeof wipe - 1);
}

/* Whether one signal more is to end the program at once. Removing files takes moments: whoever asks
 * twice before that is not heard twice. Each thread that writes to a pipe without a reader is told
 * so; nobody insists by that. */
static bool insists(int signal_number)
{
    enum { SECONDS = 2 };
#ifdef SIGPIPE
    if (signal_number == SIGPIPE)
        return false;
#else
    (void)signal_number;
#endif
    return asked && time(NULL) > atomic_load(&asked_at) + SECONDS;
}

static void handle(int signal_number)
{
    if (held && !insists(signal_number)) {
        if (!asked) {
            atomic_store(&asked_at, time(NULL));
            asked = signal_number;
        }
        signal(signal_number, handle); /* some systems have forgotten it by now */
        return;
    }
    clean_up();
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

void kit_interrupt_start(void)
{
    kit_signals_catch(handle);
}

void kit_interrupt_removes(const char *path)
{
    atomic_store(&temporary, path);
}

bool kit_interrupt_draws(void)
{
    draws_here = 1;
    drawing = 1;
    if (ending) {
        kit_interrupt_drawn();
        return false;
    }
    drawn = 1;
    return true;
}

void kit_interrupt_drawn(void)
{
    drawing = 0;
    draws_here = 0;
}

void kit_interrupt_wiped(void)
{
    drawn = 0;
}

void kit_interrupt_hold(void)
{
    held = 1;
}

bool kit_interrupted(void)
{
    return asked != 0;
}

void kit_interrupt_release(void)
{
    held = 0;
    if (!asked)
        return;
    clean_up();
    signal(asked, SIG_DFL);
    raise(asked);
}
