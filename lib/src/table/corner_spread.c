#include "table/corner_spread.h"

#include <string.h>

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

typedef struct spread {
    const cairn_table *table;
    const cairn_map *map;
    void *entries;
    cn_mem mem;
    cn_run_field field;
    uint32_t count; /* of members */

    /* Members go by their places until the end, also in entries, ends and links: what lies side by
     * side on the map then does so in memory. */
    uint32_t *place; /* by member, row by row of the map */
    cn_xy *xy;       /* by place */
    uint64_t *due;   /* bits by place: entries fell that were not passed on yet */

    uint32_t *ends; /* of the runs of all members, one member after another: places */
    size_t end_count;
    size_t end_capacity;
    size_t *link_start; /* by place, one more than there are: first into ends, then into links */
    cn_link *links;     /* by end: to the members whose runs end there */
    bool is_done;
    cn_watch *watch;
    uint64_t reported; /* entries */
    uint64_t most;     /* of these, before the spread is given up */
} spread;

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

uint64_t cn_corner_spread_cost(const cairn_table *table)
{
    return (uint64_t)table->corners->count *
           (ENTRIES_PER_MEMBER + (uint64_t)ENTRIES_PER_ROW * table->row_count);
}

bool cn_corner_spread_is_faster(const cairn_table *table, const cairn_map *map, uint32_t floods)
{
    return cn_corner_spread_cost(table) <= (uint64_t)table->node_count * floods &&
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
    self->link_start = cn_array(&self->mem, self->count + (size_t)1, sizeof *self->link_start);
    if (!self->xy || !self->place || !self->due || !self->link_start)
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
    self->due[place / 64] |= UINT64_C(1) << place % 64;
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
static cairn_status see_landmarks(spread *self)
{
    const cairn_table *table = self->table;
    uint64_t left = entry_count(table);

    for (uint32_t row = 0; row < table->row_count; row++) {
        seen_row of = {self, row};
        if (!report_work(self, 0))
            return CAIRN_E_CANCELLED;
        for (size_t i = table->landmark_start[row]; i < table->landmark_start[row + 1]; i++) {
            const uint64_t work = ENTRIES_PER_LANDMARK +
                                  cn_corners_in_sight(table->corners, &self->map->grid,
                                                      self->field.metric, table->landmarks[i],
                                                      lower_seen, &of);
            self->is_done = work <= left;
            if (!self->is_done)
                return CAIRN_OK;
            left -= work;
        }
    }
    return CAIRN_OK;
}

/* ------------------------------------------------------------------------- ends and links -- */

static cairn_status keep_ends(spread *self, const cn_arc_list *arcs)
{
    void *ends = self->ends;

    if (!cn_grow(&self->mem, &ends, &self->end_capacity, self->end_count,
                 self->end_count + arcs->count, sizeof *self->ends))
        return CAIRN_E_MEMORY;
    self->ends = ends;
    for (size_t i = 0; i < arcs->count; i++) {
        const uint32_t member = arcs->items[i].to & ((1u << CN_ARRIVAL_SHIFT) - 1);
        self->ends[self->end_count++] = self->place[member];
    }
    return CAIRN_OK;
}

static cairn_status find_ends_of(spread *self, uint32_t place, cn_arc_list *arcs)
{
    self->link_start[place] = self->end_count;
    if (!cn_corner_near_ends(&self->field, self->xy[place], arcs))
        return CAIRN_E_MEMORY;
    return keep_ends(self, arcs);
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
    cn_arc_list arcs = {.mem = &self->mem};
    cairn_status status = CAIRN_OK;

    self->is_done = true;
    for (uint32_t i = 0; i < self->count && status == CAIRN_OK && self->is_done; i++) {
        status = report_member(self, i) ? find_ends_of(self, i, &arcs) : CAIRN_E_CANCELLED;
        self->is_done = self->end_count <= self->table->node_count / CELLS_PER_END;
    }
    self->link_start[self->count] = self->end_count;
    cn_release(&self->mem, arcs.items);
    return status;
}

/* Links by end, from ends by member: *start becomes where those of each end begin. */
static void turn_ends(const spread *self, cn_link *links, size_t *start)
{
    const cairn_metric metric = self->field.metric;
    size_t sum = 0;

    for (size_t i = 0; i < self->end_count; i++)
        start[self->ends[i]]++;
    for (uint32_t i = 0; i <= self->count; i++)
        start[i] = sum += start[i];
    for (uint32_t place = self->count; place-- > 0;) {
        const cn_xy xy = self->xy[place];
        for (size_t i = self->link_start[place]; i < self->link_start[place + 1]; i++) {
            const cn_xy to = self->xy[self->ends[i]];
            links[--start[self->ends[i]]] = (cn_link){
                place, cn_octile(metric, CN_X_OF(xy), CN_Y_OF(xy), CN_X_OF(to), CN_Y_OF(to))};
        }
    }
}

static cairn_status make_links(spread *self)
{
    size_t *start = cn_zeroed(&self->mem, self->count + (size_t)1, sizeof *start);
    self->links = cn_array(&self->mem, self->end_count, sizeof *self->links);
    if (!start || !self->links) {
        cn_release(&self->mem, start);
        return CAIRN_E_MEMORY;
    }
    turn_ends(self, self->links, start);
    cn_release(&self->mem, self->link_start);
    cn_release(&self->mem, self->ends);
    self->link_start = start;
    self->ends = NULL;
    return CAIRN_OK;
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

/* Sweeps a band of words, downwards and upwards in turn, until none of its members is due: what is
 * read again and again stays in a near cache. */
static cairn_status sweep_band(spread *self, cn_corner_giver give, size_t first, size_t count,
                               bool is_up, uint64_t *followed)
{
    const uint32_t rows = self->table->row_count;
    uint64_t last = 1;

    for (; last && self->is_done; is_up = !is_up) {
        last = 0;
        for (size_t i = 0; i < count && self->is_done; i++) {
            const size_t word = first + (is_up ? count - 1 - i : i);
            const uint64_t links = sweep_word(self, give, word, is_up);
            last += links;
            if (!report_work(self, links * (ROWS_PER_LINK + rows) / ROWS_PER_LINK))
                return CAIRN_E_CANCELLED;
            self->is_done = self->reported <= self->most;
        }
        *followed += last;
    }
    return CAIRN_OK;
}

/* Sweeps all bands, downwards and upwards in turn. Follows links for half as many entries as there
 * are, at most. */
static cairn_status sweep(spread *self)
{
    const cairn_table *table = self->table;
    const cn_corner_giver give = cn_corner_giver_for(table->entry_bits, table->cpu);
    const size_t words = self->count / 64 + 1, bands = words / WORDS_PER_BAND + 1;
    cairn_status status = CAIRN_OK;
    uint64_t followed = 1;

    self->most = self->reported + entry_count(table) / 2;
    for (bool is_up = false; followed && self->is_done; is_up = !is_up) {
        followed = 0;
        for (size_t i = 0; i < bands && status == CAIRN_OK; i++) {
            const size_t first = (is_up ? bands - 1 - i : i) * WORDS_PER_BAND;
            const size_t count = words - first < WORDS_PER_BAND ? words - first : WORDS_PER_BAND;
            status = sweep_band(self, give, first, count, is_up, &followed);
        }
        if (status != CAIRN_OK)
            return status;
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
        if (self->place[first] == first || self->due[first / 64] >> first % 64 & 1)
            continue;
        memcpy(held, entries + first * size, size);
        for (; self->place[member] != first; member = self->place[member]) {
            memcpy(entries + member * size, entries + self->place[member] * size, size);
            self->due[member / 64] |= UINT64_C(1) << member % 64;
        }
        memcpy(entries + member * size, held, size);
        self->due[member / 64] |= UINT64_C(1) << member % 64;
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

static cairn_status run(spread *self)
{
    cairn_status status = open_field(self);
    if (status == CAIRN_OK)
        status = open_members(self);
    if (status == CAIRN_OK)
        status = find_ends(self);
    if (status == CAIRN_OK && self->is_done)
        status = see_landmarks(self);
    if (status == CAIRN_OK && self->is_done)
        status = make_links(self);
    if (status == CAIRN_OK && self->is_done)
        status = sweep(self);
    if (status != CAIRN_OK)
        return status;
    self->is_done = self->is_done && costs_fit(self);
    if (self->is_done)
        put_back(self);
    return (self->is_done ? report_the_rest : begin_again)(self) ? CAIRN_OK : CAIRN_E_CANCELLED;
}

cairn_status cn_corner_spread(const cairn_table *table, const cairn_map *map, void *entries,
                              cn_watch *watch, bool *is_done)
{
    spread self = {.table = table,
                   .map = map,
                   .entries = entries,
                   .mem = table->mem,
                   .count = table->corners->count,
                   .watch = watch};

    cairn_status status = run(&self);
    *is_done = status == CAIRN_OK && self.is_done;
    close_spread(&self);
    return status;
}
