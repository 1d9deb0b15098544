#include "base/team.h"

bool cn_team_is_valid(const cairn_team *processes)
{
    return !processes || (processes->rank < processes->processes && processes->agree &&
                          processes->share && processes->collect);
}

static uint32_t count_of(const cn_team *team)
{
    return team->processes ? team->processes->processes : 1;
}

cairn_status cn_team_open(cn_team *team, const cairn_team *processes, const cn_mem *mem)
{
    *team = (cn_team){.processes = processes, .mem = mem};
    if (!processes)
        return CAIRN_OK;
    team->words = cn_zeroed(mem, count_of(team), sizeof *team->words);
    return team->words ? CAIRN_OK : CAIRN_E_MEMORY;
}

void cn_team_close(cn_team *team)
{
    if (team->mem)
        cn_release(team->mem, team->words);
}

uint32_t cn_team_rank(const cn_team *team)
{
    return team->processes ? team->processes->rank : 0;
}

size_t cn_team_before(const cn_team *team, size_t count, uint32_t rank)
{
    return (size_t)((uint64_t)count * rank / count_of(team));
}

size_t cn_team_first(const cn_team *team, size_t count)
{
    return cn_team_before(team, count, cn_team_rank(team));
}

size_t cn_team_end(const cn_team *team, size_t count)
{
    return cn_team_before(team, count, cn_team_rank(team) + 1);
}

static cairn_status note(cn_team *team, cairn_status status)
{
    team->is_over = status != CAIRN_OK;
    return status;
}

/* One word of each process, in `words`. */
static cairn_status share_words(cn_team *team, cairn_status status, uint64_t word)
{
    const cairn_team *processes = team->processes;

    team->words[processes->rank] = word;
    status = note(team, processes->agree(processes->context, status));
    return status == CAIRN_OK
               ? cn_team_share(team, team->words, sizeof *team->words, processes->processes)
               : status;
}

cairn_status cn_team_agree(cn_team *team, cairn_status status)
{
    const bool is_beyond = status == CAIRN_E_LIMIT;

    if (!team->processes || team->is_over)
        return status;
    status = share_words(team, is_beyond ? CAIRN_OK : status, is_beyond);
    for (uint32_t rank = 0; rank < count_of(team) && status == CAIRN_OK; rank++)
        status = team->words[rank] ? CAIRN_E_LIMIT : CAIRN_OK;
    return status;
}

cairn_status cn_team_share(cn_team *team, void *items, size_t item_size, size_t item_count)
{
    const cairn_team *processes = team->processes;
    return processes
               ? note(team, processes->share(processes->context, items, item_size, item_count))
               : CAIRN_OK;
}

cairn_status cn_team_collect(cn_team *team, const void *mine, size_t size, void *all,
                             const size_t *starts)
{
    const cairn_team *processes = team->processes;
    return note(team, processes->collect(processes->context, mine, size, all, starts));
}

cairn_status cn_team_compare(cn_team *team, uint64_t word)
{
    if (!team->processes)
        return CAIRN_OK;
    cairn_status status = share_words(team, CAIRN_OK, word);
    for (uint32_t rank = 0; rank < count_of(team) && status == CAIRN_OK; rank++)
        status = team->words[rank] == team->words[0] ? CAIRN_OK : CAIRN_E_MISMATCH;
    return note(team, status);
}

cairn_status cn_team_end_call(cn_team *team, cairn_status status)
{
    const cairn_team *processes = team->processes;
    return !processes || team->is_over ? status
                                       : note(team, processes->agree(processes->context, status));
}
