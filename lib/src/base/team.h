/* Several processes that make the same call: see cairn_team. One process alone is a team as well,
 * in which nothing is exchanged. */
#ifndef CN_BASE_TEAM_H
#define CN_BASE_TEAM_H

#include "base/mem.h"
#include "cairn/table.h"

typedef struct cn_team {
    const cairn_team *processes; /* NULL: this one alone */
    const cn_mem *mem;
    uint64_t *words; /* one of each process */
    bool is_over;    /* the processes have agreed on a failure, or lost one another */
} cn_team;

/* Whether what is given for a team, which may be NULL, can be used. */
bool cn_team_is_valid(const cairn_team *processes);

/* After a failure the call has to end as well with cn_team_end_call. */
cairn_status cn_team_open(cn_team *team, const cairn_team *processes, const cn_mem *mem);
void cn_team_close(cn_team *team);

uint32_t cn_team_rank(const cn_team *team);

/* Of `count` things that are divided among the processes, how many come before those of a process;
 * the first one of this process, and the one behind its last. */
size_t cn_team_before(const cn_team *team, size_t count, uint32_t rank);
size_t cn_team_first(const cn_team *team, size_t count);
size_t cn_team_end(const cn_team *team, size_t count);

/* Every process tells how its work went, and learns the same: CAIRN_OK, or what went wrong in the
 * first process where something did, after which nothing is exchanged any more. CAIRN_E_LIMIT in
 * any process is CAIRN_E_LIMIT for all, and ends nothing: other entries may be tried. */
cairn_status cn_team_agree(cn_team *team, cairn_status status);

/* After an agreement: gives to all what each has computed, of an array that is divided as above. */
cairn_status cn_team_share(cn_team *team, void *items, size_t item_size, size_t item_count);

/* After an agreement: brings bytes of all to the first process; see cairn_team. */
cairn_status cn_team_collect(cn_team *team, const void *mine, size_t size, void *all,
                             const size_t *starts);

/* Whether all processes have the same `word`: CAIRN_E_MISMATCH where one has another. */
cairn_status cn_team_compare(cn_team *team, uint64_t word);

/* The agreement at the end of a call, which lets the others know of a failure that this process has
 * not told them yet. */
cairn_status cn_team_end_call(cn_team *team, cairn_status status);

#endif
