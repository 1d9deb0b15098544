/* Processes that do a command together (cairn-mpi): each runs it with the same words, on its share
 * of the work, and the first one alone writes files and reports. A program of one process needs
 * none of this. */
#ifndef KIT_TEAM_H
#define KIT_TEAM_H

#include <stdbool.h>
#include <stdint.h>

#include "cairn/cairn.h"

/* A team, and what a command of its processes needs beside the calls of cairn_team; these get
 * team->context. */
typedef struct kit_fellows {
    const cairn_team *team;
    int (*end_step)(void *context, int code); /* see kit_team_end_step */
    void (*tell)(void *context);              /* prints what this process has complained of */
} kit_fellows;

/* Makes this process one of the team from now on. */
void kit_team_join(const kit_fellows *fellows);

/* The team of this process; NULL if it works alone. */
const cairn_team *kit_team(void);

/* Whether this process writes and reports. */
bool kit_team_is_first(void);

/* Whether all processes have read the same from `path`, as far as `word` tells. An exit code; the
 * first process with another word than the first of all complains. */
int kit_team_same(const char *path, uint64_t word);

/* Gives all the parts of an array that each has filled in (see cairn_team). An exit code. */
int kit_team_share(void *items, size_t item_size, size_t count);

/* Gives all processes what the first one has in *word. An exit code. */
int kit_team_hear_first(uint64_t *word);

/* Gives all processes the bytes of the first one: in the others *bytes is to be NULL, and becomes
 * memory to be freed, with room for one byte more. CAIRN_E_CANCELLED if another process has
 * failed. */
cairn_status kit_team_hear_bytes(uint8_t **bytes, size_t *size);

/* Every process calls this at the end of a step of its command that may fail in some of them, who
 * then left out the rest of the step. All get KIT_EXIT_OK, or a failure: the first process that
 * failed tells why, and the next step may begin. Without a team: `code`. */
int kit_team_end_step(int code);

/* Prints what the first process has complained of, which it would only print in the end. */
void kit_team_tell(void);

/* Of `count` things that are divided among the processes, the first one of this process, and the
 * one behind its last. */
size_t kit_team_begin(size_t count);
size_t kit_team_end(size_t count);

#endif
