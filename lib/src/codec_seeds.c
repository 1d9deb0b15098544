/* Most costs of a row follow from a few: sweep the map down and up from the landmarks, and only
 * behind corners where paths turn back does a cost come out wrong. The first cells of those places,
 * given with their costs, make the sweeps right. */
#include <string.h>

#include "codec_seeds.h"
#include "range_coder.h"

enum { PASSES_BITS = 7, UP_FIRST = 8 };

static uint32_t greatest_cost(const cn_codec_frame *frame)
{
    return frame->bits == 16 ? UINT16_MAX - 1 : CAIRN_COST_MAX;
}

/* ------------------------------------------------------------------------------- the bytes -- */

typedef struct seed_chances {
    cn_chance count[CN_GAMMA_CHANCES];
    cn_chance gap[CN_GAMMA_CHANCES];
    cn_chance change[CN_GAMMA_CHANCES];
    cn_chance falls;
} seed_chances;

static void init_chances(seed_chances *chances)
{
    cn_chances_init(chances->count, CN_GAMMA_CHANCES);
    cn_chances_init(chances->gap, CN_GAMMA_CHANCES);
    cn_chances_init(chances->change, CN_GAMMA_CHANCES);
    cn_chances_init(&chances->falls, 1);
}

static cairn_status write_seeds(const cn_codec_frame *frame, cn_sweep_plan plan,
                                const cn_seed *seeds, size_t count, cn_packed *packed)
{
    uint8_t head = (uint8_t)((plan.passes - 1) | (plan.up_first ? UP_FIRST : 0));
    cn_buffer out = {.mem = &frame->mem};
    cn_range_encoder coder;
    seed_chances chances;
    uint32_t cost = 0, next = 0, width = frame->map->grid.width;

    init_chances(&chances);
    cn_buffer_append(&out, &head, 1);
    cn_range_begin(&coder, &out);
    cn_range_put_gamma(&coder, chances.count, (uint32_t)count + 1);
    for (size_t i = 0; i < count; i++) {
        uint32_t node = seeds[i].y * width + seeds[i].x;
        bool falls = seeds[i].cost < cost;
        cn_range_put_gamma(&coder, chances.gap, node - next + 1);
        cn_range_put(&coder, &chances.falls, falls);
        cn_range_put_gamma(&coder, chances.change,
                           (falls ? cost - seeds[i].cost : seeds[i].cost - cost) + 1);
        next = node + 1;
        cost = seeds[i].cost;
    }
    cn_range_end(&coder);
    if (out.status != CAIRN_OK)
        cn_buffer_free(&out);
    packed->bytes = out.bytes;
    packed->size = out.size;
    packed->codec = CN_CODEC_SEEDS;
    return out.status;
}

typedef struct seed_reader {
    const cn_codec_frame *frame;
    cn_range_decoder coder;
    seed_chances chances;
    uint32_t left;
    uint32_t next;  /* the lowest node that may come */
    uint32_t cost;
} seed_reader;

/* The next seed; false for bytes that are none. */
static bool read_seed(seed_reader *in, cn_seed *seed)
{
    const cn_grid *grid = &in->frame->map->grid;
    uint32_t gap = cn_range_get_gamma(&in->coder, in->chances.gap) - 1;
    bool falls = cn_range_get(&in->coder, &in->chances.falls);
    uint32_t change = cn_range_get_gamma(&in->coder, in->chances.change) - 1;
    uint32_t node_count = cairn_map_node_count(in->frame->map);

    if (gap >= node_count - in->next || change > CAIRN_COST_MAX || (falls && change > in->cost))
        return false;
    cairn_node node = in->next + gap;
    in->next = node + 1;
    in->cost = falls ? in->cost - change : in->cost + change;
    if (!cn_grid_is_open(grid, node) || in->cost > greatest_cost(in->frame))
        return false;
    cn_grid_xy(grid, node, &seed->x, &seed->y);
    seed->cost = in->cost;
    return true;
}

/* ---------------------------------------------------------------------------- unpacking -- */

typedef struct seed_list {
    void *seeds;
    size_t count;
    size_t capacity;
} seed_list;

static bool add_seed(const cn_codec_frame *frame, seed_list *list, cn_seed seed)
{
    if (!cn_grow(&frame->mem, &list->seeds, &list->capacity, list->count, list->count + 1,
                 sizeof seed))
        return false;
    ((cn_seed *)list->seeds)[list->count++] = seed;
    return true;
}

static bool is_before(const cn_seed *a, const cn_seed *b)
{
    return a->y < b->y || (a->y == b->y && a->x < b->x);
}

static bool add_landmarks_before(const cn_codec_frame *frame, seed_list *list,
                                 cn_row_landmarks *landmarks, const cn_seed *seed)
{
    while (landmarks->count > 0) {
        cn_seed landmark = {.cost = 0};
        cn_grid_xy(&frame->map->grid, landmarks->nodes[0], &landmark.x, &landmark.y);
        if (seed && !is_before(&landmark, seed))
            break;
        if (!add_seed(frame, list, landmark))
            return false;
        landmarks->nodes++;
        landmarks->count--;
    }
    return true;
}

/* The seeds of the bytes and the landmarks, in the order of their nodes. */
static cairn_status read_seeds(const cn_codec_frame *frame, const uint8_t *bytes, size_t size,
                               cn_row_landmarks landmarks, seed_list *list)
{
    seed_reader in = {.frame = frame, .coder = cn_range_open(bytes, size)};
    uint32_t node_count = cairn_map_node_count(frame->map);

    init_chances(&in.chances);
    in.left = cn_range_get_gamma(&in.coder, in.chances.count) - 1;
    if (in.left > node_count)
        return CAIRN_E_FORMAT;
    for (; in.left > 0; in.left--) {
        cn_seed seed;
        if (!read_seed(&in, &seed))
            return CAIRN_E_FORMAT;
        if (!add_landmarks_before(frame, list, &landmarks, &seed) ||
            !add_seed(frame, list, seed))
            return CAIRN_E_MEMORY;
    }
    if (!add_landmarks_before(frame, list, &landmarks, NULL))
        return CAIRN_E_MEMORY;
    return cn_range_is_spent(&in.coder) ? CAIRN_OK : CAIRN_E_FORMAT;
}

cairn_status cn_seeds_unpack(const cn_codec_frame *frame, const uint8_t *bytes, size_t size,
                             cn_row_landmarks landmarks, void *plane)
{
    seed_list list = {0};

    if (size == 0 || bytes[0] > (PASSES_BITS | UP_FIRST) || !cn_sweep_is_possible(frame))
        return CAIRN_E_FORMAT;
    cn_sweep_plan plan = {(bytes[0] & PASSES_BITS) + 1u, bytes[0] & UP_FIRST};
    cairn_status status = read_seeds(frame, bytes + 1, size - 1, landmarks, &list);
    if (status == CAIRN_OK)
        cn_sweep(frame, plan, list.seeds, list.count, plane);
    cn_release(&frame->mem, list.seeds);
    return status;
}

/* ------------------------------------------------------------------------------- packing -- */

/* Whether two planes hold the same row. */
static bool is_same_word(const cn_codec_frame *frame, const void *a, const void *b, size_t at,
                         uint64_t open)
{
    uint32_t greatest = greatest_cost(frame);

    for (; open; open &= open - 1) {
        size_t i = at + cn_lowest_bit(open);
        uint32_t one = cn_entry_get(a, i, frame->bits), other = cn_entry_get(b, i, frame->bits);
        if (one != other && (one <= greatest || other <= greatest))
            return false;
    }
    return true;
}

static bool is_same_row(const cn_codec_frame *frame, const void *a, const void *b)
{
    size_t entry = frame->bits / 8;

    for (uint32_t y = 0; y < frame->map->grid.height; y++) {
        const uint64_t *open = frame->open + y * frame->open_stride;
        for (size_t word = 0; word < cn_row_words(frame); word++) {
            size_t at = y * frame->stride + word * 64;
            if (open[word] == UINT64_MAX &&
                memcmp((const uint8_t *)a + at * entry, (const uint8_t *)b + at * entry,
                       64 * entry) == 0)
                continue;
            if (!is_same_word(frame, a, b, at, open[word]))
                return false;
        }
    }
    return true;
}

static bool list_seeds(const cn_codec_frame *frame, const void *plane, const uint64_t *chosen,
                       seed_list *list)
{
    for (uint32_t y = 0; y < frame->map->grid.height; y++) {
        for (size_t word = 0; word < cn_row_words(frame); word++) {
            uint64_t left = chosen[y * frame->open_stride + word];
            for (; left; left &= left - 1) {
                uint32_t x = (uint32_t)(word * 64 + cn_lowest_bit(left));
                uint32_t cost = cn_entry_get(plane, y * frame->stride + x, frame->bits);
                if (!add_seed(frame, list, (cn_seed){x, y, cost}))
                    return false;
            }
        }
    }
    return true;
}

/* Packs the chosen cells, and makes sure that they unpack to the same row. */
static cairn_status pack_chosen(const cn_codec_frame *frame, const void *plane,
                                cn_row_landmarks landmarks, const cn_seed_choice *choice,
                                cn_packed *packed)
{
    seed_list list = {0};
    void *back = cn_codec_plane_new(frame);
    cairn_status status = CAIRN_E_MEMORY;

    if (back && list_seeds(frame, plane, choice->chosen, &list))
        status = write_seeds(frame, choice->plan, list.seeds, list.count, packed);
    cn_release(&frame->mem, list.seeds);
    if (status == CAIRN_OK) {
        status = cn_seeds_unpack(frame, packed->bytes, packed->size, landmarks, back);
        if (status == CAIRN_OK && !is_same_row(frame, plane, back))
            status = CAIRN_E_INEXACT;
    }
    if (status != CAIRN_OK) {
        cn_release(&frame->mem, packed->bytes);
        packed->bytes = NULL;
    }
    cn_codec_plane_free(frame, back);
    return status == CAIRN_E_FORMAT ? CAIRN_E_INEXACT : status;
}

cairn_status cn_seeds_pack(const cn_codec_frame *frame, const void *plane,
                           cn_row_landmarks landmarks, cn_packed *packed)
{
    cn_seed_choice choice;

    *packed = (cn_packed){0};
    if (!cn_sweep_is_possible(frame))
        return CAIRN_E_INEXACT;
    cairn_status status = cn_seeds_choose(frame, plane, landmarks, &choice);
    if (status != CAIRN_OK)
        return status;
    status = pack_chosen(frame, plane, landmarks, &choice, packed);
    cn_release(&frame->mem, choice.chosen_memory);
    return status;
}
