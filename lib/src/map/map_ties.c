#include "map/map_ties.h"

static cairn_map *owner_of_ties(const cairn_map *map)
{
    return (cairn_map *)(uintptr_t)map;
}

void cn_map_tie_begin(const cairn_map *map, cn_map_tie *tie)
{
    cairn_map *owner = owner_of_ties(map);

    cn_spin_take(&owner->ties_lock);
    tie->next = owner->ties;
    tie->place = &owner->ties;
    if (tie->next)
        tie->next->place = &tie->next;
    owner->ties = tie;
    cn_spin_leave(&owner->ties_lock);
}

void cn_map_tie_drop(cn_map_tie *tie)
{
    *tie->place = tie->next;
    if (tie->next)
        tie->next->place = tie->place;
}

void cn_map_tie_end(const cairn_map *map, cn_map_tie *tie)
{
    cairn_map *owner = owner_of_ties(map);

    cn_spin_take(&owner->ties_lock);
    cn_map_tie_drop(tie);
    cn_spin_leave(&owner->ties_lock);
}

/* Ends one; false when there is none left. */
static bool end_one(cairn_map *map)
{
    cn_spin_take(&map->ties_lock);
    const bool is_there = map->ties != NULL;
    const bool has_ended = is_there && map->ties->end(map->ties);
    cn_spin_leave(&map->ties_lock);
    if (is_there && !has_ended)
        cn_thread_yield();
    return is_there;
}

void cn_map_ties_end(cairn_map *map)
{
    while (end_one(map))
        continue;
}
