/* Signals that end the program: ^C, what ends it from outside, pipes without a reader. They end it
 * at once, whatever it does, and a temporary file that is there is removed first. Where the library
 * writes one, whose name only the library knows, they are held back until it has removed it. */
#ifndef KIT_INTERRUPT_H
#define KIT_INTERRUPT_H

#include <stdbool.h>

/* To be called first of all. Also lets writes beyond the largest size of files fail instead of
 * ending the program. */
void kit_interrupt_start(void);

/* The file that a signal removes; NULL: none. The name must last until the next call. */
void kit_interrupt_removes(const char *path);

/* Before a bar of progress is drawn (see progress.h), which a signal then has to wipe away: false,
 * and nothing may be drawn, once a signal is about to end the program. Signals come to any thread,
 * and one that draws might go on after the bar was wiped. */
bool kit_interrupt_draws(void);

/* When it has been drawn. */
void kit_interrupt_drawn(void);

/* When it has been wiped away. */
void kit_interrupt_wiped(void);

/* From now on, a signal asks instead of ends; one that comes some seconds later does not wait. */
void kit_interrupt_hold(void);

/* Whether one asked. */
bool kit_interrupted(void);

/* Ends of the signal that asked, if one did; signals end the program at once again. */
void kit_interrupt_release(void);

#endif
