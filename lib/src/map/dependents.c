#include "map/dependents.h"

static cairn_map *owner_of_dependents(const cairn_map *map)
{
    return (cairn_map *)(uintptr_t)map;
}

void cn_dependent_begin(const cairn_map *map, cn_dependent *self)
{
    cairn_map *owner = owner_of_dependents(map);

    cn_spin_take(&owner->dependents_lock);
    self->next = owner->dependents;
    self->place = &owner->dependents;
    if (self->next)
        self->next->place = &self->next;
    owner->dependents = self;
    cn_spin_leave(&owner->dependents_lock);
}

void cn_dependent_drop(cn_dependent *self)
{
    *self->place = self->next;
    if (self->next)
        self->next->place = self->place;
}

void cn_dependent_end(const cairn_map *map, cn_dependent *self)
{
    cairn_map *owner = owner_of_dependents(map);

    cn_spin_take(&owner->dependents_lock);
    cn_dependent_drop(self);
    cn_spin_leave(&owner->dependents_lock);
}

/* Ends one; false when there is none left. */
static bool end_one(cairn_map *map)
{
    cn_spin_take(&map->dependents_lock);
    const bool is_there = map->dependents != NULL;
    const bool has_ended = is_there && map->dependents->end(map->dependents);
    cn_spin_leave(&map->dependents_lock);
    if (is_there && !has_ended)
        cn_thread_yield();
    return is_there;
}

void cn_map_end_dependents(cairn_map *map)
{
    while (end_one(map))
        continue;
}
