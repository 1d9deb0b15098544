/*
 * The connected components of a map, kept up to date while it is edited. Directions of steps are
 * ignored. On a grid, components consist of regions: the open cells of a tile of 16 x 16 cells that
 * are connected by steps inside the tile. The regions of a tile depend only on its cells
 * (tile_regions.c).
 *
 * After an edit the tiles around it are flooded again. What is left of the components to which they
 * belonged is searched from all sides at once, region by region, until all searches but one in a
 * component have ended. So the work is that of the smallest parts, and there is none where a tile
 * still connects what it connected before.
 *
 * The arcs of a graph never change, so its nodes just have labels.
 */
#ifndef CN_COMPONENTS_COMPONENTS_H
#define CN_COMPONENTS_COMPONENTS_H

#include "graph/graph.h"
#include "grid/grid.h"

/* ------------------------------------------------------------------------ regions of tiles -- */

enum {
    CN_TILE_SIDE = 16,
    CN_TILE_CELLS = CN_TILE_SIDE * CN_TILE_SIDE,
    CN_REGION_BLOCKED = 0xff,   /* the label of a blocked cell; also the last of 256 regions, in a
                                 * tile of open cells that no step leaves */
    CN_REGION_NEIGHBOURS = 256, /* the most cells outside a tile to which its regions are
                                 * connected */
    CN_REGION_ROOMS = 9         /* sizes of blocks of values: 2^0 to 2^8 */
};

/* A region: its tile, and in the low byte its number in the tile. */
typedef uint32_t cn_region;

CN_ALWAYS_INLINE cn_region cn_region_of(uint32_t tile, uint32_t number)
{
    return tile << 8 | number;
}

CN_ALWAYS_INLINE uint32_t cn_region_tile(cn_region region)
{
    return region >> 8;
}

CN_ALWAYS_INLINE uint32_t cn_region_number(cn_region region)
{
    return region & 0xff;
}

typedef struct cn_tile {
    uint32_t value; /* of its only region; if there are several, the index of the first one's
                     * value */
    uint16_t size;  /* number of open cells when it was flooded */
    uint16_t count; /* of regions: up to one for each cell, where no step leaves any of them */
    uint8_t room;   /* 2^room values are allocated at that index; 0: none */
    bool is_dirty;  /* some of its steps have changed since it was flooded */
} cn_tile;

typedef struct cn_regions {
    const cn_grid *grid;
    uint32_t tiles_across;
    uint32_t tile_count;
    bool is_straight; /* cells that diagonal steps connect are also connected by straight
                       * ones */
    cn_tile *tiles;
    uint8_t *labels;  /* [tile][cell in row order]: the number of the region, in tiles with
                       * more than one. The pages of other tiles are not used. */
    uint32_t *values; /* blocks of values */
    uint32_t value_count;
    size_t value_capacity;
    uint32_t free_block[CN_REGION_ROOMS]; /* lists of free blocks by size */
} cn_regions;

/* Tiles without regions, all dirty. The grid must not move. */
cairn_status cn_regions_init(cn_regions *regions, const cn_mem *mem, const cn_grid *grid);
void cn_regions_free(cn_regions *regions, const cn_mem *mem);

/* The bytes that they have taken from their allocator. */
size_t cn_regions_memory(const cn_regions *regions);

/* Computes the regions of a tile, which then have no value. False when there is no memory. */
bool cn_regions_flood(cn_regions *regions, const cn_mem *mem, uint32_t tile);

/* The number of cells of a region when its tile was flooded. */
uint32_t cn_region_size(const cn_regions *regions, cn_region region);

/* The regions in other tiles that a step connects to this one, some more than once. Returns how
 * many. */
unsigned cn_region_neighbours(const cn_regions *regions, cn_region region,
                              cn_region neighbours[CN_REGION_NEIGHBOURS]);

/* The regions of other tiles around a tile, some more than once. Returns how many. */
unsigned cn_regions_around(const cn_regions *regions, uint32_t tile,
                           cn_region around[CN_REGION_NEIGHBOURS]);

CN_ALWAYS_INLINE uint32_t cn_regions_tile_at(const cn_regions *regions, uint32_t x, uint32_t y)
{
    return y / CN_TILE_SIDE * regions->tiles_across + x / CN_TILE_SIDE;
}

/* The first cell of a tile. */
CN_ALWAYS_INLINE void cn_regions_corner(const cn_regions *regions, uint32_t tile, uint32_t *x,
                                        uint32_t *y)
{
    *x = tile % regions->tiles_across * CN_TILE_SIDE;
    *y = tile / regions->tiles_across * CN_TILE_SIDE;
}

/* The region of an open cell. */
CN_ALWAYS_INLINE cn_region cn_region_at(const cn_regions *regions, uint32_t x, uint32_t y)
{
    uint32_t tile = cn_regions_tile_at(regions, x, y);
    size_t cell = (y % CN_TILE_SIDE) * CN_TILE_SIDE + x % CN_TILE_SIDE;
    if (regions->tiles[tile].count < 2)
        return cn_region_of(tile, 0);
    return cn_region_of(tile, regions->labels[(size_t)tile * CN_TILE_CELLS + cell]);
}

CN_ALWAYS_INLINE uint32_t *cn_region_value(const cn_regions *regions, cn_region region)
{
    cn_tile *tile = &regions->tiles[cn_region_tile(region)];
    return tile->count < 2 ? &tile->value
                           : &regions->values[tile->value + cn_region_number(region)];
}

/* ------------------------------------------------------------------------------ components -- */

typedef struct cn_component {
    uint32_t size; /* number of cells; 0: the number is not in use */
    uint32_t regions;
    uint32_t link; /* during a repair the index among components that change; of an unused
                    * number, the next one */
} cn_component;

typedef struct cn_components {
    cn_regions regions; /* their values are numbers of components; without tiles for a graph */
    uint32_t *label;    /* by node of a graph; NULL: all are in component 0 */
    cn_component *items;
    uint32_t limit; /* all numbers are below it */
    uint32_t count; /* how many numbers are in use */
    size_t capacity;
    uint32_t unused; /* list of unused numbers */
    uint32_t *dirty; /* the dirty tiles */
    uint32_t dirty_count;
    uint64_t history; /* made of the hashes of their map when they were found and after each change:
                       * where it is the same, so are the map and the numbers */
    uint64_t map_hash; /* the last of these */
} cn_components;

/* The components of a grid, which must not move, or of a graph. */
cairn_status cn_components_new(const cn_mem *mem, const cn_grid *grid, cn_components **components);
cairn_status cn_components_of_graph(const cn_mem *mem, const cn_graph *graph,
                                    cn_components **components);
void cn_components_free(cn_components *components, const cn_mem *mem);

/* The bytes that the components of so many nodes have taken from their allocator; 0 for NULL. */
size_t cn_components_memory(const cn_components *components, uint32_t node_count);

/* The bytes of at most so many components that would be found on a grid; but for tiles that these
 * divide. */
uint64_t cn_components_memory_of(const cn_grid *grid, uint64_t count);

/* cn_components_mark is to be called for areas that hold every cell that opened or closed or, where
 * letters are one-way, got another letter; after the last one cn_components_repair updates the
 * components. If that returns false, for lack of memory, they can only be freed. */
void cn_components_mark(cn_components *components, cn_area area);
bool cn_components_repair(cn_components *components, const cn_mem *mem);

/* The number of the component of an open cell of a grid, valid until the next edit. */
CN_ALWAYS_INLINE uint32_t cn_component_at(const cn_components *components, uint32_t x, uint32_t y)
{
    const cn_regions *regions = &components->regions;
    return *cn_region_value(regions, cn_region_at(regions, x, y));
}

/* The number of the component of a node, valid until the next edit; CN_NO_COMPONENT for a blocked
 * cell. */
CN_ALWAYS_INLINE uint32_t cn_component_of(const cn_components *components, cairn_node node)
{
    const cn_regions *regions = &components->regions;
    uint32_t x, y;

    if (!regions->grid)
        return components->label ? components->label[node] : 0;
    if (!cn_grid_is_open(regions->grid, node))
        return CN_NO_COMPONENT;
    cn_grid_xy(regions->grid, node, &x, &y);
    return cn_component_at(components, x, y);
}

#endif
