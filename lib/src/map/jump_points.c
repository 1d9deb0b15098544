#include "map/jump_points.h"

#include <string.h>

#include "base/bytes.h"
#include "map/map_steps.h"

/* ------------------------------------------------------------------------------- what turns -- */

static cn_jump_shape shape_of(cairn_rule rule)
{
    switch (rule) {
    case CAIRN_RULE_8: return CN_JUMP_CLASSIC;
    case CAIRN_RULE_4: return CN_JUMP_CROSS;
    case CAIRN_RULE_HEX: return CN_JUMP_HEX;
    default: return CN_JUMP_CUT;
    }
}

static void fill_directions(cn_jump *jump, const cn_grid *grid)
{
    for (unsigned left = cn_rule_directions(grid->rules.rule); left; left &= left - 1) {
        unsigned major = cn_lowest_bit(left);
        if (!cn_rule_is_major(grid->rules.rule, major))
            continue;
        jump->majors |= 1u << major;
        jump->beside[major] = (uint8_t)(grid->canonical[major][255] & ~(1u << major));
        for (unsigned minors = jump->beside[major]; minors; minors &= minors - 1)
            jump->beside[cn_lowest_bit(minors)] |= (uint8_t)(1u << major);
    }
}

/* By the hits of a cell: the major directions beside those of the minor runs that end at turns. */
static void fill_crossed(cn_jump *jump)
{
    for (unsigned hits = 0; hits < 256; hits++) {
        for (unsigned left = jump->majors; left; left &= left - 1) {
            const unsigned major = cn_lowest_bit(left);
            const bool is_crossed = hits & jump->beside[major];
            jump->crossed[hits] |= (uint8_t)(is_crossed << major);
        }
    }
}

static void fill_turns(cn_jump *jump, const cn_grid *grid)
{
    for (unsigned around = 0; around < 256; around++) {
        for (unsigned direction = 0; direction < CN_DIRECTIONS; direction++) {
            const uint8_t *steps = grid->canonical[direction];
            bool is_known = CN_HAS(cn_rule_directions(grid->rules.rule), direction);
            bool turns = is_known && steps[around] & ~(unsigned)steps[255];
            jump->turns[around] |= (uint8_t)(turns << direction);
        }
    }
}

/* ---------------------------------------------------------------------------------- borders -- */

/* Whether an open cell is avoided, or an open neighbour of it is. */
static bool is_beside_avoided(const cn_jump *jump, const cn_grid *grid, cairn_node node, uint32_t y)
{
    const uint64_t *avoided = jump->avoided;
    if (!avoided)
        return false;
    bool found = cn_has_bit(avoided, node);
    for (unsigned left = grid->around[node]; left && !found; left &= left - 1) {
        cairn_node next = node + (cairn_node)cn_grid_offset(grid, y, cn_lowest_bit(left));
        found = cn_has_bit(avoided, next);
    }
    return found;
}

static void update_border(cn_jump *jump, const cn_grid *grid, cairn_node node, uint32_t y)
{
    const bool was_border = cn_jump_is_border(jump, node), open = cn_grid_is_open(grid, node);
    const bool is_free = open && is_beside_avoided(jump, grid, node, y);
    const bool is_border = is_free || (open && cn_borders_has(grid, node, y));
    uint8_t *steps = jump->border_steps ? jump->border_steps + (size_t)node * CN_DIRECTIONS : NULL;

    cn_put_bit(jump->borders, node, is_border);
    if (!steps)
        return;
    if (is_border && !is_free)
        cn_jump_fill_border(jump, node);
    else if (is_free || was_border)
        memset(steps, is_free ? (int)cn_grid_steps(grid, node) : 0, CN_DIRECTIONS);
}

/* Every legal step may be taken from the border. */
static void free_border(cn_jump *jump, const cn_grid *grid, cairn_node node)
{
    cn_set_bit(jump->borders, node);
    if (jump->border_steps)
        memset(jump->border_steps + (size_t)node * CN_DIRECTIONS, (int)cn_grid_steps(grid, node),
               CN_DIRECTIONS);
}

static void free_borders_at(cn_jump *jump, const cn_grid *grid, cairn_node avoided)
{
    uint32_t x, y;
    if (!cn_grid_is_open(grid, avoided))
        return;
    cn_grid_xy(grid, avoided, &x, &y);
    free_border(jump, grid, avoided);
    for (unsigned left = grid->around[avoided]; left; left &= left - 1)
        free_border(jump, grid, avoided + (cairn_node)cn_grid_offset(grid, y, cn_lowest_bit(left)));
}

static void free_borders_beside_avoided(cn_jump *jump, const cn_grid *grid)
{
    for (size_t word = 0; word < cn_border_words(grid); word++) {
        for (uint64_t left = jump->avoided[word]; left; left &= left - 1)
            free_borders_at(jump, grid, (cairn_node)(word * 64) + cn_lowest_bit(left));
    }
}

static void forget_steps_of_all(cn_jump *jump)
{
    for (size_t word = 0; word < cn_border_words(&jump->map->grid); word++) {
        for (uint64_t left = jump->borders[word]; left; left &= left - 1) {
            const size_t border = word * 64 + cn_lowest_bit(left);
            memset(jump->border_steps + border * CN_DIRECTIONS, 0, CN_DIRECTIONS);
        }
    }
}

static bool is_known_border(const cn_jump *jump, cairn_node node)
{
    return jump->borders && cn_jump_is_border(jump, node);
}

/* The directions of runs that turn at an open cell. */
static unsigned turns_at(const cn_jump *jump, const cn_grid *grid, cairn_node node)
{
    return is_known_border(jump, node) ? 0xffu : jump->turns[grid->around[node]];
}

static unsigned legal_steps(const cn_jump *jump, const cn_grid *grid, cairn_node node)
{
    return jump->borders ? cn_grid_steps(grid, node) : grid->moves[grid->around[node]];
}

/* ------------------------------------------------------------------------------------ stops -- */

/* Whether major runs have lines in the bit planes. */
static bool has_major_lines(const cn_jump *jump)
{
    return jump->shape == CN_JUMP_CROSS || jump->shape == CN_JUMP_HEX;
}

/* The directions of runs that have lines in the bit planes. */
static unsigned lined(const cn_jump *jump, const cn_grid *grid)
{
    unsigned known = cn_rule_directions(grid->rules.rule);
    return has_major_lines(jump) ? known : known & ~jump->majors;
}

/* The directions of runs that stop at a cell of row y. Major ones also do so where a minor run from
 * there ends at a turn, and in the first row, where their lines end. */
static unsigned stops_at(const cn_jump *jump, const cn_grid *grid, cairn_node node, uint32_t y)
{
    const unsigned upwards = CN_BIT(CN_N) | CN_BIT(CN_NE) | CN_BIT(CN_NW);
    if (!cn_grid_is_open(grid, node))
        return 0xff;
    return turns_at(jump, grid, node) | jump->crossed[jump->hits[node]] |
           (y == 0 ? upwards & jump->majors : 0);
}

static void set_stop(cn_jump *jump, const cn_grid *grid, cairn_node node, unsigned direction)
{
    const unsigned axis = cn_jump_axis(jump->shape, direction);
    const cn_axis *lines = &jump->axes[axis];
    uint32_t x, y;
    cn_grid_xy(grid, node, &x, &y);
    const size_t line = cn_jump_line(jump->shape, axis, grid->height, x, y);
    const uint32_t at = axis == 0 ? x : y;
    cn_stops *word = &lines->stops[cn_jump_words(lines, jump->shape, line) + at / 64];
    cn_put_bit(cn_jump_is_forward(direction) ? &word->forward : &word->backward, at % 64,
               CN_HAS(stops_at(jump, grid, node, y), direction));
}

static void set_hit(cn_jump *jump, const cn_grid *grid, cairn_node node, unsigned direction,
                    unsigned hit)
{
    jump->hits[node] = (uint8_t)((jump->hits[node] & ~(1u << direction)) | hit << direction);
    if (!has_major_lines(jump))
        return;
    for (unsigned left = jump->beside[direction]; left; left &= left - 1)
        set_stop(jump, grid, node, cn_lowest_bit(left));
}

/* ----------------------------------------------------------------- words of stops at a time -- */

enum { BLOCK_SIDE = 64 };

/* Bits of a word, or columns; the last one belongs to it. */
typedef struct range {
    uint32_t first, last;
} range;

/* The bit of a byte of stops that says whether the cell is clear: that of a direction without
 * lines. */
static unsigned clear_bit(const cn_jump *jump)
{
    return jump->shape == CN_JUMP_HEX ? CN_S : CN_SE;
}

static uint8_t stop_byte(const cn_jump *jump, const cn_grid *grid, cairn_node node, uint32_t y)
{
    const unsigned clear = 1u << clear_bit(jump), stops = stops_at(jump, grid, node, y);
    const bool is_clear = cn_grid_is_open(grid, node) && !is_known_border(jump, node);
    return (uint8_t)(is_clear ? stops | clear : stops & ~clear);
}

/* Bit i of a part: bit `which` of byte i. */
static uint64_t bits_of(const uint8_t bytes[BLOCK_SIDE], unsigned which, range part)
{
    uint64_t bits = 0;
    for (unsigned i = part.first & ~7u; i <= part.last; i += 8) {
        /* The product moves byte i to bit 56 + i. */
        const uint64_t ones = cn_get_u64(bytes + i) >> which & 0x0101010101010101u;
        bits |= (ones * 0x0102040810204080u >> 56) << i;
    }
    return bits;
}

static uint64_t merged(uint64_t word, uint64_t bits, uint64_t mask)
{
    return (word & ~mask) | (bits & mask);
}

/* Writes the part of a word of a line whose cells are `bytes`. */
static void write_word(cn_jump *jump, unsigned axis, size_t word, const uint8_t *bytes, range part)
{
    static const uint8_t forward_on[CN_JUMP_SHAPES][CN_AXES] = {
        [CN_JUMP_CLASSIC] = {CN_E, CN_S},
        [CN_JUMP_CUT] = {CN_E, CN_S},
        [CN_JUMP_CROSS] = {CN_E, CN_S},
        [CN_JUMP_HEX] = {CN_E, CN_SE, CN_SW},
    };
    const unsigned forward = forward_on[jump->shape][axis], backward = cn_opposite(forward);
    const uint64_t mask = ~UINT64_C(0) << part.first & ~UINT64_C(0) >> (63 - part.last);
    const cn_axis *lines = &jump->axes[axis];
    cn_stops *stops = &lines->stops[word];
    stops->forward = merged(stops->forward, bits_of(bytes, forward, part), mask);
    stops->backward = merged(stops->backward, bits_of(bytes, backward, part), mask);
    lines->clear[word] = merged(lines->clear[word], bits_of(bytes, clear_bit(jump), part), mask);
}

/* The cells of an area up to the end of a word. */
static uint32_t word_end(uint32_t first, uint32_t last)
{
    const uint32_t end = first | (BLOCK_SIDE - 1);
    return end < last ? end : last;
}

static void update_rows(cn_jump *jump, const cn_grid *grid, cn_area area)
{
    uint8_t bytes[BLOCK_SIDE] = {0};
    for (uint32_t y = area.top; y <= area.bottom; y++) {
        uint32_t end;
        for (uint32_t x = area.left; x <= area.right; x = end + 1) {
            end = word_end(x, area.right);
            for (uint32_t at = x; at <= end; at++)
                bytes[at % BLOCK_SIDE] = stop_byte(jump, grid, y * grid->width + at, y);
            write_word(jump, 0, y * jump->axes[0].words + x / BLOCK_SIDE, bytes,
                       (range){x % BLOCK_SIDE, end % BLOCK_SIDE});
        }
    }
}

/* Neighbouring lines of an axis, and the columns of an area in which they cross a row of it. */
typedef struct some_lines {
    unsigned axis;
    size_t first, last;
} some_lines;

static bool columns_of(const cn_jump *jump, const cn_grid *grid, const cn_area *area,
                       const some_lines *lines, uint32_t y, range *columns)
{
    const size_t line = cn_jump_line(jump->shape, lines->axis, grid->height, 0, y);
    const size_t first = line + area->left, last = line + area->right;
    if (last < lines->first || lines->last < first)
        return false;
    columns->first = (uint32_t)((first < lines->first ? lines->first : first) - line);
    columns->last = (uint32_t)((last < lines->last ? last : lines->last) - line);
    return true;
}

/* Writes words of lines; the rows of the area lie in one word of each. */
static void update_lines(cn_jump *jump, const cn_grid *grid, const cn_area *area, some_lines lines)
{
    const cn_axis *axis = &jump->axes[lines.axis];
    const size_t count = lines.last - lines.first + 1;
    uint8_t bytes[BLOCK_SIDE][BLOCK_SIDE];
    range parts[BLOCK_SIDE], columns;

    memset(bytes, 0, count * BLOCK_SIDE);
    for (size_t i = 0; i < count; i++)
        parts[i].first = BLOCK_SIDE;
    for (uint32_t y = area->top; y <= area->bottom; y++) {
        if (!columns_of(jump, grid, area, &lines, y, &columns))
            continue;
        size_t i = cn_jump_line(jump->shape, lines.axis, grid->height, columns.first, y) -
                   lines.first;
        for (uint32_t x = columns.first; x <= columns.last; x++, i++) {
            bytes[i][y % BLOCK_SIDE] = stop_byte(jump, grid, y * grid->width + x, y);
            if (parts[i].first == BLOCK_SIDE)
                parts[i].first = y % BLOCK_SIDE;
            parts[i].last = y % BLOCK_SIDE;
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (parts[i].first < BLOCK_SIDE)
            write_word(jump, lines.axis,
                       cn_jump_words(axis, jump->shape, lines.first + i) + area->top / BLOCK_SIDE,
                       bytes[i], parts[i]);
    }
}

static void update_axis(cn_jump *jump, const cn_grid *grid, cn_area area, unsigned axis)
{
    const uint32_t bottom = area.bottom;
    for (; area.top <= bottom; area.top = area.bottom + 1) {
        area.bottom = word_end(area.top, bottom);
        const size_t above = cn_jump_line(jump->shape, axis, grid->height, 0, area.top);
        const size_t below = cn_jump_line(jump->shape, axis, grid->height, 0, area.bottom);
        const size_t last = area.right + (above < below ? below : above);
        size_t first = area.left + (above < below ? above : below), end;
        for (; first <= last; first = end + 1) {
            end = last - first < BLOCK_SIDE ? last : first + BLOCK_SIDE - 1;
            update_lines(jump, grid, &area, (some_lines){axis, first, end});
        }
    }
}

static void update_stops(cn_jump *jump, const cn_grid *grid, cn_area area)
{
    update_rows(jump, grid, area);
    for (unsigned axis = 1; axis < jump->axis_count; axis++)
        update_axis(jump, grid, area, axis);
}

/* ------------------------------------------------------------------------------------- hits -- */

/* Whether a run from a cell ends at a turn, given the hit of the next cell. */
static unsigned hit_of(const cn_jump *jump, const cn_grid *grid, cairn_node node, ptrdiff_t offset,
                       unsigned direction)
{
    if (!CN_HAS(legal_steps(jump, grid, node), direction))
        return 0;
    cairn_node ahead = node + (cairn_node)offset;
    return CN_HAS(turns_at(jump, grid, ahead) | jump->hits[ahead], direction);
}

/* Updates the hits of the cells behind a cell, until they do not change. */
static void update_behind(cn_jump *jump, const cn_grid *grid, cairn_node node, uint32_t y,
                          unsigned direction)
{
    const unsigned back = cn_opposite(direction);
    const int down = cn_step_y[back];

    while (CN_HAS(grid->around[node], back)) {
        node += (cairn_node)cn_grid_offset(grid, y, back);
        y += (uint32_t)down;
        unsigned hit = hit_of(jump, grid, node, cn_grid_offset(grid, y, direction), direction);
        jump->walked++;
        if (CN_HAS(jump->hits[node], direction) == hit)
            return;
        set_hit(jump, grid, node, direction, hit);
    }
}

/* update_behind for straight directions where these are the minor ones and there are no borders:
 * steps are legal between any two open cells, and no line of a major run changes. */
static void update_behind_open(cn_jump *jump, const cn_grid *grid, cairn_node node, uint32_t y,
                               unsigned direction)
{
    const unsigned back = cn_opposite(direction);
    const cairn_node step = (cairn_node)cn_grid_offset(grid, y, back);
    const uint8_t *around = grid->around;
    unsigned ends = 0;
    uint64_t walked = 0;

    if (cn_grid_is_open(grid, node))
        ends = CN_HAS(jump->turns[around[node]] | jump->hits[node], direction);
    while (CN_HAS(around[node], back)) {
        node += step;
        walked++;
        if (CN_HAS(jump->hits[node], direction) == ends)
            break;
        jump->hits[node] ^= (uint8_t)(1u << direction);
        ends |= CN_HAS(jump->turns[around[node]], direction);
    }
    jump->walked += walked;
}

/* Cells of a row of an area, those in front first. */
typedef struct front {
    cairn_node node;
    uint32_t count;
    uint32_t next; /* added to a node to get the next one */
    ptrdiff_t offset;
    unsigned direction;
} front;

static front front_of(const cn_grid *grid, const cn_area *area, uint32_t y, unsigned direction)
{
    const bool is_left = cn_step_x[direction] < 0;
    return (front){.node = y * grid->width + (is_left ? area->left : area->right),
                   .count = area->right - area->left + 1,
                   .next = is_left ? 1u : UINT32_MAX,
                   .offset = cn_grid_offset(grid, y, direction),
                   .direction = direction};
}

static void update_hits_of_row(cn_jump *jump, const cn_grid *grid, front at)
{
    const unsigned others = ~(1u << at.direction);
    for (; at.count; at.count--, at.node += at.next) {
        const unsigned hit = hit_of(jump, grid, at.node, at.offset, at.direction);
        jump->hits[at.node] = (uint8_t)((jump->hits[at.node] & others) | hit << at.direction);
    }
}

/* update_hits_of_row without branches, for straight directions where these are the minor ones and
 * there are no borders: steps are legal between any two open cells. */
static void update_hits_of_open_row(cn_jump *jump, const cn_grid *grid, front at)
{
    const unsigned direction = at.direction, others = ~(1u << direction);
    const uint8_t *around = grid->around;
    uint8_t *hits = jump->hits;

    for (; at.count; at.count--, at.node += at.next) {
        const unsigned legal = CN_HAS(around[at.node], direction);
        const cairn_node ahead = at.node + ((cairn_node)at.offset & (0 - legal));
        const unsigned ends = (unsigned)jump->turns[around[ahead]] | hits[ahead];
        const unsigned hit = legal & ends >> direction;
        hits[at.node] = (uint8_t)((hits[at.node] & others) | hit << direction);
    }
}

/* The same for directions along the row: the cell ahead is the one before, so that what it gives
 * need not come from memory. */
static void update_hits_along_open_row(cn_jump *jump, const cn_grid *grid, front at)
{
    const unsigned direction = at.direction, others = ~(1u << direction);
    const uint8_t *turns = jump->turns, *around = grid->around;
    unsigned ends = 0;

    if (CN_HAS(around[at.node], direction)) {
        const cairn_node ahead = at.node + (cairn_node)at.offset;
        ends = CN_HAS(turns[around[ahead]] | jump->hits[ahead], direction);
    }
    for (; at.count; at.count--, at.node += at.next) {
        const unsigned hit = CN_HAS(around[at.node], direction) & ends;
        jump->hits[at.node] = (uint8_t)((jump->hits[at.node] & others) | hit << direction);
        ends = CN_HAS(turns[around[at.node]], direction) | hit;
    }
}

static void update_hits(cn_jump *jump, const cn_grid *grid, cn_area area, unsigned direction)
{
    const bool is_up = cn_step_y[direction] < 0;
    void (*const update)(cn_jump *, const cn_grid *, front) = jump->borders ? update_hits_of_row
                                                              : cn_step_y[direction]
                                                                  ? update_hits_of_open_row
                                                                  : update_hits_along_open_row;
    const uint32_t height = area.bottom - area.top + 1;

    for (uint32_t row = 0; row < height; row++) {
        const uint32_t y = is_up ? area.top + row : area.bottom - row;
        update(jump, grid, front_of(grid, &area, y, direction));
    }
}

/* Updates the cells behind the area, beginning with those at its sides. */
static void update_behind_area(cn_jump *jump, const cn_grid *grid, cn_area area, unsigned direction)
{
    const unsigned back = cn_opposite(direction);
    const uint32_t last = cn_step_y[back] < 0 ? area.top : area.bottom;
    void (*const update)(cn_jump *, const cn_grid *, cairn_node, uint32_t, unsigned) =
        jump->borders || has_major_lines(jump) ? update_behind : update_behind_open;

    for (uint32_t y = area.top; y <= area.bottom; y++) {
        const bool is_edge = cn_step_y[back] && y == last;
        if (!is_edge && !cn_step_x[back])
            continue;
        const uint32_t step = is_edge || area.left == area.right ? 1 : area.right - area.left;
        for (uint32_t x = area.left; x <= area.right; x += step)
            update(jump, grid, y * grid->width + x, y, direction);
    }
}

static bool is_whole(const cn_grid *grid, const cn_area *area)
{
    return area->left == 0 && area->top == 0 && area->right + 1 == grid->width &&
           area->bottom + 1 == grid->height;
}

static void update_borders_of_all(cn_jump *jump, const cn_grid *grid)
{
    if (jump->border_steps) {
        forget_steps_of_all(jump);
        cn_borders_fill(grid, jump->borders);
        cn_jump_fill_borders(jump);
    } else {
        memset(jump->borders, 0, cn_border_words(grid) * sizeof *jump->borders);
    }
    if (jump->avoided)
        free_borders_beside_avoided(jump, grid);
}

static void update_borders(cn_jump *jump, const cn_grid *grid, cn_area area)
{
    if (is_whole(grid, &area)) {
        update_borders_of_all(jump, grid);
        return;
    }
    for (uint32_t y = area.top; y <= area.bottom; y++) {
        for (uint32_t x = area.left; x <= area.right; x++)
            update_border(jump, grid, y * grid->width + x, y);
    }
}

/* Which major steps are legal. */
static void update_majors(cn_jump *jump, const cn_grid *grid, cn_area area)
{
    for (uint32_t y = area.top; y <= area.bottom; y++) {
        cairn_node node = y * grid->width + area.left;
        for (uint32_t x = area.left; x <= area.right; x++, node++)
            jump->hits[node] = (uint8_t)((jump->hits[node] & ~jump->majors) |
                                         (legal_steps(jump, grid, node) & jump->majors));
    }
}

static void update_cells(cn_jump *jump, const cn_grid *grid, cn_area area)
{
    if (jump->borders)
        update_borders(jump, grid, area);
    if (cn_jump_goes_by_words(jump) && is_whole(grid, &area)) {
        cn_run_planes_fill(grid, jump->borders, &jump->axes[0], &jump->axes[1], jump->hits);
        return;
    }
    update_majors(jump, grid, area);
    for (unsigned left = lined(jump, grid) & ~jump->majors; left; left &= left - 1)
        update_hits(jump, grid, area, cn_lowest_bit(left));
    update_stops(jump, grid, area);
}

/* The openness around the cells next to the area has changed as well, and which are borders. */
void cn_jump_update(cn_jump *jump, const cn_grid *grid, cn_area area)
{
    area = cn_grid_grown(grid, area);
    update_cells(jump, grid, area);
    for (unsigned left = lined(jump, grid) & ~jump->majors; left; left &= left - 1)
        update_behind_area(jump, grid, area, cn_lowest_bit(left));
}

void cn_jump_follow_metric(cn_jump *jump)
{
    if (jump->borders)
        cn_jump_fill_borders(jump);
}

/* ---------------------------------------------------------------------------------- handles -- */

/* Slanting lines of hexagons, so many of them. A line lies in two rows of the map for each of its
 * columns, and on a high map outside of it everywhere else: so lines share words there, two rows
 * apart at least. */
static cn_axis slanting_lines(const cn_grid *grid, size_t count)
{
    size_t shared = 1;
    while (shared <= grid->width)
        shared *= 2;
    const bool are_folded = shared < count;
    return (cn_axis){.words = grid->height / 64 + 1,
                     .count = are_folded ? shared : count,
                     .fold = are_folded ? shared - 1 : SIZE_MAX};
}

/* A line has a bit after its last cell, at which runs stop. */
static void measure_lines(cn_jump *jump, const cn_grid *grid)
{
    size_t across = grid->width / 64 + 1, down = grid->height / 64 + 1;

    jump->axis_count = jump->shape == CN_JUMP_HEX ? 3 : 2;
    jump->axes[0] = (cn_axis){.words = across, .count = grid->height, .fold = SIZE_MAX};
    jump->axes[1] = (cn_axis){.words = down, .count = grid->width, .fold = SIZE_MAX};
    if (jump->shape == CN_JUMP_HEX) {
        jump->axes[1] = slanting_lines(grid, (size_t)grid->width + (grid->height - 1) / 2);
        jump->axes[2] = slanting_lines(grid, (size_t)grid->width + grid->height / 2);
    }
    for (unsigned axis = 0; axis < jump->axis_count; axis++)
        jump->word_count += jump->axes[axis].words * jump->axes[axis].count;
}

static void divide_lines(cn_jump *jump)
{
    size_t word = 0;
    for (unsigned axis = 0; axis < jump->axis_count; axis++) {
        cn_axis *lines = &jump->axes[axis];
        lines->stops = jump->stops + word;
        lines->clear = jump->clear + word;
        word += lines->words * lines->count;
    }
}

static bool reserve_borders(cn_jump *jump, const cn_grid *grid, const cn_mem *mem)
{
    const size_t cells = cn_grid_cell_count(grid);
    if (cn_map_is_even(jump->map))
        return true;
    jump->borders = cn_zeroed(mem, cn_border_words(grid), sizeof *jump->borders);
    jump->border_steps = cn_zeroed(mem, cells, CN_DIRECTIONS);
    return jump->borders && jump->border_steps;
}

cairn_status cn_jump_new(const cairn_map *map, const cn_mem *mem, cn_jump **jump)
{
    const cn_grid *grid = &map->grid;
    *jump = NULL;
    cn_jump *made = cn_zeroed(mem, 1, sizeof *made);
    if (!made)
        return CAIRN_E_MEMORY;

    made->map = map;
    made->shape = shape_of(grid->rules.rule);
    fill_directions(made, grid);
    fill_crossed(made);
    fill_turns(made, grid);
    cn_canonical_hood(grid->rules.rule, &made->hood);
    measure_lines(made, grid);
    made->stops = cn_array(mem, made->word_count, sizeof *made->stops);
    made->clear = cn_zeroed(mem, made->word_count, sizeof *made->clear);
    made->hits = cn_zeroed(mem, cn_grid_cell_count(grid), 1);
    if (!reserve_borders(made, grid, mem) || !made->stops || !made->clear || !made->hits) {
        cn_jump_free(made, mem);
        return CAIRN_E_MEMORY;
    }
    memset(made->stops, 0xff, made->word_count * sizeof *made->stops);
    divide_lines(made);
    update_cells(made, grid, (cn_area){0, 0, grid->width - 1, grid->height - 1});
    *jump = made;
    return CAIRN_OK;
}

cairn_status cn_jump_copy(const cn_jump *planes, const cn_mem *mem, cn_jump **copy)
{
    const cn_grid *grid = &planes->map->grid;
    const size_t cells = cn_grid_cell_count(grid);
    cn_jump *made = cn_copy(mem, planes, 1, sizeof *planes);

    *copy = NULL;
    if (!made)
        return CAIRN_E_MEMORY;
    made->stops = cn_copy(mem, planes->stops, planes->word_count, sizeof *planes->stops);
    made->clear = cn_copy(mem, planes->clear, planes->word_count, sizeof *planes->clear);
    made->hits = cn_copy(mem, planes->hits, cells, 1);
    made->borders = planes->borders ? cn_copy(mem, planes->borders, cn_border_words(grid), 8)
                                    : cn_zeroed(mem, cn_border_words(grid), sizeof *made->borders);
    made->border_steps = NULL;
    if (planes->border_steps)
        made->border_steps = cn_copy(mem, planes->border_steps, cells, CN_DIRECTIONS);
    if (!made->stops || !made->clear || !made->hits || !made->borders ||
        (planes->border_steps && !made->border_steps)) {
        cn_jump_free(made, mem);
        return CAIRN_E_MEMORY;
    }
    divide_lines(made);
    *copy = made;
    return CAIRN_OK;
}

void cn_jump_free(cn_jump *jump, const cn_mem *mem)
{
    if (!jump)
        return;
    cn_release(mem, jump->stops);
    cn_release(mem, jump->clear);
    cn_release(mem, jump->hits);
    cn_release(mem, jump->borders);
    cn_release(mem, jump->border_steps);
    cn_release(mem, jump);
}

size_t cn_jump_memory(const cn_jump *jump, const cn_grid *grid)
{
    const size_t cells = cn_grid_cell_count(grid);
    if (!jump)
        return 0;
    return cn_held_size(jump, 1, sizeof *jump) +
           cn_held_size(jump->stops, jump->word_count, sizeof *jump->stops) +
           cn_held_size(jump->clear, jump->word_count, sizeof *jump->clear) +
           cn_held_size(jump->hits, cells, 1) +
           cn_held_size(jump->borders, cn_border_words(grid), sizeof *jump->borders) +
           cn_held_size(jump->border_steps, cells, CN_DIRECTIONS);
}

uint64_t cn_jump_memory_of(const cn_grid *grid)
{
    enum { BLOCKS = 4 };
    const uint64_t width = grid->width, height = grid->height;
    const uint64_t words = (width / 64 + 1) * height + (height / 64 + 1) * width;
    return sizeof(cn_jump) + words * (sizeof(cn_stops) + sizeof(uint64_t)) + width * height +
           BLOCKS * cn_block_size(0, 1);
}

/* ------------------------------------------------------------------------------------- legs -- */

static cn_leg leg_of_squares(int64_t across, int64_t down)
{
    uint32_t columns = (uint32_t)(across < 0 ? -across : across);
    uint32_t rows = (uint32_t)(down < 0 ? -down : down);
    uint32_t diagonal = columns < rows ? columns : rows;
    unsigned slant = (down > 0 ? CN_SE : CN_NE) + (across > 0 ? 0u : 1u);

    if (columns > rows)
        return (cn_leg){slant, across > 0 ? CN_E : CN_W, diagonal, columns - rows};
    return (cn_leg){slant, down > 0 ? CN_S : CN_N, diagonal, rows - columns};
}

static cn_leg leg_of_cross(int64_t across, int64_t down)
{
    return (cn_leg){down > 0 ? CN_S : CN_N, across > 0 ? CN_E : CN_W,
                    (uint32_t)(down < 0 ? -down : down), (uint32_t)(across < 0 ? -across : across)};
}

/* `along`: steps to the east, in addition to the `down` steps to the south-east. */
static cn_leg leg_of_hexagons(int64_t along, int64_t down)
{
    if (along >= 0 && down >= 0)
        return (cn_leg){CN_E, CN_SE, (uint32_t)along, (uint32_t)down};
    if (along <= 0 && down <= 0)
        return (cn_leg){CN_NW, CN_W, (uint32_t)-down, (uint32_t)-along};
    int64_t rest = along + down;
    if (along > 0)
        return rest >= 0 ? (cn_leg){CN_E, CN_NE, (uint32_t)rest, (uint32_t)-down}
                         : (cn_leg){CN_NW, CN_NE, (uint32_t)-rest, (uint32_t)along};
    return rest >= 0 ? (cn_leg){CN_SW, CN_SE, (uint32_t)-along, (uint32_t)rest}
                     : (cn_leg){CN_SW, CN_W, (uint32_t)down, (uint32_t)-rest};
}

cn_leg cn_jump_leg(cn_jump_shape shape, uint32_t from_x, uint32_t from_y, uint32_t to_x,
                   uint32_t to_y)
{
    int64_t across = (int64_t)to_x - from_x, down = (int64_t)to_y - from_y;
    if (shape == CN_JUMP_CROSS)
        return leg_of_cross(across, down);
    if (shape == CN_JUMP_HEX)
        return leg_of_hexagons(across - (int64_t)(to_y / 2) + from_y / 2, down);
    return leg_of_squares(across, down);
}
