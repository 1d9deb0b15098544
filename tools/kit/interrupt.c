#include "interrupt.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t asked;

static void remember(int signal_number)
{
    asked = signal_number;
}

void kit_interrupt_catch(void)
{
    struct sigaction action = {.sa_handler = remember, .sa_flags = (int)SA_RESETHAND | SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
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
