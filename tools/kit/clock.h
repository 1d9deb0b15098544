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

#endif
