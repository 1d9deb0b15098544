#include "progress.h"

#include <stdio.h>
#include <unistd.h>

#include "clock.h"
#include "interrupt.h"

enum { BAR_WIDTH = 40 };

static bool report(void *context, const char *stage, uint64_t done, uint64_t total)
{
    return kit_progress_step(context, stage, done, total);
}

void kit_progress_start(kit_progress *progress)
{
    *progress = (kit_progress){
        .hook = {.report = report, .context = progress},
        .is_terminal = isatty(STDERR_FILENO) == 1,
        .started = kit_now(),
    };
}

static void draw(const char *stage, uint64_t done, uint64_t total)
{
    double share = total > 0 ? (double)done / (double)total : 0;
    int filled = (int)(share * BAR_WIDTH);
    char bar[BAR_WIDTH + 1];
    for (int index = 0; index < BAR_WIDTH; index++)
        bar[index] = index < filled ? '#' : '.';
    bar[BAR_WIDTH] = '\0';
    fprintf(stderr, "\r\033[K[%s] %3d%% %s", bar, (int)(share * 100), stage);
    fflush(stderr);
}

bool kit_progress_step(kit_progress *progress, const char *stage, uint64_t done, uint64_t total)
{
    if (progress->is_terminal) {
        double now = kit_now();
        if (now - progress->started > 1 && now - progress->drawn > 0.1) {
            draw(stage, done, total);
            progress->drawn = now;
            progress->is_drawn = true;
        }
    }
    return !kit_interrupted();
}

void kit_progress_end(kit_progress *progress)
{
    if (progress->is_drawn)
        fputs("\r\033[K", stderr);
    progress->is_drawn = false;
}
