/* What the signs of a picture mean, drawn below it or as words of a page. */
#ifndef RENDER_LEGEND_H
#define RENDER_LEGEND_H

#include "render/scene.h"

typedef enum legend_sign { SIGN_BOX, SIGN_LINE, SIGN_SPOT } legend_sign;

typedef void legend_entry(void *context, legend_sign sign, uint32_t rgb, const char *text);

/* Calls `add` for each sign of the scene. */
void legend_list(const scene *of, legend_entry *add, void *context);

/* A value on a scale that ends at `full`, in thousands (100k) or millions where that is large. */
void legend_number(double value, double full, char *text, size_t size);

/* How much a legend takes below a picture of that width; a cell has `scale` pixels, 0 on a
 * graph. */
int legend_height(const scene *of, double scale, int width);
void legend_draw(const scene *of, double scale, image *on, int top);

#endif
