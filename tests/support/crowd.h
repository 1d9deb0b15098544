/* Processes of a team as threads of one process. */
#ifndef SUPPORT_CROWD_H
#define SUPPORT_CROWD_H

#include "cairn/cairn.h"

enum { CROWD_MAX = 5 };

/* What each process does, with its team; the result is the status of its call. */
typedef cairn_status (*crowd_work)(void *context, uint32_t rank, const cairn_team *team);

/* Runs so many at the same time, and waits for all; results[rank] becomes what each returned. Fails
 * the test where their calls do not match, or go on after a failure. */
void crowd_run(uint32_t processes, crowd_work work, void *context, cairn_status *results);

#endif
