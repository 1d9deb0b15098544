/* One line on standard error that says what the program does, when that is a terminal and the
 * command takes longer than a second (or than the environment's CAIRN_PROGRESS says). A thread of
 * its own draws it, so that work which tells nothing of itself is seen too. */
#ifndef KIT_PROGRESS_H
#define KIT_PROGRESS_H

#include "cairn/cairn.h"
#include "say.h"

/* To be called once, before the work. */
void kit_progress_start(void);

/* Says what is being done from now on, such as "loading town.map". */
void kit_progress_begin(const char *format, ...) KIT_FORMAT(1, 2);

/* Says how far it is: what part of it is being done, in a word, and `done` of `total`. False when a
 * signal asks the work to stop; signals ask only while the library writes a file. */
bool kit_progress_step(const char *part, uint64_t done, uint64_t total);

/* Wipes the line away, until something else begins: to be called before a report is printed. */
void kit_progress_end(void);

/* From now on the line says nothing of what this thread begins, steps and ends: it tells of the
 * work of all threads together. */
void kit_progress_leave_out(void);

/* Wipes the line away while a thread writes to the terminal: no other does meanwhile. Of a thread
 * that is not left out, the line ends. */
void kit_progress_hold(void);
void kit_progress_release(void);

/* The callback that shows the progress of work inside the library in the same line. */
extern const cairn_progress kit_progress_hook;

#endif
