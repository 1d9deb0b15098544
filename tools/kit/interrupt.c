#define _XOPEN_SOURCE 700 /* SIGXCPU, SIGXFSZ */

#include "interrupt.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGXCPU};

static volatile sig_atomic_t held;
static volatile sig_atomic_t asked;
static volatile sig_atomic_t drawn;
static _Atomic(const char *) temporary;

/* Only calls that are safe in a handler. */
static void clean_up(void)
{
    static const char wipe[] = "\r\033[K";
    const char *path = atomic_load(&temporary);

    if (path)
        unlink(path);
    if (drawn && write(STDERR_FILENO, wipe, sizeof wipe - 1) < 0)
        drawn = 0;
}

static void handle(int signal_number)
{
    if (held && !asked) {
        asked = signal_number;
        return;
    }
    clean_up();
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

/* A signal that the parent had ignored stays ignored. */
static void catch_one(int signal_number)
{
    struct sigaction action;
    if (sigaction(signal_number, NULL, &action) != 0 || action.sa_handler == SIG_IGN)
        return;
    action = (struct sigaction){.sa_handler = handle, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(signal_number, &action, NULL);
}

void kit_interrupt_start(void)
{
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        catch_one(signals[i]);
    signal(SIGXFSZ, SIG_IGN);
}

void kit_interrupt_removes(const char *path)
{
    atomic_store(&temporary, path);
}

void kit_interrupt_wipes(bool is_drawn)
{
    drawn = is_drawn;
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
