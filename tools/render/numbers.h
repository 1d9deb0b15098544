/* The numbers behind the colours of a picture. */
#ifndef RENDER_NUMBERS_H
#define RENDER_NUMBERS_H

#include "render/scene.h"

/* Writes a scene as CSV: a line for each open cell or node that it shows, with its value, which is
 * called `name`, or where cells are explored, which searches expand it. Reports the file; returns
 * the exit code, after a complaint where that is not 0. */
int numbers_write(const scene *of, const char *name, const char *path);

#endif
