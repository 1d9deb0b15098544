/* Costs change by regular steps from cell to cell, so the entries to the left and above usually
 * predict the next one; the differences are small numbers, which deflate compresses well. */
#include "codec/codec_parts.h"
#include "io/deflate.h"

/* No entry: outside the map, blocked, or unreachable where the prediction needs a cost. */
#define NO_ENTRY (-1)

typedef struct walk {
    const cn_codec_layout *layout;
    const void *plane;
    unsigned bits;
    uint32_t last; /* the entry of the previous open cell */
} walk;

CN_ALWAYS_INLINE int64_t entry_at(const walk *state, uint32_t x, uint32_t y)
{
    const cn_grid *grid = &state->layout->map->grid;
    if (x >= grid->width || y >= grid->height || !cn_grid_is_open(grid, y * grid->width + x))
        return NO_ENTRY;
    return cn_entry_stored(state->plane, y * state->layout->stride + x, state->bits);
}

CN_ALWAYS_INLINE int64_t between(int64_t value, int64_t least, int64_t most)
{
    if (value > most)
        value = most;
    return value < least ? least : value;
}

/* Predicts that the cost changes as it did from the diagonal neighbour; the cost of a step limits
 * the change. */
CN_ALWAYS_INLINE int64_t from_corner(int64_t west, int64_t north, int64_t corner, int64_t step)
{
    int64_t low = west < north ? west : north;
    int64_t high = west < north ? north : west;
    int64_t least = high > step ? high - step : 0;
    return between(west + north - corner, least, low + step);
}

CN_ALWAYS_INLINE int64_t going_on(int64_t next, int64_t after_next)
{
    return after_next == NO_ENTRY ? next : 2 * next - after_next;
}

/* West of the first column and north of the first row, x or y wraps around to a column or row that
 * does not exist. */
CN_ALWAYS_INLINE uint32_t predict(const walk *state, uint32_t x, uint32_t y)
{
    const int64_t unreachable = cn_entry_unreachable(state->bits);
    int64_t west = entry_at(state, x - 1, y), north = entry_at(state, x, y - 1);

    if (west == unreachable || north == unreachable)
        return (uint32_t)unreachable;
    if (west != NO_ENTRY && north != NO_ENTRY) {
        int64_t corner = entry_at(state, x - 1, y - 1);
        if (corner != NO_ENTRY && corner != unreachable)
            return (uint32_t)from_corner(west, north, corner, state->layout->straight_most);
    }
    if (west != NO_ENTRY) {
        int64_t beyond = entry_at(state, x - 2, y);
        return (uint32_t)going_on(west, beyond == unreachable ? NO_ENTRY : beyond);
    }
    if (north != NO_ENTRY) {
        int64_t beyond = entry_at(state, x, y - 2);
        return (uint32_t)going_on(north, beyond == unreachable ? NO_ENTRY : beyond);
    }
    return state->last;
}

CN_ALWAYS_INLINE void write_residuals(walk *state, uint8_t *planes)
{
    const cn_grid *grid = &state->layout->map->grid;
    size_t count = grid->open_count, at = 0;

    for (uint32_t y = 0; y < grid->height; y++) {
        for (uint32_t x = 0; x < grid->width; x++) {
            int64_t entry = entry_at(state, x, y);
            if (entry == NO_ENTRY)
                continue;
            uint32_t zigzagged = cn_zigzag((uint32_t)entry - predict(state, x, y), state->bits);
            for (unsigned byte = 0; byte < state->bits / 8; byte++)
                planes[byte * count + at] = (uint8_t)(zigzagged >> 8 * byte);
            state->last = (uint32_t)entry;
            at++;
        }
    }
}

CN_ALWAYS_INLINE cairn_status read_residuals(walk *state, const uint8_t *planes, unsigned worker,
                                             void *plane)
{
    const cn_grid *grid = &state->layout->map->grid;
    size_t count = grid->open_count, at = 0;
    cairn_node node = 0;

    for (uint32_t y = 0; y < grid->height; y++) {
        for (uint32_t x = 0; x < grid->width; x++, node++) {
            if (!cn_grid_is_open(grid, node))
                continue;
            uint32_t zigzagged = 0;
            for (unsigned byte = 0; byte < state->bits / 8; byte++)
                zigzagged |= (uint32_t)planes[byte * count + at] << 8 * byte;
            uint32_t entry = predict(state, x, y) + cn_zigzag_inverse(zigzagged, state->bits);
            if (state->bits == 16)
                entry &= 0xffff;
            if (!cn_entry_is_possible(entry, state->bits))
                return CAIRN_E_FORMAT;
            cn_entry_put(plane, y * state->layout->stride + x, state->bits, entry);
            state->last = entry;
            at++;
        }
        if (!cn_watch_advance(state->layout->watch, worker, grid->width))
            return CAIRN_E_CANCELLED;
    }
    return CAIRN_OK;
}

static cairn_status find_residuals(const cn_codec_layout *layout, const void *plane, cn_way way,
                                   uint8_t *planes)
{
    if (layout->map->graph)
        return cn_predictor_graph_symbols(layout, plane, way, planes);

    /* Two calls, so that the width of an entry is a constant in each. */
    walk narrow = {layout, plane, 16, 0}, wide = {layout, plane, 32, 0};
    if (layout->bits == 16)
        write_residuals(&narrow, planes);
    else
        write_residuals(&wide, planes);
    return CAIRN_OK;
}

static cairn_status find_entries(const cn_codec_layout *layout, const uint8_t *planes, cn_way way,
                                 unsigned worker, void *plane)
{
    if (layout->map->graph)
        return cn_predictor_graph_entries(layout, planes, way, worker, plane);

    walk narrow = {layout, plane, 16, 0}, wide = {layout, plane, 32, 0};
    return layout->bits == 16 ? read_residuals(&narrow, planes, worker, plane)
                              : read_residuals(&wide, planes, worker, plane);
}

cairn_status cn_predictor_pack(const cn_codec_layout *layout, const void *plane, cn_way way,
                               cn_packed *packed)
{
    const cn_mem *mem = &layout->mem;
    size_t size = cn_entries_size(layout);
    uint8_t *planes = cn_array(mem, size, 1);
    if (!planes)
        return CAIRN_E_MEMORY;

    packed->codec_id = CN_CODEC_PREDICTOR;
    cairn_status status = find_residuals(layout, plane, way, planes);
    if (status == CAIRN_OK)
        status = cn_deflate(mem, planes, size, &packed->bytes, &packed->size);
    cn_release(mem, planes);
    return status;
}

cairn_status cn_predictor_unpack(const cn_codec_layout *layout, const uint8_t *bytes, size_t size,
                                 cn_way way, unsigned worker, void *plane)
{
    const cn_mem *mem = &layout->mem;
    size_t residuals = cn_entries_size(layout);
    if (residuals > cn_inflate_bound(size))
        return CAIRN_E_FORMAT;
    uint8_t *planes = cn_array(mem, residuals, 1);
    if (!planes)
        return CAIRN_E_MEMORY;

    cairn_status status = cn_inflate(mem, bytes, size, planes, residuals);
    if (status == CAIRN_OK)
        status = find_entries(layout, planes, way, worker, plane);
    cn_release(mem, planes);
    return status;
}
