/* Processes that do a command together (cairn-mpi): each runs it with the same words, on its share
 * of the work, and the first one alone writes files and reports. A program of one process needs
 * none of this. */
#ifndef KIT_TEAM_H
#define KIT_TEAM_H

#include <stdbool.h>
#include <stdint.h>

#include "cairn/cairn.h"

/* Makes this process one of the team from now on. */
void kit_team_join(const cairn_team *team);

/* NULL: there is this process alone. */
const cairn_team *kit_team(void);

/* Whether this process writes and reports. */
bool kit_team_is_first(void);

/* Whether all processes have read the same from `path`, as far as `word` tells. An exit code; the
 * first process with another word than the first of all complains. */
int kit_team_same(const char *path, uint64_t word);

/* Gives all the parts of an array that each has filled in (see cairn_team). An exit code. */
int kit_team_share(void *items, size_t item_size, size_t count);

/* What the first process has in *word goes to all. An exit code. */
int kit_team_hear_first(uint64_t *word);

/* The part of this process, of `count` things. */
size_t kit_team_begin(size_t count);
size_t kit_team_end(size_t count);

#endif
