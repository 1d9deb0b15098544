/* Time that never runs backwards: wall time, or the processor time of one thread. */
#ifndef KIT_CLOCK_H
#define KIT_CLOCK_H

/* Seconds since some fixed moment. */
double kit_now(void);

/* Seconds that this thread has had a processor: what else runs on the machine does not count, nor
 * does waiting. Reading it takes longer than kit_now(), as long as a short search. Where the system
 * has no such clock, or one that ticks too slowly, as on Windows, this is kit_now(), and searches
 * look slower on a busy machine. */
double kit_thread_now(void);

/* A moment by both clocks. */
typedef struct kit_watch {
    double thread;
    double real;
} kit_watch;

kit_watch kit_watch_start(void);

/* Seconds since then: by the thread's clock, which leaves out what else runs on the machine, or by
 * the other where that says less, as of a search that is as short as a reading of the clock. */
double kit_watch_seconds(kit_watch since);

#endif
