/* A picture in memory, and what can be drawn on it. */
#ifndef RENDER_IMAGE_H
#define RENDER_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct colour {
    uint8_t red, green, blue;
} colour;

#define COLOUR(hex) ((colour){(uint8_t)((hex) >> 16), (uint8_t)((hex) >> 8), (uint8_t)(hex)})

typedef struct image {
    uint32_t width;
    uint32_t height;
    colour *pixels; /* row by row */
} image;

/* False when there is no memory. */
bool image_init(image *on, uint32_t width, uint32_t height, colour fill);
void image_free(image *on);

/* Part of the way from one colour to another. */
colour colour_mix(colour from, colour to, double part);

/* Everything below leaves out what lies outside the picture. */
void image_box(image *on, int x, int y, int width, int height, colour fill);
void image_disc(image *on, double x, double y, double radius, colour fill);
void image_line(image *on, double x0, double y0, double x1, double y1, double width, colour stroke);

/* A disc and a line with a white edge, to be seen on any ground. */
void image_spot(image *on, double x, double y, double radius, colour fill);
void image_dash(image *on, double x0, double y0, double x1, double y1, double width, colour stroke);

/* Letters of 5 x 8 dots, each `scale` pixels wide, one dot apart. */
void image_text(image *on, int x, int y, int scale, colour stroke, const char *text);
int image_text_width(const char *text, int scale);

/* Fills the rectangle with another picture: each pixel is the mean of the area under it, so that
 * nothing is lost when it becomes smaller. */
void image_paint(image *on, int x, int y, uint32_t width, uint32_t height, const image *picture);

#endif
