#include "report/chart.h"

#include <math.h>

#include "render/ramp.h"

/* As a telephone shows it, so that letters can be read there; the style of the page makes them
 * smaller on wide screens. */
enum { WIDTH = 440, HEIGHT = 310, LEFT = 64, RIGHT = 20, TOP = 14, BOTTOM = 52, TICKS = 4 };

void html_text(FILE *file, const char *text)
{
    for (; *text; text++) {
        switch (*text) {
        case '&': fputs("&amp;", file); break;
        case '<': fputs("&lt;", file); break;
        case '>': fputs("&gt;", file); break;
        case '"': fputs("&quot;", file); break;
        default: fputc(*text, file);
        }
    }
}

void html_name(FILE *file, const char *name)
{
    for (; *name; name++) {
        html_text(file, (char[2]){*name, '\0'});
        if (*name == '/')
            fputs("<wbr>", file);
    }
}

axis axis_over(const char *name, double low, double high, bool is_log)
{
    if (!is_log) {
        high = high > low ? high : low + 1;
        double step = ramp_step(high - low, TICKS);
        return (axis){name, floor(low / step) * step, ceil(high / step) * step, false};
    }
    low = low > 0 ? low : 1;
    high = high > low ? high : low * 10;
    double first = floor(log10(low)), last = ceil(log10(high) - 1e-9);
    return (axis){name, pow(10, first), pow(10, fmax(last, first + 1)), true};
}

static double part_of(const axis *along, double value)
{
    if (!along->is_log)
        return (value - along->low) / (along->high - along->low);
    value = value > along->low ? value : along->low;
    return log(value / along->low) / log(along->high / along->low);
}

static double to_x(const chart *on, double value)
{
    return LEFT + part_of(&on->x, value) * (WIDTH - LEFT - RIGHT);
}

static double to_y(const chart *on, double value)
{
    return HEIGHT - BOTTOM - part_of(&on->y, value) * (HEIGHT - TOP - BOTTOM);
}

/* ------------------------------------------------------------------------------- axes -- */

static void tick_text(char *text, size_t size, double value)
{
    if (value >= 1e6)
        snprintf(text, size, "%gM", value / 1e6);
    else if (value >= 1e4)
        snprintf(text, size, "%gk", value / 1e3);
    else
        snprintf(text, size, "%g", value);
}

static void draw_tick(const chart *on, bool is_x, double value)
{
    char text[32];
    tick_text(text, sizeof text, value);
    if (is_x) {
        double x = to_x(on, value);
        fprintf(on->file, "<path class=\"grid\" d=\"M%.1f %dV%d\"/>", x, TOP, HEIGHT - BOTTOM);
        fprintf(on->file,
                "<text class=\"tick\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s"
                "</text>\n",
                x, HEIGHT - BOTTOM + 18, text);
    } else {
        double y = to_y(on, value);
        fprintf(on->file, "<path class=\"grid\" d=\"M%d %.1fH%d\"/>", LEFT, y, WIDTH - RIGHT);
        fprintf(on->file,
                "<text class=\"tick\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s"
                "</text>\n",
                LEFT - 7, y + 4, text);
    }
}

static void draw_axis(const chart *on, bool is_x)
{
    const axis *along = is_x ? &on->x : &on->y;
    if (along->is_log) {
        for (double value = along->low; value <= along->high * 1.001; value *= 10)
            draw_tick(on, is_x, value);
        return;
    }
    double step = ramp_step(along->high - along->low, TICKS);
    for (int i = 0; along->low + i * step <= along->high + step / 1000; i++)
        draw_tick(on, is_x, along->low + i * step);
}

void chart_open(chart *on, FILE *file, const char *title, const char *description, axis x, axis y)
{
    *on = (chart){.file = file, .x = x, .y = y};
    fprintf(file, "<svg viewBox=\"0 0 %d %d\" role=\"img\">\n<title>", WIDTH, HEIGHT);
    html_text(file, title);
    fputs("</title><desc>", file);
    html_text(file, description);
    fputs("</desc>\n", file);
    draw_axis(on, true);
    draw_axis(on, false);
    fprintf(file, "<text class=\"name\" x=\"%d\" y=\"%d\" text-anchor=\"middle\">",
            (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10);
    html_text(file, x.name);
    fprintf(file,
            "</text>\n<text class=\"name\" transform=\"translate(16 %d) rotate(-90)\" "
            "text-anchor=\"middle\">",
            (TOP + HEIGHT - BOTTOM) / 2);
    html_text(file, y.name);
    fputs("</text>\n", file);
}

void chart_close(chart *on)
{
    fputs("</svg>\n", on->file);
}

/* ------------------------------------------------------------------------------- data -- */

void chart_points(chart *on, unsigned series, const double *x, const double *y, size_t count)
{
    fprintf(on->file, "<path class=\"dots s%u\" d=\"", series);
    for (size_t i = 0; i < count; i++)
        fprintf(on->file, "M%.1f %.1fh0", to_x(on, x[i]), to_y(on, y[i]));
    fputs("\"/>\n", on->file);
}

static void draw_through(const chart *on, const double *x, const double *y, size_t count)
{
    for (size_t i = 0; i < count; i++)
        fprintf(on->file, "%c%.1f %.1f", i ? 'L' : 'M', to_x(on, x[i]), to_y(on, y[i]));
}

void chart_line(chart *on, unsigned series, const char *style, const double *x, const double *y,
                size_t count)
{
    fprintf(on->file, "<path class=\"line s%u %s\" d=\"", series, style);
    draw_through(on, x, y, count);
    fputs("\"/>\n", on->file);
}

void chart_band(chart *on, unsigned series, const double *x, const double *low, const double *high,
                size_t count)
{
    fprintf(on->file, "<path class=\"band f%u\" d=\"", series);
    draw_through(on, x, high, count);
    for (size_t i = count; i-- > 0;)
        fprintf(on->file, "L%.1f %.1f", to_x(on, x[i]), to_y(on, low[i]));
    fputs("z\"/>\n", on->file);
}

void chart_bar(chart *on, unsigned series, double left, double right, double height)
{
    double x = to_x(on, left) + 1, width = to_x(on, right) - x, y = to_y(on, height);
    double bottom = to_y(on, on->y.low);
    fprintf(on->file, "<path class=\"bar f%u\" d=\"M%.1f %.1fh%.1fV%.1fh%.1fz\"/>\n", series, x, y,
            width, bottom, -width);
}

void chart_guide(chart *on, double x0, double y0, double x1, double y1, const char *text)
{
    double x = to_x(on, x1), y = to_y(on, y1);
    fprintf(on->file, "<path class=\"guide\" d=\"M%.1f %.1fL%.1f %.1f\"/>", to_x(on, x0),
            to_y(on, y0), x, y);
    if (y0 < y1)
        fprintf(on->file, "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\">", to_x(on, x0) + 24,
                to_y(on, y0) - 5);
    else
        fprintf(on->file, "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">", x - 4,
                y - 5);
    html_text(on->file, text);
    fputs("</text>\n", on->file);
}

/* -------------------------------------------------------------------------------- key -- */

void key_open(FILE *file)
{
    fputs("<p class=\"key\">", file);
}

void key_add(FILE *file, unsigned series, const char *style, const char *text)
{
    fprintf(file, "<span><i class=\"s%u %s\"></i>", series, style);
    html_text(file, text);
    fputs("</span>\n", file);
}

void key_sign(FILE *file, legend_sign sign, uint32_t rgb, const char *text)
{
    static const char *const names[] = {"box", "path", "spot"};
    fprintf(file, "<span><i class=\"%s\" style=\"color:#%06x\"></i>", names[sign], (unsigned)rgb);
    html_text(file, text);
    fputs("</span>\n", file);
}

void key_close(FILE *file)
{
    fputs("</p>\n", file);
}
