/*
 * Brings components up to date: floods the dirty tiles again and searches what is left of the
 * components around them.
 *
 *  change  A component changes if it has cells in dirty tiles, or grows.
 *  claim   A group with regions of such a component has a claim to its number.
 *  group   A group is regions that are known to be connected.
 *  visit   Each region that a group has come to is a visit of it.
 *  patch   A patch is dirty tiles side by side, and what lies between several such.
 *  touch   A group has a touch with each patch that it lies next to.
 */
#include "base/nodes.h"
#include "base/sets.h"
#include "components/components.h"

/* If the value of a region has this bit, the rest is the number of a group; a region of a tile that
 * was flooded again has the value UNVISITED until it is in a group. */
#define GROUPED ((uint32_t)1 << 31)
#define UNVISITED UINT32_MAX
#define NONE CN_NO_COMPONENT

/* A list of visits, by their indices. */
typedef struct list {
    uint32_t first;
    uint32_t last;
} list;

typedef struct visit {
    cn_region region;
    union {
        uint32_t next; /* in a list of its group */
        bool spreads;  /* once numbers are written: regions around it may need its number */
    };
} visit;

/* Regions that are known to be connected. */
typedef struct group {
    uint32_t parent;    /* in a union-find */
    uint32_t component; /* the component that it becomes */
    uint32_t size;      /* cells of the visited regions, and their number */
    uint32_t regions;
    uint32_t mark;        /* see keep_rivals */
    uint32_t first_touch; /* of the patches that it lies next to */
    uint32_t patch;       /* of a group that has ended: one of these, which are one by then; NONE */
    bool inherits_others; /* components whose number it does not get */
    list waiting;         /* visited, but not expanded */
} group;

/* A component that changes. Its size counts the regions that no group has visited yet. */
typedef struct change {
    uint32_t component;
    uint32_t first_claim; /* the first of the groups that have regions of it */
    bool is_whole;        /* it only grows: its only claim is that of the group next to it */
} change;

typedef struct claim {
    uint32_t group;
    uint32_t next;
    bool is_rival; /* the group may still be separated from others: see keep_apart */
} claim;

/* Dirty tiles that lie side by side, and what lies between several such. */
typedef struct patch {
    uint32_t mark;  /* when it was last examined, see keep_apart */
    uint32_t group; /* the last of the groups next to the patch that have not ended */
    bool is_broken; /* there are several */
} patch;

/* A group lies next to a patch. */
typedef struct touch {
    uint32_t patch;
    uint32_t next;
} touch;

/* Items of one type; they move when there are more. */
typedef struct stock {
    void *items;
    uint32_t count;
    size_t room;
} stock;

typedef struct repair {
    cn_components *all;
    cn_regions *regions;
    const cn_mem *mem;
    stock visits, groups, changes, claims, rivals, touches;
    patch *patches; /* by dirty tile; those of a patch have one root in a union-find */
    uint32_t *patch_parents;
    uint32_t patch_count;   /* at first */
    cn_placed_node *placed; /* the dirty tiles, ascending, with their places in the list */
    uint32_t mark;
    bool separates; /* parts are being searched: their groups have all claims that they will have */
    bool failed;    /* there was no memory */
} repair;

static void *push(repair *self, stock *to, size_t size)
{
    if (!cn_grow(self->mem, &to->items, &to->room, to->count, to->count + 1u, size)) {
        self->failed = true;
        return NULL;
    }
    return (uint8_t *)to->items + to->count++ * size;
}

static group *group_at(const repair *self, uint32_t at)
{
    return (group *)self->groups.items + at;
}

static change *change_at(const repair *self, uint32_t at)
{
    return (change *)self->changes.items + at;
}

static claim *claim_at(const repair *self, uint32_t at)
{
    return (claim *)self->claims.items + at;
}

static visit *visit_at(const repair *self, uint32_t at)
{
    return (visit *)self->visits.items + at;
}

static touch *touch_at(const repair *self, uint32_t at)
{
    return at == NONE ? NULL : (touch *)self->touches.items + at;
}

/* The group that one has become a part of: union-find as in base/sets.h, but the parents lie among
 * what the groups are, which is joined with them. */
static uint32_t group_root(const repair *self, uint32_t at)
{
    group *groups = self->groups.items;
    while (groups[at].parent != at) {
        groups[at].parent = groups[groups[at].parent].parent;
        at = groups[at].parent;
    }
    return at;
}

static void append(repair *self, list *to, list from)
{
    visit *visits = self->visits.items;
    if (from.first == NONE)
        return;
    if (to->first == NONE)
        to->first = from.first;
    else
        visits[to->last].next = from.first;
    to->last = from.last;
}

/* Joins two groups; returns the root. */
static uint32_t unite(repair *self, uint32_t a, uint32_t b)
{
    a = group_root(self, a);
    b = group_root(self, b);
    if (a == b)
        return a;
    if (a > b) {
        uint32_t other = a;
        a = b;
        b = other;
    }
    group *to = group_at(self, a), *from = group_at(self, b);
    from->parent = a;
    to->size += from->size;
    to->regions += from->regions;
    append(self, &to->waiting, from->waiting);
    return a;
}

static uint32_t new_group(repair *self)
{
    static const list empty = {NONE, NONE};
    group *made = push(self, &self->groups, sizeof *made);
    if (!made)
        return 0;
    *made = (group){.parent = self->groups.count - 1,
                    .component = NONE,
                    .first_touch = NONE,
                    .patch = NONE,
                    .waiting = empty};
    return self->groups.count - 1;
}

static change *change_of(const repair *self, uint32_t component)
{
    uint32_t link = self->all->items[component].link;
    return link == NONE ? NULL : change_at(self, link);
}

static void begin_change(repair *self, uint32_t component, bool is_whole)
{
    if (change_of(self, component))
        return;
    change *made = push(self, &self->changes, sizeof *made);
    if (!made)
        return;
    *made = (change){component, NONE, is_whole};
    self->all->items[component].link = self->changes.count - 1;
}

static void add_claim(repair *self, uint32_t component, uint32_t of)
{
    change *changed = change_of(self, component);
    const claim *first = changed->first_claim == NONE ? NULL : claim_at(self, changed->first_claim);
    if (first && first->group == of)
        return;
    claim *made = push(self, &self->claims, sizeof *made);
    if (!made)
        return;
    *made = (claim){of, changed->first_claim, true};
    changed->first_claim = self->claims.count - 1;
}

/* Removes a region of so many cells from its component. */
static void detach(repair *self, cn_region region, uint32_t size)
{
    cn_component *item = &self->all->items[*cn_region_value(self->regions, region)];
    item->size -= size;
    item->regions--;
}

/* New regions are expanded immediately: see group_from. */
static void visit_region(repair *self, cn_region region, uint32_t size, uint32_t of)
{
    visit *made = push(self, &self->visits, sizeof *made);
    if (!made)
        return;
    const uint32_t at = self->visits.count - 1;
    const bool is_new = self->regions->tiles[cn_region_tile(region)].is_dirty;
    group *owner = group_at(self, of);
    *made = (visit){.region = region, .next = NONE};
    if (!is_new)
        append(self, &owner->waiting, (list){at, at});
    owner->size += size;
    owner->regions++;
    *cn_region_value(self->regions, region) = GROUPED | of;
}

/* A region, not visited yet, of a component that changes. */
static void visit_part(repair *self, cn_region region, uint32_t of)
{
    const uint32_t component = *cn_region_value(self->regions, region);
    const uint32_t size = cn_region_size(self->regions, region);
    detach(self, region, size);
    if (!self->separates)
        add_claim(self, component, of);
    if (!self->failed)
        visit_region(self, region, size, of);
}

/* A component that no edit has changed is joined as a whole. Returns the group. */
static uint32_t meet_whole(repair *self, uint32_t of, uint32_t component)
{
    begin_change(self, component, true);
    if (self->failed)
        return of;
    const change *joined = change_of(self, component);
    if (joined->first_claim != NONE)
        return unite(self, of, claim_at(self, joined->first_claim)->group);
    add_claim(self, component, of);
    return of;
}

/* A step connects a group to a region. Returns the group, which may be another one then. */
static uint32_t meet(repair *self, uint32_t of, cn_region region)
{
    const uint32_t value = *cn_region_value(self->regions, region);
    if (value == UNVISITED) {
        visit_region(self, region, cn_region_size(self->regions, region), of);
        return of;
    }
    if (value & GROUPED)
        return unite(self, of, value & ~GROUPED);
    const change *changed = change_of(self, value);
    if (!changed || changed->is_whole)
        return meet_whole(self, of, value);
    visit_part(self, region, of);
    return of;
}

static void expand(repair *self, uint32_t of, cn_region region)
{
    cn_region neighbours[CN_REGION_NEIGHBOURS];
    unsigned count = cn_region_neighbours(self->regions, region, neighbours);
    for (unsigned i = 0; i < count && !self->failed; i++)
        of = meet(self, of, neighbours[i]);
}

/* ----------------------------------------------------------------- the tiles and around them -- */

/* Removes the dirty tiles from their components, and floods them. */
static void flood_tiles(repair *self)
{
    for (uint32_t i = 0; i < self->all->dirty_count && !self->failed; i++) {
        const uint32_t tile = self->all->dirty[i];
        for (unsigned k = 0; k < self->regions->tiles[tile].count && !self->failed; k++) {
            begin_change(self, *cn_region_value(self->regions, cn_region_of(tile, k)), false);
            detach(self, cn_region_of(tile, k),
                   cn_region_size(self->regions, cn_region_of(tile, k)));
        }
    }
    for (uint32_t i = 0; i < self->all->dirty_count && !self->failed; i++)
        self->failed = !cn_regions_flood(self->regions, self->mem, self->all->dirty[i]);
}

static void group_from(repair *self, cn_region region)
{
    uint32_t at = self->visits.count, of = new_group(self);
    if (!self->failed)
        visit_region(self, region, cn_region_size(self->regions, region), of);
    for (; at < self->visits.count && !self->failed; at++) {
        region = visit_at(self, at)->region;
        if (self->regions->tiles[cn_region_tile(region)].is_dirty)
            expand(self, group_root(self, of), region);
    }
}

/* Joins the regions of the dirty tiles that steps connect, and those around them. */
static void group_new_regions(repair *self)
{
    for (uint32_t i = 0; i < self->all->dirty_count && !self->failed; i++) {
        const uint32_t tile = self->all->dirty[i];
        for (unsigned k = 0; k < self->regions->tiles[tile].count && !self->failed; k++) {
            if (*cn_region_value(self->regions, cn_region_of(tile, k)) == UNVISITED)
                group_from(self, cn_region_of(tile, k));
        }
    }
}

/* Every part of a component that the dirty tiles have separated has a region next to them. */
static void group_parts(repair *self)
{
    cn_region around[CN_REGION_NEIGHBOURS];
    for (uint32_t i = 0; i < self->all->dirty_count && self->changes.count && !self->failed; i++) {
        unsigned count = cn_regions_around(self->regions, self->all->dirty[i], around);
        for (unsigned k = 0; k < count && !self->failed; k++) {
            const uint32_t value = *cn_region_value(self->regions, around[k]);
            const change *changed = value & GROUPED ? NULL : change_of(self, value);
            if (!changed || changed->is_whole)
                continue;
            uint32_t of = new_group(self);
            if (!self->failed)
                visit_part(self, around[k], of);
        }
    }
}

/* ---------------------------------------------------------------------------------- patches -- */

/*
 * A patch breaks a component only if several groups of the component that have not ended lie next
 * to it. For whatever led through the patch before, from one region next to it to another, leads
 * around or through it still if these are in one group. A group that has ended is a part of its
 * own; it is taken together with the patches that it lies next to, as one larger patch, for what
 * led through them may have led through it as well. So if groups that have not ended are still
 * apart, some of them lie next to a patch that breaks the component. Only such groups are searched
 * from; the others belong to the part that meets them or, if none does, to the part that is left.
 * Without this, edits far from one another would have to be searched from until all of them meet,
 * although each of them breaks nothing, or only what meets again close by.
 */

static uint32_t patch_of(const repair *self, uint32_t dirty)
{
    return cn_set_root(self->patch_parents, dirty);
}

/* Joins a dirty tile with those of the next tiles, in order, that are dirty as well. */
static void join_next(const repair *self, uint32_t place, uint32_t tile)
{
    const uint32_t across = self->regions->tiles_across, x = tile % across;
    const uint32_t next[] = {tile + 1, tile + across - 1, tile + across, tile + across + 1};
    const bool is_inside[] = {x + 1 < across, x > 0, true, x + 1 < across};
    const uint32_t count = self->all->dirty_count;

    for (unsigned i = 0; i < sizeof next / sizeof *next; i++) {
        const size_t at = is_inside[i] ? cn_placed_find(self->placed, count, next[i]) : SIZE_MAX;
        if (at != SIZE_MAX)
            cn_sets_join(self->patch_parents, place, (uint32_t)cn_place_of(self->placed[at]));
    }
}

static void find_patches(repair *self)
{
    const uint32_t count = self->all->dirty_count;

    self->patches = cn_array(self->mem, count, sizeof *self->patches);
    self->placed = cn_array(self->mem, 2 * (size_t)count, sizeof *self->placed); /* to sort them */
    self->patch_parents = cn_array(self->mem, count, sizeof *self->patch_parents);
    self->failed = self->failed || !self->patches || !self->placed || !self->patch_parents;
    if (self->failed)
        return;
    for (uint32_t i = 0; i < count; i++) {
        self->patches[i] = (patch){.group = NONE};
        self->patch_parents[i] = i;
        self->placed[i] = cn_place_node(self->all->dirty[i], i);
    }
    cn_sort_placed(self->placed, self->placed + count, count);
    for (uint32_t i = 0; i < count; i++)
        join_next(self, i, self->all->dirty[i]);
    for (uint32_t i = 0; i < count; i++)
        self->patch_count += patch_of(self, i) == i;
}

static void touch_patch(repair *self, uint32_t of, uint32_t near)
{
    const group *owner = group_at(self, of);
    const touch *first = touch_at(self, owner->first_touch);
    if (first && first->patch == near)
        return;
    touch *made = push(self, &self->touches, sizeof *made);
    if (!made)
        return;
    *made = (touch){near, owner->first_touch};
    group_at(self, of)->first_touch = self->touches.count - 1;
}

/* Lists next to which patches groups lie. Claims are those of these groups from now on, of which
 * some become parts of others. */
static void list_touches(repair *self)
{
    cn_region around[CN_REGION_NEIGHBOURS];
    claim *claims = self->claims.items;
    for (uint32_t i = 0; i < self->claims.count; i++)
        claims[i].group = group_root(self, claims[i].group);
    for (uint32_t i = 0; i < self->all->dirty_count && !self->failed; i++) {
        const uint32_t near = patch_of(self, i);
        const unsigned count = cn_regions_around(self->regions, self->all->dirty[i], around);
        for (unsigned k = 0; k < count && !self->failed; k++) {
            const uint32_t value = *cn_region_value(self->regions, around[k]);
            if (value != UNVISITED && value & GROUPED)
                touch_patch(self, group_root(self, value & ~GROUPED), near);
        }
    }
}

/* Whether all of a group is known. */
static bool has_ended(const repair *self, uint32_t root)
{
    return group_at(self, root)->waiting.first == NONE;
}

/* Makes the patches next to a group that has ended one, those of a part of it. */
static void join_patches(const repair *self, uint32_t root, uint32_t part)
{
    group *ended = group_at(self, root);
    for (const touch *one = touch_at(self, group_at(self, part)->first_touch); one;
         one = touch_at(self, one->next)) {
        if (ended->patch == NONE)
            ended->patch = one->patch;
        cn_sets_join(self->patch_parents, ended->patch, one->patch);
    }
}

/* Notes that a group that has not ended lies next to the patches of a part of it. */
static void meet_patches(const repair *self, uint32_t root, uint32_t part)
{
    for (const touch *one = touch_at(self, group_at(self, part)->first_touch); one;
         one = touch_at(self, one->next)) {
        patch *near = &self->patches[patch_of(self, one->patch)];
        near->is_broken = near->mark == self->mark && (near->is_broken || near->group != root);
        near->mark = self->mark;
        near->group = root;
    }
}

static bool is_by_a_break(const repair *self, uint32_t part)
{
    const touch *one = touch_at(self, group_at(self, part)->first_touch);
    while (one && !self->patches[patch_of(self, one->patch)].is_broken)
        one = touch_at(self, one->next);
    return one;
}

/* Keeps as rivals the groups of a component that may still be separated from others. Where there is
 * one patch all groups are next to it. */
static void keep_apart(repair *self, const change *changed)
{
    claim *claims = self->claims.items;

    if (self->patch_count < 2)
        return;
    self->mark++;
    for (uint32_t at = changed->first_claim; at != NONE; at = claims[at].next) {
        const uint32_t root = group_root(self, claims[at].group);
        if (claims[at].is_rival && has_ended(self, root))
            join_patches(self, root, claims[at].group);
    }
    for (uint32_t at = changed->first_claim; at != NONE; at = claims[at].next) {
        const uint32_t root = group_root(self, claims[at].group);
        claims[at].is_rival = claims[at].is_rival && !has_ended(self, root);
        if (claims[at].is_rival)
            meet_patches(self, root, claims[at].group);
    }
    for (uint32_t at = changed->first_claim; at != NONE; at = claims[at].next)
        claims[at].is_rival = claims[at].is_rival && is_by_a_break(self, claims[at].group);
}

static void prepare_patches(repair *self)
{
    if (self->changes.count == 0 || self->failed)
        return;
    find_patches(self);
    if (!self->failed && self->patch_count > 1)
        list_touches(self);
}

/* ----------------------------------------------------------------------- parts of components -- */

/* Keeps those of the rivals that are still different groups and have not ended. */
static void keep_rivals(repair *self)
{
    uint32_t *rivals = self->rivals.items;
    const uint32_t count = self->rivals.count, mark = ++self->mark;

    self->rivals.count = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t root = group_root(self, rivals[i]);
        group *rival = group_at(self, root);
        if (rival->mark == mark || rival->waiting.first == NONE)
            continue;
        rival->mark = mark;
        rivals[self->rivals.count++] = root;
    }
}

/* Of all groups of a component, or of those that may have been separated. */
static void list_rivals(repair *self, const change *changed, bool all)
{
    self->rivals.count = 0;
    for (uint32_t at = changed->first_claim; at != NONE;) {
        const claim own = *claim_at(self, at);
        at = own.next;
        if (!all && !own.is_rival)
            continue;
        uint32_t *rival = push(self, &self->rivals, sizeof *rival);
        if (!rival)
            return;
        *rival = own.group;
    }
    keep_rivals(self);
}

static void expand_next(repair *self, uint32_t of)
{
    of = group_root(self, of);
    group *owner = group_at(self, of);
    const uint32_t at = owner->waiting.first;
    if (at == NONE)
        return;
    visit *next = visit_at(self, at);
    owner->waiting.first = next->next;
    if (next->next == NONE)
        owner->waiting.last = NONE;
    next->next = NONE;
    expand(self, of, next->region);
}

/* Groups that have not ended belong to the part that is left. */
static void join_the_rest(repair *self, const change *changed)
{
    const claim *claims = self->claims.items;
    uint32_t heir = NONE;

    for (uint32_t at = changed->first_claim; at != NONE; at = claims[at].next) {
        const uint32_t root = group_root(self, claims[at].group);
        if (!has_ended(self, root))
            heir = heir == NONE ? root : unite(self, heir, root);
    }
}

/* Searches the parts of a component alternately until all but one have ended or they have met: what
 * is left belongs to that one. */
static void separate(repair *self, const change *changed)
{
    self->separates = true;
    keep_apart(self, changed);
    list_rivals(self, changed, false);
    while (self->rivals.count > 1 && !self->failed) {
        const uint32_t *rivals = self->rivals.items, count = self->rivals.count;
        for (uint32_t i = 0; i < count && !self->failed; i++)
            expand_next(self, rivals[i]);
        keep_rivals(self);
        if (self->rivals.count < count && self->patch_count > 1 && !self->failed) {
            keep_apart(self, changed);
            list_rivals(self, changed, false);
        }
    }
    if (!self->failed)
        join_the_rest(self, changed);
}

/* ------------------------------------------------------------------------------- new numbers -- */

static uint32_t take_number(repair *self)
{
    cn_components *all = self->all;
    const uint32_t number = all->unused;

    if (number != NONE) {
        all->unused = all->items[number].link;
        all->items[number] = (cn_component){.link = NONE};
        all->count++;
        return number;
    }
    if (!CN_GROW(self->mem, all->items, &all->capacity, all->limit, all->limit + 1u)) {
        self->failed = true;
        return 0;
    }
    all->items[all->limit] = (cn_component){.link = NONE};
    all->count++;
    return all->limit++;
}

static void give_number(cn_components *all, uint32_t number)
{
    all->items[number] = (cn_component){.link = all->unused};
    all->unused = number;
    all->count--;
}

/* The group to which the rest of a component belongs; NULL where there is no rest. */
static group *heir_of(repair *self, const change *changed)
{
    if (self->all->items[changed->component].regions == 0)
        return NULL;
    if (changed->is_whole)
        return group_at(self, group_root(self, claim_at(self, changed->first_claim)->group));
    list_rivals(self, changed, true);
    CN_ASSERT(self->failed || self->rivals.count == 1);
    const uint32_t *rivals = self->rivals.items;
    return self->failed ? NULL : group_at(self, rivals[0]);
}

/* Of the components that a group inherits, that with the most regions gives its number to the
 * group. */
static void choose_numbers(repair *self)
{
    const cn_component *items = self->all->items;
    for (uint32_t i = 0; i < self->changes.count && !self->failed; i++) {
        const uint32_t component = change_at(self, i)->component;
        group *heir = heir_of(self, change_at(self, i));
        if (heir &&
            (heir->component == NONE || items[component].regions > items[heir->component].regions))
            heir->component = component;
    }
}

/* Adds the components whose number no heir took to the heir, and frees their numbers. */
static void add_up(repair *self)
{
    cn_component *items = self->all->items;
    for (uint32_t i = 0; i < self->changes.count && !self->failed; i++) {
        const uint32_t component = change_at(self, i)->component;
        group *heir = heir_of(self, change_at(self, i));
        items[component].link = NONE;
        if (heir && heir->component == component)
            continue;
        if (heir) {
            heir->size += items[component].size;
            heir->regions += items[component].regions;
            heir->inherits_others = true;
        }
        give_number(self->all, component);
    }
}

static void number_groups(repair *self)
{
    for (uint32_t i = 0; i < self->groups.count && !self->failed; i++) {
        group *one = group_at(self, i);
        if (one->parent != i)
            continue;
        if (one->component == NONE)
            one->component = take_number(self);
        if (self->failed)
            return;
        self->all->items[one->component].size += one->size;
        self->all->items[one->component].regions += one->regions;
    }
}

/* Gives the regions next to a visited one that belonged to other components its number. */
static void renumber_around(repair *self, cn_region region)
{
    cn_region neighbours[CN_REGION_NEIGHBOURS];
    const uint32_t number = *cn_region_value(self->regions, region);
    unsigned count = cn_region_neighbours(self->regions, region, neighbours);

    for (unsigned i = 0; i < count; i++) {
        uint32_t *value = cn_region_value(self->regions, neighbours[i]);
        if (*value == number)
            continue;
        visit *made = push(self, &self->visits, sizeof *made);
        if (!made)
            return;
        *made = (visit){.region = neighbours[i], .spreads = true};
        *value = number;
    }
}

/* Stores the number in every region. Regions connected to a visited one are visited, too, if they
 * had another number. */
static void write_numbers(repair *self)
{
    visit *visits = self->visits.items;
    for (uint32_t i = 0; i < self->visits.count; i++) {
        uint32_t *value = cn_region_value(self->regions, visits[i].region);
        const group *owner = group_at(self, group_root(self, *value & ~GROUPED));
        *value = owner->component;
        visits[i].spreads = owner->inherits_others;
    }
    for (uint32_t i = 0; i < self->visits.count && !self->failed; i++) {
        const visit one = *visit_at(self, i);
        if (one.spreads)
            renumber_around(self, one.region);
    }
}

static void forget_dirt(cn_components *components)
{
    for (uint32_t i = 0; i < components->dirty_count; i++)
        components->regions.tiles[components->dirty[i]].is_dirty = false;
    components->dirty_count = 0;
}

bool cn_components_repair(cn_components *components, const cn_mem *mem)
{
    repair self = {.all = components, .regions = &components->regions, .mem = mem};

    if (components->dirty_count == 0)
        return true;
    flood_tiles(&self);
    group_new_regions(&self);
    group_parts(&self);
    prepare_patches(&self);
    for (uint32_t i = 0; i < self.changes.count && !self.failed; i++) {
        if (!change_at(&self, i)->is_whole)
            separate(&self, change_at(&self, i));
    }
    choose_numbers(&self);
    add_up(&self);
    number_groups(&self);
    if (!self.failed)
        write_numbers(&self);
    forget_dirt(components);
    cn_release(mem, self.visits.items);
    cn_release(mem, self.groups.items);
    cn_release(mem, self.changes.items);
    cn_release(mem, self.claims.items);
    cn_release(mem, self.rivals.items);
    cn_release(mem, self.touches.items);
    cn_release(mem, self.patches);
    cn_release(mem, self.patch_parents);
    cn_release(mem, self.placed);
    return !self.failed;
}
