/* A town: streets at uneven distances, and between them parks, ponds, and blocks of houses with
 * walled yards; a river with a few bridges runs through it. */
#include "generate/generate.h"

enum { BLOCK_LEAST = 10, BLOCK_MOST = 24, LOT_LEAST = 6, STREETS_MAX = 1 + 65535 / BLOCK_LEAST };
enum {
    RIVER_LEAST = 64, /* towns of fewer rows have none */
    RIVER_WIDTH = 5,
    RIVER_TURNS = 6, /* one column in so many, it turns up; in as many, down */
    BANK_WIDTH = 2,
    BRIDGE_WIDTH = 3,
    BRIDGE_DISTANCE = 70
};

typedef struct span {
    uint32_t from;
    uint32_t to;
} span;

static uint32_t span_size(span side)
{
    return side.to - side.from;
}

/* The blocks along one side of the map; streets of 2 to 4 cells lie between them. */
static uint32_t plan_blocks(kit_rng *rng, uint32_t size, span *blocks)
{
    uint32_t count = 0;
    uint32_t at = 2;
    while (at + BLOCK_LEAST + 2 <= size) {
        uint32_t end = at + kit_rng_between(rng, BLOCK_LEAST, BLOCK_MOST);
        if (end + 2 > size)
            end = size - 2;
        blocks[count++] = (span){at, end};
        at = end + kit_rng_between(rng, 2, 4);
    }
    return count;
}

static void draw_park(canvas *map, kit_rng *rng, area block)
{
    for (uint32_t y = block.top; y < block.bottom; y++)
        for (uint32_t x = block.left; x < block.right; x++)
            if (kit_rng_percent(rng, 14))
                *canvas_at(map, x, y) = LETTER_TREE;
}

static void draw_pond(canvas *map, area block)
{
    uint32_t width = block.right - block.left;
    uint32_t height = block.bottom - block.top;
    uint32_t radius = (width < height ? width : height) / 2 - 2;
    canvas_disc(map, block.left + width / 2, block.top + height / 2, radius, LETTER_WATER);
}

/* Cuts a gate through the wall of a lot on one of the sides that touch a street. */
static void cut_gate(canvas *map, kit_rng *rng, area lot, area block)
{
    area gates[4];
    uint32_t count = 0;
    uint32_t x = kit_rng_between(rng, lot.left + 1, lot.right - 2);
    uint32_t y = kit_rng_between(rng, lot.top + 1, lot.bottom - 2);
    if (lot.left == block.left)
        gates[count++] = (area){lot.left, y, lot.left + 1, y + 1};
    if (lot.right == block.right)
        gates[count++] = (area){lot.right - 1, y, lot.right, y + 1};
    if (lot.top == block.top)
        gates[count++] = (area){x, lot.top, x + 1, lot.top + 1};
    if (lot.bottom == block.bottom)
        gates[count++] = (area){x, lot.bottom - 1, x + 1, lot.bottom};
    canvas_fill(map, gates[kit_rng_below(rng, count)], LETTER_OPEN);
}

static void draw_lot(canvas *map, kit_rng *rng, area lot, area block)
{
    bool at_street = lot.left == block.left || lot.right == block.right || lot.top == block.top ||
                     lot.bottom == block.bottom;
    canvas_fill(map, lot, LETTER_WALL);
    if (!at_street || kit_rng_percent(rng, 35))
        return;
    canvas_fill(map, (area){lot.left + 1, lot.top + 1, lot.right - 1, lot.bottom - 1}, LETTER_OPEN);
    cut_gate(map, rng, lot, block);
}

/* Splits one side into lots. */
static uint32_t plan_lots(kit_rng *rng, uint32_t from, uint32_t to, span *lots)
{
    uint32_t count = 0;
    while (to - from >= 2 * LOT_LEAST) {
        uint32_t end = kit_rng_between(rng, from + LOT_LEAST, to - LOT_LEAST);
        if (end - from > LOT_LEAST + 4)
            end = from + LOT_LEAST + 4;
        lots[count++] = (span){from, end};
        from = end;
    }
    lots[count++] = (span){from, to};
    return count;
}

static void draw_houses(canvas *map, kit_rng *rng, area block)
{
    span columns[BLOCK_MOST];
    span rows[BLOCK_MOST];
    uint32_t column_count = plan_lots(rng, block.left, block.right, columns);
    uint32_t row_count = plan_lots(rng, block.top, block.bottom, rows);
    for (uint32_t row = 0; row < row_count; row++)
        for (uint32_t column = 0; column < column_count; column++)
            draw_lot(map, rng,
                     (area){columns[column].from, rows[row].from, columns[column].to, rows[row].to},
                     block);
}

static void draw_block(canvas *map, kit_rng *rng, area block)
{
    uint32_t kind = kit_rng_below(rng, 100);
    if (kind < 12)
        draw_park(map, rng, block);
    else if (kind < 17)
        draw_pond(map, block);
    else
        draw_houses(map, rng, block);
}

/* One column of river, with the banks on both sides of it. */
static void draw_river_column(canvas *map, uint32_t x, uint32_t y)
{
    canvas_fill(map, (area){x, y - BANK_WIDTH, x + 1, y + RIVER_WIDTH + BANK_WIDTH}, LETTER_OPEN);
    canvas_fill(map, (area){x, y, x + 1, y + RIVER_WIDTH}, LETTER_WATER);
}

/* Where a bridge stands, water turns into street; the banks meet it on both sides. */
static void draw_bridge(canvas *map, uint32_t x, uint32_t y)
{
    canvas_fill(map, (area){x, y - BANK_WIDTH, x + BRIDGE_WIDTH, y + RIVER_WIDTH + BANK_WIDTH},
                LETTER_OPEN);
}

/* From the left edge to the right, wandering by a cell now and then within the middle third. */
static void draw_river(canvas *map, kit_rng *rng)
{
    uint32_t least = map->height / 3;
    uint32_t most = least + map->height / 3;
    uint32_t y = kit_rng_between(rng, least, most);
    uint32_t bridge = kit_rng_between(rng, BRIDGE_WIDTH, BRIDGE_DISTANCE);
    for (uint32_t x = 0; x < map->width; x++) {
        draw_river_column(map, x, y);
        if (x == bridge) {
            draw_bridge(map, x - BRIDGE_WIDTH, y);
            bridge += kit_rng_between(rng, BRIDGE_DISTANCE / 2, BRIDGE_DISTANCE);
        }
        uint32_t turn = kit_rng_below(rng, RIVER_TURNS);
        if (turn == 0 && y < most)
            y++;
        if (turn == 1 && y > least)
            y--;
    }
}

void draw_town(canvas *map, kit_rng *rng, const recipe *shape)
{
    (void)shape;
    span columns[STREETS_MAX];
    span rows[STREETS_MAX];
    canvas_fill(map, (area){0, 0, map->width, map->height}, LETTER_OPEN);
    uint32_t column_count = plan_blocks(rng, map->width, columns);
    uint32_t row_count = plan_blocks(rng, map->height, rows);
    for (uint32_t row = 0; row < row_count; row++)
        for (uint32_t column = 0; column < column_count; column++)
            if (span_size(columns[column]) >= LOT_LEAST && span_size(rows[row]) >= LOT_LEAST)
                draw_block(
                    map, rng,
                    (area){columns[column].from, rows[row].from, columns[column].to, rows[row].to});
    if (map->height >= RIVER_LEAST)
        draw_river(map, rng);
}
