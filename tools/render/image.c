#include "render/image.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "render/font.h"

bool image_init(image *on, uint32_t width, uint32_t height, colour fill)
{
    size_t count = (size_t)width * height;
    *on = (image){.width = width, .height = height, .pixels = calloc(count, sizeof(colour))};
    for (size_t i = 0; on->pixels && i < count; i++)
        on->pixels[i] = fill;
    return on->pixels != NULL;
}

void image_free(image *on)
{
    free(on->pixels);
    *on = (image){0};
}

static uint8_t mix(uint8_t from, uint8_t to, double part)
{
    return (uint8_t)(from + (to - from) * part + 0.5);
}

colour colour_mix(colour from, colour to, double part)
{
    return (colour){mix(from.red, to.red, part), mix(from.green, to.green, part),
                    mix(from.blue, to.blue, part)};
}

static void blend(image *on, int x, int y, colour fill, double part)
{
    if (x < 0 || y < 0 || (uint32_t)x >= on->width || (uint32_t)y >= on->height || part <= 0)
        return;
    colour *pixel = &on->pixels[(size_t)y * on->width + (size_t)x];
    *pixel = colour_mix(*pixel, fill, part < 1 ? part : 1);
}

void image_box(image *on, int x, int y, int width, int height, colour fill)
{
    for (int row = y; row < y + height; row++)
        for (int column = x; column < x + width; column++)
            blend(on, column, row, fill, 1);
}

void image_disc(image *on, double x, double y, double radius, colour fill)
{
    for (int row = (int)(y - radius) - 1; row <= (int)(y + radius) + 1; row++) {
        for (int column = (int)(x - radius) - 1; column <= (int)(x + radius) + 1; column++) {
            double away = hypot(column + 0.5 - x, row + 0.5 - y);
            blend(on, column, row, fill, radius + 0.5 - away);
        }
    }
}

/* How far a point lies from the line between two. */
static double distance(double x, double y, double x0, double y0, double x1, double y1)
{
    double dx = x1 - x0, dy = y1 - y0;
    double square = dx * dx + dy * dy;
    double part = square > 0 ? ((x - x0) * dx + (y - y0) * dy) / square : 0;
    part = part < 0 ? 0 : part > 1 ? 1 : part;
    return hypot(x - x0 - part * dx, y - y0 - part * dy);
}

void image_line(image *on, double x0, double y0, double x1, double y1, double width, colour stroke)
{
    int left = (int)(fmin(x0, x1) - width) - 1, right = (int)(fmax(x0, x1) + width) + 1;
    int top = (int)(fmin(y0, y1) - width) - 1, bottom = (int)(fmax(y0, y1) + width) + 1;
    for (int row = top; row <= bottom; row++) {
        for (int column = left; column <= right; column++) {
            double away = distance(column + 0.5, row + 0.5, x0, y0, x1, y1);
            blend(on, column, row, stroke, width / 2 + 0.5 - away);
        }
    }
}

void image_spot(image *on, double x, double y, double radius, colour fill)
{
    image_disc(on, x, y, radius + 2, COLOUR(0xffffff));
    image_disc(on, x, y, radius, fill);
}

void image_dash(image *on, double x0, double y0, double x1, double y1, double width, colour stroke)
{
    image_line(on, x0, y0, x1, y1, width + 2, COLOUR(0xffffff));
    image_line(on, x0, y0, x1, y1, width, stroke);
}

static void draw_letter(image *on, int x, int y, int scale, colour stroke, const uint8_t *rows)
{
    for (int row = 0; row < FONT_HEIGHT; row++) {
        for (int column = 0; column < FONT_WIDTH; column++)
            if (rows[row] >> (FONT_WIDTH - 1 - column) & 1)
                image_box(on, x + column * scale, y + row * scale, scale, scale, stroke);
    }
}

void image_text(image *on, int x, int y, int scale, colour stroke, const char *text)
{
    for (; *text; text++, x += (FONT_WIDTH + 1) * scale) {
        unsigned index = (unsigned char)*text - (unsigned)FONT_FIRST;
        draw_letter(on, x, y, scale, stroke, font_rows[index < FONT_COUNT ? index : '?' - 32]);
    }
}

int image_text_width(const char *text, int scale)
{
    int count = (int)strlen(text);
    return count ? (count * (FONT_WIDTH + 1) - 1) * scale : 0;
}

/* ---------------------------------------------------------------------------- scaling -- */

/* The share of source line `line` that lies between `from` and `to`. */
static double share(double from, double to, uint32_t line)
{
    return fmin(to, line + 1.0) - fmax(from, line);
}

static colour mean_of(const image *picture, double left, double right, double top, double bottom)
{
    double sum[3] = {0, 0, 0}, area = 0;
    for (uint32_t y = (uint32_t)top; y < bottom && y < picture->height; y++) {
        for (uint32_t x = (uint32_t)left; x < right && x < picture->width; x++) {
            double part = share(left, right, x) * share(top, bottom, y);
            const colour *pixel = &picture->pixels[(size_t)y * picture->width + x];
            sum[0] += part * pixel->red;
            sum[1] += part * pixel->green;
            sum[2] += part * pixel->blue;
            area += part;
        }
    }
    if (area <= 0)
        return COLOUR(0);
    return (colour){(uint8_t)(sum[0] / area + 0.5), (uint8_t)(sum[1] / area + 0.5),
                    (uint8_t)(sum[2] / area + 0.5)};
}

void image_paint(image *on, int x, int y, uint32_t width, uint32_t height, const image *picture)
{
    double step_x = (double)picture->width / width, step_y = (double)picture->height / height;
    for (uint32_t row = 0; row < height; row++) {
        for (uint32_t column = 0; column < width; column++) {
            colour mean = mean_of(picture, column * step_x, (column + 1) * step_x, row * step_y,
                                  (row + 1) * step_y);
            blend(on, x + (int)column, y + (int)row, mean, 1);
        }
    }
}
