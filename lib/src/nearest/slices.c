/* The later slices of runs, of one query as of a hunt. */
#include "nearest/hunt.h"
#include "system/clock.h"

static cairn_status go_on(cairn_search *search, cn_hunt_slice slice, cairn_path *path)
{
    if (search->run.is_paused_hunt)
        return cn_hunt_resume(search, slice, path);
    cn_scratch_slice(&search->scratch, &search->options, slice.expansions, slice.end);
    return cn_search_go_on_or_stand_in(search, path);
}

static cairn_status resume(cairn_search *search, cn_hunt_slice slice, cairn_path *path)
{
    if (!search || !path)
        return cn_search_fail(search, CAIRN_E_ARGUMENT, path);
    const bool has_search = search->scratch.is_paused;
    if (!has_search && !search->run.is_paused_hunt)
        return cn_search_fail(search, CAIRN_E_ARGUMENT, path);
    if (!cn_search_may_go_on(search))
        return cn_search_fail(search, CAIRN_E_CHANGED, path);

    search->run.number++;
    cairn_status status = has_search ? cn_search_catch_up(search) : CAIRN_OK;
    search->run.is_paused_hunt &= status == CAIRN_OK;
    if (status == CAIRN_OK)
        status = go_on(search, slice, path);
    return status == CAIRN_OK ? status : cn_search_fail(search, status, path);
}

cairn_status cairn_search_resume(cairn_search *search, uint64_t expansions, cairn_path *path)
{
    return resume(search, (cn_hunt_slice){.expansions = expansions}, path);
}

cairn_status cairn_search_resume_for(cairn_search *search, uint64_t microseconds, cairn_path *path)
{
    const uint64_t now = cn_clock_microseconds();
    const bool has_end = microseconds < UINT64_MAX - now;
    return resume(search, (cn_hunt_slice){UINT64_MAX, has_end ? now + microseconds : UINT64_MAX},
                  path);
}
