/* Most costs of a row follow from a few: sweeps over the map, down and up, compute them from the
 * landmarks. A cost comes out wrong only behind corners where paths turn back. The first cells of
 * these places, the seeds, are stored with their costs, and make the sweeps exact. */
#include "codec/seeds.h"

#include "codec/codec_parts.h"
#include "io/range_coder.h"

/* The first byte. */
enum { PASSES_BITS = 7, UP_FIRST = 8 };

/* The number of this codec. Readers of the first version of the format sweep by the steps of the
 * default rule alone; for other rules there is a number that they refuse. */
static uint32_t codec_of(const cn_codec_layout *layout)
{
    return cn_map_is_classic(layout->map) ? CN_CODEC_SEEDS : CN_CODEC_RULED_SEEDS;
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

static size_t most_seeds(size_t size)
{
    return size > SIZE_MAX / CN_SEEDS_IN_A_BYTE ? SIZE_MAX : size * CN_SEEDS_IN_A_BYTE;
}

cairn_status cn_seeds_write(const cn_codec_layout *layout, cn_sweep_plan plan, const cn_seed *seeds,
                            size_t count, cn_packed *packed)
{
    uint8_t head = (uint8_t)((plan.passes - 1) | (plan.up_first ? UP_FIRST : 0));
    cn_buffer out = {.mem = &layout->mem};
    cn_range_encoder coder;
    seed_chances chances;
    uint32_t cost = 0, next = 0;

    init_chances(&chances);
    cn_buffer_append(&out, &head, 1);
    cn_range_begin(&coder, &out);
    cn_range_put_gamma(&coder, chances.count, (uint32_t)count + 1);
    for (size_t i = 0; i < count; i++) {
        bool falls = seeds[i].cost < cost;
        cn_range_put_gamma(&coder, chances.gap, seeds[i].node - next + 1);
        cn_range_put(&coder, &chances.falls, falls);
        cn_range_put_gamma(&coder, chances.change,
                           (falls ? cost - seeds[i].cost : seeds[i].cost - cost) + 1);
        next = seeds[i].node + 1;
        cost = seeds[i].cost;
    }
    cn_range_end(&coder);
    cairn_status status = out.status;
    if (status == CAIRN_OK && count > most_seeds(out.size))
        status = CAIRN_E_INEXACT;
    if (status != CAIRN_OK) {
        cn_buffer_free(&out);
        return status;
    }
    *packed = (cn_packed){out.bytes, out.size, codec_of(layout)};
    return CAIRN_OK;
}

typedef struct seed_reader {
    const cn_codec_layout *layout;
    cn_range_decoder coder;
    seed_chances chances;
    uint32_t left;
    uint32_t next; /* the lowest node that is possible */
    uint32_t cost;
} seed_reader;

/* The next seed; false where the bytes do not contain one. */
static bool read_seed(seed_reader *in, cn_seed *seed)
{
    uint32_t gap = cn_range_get_gamma(&in->coder, in->chances.gap) - 1;
    bool falls = cn_range_get(&in->coder, &in->chances.falls);
    uint32_t change = cn_range_get_gamma(&in->coder, in->chances.change) - 1;
    uint32_t node_count = cairn_map_node_count(in->layout->map);

    if (gap >= node_count - in->next || change > CAIRN_COST_MAX || (falls && change > in->cost))
        return false;
    cairn_node node = in->next + gap;
    in->next = node + 1;
    in->cost = falls ? in->cost - change : in->cost + change;
    if (!cn_grid_is_open(&in->layout->map->grid, node) ||
        in->cost > cn_entry_most(in->layout->bits))
        return false;
    *seed = (cn_seed){node, in->cost};
    return true;
}

/* ---------------------------------------------------------------------------- unpacking -- */

static void add_landmarks_below(cn_seed_list *list, cn_row_landmarks *landmarks, cairn_node end)
{
    for (; landmarks->count > 0 && landmarks->nodes[0] < end; landmarks->count--)
        list->seeds[list->count++] = (cn_seed){*landmarks->nodes++, 0};
}

cairn_status cn_seeds_read(const cn_codec_layout *layout, const cn_coded_row *row,
                           cn_seed_list *list)
{
    const uint8_t *bytes = row->bytes;
    const size_t size = row->size;
    cn_row_landmarks landmarks = row->landmarks;

    *list = (cn_seed_list){.count = 0};
    if (size == 0 || bytes[0] > (PASSES_BITS | UP_FIRST) || row->codec_id != codec_of(layout) ||
        !cn_sweep_is_possible(layout))
        return CAIRN_E_FORMAT;

    seed_reader in = {.layout = layout, .coder = cn_range_open(bytes + 1, size - 1)};
    list->plan = (cn_sweep_plan){(bytes[0] & PASSES_BITS) + 1u, bytes[0] & UP_FIRST};
    init_chances(&in.chances);
    in.left = cn_range_get_gamma(&in.coder, in.chances.count) - 1;
    if (in.left > most_seeds(size) || in.left > layout->map->grid.open_count)
        return CAIRN_E_FORMAT;
    list->seeds = cn_array(&layout->mem, in.left + landmarks.count, sizeof *list->seeds);
    if (!list->seeds)
        return CAIRN_E_MEMORY;
    for (; in.left > 0; in.left--) {
        cn_seed seed;
        if (!read_seed(&in, &seed))
            return CAIRN_E_FORMAT;
        add_landmarks_below(list, &landmarks, seed.node);
        list->seeds[list->count++] = seed;
    }
    add_landmarks_below(list, &landmarks, CAIRN_NO_NODE);
    return cn_range_is_spent(&in.coder) ? CAIRN_OK : CAIRN_E_FORMAT;
}
