/* Signals that end the program: ^C, what ends it from outside, pipes without a reader. They end it
 * at once, whatever it does, and a temporary file that is there is removed first. Where the library
 * writes one, whose name only the library knows, they are held back until it has removed it. */
#ifndef KIT_INTERRUPT_H
#define KIT_INTERRUPT_H

#include <stdbool.h>

/* To be called first of all. Also lets writes beyond the largest size of files fail instead of
 * ending the program. */
void kit_interrupt_start(void);

/* Says which file a signal that ends the program removes first; NULL: none. The name must last
 * until the next call. */
void kit_interrupt_removes(const char *path);

/* To be called before a bar of progress is drawn (see progress.h), which a signal then has to wipe
 * away. False once a signal is about to end the program: then nothing may be drawn. Signals come to
 * any thread, and one that draws might go on after the bar was wiped. */
bool kit_interrupt_draws(void);

/* To be called when the bar has been drawn. */
void kit_interrupt_drawn(void);

/* To be called when the bar has been wiped away. */
void kit_interrupt_wiped(void);

/* From now on a signal does not end the program, but asks it to end (kit_interrupted). Another one
 * that comes some seconds later ends it at once. */
void kit_interrupt_hold(void);

/* Whether a signal has asked the program to end. */
bool kit_interrupted(void);

/* Ends the program by the signal that asked for it, if one did. From now on signals end it at once
 * again. */
void kit_interrupt_release(void);

#endif
