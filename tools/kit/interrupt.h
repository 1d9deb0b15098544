/* ^C while something is being written: the work stops at the next safe place, cleans up, and the
 * process then dies of the signal as it would have. A second ^C does not wait. */
#ifndef KIT_INTERRUPT_H
#define KIT_INTERRUPT_H

#include <stdbool.h>

/* From now on, SIGINT and SIGTERM ask instead of kill. */
void kit_interrupt_catch(void);

/* Whether one of them asked. */
bool kit_interrupted(void);

/* Dies of the signal that asked, if one did. */
void kit_interrupt_obey(void);

#endif
