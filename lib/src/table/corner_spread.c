#include "table/corner_spread.h"

#include <string.h>

#include "base/budget.h"
#include "flood/plane.h"
#include "map/corner_ends.h"
#include "table/corner_rows.h"

/* The unit of work is an entry: the time in which a flood computes one. */
enum {
    ENTRIES_PER_MEMBER = 128,    /* finding the ends of the runs from a member */
    ENTRIES_PER_ROW = 8,         /* passing on an entry of a member to all others, for each row */
    ROWS_PER_LINK = 8,           /* following a link, beside an entry for each row */
    ENTRIES_PER_LANDMARK = 64,   /* finding the members that see a landmark, where it sees few */
    CELLS_PER_END = 3,           /* at least, so that ends and links take at most 4 bytes a cell */
    MEMBERS_BETWEEN_CALLS = 256, /* of the progress callback */
    WORDS_PER_BAND = 16 /* of bits by place: the entries of 1,024 members fit a near cache */
};

typedef enum spread_phase {
    FIND_ENDS,
    SEE_LANDMARKS,
    COUNT_LINKS,
    FILL_LINKS,
    SWEEP,
    CONCLUDE,
    ENDED,
    GIVEN_UP
} spread_phase;

/* Where a phase has come to. */
typedef struct spread_place {
    size_t next;  /* member, landmark or end; of bands: the word that is next, as they are swept */
    uint32_t row; /* of landmarks */
    size_t band;
    bool is_up;        /* bands are swept upwards */
    bool band_is_up;   /* the words of this one */
    uint64_t followed; /* links, since all bands were begun */
    uint64_t in_band;  /* since its words were */
} spread_place;

struct cn_spread {
    const cairn_table *table;
    const cairn_map *map;
    void *entries;
    cn_mem mem;
    cn_run_field field;
    uint32_t count; /* of members */
    spread_phase phase;
    spread_place at;
    uint64_t left;       /* entries, before it pauses */
    uint64_t sight_left; /* entries for landmarks in sight, before it is given up */
    cn_arc_list arcs;    /* room for the runs of a member */

    /* Members go by their places until the end, also in entries, ends and links: what lies side by
     * side on the map then does so in memory. */
    uint32_t *place; /* by member, row by row of the map */
    cn_xy *xy;       /* by place */
    uint64_t *due;   /* bits by place: entries fell that were not passed on yet */

    uint32_t *ends; /* of the runs of all members, one member after another: places */
    size_t end_count;
    size_t end_capacity;
    size_t *end_start; /* by place, one more than there are, into ends; NULL once there are links */
    cn_link *links;    /* by end: to the members whose runs end there */
    size_t *link_start; /* by place, one more than there are, into links */
    cn_watch *watch;
    uint64_t reported; /* entries */
    uint64_t most;     /* of these, before the spread is given up */
};

typedef struct cn_spread spread;

/* ---------------------------------------------------------------------------------- opening -- */

static uint64_t entry_count(const cairn_table *table)
{
    return (uint64_t)table->node_count * table->row_count;
}

/* Reports work, but no more than the table has entries: a spread that is given up may take more. */
static bool report_work(spread *self, uint64_t entries)
{
    const uint64_t all = entry_count(self->table);
    const uint64_t left = self->reported < all ? all - self->reported : 0;

    self->reported += entries;
    return cn_watch_advance(self->watch, 0, entries < left ? entries : left);
}

/* How many entries floods compute in the time in which costs spread over the set of a table. */
static uint64_t spread_cost(const cairn_table *table)
{
    return (uint64_t)table->corners->count *
           (ENTRIES_PER_MEMBER + (uint64_t)ENTRIES_PER_ROW * table->row_count);
}

bool cn_corner_spread_is_faster(const cairn_table *table, const cairn_map *map, uint32_t floods)
{
    return spread_cost(table) <= (uint64_t)table->node_count * floods &&
           cn_corner_run_most(table, map) < cn_plane_most(table->entry_bits);
}

static void close_spread(spread *self)
{
    cn_release(&self->mem, self->xy);
    cn_release(&self->mem, self->place);
    cn_release(&self->mem, self->due);
    cn_release(&self->mem, self->ends);
    cn_release(&self->mem, self->link_start);
    cn_release(&self->mem, self->links);
    cn_release(&self->mem, self->end_start);
    cn_release(&self->mem, self->arcs.items);
}

static void begin_phase(spread *self, spread_phase phase)
{
    self->phase = phase;
    self->at = (spread_place){0};
}

static void put_in_order(spread *self)
{
    const cn_corners *corners = self->table->corners;
    uint32_t place = 0;

    for (uint32_t y = 0; y < corners->height; y++) {
        for (size_t word = y * corners->stride; word < (y + 1) * corners->stride; word++) {
            const uint32_t first = corners->before[word];
            const uint32_t end = first + cn_count_bits(corners->numbered[word]);
            for (uint32_t member = first; member < end; member++)
                self->place[member] = place++;
        }
    }
}

static void locate_members(spread *self)
{
    const cn_corners *corners = self->table->corners;
    cn_corner_walk walk = {0, 0};

    for (uint32_t i = 0; i < self->count; i++)
        self->xy[self->place[i]] = cn_corner_walk_to(&walk, corners->width, corners->nodes[i]);
}

static void clear_entries(spread *self)
{
    cn_corner_view view = cn_corner_view_of(self->table, self->map);
    view.entries = self->entries;
    for (uint32_t i = 0; i < self->count; i++)
        cn_corner_view_clear(&view, i);
}

static cairn_status open_members(spread *self)
{
    self->xy = cn_array(&self->mem, self->count, sizeof *self->xy);
    self->place = cn_array(&self->mem, self->count, sizeof *self->place);
    self->due = cn_zeroed(&self->mem, self->count / 64 + 1, sizeof *self->due);
    self->end_start = cn_array(&self->mem, self->count + (size_t)1, sizeof *self->end_start);
    if (!self->xy || !self->place || !self->due || !self->end_start)
        return CAIRN_E_MEMORY;
    put_in_order(self);
    locate_members(self);
    clear_entries(self);
    return CAIRN_OK;
}

static cairn_status open_field(spread *self)
{
    const cn_jump *jump;
    cairn_status status = cn_map_jump(self->map, &jump);
    if (status != CAIRN_OK)
        return status;
    self->field = (cn_run_field){self->table->corners, &self->map->grid, jump, self->map->metric,
                                 self->table->cpu};
    return CAIRN_OK;
}

/* ---------------------------------------------------------------------- landmarks in sight -- */

static void lower_entry(spread *self, uint32_t place, uint32_t row, cairn_cost cost)
{
    const size_t at = (size_t)place * self->table->lane_count + row;

    if (cost < cn_entry_get(self->entries, at, self->table->entry_bits))
        cn_entry_put(self->entries, at, self->table->entry_bits, cost);
    cn_set_bit(self->due, place);
}

/* A row of which entries are lowered. */
typedef struct seen_row {
    spread *self;
    uint32_t row;
} seen_row;

static void lower_seen(void *context, const cn_seen_corner *seen, size_t count)
{
    const seen_row *of = context;
    for (size_t i = 0; i < count; i++)
        lower_entry(of->self, of->self->place[seen[i].corner], of->row, seen[i].cost);
}

/* Those who see a landmark are found from there. For very many, or over much open ground, that may
 * take as long as floods. */
static void see_landmark(spread *self, cairn_node landmark)
{
    seen_row of = {self, self->at.row};
    const uint64_t work = ENTRIES_PER_LANDMARK +
                          cn_corners_in_sight(self->table->corners, &self->map->grid,
                                              self->field.metric, landmark, lower_seen, &of);
    if (work > self->sight_left)
        begin_phase(self, GIVEN_UP);
    cn_spend(&self->sight_left, work);
    cn_spend(&self->left, work);
}

static cairn_status see_landmarks(spread *self)
{
    const cairn_table *table = self->table;
    spread_place *at = &self->at;

    for (; at->row < table->row_count; at->row++) {
        const size_t first = table->landmark_start[at->row];
        const size_t end = table->landmark_start[at->row + 1];
        for (; first + at->next < end && self->left; at->next++) {
            see_landmark(self, table->landmarks[first + at->next]);
            if (self->phase == GIVEN_UP)
                return CAIRN_OK;
        }
        if (first + at->next < end)
            return CAIRN_OK;
        at->next = 0;
        if (!report_work(self, 0))
            return CAIRN_E_CANCELLED;
    }
    begin_phase(self, COUNT_LINKS);
    return CAIRN_OK;
}

/* ------------------------------------------------------------------------- ends and links -- */

static cairn_status keep_ends(spread *self, const cn_arc_list *arcs)
{
    if (!CN_GROW(&self->mem, self->ends, &self->end_capacity, self->end_count,
                 self->end_count + arcs->count))
        return CAIRN_E_MEMORY;
    for (size_t i = 0; i < arcs->count; i++) {
        const uint32_t member = CN_NODE_OF(arcs->items[i].to);
        self->ends[self->end_count++] = self->place[member];
    }
    return CAIRN_OK;
}

static cairn_status find_ends_of(spread *self, uint32_t place)
{
    self->end_start[place] = self->end_count;
    if (!cn_corner_near_ends(&self->field, self->xy[place], &self->arcs))
        return CAIRN_E_MEMORY;
    return keep_ends(self, &self->arcs);
}

/* Half of all entries are reported while ends are found, the others at the end. */
static bool report_member(spread *self, uint32_t member)
{
    const uint64_t half = entry_count(self->table) / 2;
    if (member % MEMBERS_BETWEEN_CALLS)
        return true;
    return report_work(self, half / (self->count / MEMBERS_BETWEEN_CALLS + 1));
}

static cairn_status find_ends(spread *self)
{
    cairn_status status = CAIRN_OK;

    while (self->at.next < self->count && self->left && status == CAIRN_OK) {
        const uint32_t member = (uint32_t)self->at.next++;
        status = report_member(self, member) ? find_ends_of(self, member) : CAIRN_E_CANCELLED;
        cn_spend(&self->left, ENTRIES_PER_MEMBER);
        if (self->end_count > self->table->node_count / CELLS_PER_END) {
            begin_phase(self, GIVEN_UP);
            return status;
        }
    }
    if (status != CAIRN_OK || self->at.next < self->count)
        return status;
    self->end_start[self->count] = self->end_count;
    self->sight_left = entry_count(self->table);
    begin_phase(self, SEE_LANDMARKS);
    return status;
}

/* Links by end, from ends by member. First how many each end has; their sums are where its links
 * end. */
static cairn_status count_links(spread *self)
{
    if (!self->link_start) {
        self->link_start = cn_zeroed(&self->mem, self->count + (size_t)1, sizeof *self->link_start);
        self->links = cn_array(&self->mem, self->end_count, sizeof *self->links);
    }
    if (!self->link_start || !self->links)
        return CAIRN_E_MEMORY;
    for (; self->at.next < self->end_count && self->left; cn_spend(&self->left, 1))
        self->link_start[self->ends[self->at.next++]]++;
    if (self->at.next < self->end_count)
        return CAIRN_OK;
    size_t sum = 0;
    for (uint32_t i = 0; i <= self->count; i++)
        self->link_start[i] = sum += self->link_start[i];
    begin_phase(self, FILL_LINKS);
    return CAIRN_OK;
}

/* The last member first, so that the links of an end ascend. */
static void fill_links_of(spread *self, uint32_t place)
{
    const cn_xy xy = self->xy[place];
    for (size_t i = self->end_start[place]; i < self->end_start[place + 1]; i++) {
        const cn_xy to = self->xy[self->ends[i]];
        self->links[--self->link_start[self->ends[i]]] = (cn_link){
            place,
            cn_octile(self->field.metric, CN_X_OF(xy), CN_Y_OF(xy), CN_X_OF(to), CN_Y_OF(to))};
    }
    cn_spend(&self->left, 1 + 2 * (self->end_start[place + 1] - self->end_start[place]));
}

static void fill_links(spread *self)
{
    for (; self->at.next < self->count && self->left; self->at.next++)
        fill_links_of(self, self->count - 1 - (uint32_t)self->at.next);
    if (self->at.next < self->count)
        return;
    cn_release(&self->mem, self->end_start);
    cn_release(&self->mem, self->ends);
    self->ends = NULL;
    self->end_start = NULL;
    self->most = self->reported + entry_count(self->table) / 2;
    begin_phase(self, SWEEP);
}

/* --------------------------------------------------------------------------------- sweeping -- */

/* What is due of a word of places in a sweep, as far as the sweep has not passed it; once it has
 * passed all, from the beginning. */
static uint64_t due_ahead(uint64_t due, uint64_t ahead)
{
    return due & ahead ? due & ahead : due;
}

/* Passes on what the members of one word of places have, upwards or downwards; returns how many
 * links were followed. */
static uint64_t sweep_word(spread *self, cn_corner_giver give, size_t word, bool is_up)
{
    const cairn_table *table = self->table;
    uint64_t ahead = UINT64_MAX, followed = 0;

    while (self->due[word]) {
        const uint64_t due = due_ahead(self->due[word], ahead);
        const unsigned bit = is_up ? cn_highest_bit(due) : cn_lowest_bit(due);
        const size_t place = word * 64 + bit;
        const size_t *start = &self->link_start[place];
        ahead = is_up ? (UINT64_C(1) << bit) - 1 : (UINT64_MAX - 1) << bit;
        self->due[word] &= ~(UINT64_C(1) << bit);
        give(self->entries, place, self->links + start[0], start[1] - start[0], table->lane_count,
             self->due);
        followed += start[1] - start[0];
    }
    return followed;
}

/* Goes on to the next word: of the band, which is swept downwards and upwards in turn until none of
 * its members is due, so that what is read again and again stays in a near cache; then of the next
 * band, where these are swept in turn as well. */
static void go_on(spread *self, size_t words, size_t bands)
{
    spread_place *at = &self->at;

    if (++at->next < words)
        return;
    at->next = 0;
    at->band_is_up = !at->band_is_up;
    at->followed += at->in_band;
    if (at->in_band) {
        at->in_band = 0;
        return;
    }
    if (++at->band == bands) {
        at->band = 0;
        at->is_up = !at->is_up;
        if (!at->followed)
            begin_phase(self, CONCLUDE);
        at->followed = 0;
    }
    at->band_is_up = at->is_up;
}

/* Follows links for half as many entries as there are, at most. */
static cairn_status sweep(spread *self)
{
    const cairn_table *table = self->table;
    const cn_corner_giver give = cn_corner_giver_for(table->entry_bits, table->cpu);
    const size_t words = self->count / 64 + 1, bands = (words - 1) / WORDS_PER_BAND + 1;
    spread_place *at = &self->at;

    while (self->phase == SWEEP && self->left) {
        const size_t band = at->is_up ? bands - 1 - at->band : at->band;
        const size_t first = band * WORDS_PER_BAND;
        const size_t count = words - first < WORDS_PER_BAND ? words - first : WORDS_PER_BAND;
        const size_t word = first + (at->band_is_up ? count - 1 - at->next : at->next);
        const uint64_t links = sweep_word(self, give, word, at->band_is_up);
        const uint64_t work = links * (ROWS_PER_LINK + table->row_count) / ROWS_PER_LINK;
        at->in_band += links;
        if (!report_work(self, work))
            return CAIRN_E_CANCELLED;
        cn_spend(&self->left, work + 1);
        go_on(self, count, bands);
        if (self->reported > self->most)
            begin_phase(self, GIVEN_UP);
    }
    return CAIRN_OK;
}

/* ---------------------------------------------------------------------------------- the end -- */

/* Unreachable entries are the largest numbers, one below 0. */
static uint32_t greatest_16(const uint16_t *entries, size_t count)
{
    uint16_t above = 0;
    for (size_t i = 0; i < count; i++) {
        const uint16_t next = (uint16_t)(entries[i] + 1u);
        above = next > above ? next : above;
    }
    return above;
}

static uint32_t greatest_32(const uint32_t *entries, size_t count)
{
    uint32_t above = 0;
    for (size_t i = 0; i < count; i++)
        above = entries[i] + 1 > above ? entries[i] + 1 : above;
    return above;
}

/* Whether entries hold the cost of every cell. A sum that they could not hold counts as
 * unreachable, but only a cost near the largest one leads to such a sum. */
static bool costs_fit(const spread *self)
{
    const cairn_table *table = self->table;
    const size_t count = (size_t)self->count * table->lane_count;
    const uint64_t above = table->entry_bits == 16 ? greatest_16(self->entries, count)
                                                   : greatest_32(self->entries, count);
    return above + cn_corner_run_most(table, self->map) <= cn_plane_most(table->entry_bits);
}

/* Moves entries from their places to their members, along the circles of the order. */
static void put_back(spread *self)
{
    const size_t size = self->table->lane_count * (self->table->entry_bits / 8);
    uint8_t *entries = self->entries;
    uint32_t held[CN_LANES_MAX];

    memset(self->due, 0, (self->count / 64 + (size_t)1) * sizeof *self->due);
    for (uint32_t first = 0; first < self->count; first++) {
        uint32_t member = first;
        if (self->place[first] == first || cn_has_bit(self->due, first))
            continue;
        memcpy(held, entries + first * size, size);
        for (; self->place[member] != first; member = self->place[member]) {
            memcpy(entries + member * size, entries + self->place[member] * size, size);
            cn_set_bit(self->due, member);
        }
        memcpy(entries + member * size, held, size);
        cn_set_bit(self->due, member);
    }
}

static bool report_the_rest(spread *self)
{
    return report_work(self, entry_count(self->table));
}

/* The floods report all entries. */
static bool begin_again(spread *self)
{
    cn_watch *watch = self->watch;
    return !watch || !self->reported || cn_watch_stage(watch, watch->stage, watch->total);
}

static void conclude(spread *self)
{
    const bool fits = costs_fit(self);
    if (fits)
        put_back(self);
    begin_phase(self, fits ? ENDED : GIVEN_UP);
}

static cairn_status run_phase(spread *self)
{
    switch (self->phase) {
    case FIND_ENDS: return find_ends(self);
    case SEE_LANDMARKS: return see_landmarks(self);
    case COUNT_LINKS: return count_links(self);
    case FILL_LINKS: fill_links(self); return CAIRN_OK;
    case SWEEP: return sweep(self);
    default: conclude(self); return CAIRN_OK;
    }
}

cairn_status cn_spread_begin(const cairn_table *table, const cairn_map *map, void *entries,
                             cn_watch *watch, cn_spread **made)
{
    spread *self = cn_zeroed(&table->mem, 1, sizeof *self);
    *made = NULL;
    if (!self)
        return CAIRN_E_MEMORY;
    self->table = table;
    self->map = map;
    self->entries = entries;
    self->mem = table->mem;
    self->count = table->corners->count;
    self->watch = watch;
    self->arcs.mem = &self->mem;
    const cairn_status status = open_members(self);
    if (status == CAIRN_OK)
        *made = self;
    else
        cn_spread_free(self);
    return status;
}

/* The planes of the map may lie elsewhere than when the spread paused. */
cairn_status cn_spread_run(cn_spread *self, const cairn_map *map, uint64_t *work, bool *is_done)
{
    self->map = map;
    self->left = *work;
    *is_done = false;
    cairn_status status = open_field(self);
    while (status == CAIRN_OK && self->left && self->phase < ENDED)
        status = run_phase(self);
    *work = self->left;
    if (status != CAIRN_OK)
        return status;
    if (self->phase < ENDED)
        return CAIRN_MORE;
    *is_done = self->phase == ENDED;
    return (*is_done ? report_the_rest : begin_again)(self) ? CAIRN_OK : CAIRN_E_CANCELLED;
}

void cn_spread_free(cn_spread *self)
{
    if (!self)
        return;
    const cn_mem mem = self->mem;
    close_spread(self);
    cn_release(&mem, self);
}

cairn_status cn_corner_spread(const cairn_table *table, const cairn_map *map, void *entries,
                              cn_watch *watch, bool *is_done)
{
    uint64_t work = UINT64_MAX;
    cn_spread *self;

    *is_done = false;
    cairn_status status = cn_spread_begin(table, map, entries, watch, &self);
    if (status == CAIRN_OK)
        status = cn_spread_run(self, map, &work, is_done);
    cn_spread_free(self);
    return status;
}
