/* Charts as SVG inside a page: their colours come from the style of the page. */
#ifndef REPORT_CHART_H
#define REPORT_CHART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "render/legend.h"

typedef struct axis {
    const char *name;
    double low;
    double high;
    bool is_log;
} axis;

typedef struct chart {
    FILE *file;
    axis x, y;
} chart;

/* Text for HTML: markup in it is spelled out. */
void html_text(FILE *file, const char *text);

/* A name, which may be that of a file: lines may end behind its folders. */
void html_name(FILE *file, const char *name);

/* An axis that holds everything from low to high; one in logarithms ends at powers of ten. */
axis axis_over(const char *name, double low, double high, bool is_log);

/* `title` and `description` are read out where the picture is not seen. */
void chart_open(chart *on, FILE *file, const char *title, const char *description, axis x, axis y);
void chart_close(chart *on);

/* `series` chooses the colour, 0 to 8. */
void chart_points(chart *on, unsigned series, const double *x, const double *y, size_t count);
void chart_line(chart *on, unsigned series, const char *style, const double *x, const double *y,
                size_t count);
void chart_band(chart *on, unsigned series, const double *x, const double *low, const double *high,
                size_t count);
void chart_bar(chart *on, unsigned series, double left, double right, double height);

/* A thin line with words: where a rising one begins, or above the end of a level one. */
void chart_guide(chart *on, double x0, double y0, double x1, double y1, const char *text);

/* The key of a chart, written before it: text of the page, so that names of any length wrap. */
void key_open(FILE *file);
void key_add(FILE *file, unsigned series, const char *style, const char *text);
void key_sign(FILE *file, legend_sign sign, uint32_t rgb, const char *text); /* of a picture */
void key_close(FILE *file);

#endif
