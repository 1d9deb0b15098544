/* What lies below path and landmarks in a picture: the cells of a grid, or the arcs of a graph
 * whose nodes have coordinates. */
#ifndef RENDER_GROUND_H
#define RENDER_GROUND_H

#include "render/scene.h"

/* Where nodes lie in a picture, in pixels. */
typedef struct ground {
    const scene *of;
    int x, y; /* of the upper left corner in the picture; at first 0 */
    uint32_t width, height;
    double cell;      /* how wide a cell is; 0 for a graph, which has none */
    double left, top; /* the coordinates of a graph, or the cell, in that corner */
    double scale_x, scale_y;
} ground;

/* What a cell without a value or a search looks like, where it is not like floor. */
typedef struct ground_sign {
    char letter; /* 0: of other letters, if they are blocked */
    uint32_t rgb;
    const char *name;
} ground_sign;

enum { GROUND_SIGNS = 4 };
extern const ground_sign ground_signs[GROUND_SIGNS];

/* Which of them a cell has; GROUND_SIGNS: none. In a picture of values every blocked cell has the
 * first, and open cells have none. */
size_t ground_sign_of(const scene *of, cairn_node node);

/* The map of a scene, as large as it may be. */
ground ground_of(const scene *of, uint32_t most_width, uint32_t most_height);

/* The middle of a cell, or the place of a node. */
void ground_place(const ground *of, cairn_node node, double *x, double *y);

/* False when there is no memory. */
bool ground_draw(const ground *below, image *on);

#endif
