#include "clock.h"

kit_watch kit_watch_start(void)
{
    kit_watch watch = {.thread = kit_thread_now()};
    watch.real = kit_now();
    return watch;
}

double kit_watch_seconds(kit_watch since)
{
    const double real = kit_now() - since.real;
    const double thread = kit_thread_now() - since.thread;
    return thread < real ? thread : real;
}
