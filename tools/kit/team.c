#include "team.h"

#include <stdlib.h>
#include <string.h>

#include "exits.h"
#include "say.h"

static const kit_fellows *fellows;
static const cairn_team *joined;

void kit_team_join(const kit_fellows *of)
{
    fellows = of;
    joined = of->team;
}

const cairn_team *kit_team(void)
{
    return joined;
}

bool kit_team_is_first(void)
{
    return !joined || joined->rank == 0;
}

static size_t before(size_t count, uint32_t rank)
{
    return (size_t)((uint64_t)count * rank / joined->processes);
}

size_t kit_team_begin(size_t count)
{
    return joined ? before(count, joined->rank) : 0;
}

size_t kit_team_end(size_t count)
{
    return joined ? before(count, joined->rank + 1) : count;
}

int kit_team_share(void *items, size_t item_size, size_t count)
{
    if (!joined)
        return KIT_EXIT_OK;
    cairn_status status = joined->agree(joined->context, CAIRN_OK);
    if (status == CAIRN_OK)
        status = joined->share(joined->context, items, item_size, count);
    return status == CAIRN_OK ? KIT_EXIT_OK : KIT_EXIT_IO;
}

int kit_team_hear_first(uint64_t *word)
{
    if (!joined)
        return KIT_EXIT_OK;
    uint64_t *words = calloc(joined->processes, sizeof *words);
    if (!words)
        return kit_fail("cairn", CAIRN_E_MEMORY);
    words[joined->rank] = *word;
    int code = kit_team_share(words, sizeof *words, joined->processes);
    *word = words[0];
    free(words);
    return code;
}

enum { AT_ONCE = 1 << 16 }; /* bytes that each process has room for */

static size_t portion_of(size_t left)
{
    return left < AT_ONCE ? left : AT_ONCE;
}

static cairn_status hear_bytes(uint8_t *bytes, size_t size)
{
    cairn_status status = CAIRN_OK;
    uint8_t *portions = calloc(joined->processes, AT_ONCE);
    if (!portions)
        return CAIRN_E_MEMORY;
    for (size_t at = 0; at < size && status == CAIRN_OK; at += portion_of(size - at)) {
        if (kit_team_is_first())
            memcpy(portions, bytes + at, portion_of(size - at));
        if (kit_team_share(portions, AT_ONCE, joined->processes) != KIT_EXIT_OK)
            status = CAIRN_E_CANCELLED;
        else
            memcpy(bytes + at, portions, portion_of(size - at));
    }
    free(portions);
    return status;
}

cairn_status kit_team_hear_bytes(uint8_t **bytes, size_t *size)
{
    uint64_t count = *size;
    if (!joined)
        return CAIRN_OK;
    if (kit_team_hear_first(&count) != KIT_EXIT_OK)
        return CAIRN_E_CANCELLED;
    if (!kit_team_is_first())
        *bytes = count < SIZE_MAX ? malloc((size_t)count + 1) : NULL;
    *size = (size_t)count;
    return *bytes ? hear_bytes(*bytes, *size) : CAIRN_E_MEMORY;
}

int kit_team_end_step(int code)
{
    return joined ? fellows->end_step(joined->context, code) : code;
}

void kit_team_tell(void)
{
    if (joined)
        fellows->tell(joined->context);
}

/* The first process whose word is another than that of rank 0; their number where there is none. */
static uint32_t first_other(const uint64_t *words)
{
    uint32_t rank = 1;
    while (rank < joined->processes && words[rank] == words[0])
        rank++;
    return rank;
}

int kit_team_same(const char *path, uint64_t word)
{
    if (!joined)
        return KIT_EXIT_OK;
    uint64_t *words = calloc(joined->processes, sizeof *words);
    if (!words)
        return kit_fail(path, CAIRN_E_MEMORY);
    words[joined->rank] = word;
    int code = kit_team_share(words, sizeof *words, joined->processes);
    if (code == KIT_EXIT_OK && first_other(words) < joined->processes) {
        const bool is_other = first_other(words) == joined->rank;
        if (is_other)
            kit_complain("%s: another file than that of the first process", path);
        joined->agree(joined->context, is_other ? CAIRN_E_MISMATCH : CAIRN_OK);
        code = KIT_EXIT_IO;
    }
    free(words);
    return code;
}
