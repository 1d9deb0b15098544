#include "interrupt.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t asked;

static void remember(int signal_number)
{
    asked = signal_number;
}

/* A signal that the parent had ignored stays ignored. */
static void catch_one(int signal_number)
{
    struct sigaction action;
    if (sigaction(signal_number, NULL, &action) != 0 || action.sa_handler == SIG_IGN)
        return;
    action = (struct sigaction){
        .sa_handler = remember, .sa_flags = (int)SA_RESETHAND | SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(signal_number, &action, NULL);
}

void kit_interrupt_catch(void)
{
    catch_one(SIGINT);
    catch_one(SIGTERM);
}

bool kit_interrupted(void)
{
    return asked != 0;
}

void kit_interrupt_obey(void)
{
    if (!asked)
        return;
    signal(asked, SIG_DFL);
    raise(asked);
}
