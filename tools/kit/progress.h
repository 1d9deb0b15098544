/* A bar on standard error, when that is a terminal and the work takes longer than a second. */
#ifndef KIT_PROGRESS_H
#define KIT_PROGRESS_H

#include "cairn/cairn.h"

typedef struct kit_progress {
    cairn_progress hook;   /* hand &progress.hook to the library */
    bool is_terminal;
    bool is_drawn;
    double started;
    double drawn;          /* when, last */
} kit_progress;

/* The struct must stay where it is while the hook is in use. */
void kit_progress_start(kit_progress *progress);

/* `done` of `total`; false when the user interrupted. */
bool kit_progress_step(kit_progress *progress, const char *stage, uint64_t done, uint64_t total);

/* Wipes the bar away. */
void kit_progress_end(kit_progress *progress);

#endif
