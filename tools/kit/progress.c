#include "progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "interrupt.h"
#include "system.h"

enum { BAR_WIDTH = 40, WORDS_MAX = 120, COLUMNS_MAX = 240 };

static const double between_seconds = 0.1;

/* Guarded by the lock, but for is_terminal. */
static struct {
    bool is_terminal;
    bool has_drawer;
    bool is_working;
    bool is_drawn;
    double after; /* seconds from the start until the line appears */
    double started;
    double drawn; /* when the line was drawn last */
    char what[WORDS_MAX];
    char part[WORDS_MAX];
    uint64_t done;
    uint64_t total; /* 0: not known */
} line = {.after = 1};

static kit_mutex lock = KIT_MUTEX_READY;

static _Thread_local bool is_left_out;

static bool report(void *context, const char *part, uint64_t done, uint64_t total)
{
    (void)context;
    /* The temporary file of the library is there from now on. */
    if (strcmp(part, "write") == 0)
        kit_interrupt_hold();
    return kit_progress_step(part, done, total);
}

const cairn_progress kit_progress_hook = {.report = report};

void kit_progress_start(void)
{
    const char *after = getenv("CAIRN_PROGRESS");
    line.is_terminal = kit_terminal_is_there();
    line.started = kit_now();
    if (after && *after)
        line.after = strtod(after, NULL);
}

/* -------------------------------------------------------------------------------- drawing */

static size_t columns(void)
{
    const unsigned found = kit_terminal_columns();
    if (found < 2)
        return 80;
    return found < COLUMNS_MAX ? found : COLUMNS_MAX - 1;
}

static void compose(char *text, size_t size, double now)
{
    const char *between = line.part[0] ? ": " : "";
    double share = line.done < line.total ? (double)line.done / (double)line.total : 1;
    char bar[BAR_WIDTH + 1] = "";

    if (line.total == 0) {
        snprintf(text, size, "%s%s%s, %.0f s", line.what, between, line.part, now - line.started);
        return;
    }
    memset(bar, '.', BAR_WIDTH);
    memset(bar, '#', (size_t)(share * BAR_WIDTH));
    snprintf(text, size, "[%s] %3d%% %s%s%s", bar, (int)(share * 100), line.what, between,
             line.part);
}

/* With the lock. The last column stays free, since some terminals wrap there. */
static void draw_if_due(double between)
{
    char text[COLUMNS_MAX + BAR_WIDTH + WORDS_MAX];
    double now = kit_now();

    if (!line.is_working || now - line.started < line.after || now - line.drawn < between)
        return;
    compose(text, sizeof text, now);
    if (!kit_interrupt_draws())
        return;
    fprintf(stderr, "\r\033[K%.*s", (int)columns() - 1, text);
    fflush(stderr);
    kit_interrupt_drawn();
    line.is_drawn = true;
    line.drawn = now;
}

static void draw_now_and_then(void *nothing)
{
    (void)nothing;
    for (;;) {
        kit_sleep(between_seconds);
        kit_mutex_lock(&lock);
        draw_if_due(between_seconds);
        kit_mutex_unlock(&lock);
    }
}

/* With the lock. Without a thread, the work draws as often as it tells of itself. */
static void start_drawer(void)
{
    static kit_thread drawer;
    if (!line.has_drawer)
        kit_thread_start(&drawer, draw_now_and_then, NULL);
    line.has_drawer = true;
}

/* ------------------------------------------------------------------------------- the work */

void kit_progress_begin(const char *format, ...)
{
    va_list values;

    if (!line.is_terminal || is_left_out)
        return;
    kit_mutex_lock(&lock);
    va_start(values, format);
    vsnprintf(line.what, sizeof line.what, format, values);
    va_end(values);
    line.part[0] = '\0';
    line.done = line.total = 0;
    line.is_working = true;
    start_drawer();
    draw_if_due(0);
    kit_mutex_unlock(&lock);
}

bool kit_progress_step(const char *part, uint64_t done, uint64_t total)
{
    if (!line.is_terminal || is_left_out)
        return !kit_interrupted();
    kit_mutex_lock(&lock);
    bool is_new = strcmp(line.part, part) != 0;
    if (is_new)
        snprintf(line.part, sizeof line.part, "%s", part);
    line.done = done;
    line.total = total;
    draw_if_due(is_new ? 0 : between_seconds);
    kit_mutex_unlock(&lock);
    return !kit_interrupted();
}

void kit_progress_leave_out(void)
{
    is_left_out = true;
}

void kit_progress_hold(void)
{
    kit_mutex_lock(&lock);
    if (line.is_drawn)
        fputs("\r\033[K", stderr);
    fflush(stderr);
    line.is_working = line.is_working && is_left_out;
    line.is_drawn = false;
    kit_interrupt_wiped();
}

void kit_progress_release(void)
{
    kit_mutex_unlock(&lock);
}

void kit_progress_end(void)
{
    if (!line.is_terminal || is_left_out)
        return;
    kit_progress_hold();
    kit_progress_release();
}
