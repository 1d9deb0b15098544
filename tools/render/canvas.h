/* A picture in memory, and what can be drawn on it. */
#ifndef RENDER_CANVAS_H
#define RENDER_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct colour {
    uint8_t red, green, blue;
} colour;

#define COLOUR(hex) ((colour){(uint8_t)((hex) >> 16), (uint8_t)((hex) >> 8), (uint8_t)(hex)})

typedef struct canvas {
    uint32_t width;
    uint32_t height;
    colour *pixels;  /* row by row */
} canvas;

/* False when there is no memory. */
bool canvas_init(canvas *on, uint32_t width, uint32_t height, colour fill);
void canvas_free(canvas *on);

/* Part of the way from one colour to another. */
colour colour_mix(colour from, colour to, double part);

/* Everything below leaves out what lies outside the picture. */
void canvas_box(canvas *on, int x, int y, int width, int height, colour fill);
void canvas_disc(canvas *on, double x, double y, double radius, colour fill);
void canvas_line(canvas *on, double x0, double y0, double x1, double y1, double width,
                 colour stroke);

/* Letters of 5 x 8 dots, each `scale` pixels wide, one dot apart. */
void canvas_text(canvas *on, int x, int y, int scale, colour stroke, const char *text);
int canvas_text_width(const char *text, int scale);

/* Fills the rectangle with another picture: each pixel is the mean of the area under it, so that
 * nothing is lost when it becomes smaller. */
void canvas_paint(canvas *on, int x, int y, uint32_t width, uint32_t height,
                  const canvas *picture);

#endif
