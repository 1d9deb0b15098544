/* One summary over many comparisons. Scenarios are of one weight each: their queries are not
 * independent samples, the maps are. */
#include <stdlib.h>
#include <string.h>

#include "compare/results.h"
#include "kit/output.h"

const char *result_scenario(const result *line)
{
    return kit_file_name(line->scenario);
}

static size_t folder_size(const result *of)
{
    return (size_t)(kit_file_name(of->table) - of->table);
}

static bool is_in_folder(const summary_line *line, const result *of)
{
    size_t size = folder_size(of);
    return line->folder_size == size && memcmp(line->folder, of->table, size) == 0;
}

static bool is_of_line(const summary_line *line, const result *of)
{
    return strcmp(line->search, of->search) == 0 && is_in_folder(line, of);
}

/* -------------------------------------------------------------------------------- lines */

/* The number of the folder of a result: sets are counted as they appear. */
static size_t set_of(summary *made, const result *of)
{
    for (size_t i = 0; i < made->line_count; i++)
        if (is_in_folder(&made->lines[i], of))
            return made->lines[i].set;
    return made->set_count++;
}

static summary_line *line_of(summary *made, const result *of, size_t place)
{
    for (size_t i = 0; i < made->line_count; i++)
        if (is_of_line(&made->lines[i], of))
            return &made->lines[i];
    size_t set = set_of(made, of);
    summary_line *line = &made->lines[made->line_count++];
    *line = (summary_line){.folder = of->table,
                           .folder_size = folder_size(of),
                           .set = set,
                           .place = place,
                           .search = of->search};
    return line;
}

static void note_worst(summary_line *line, const result *of)
{
    if (of->paths == 0)
        return;
    if (!line->least || of->expansion_ratio < line->least->expansion_ratio)
        line->least = of;
    if (!line->least_query || of->least_ratio < line->least_query->least_ratio)
        line->least_query = of;
    if (!line->slowest || of->slowest_us > line->slowest->slowest_us)
        line->slowest = of;
}

static int by_set(const void *left, const void *right)
{
    const summary_line *a = left, *b = right;
    if (a->set != b->set)
        return a->set < b->set ? -1 : 1;
    return (a->place > b->place) - (a->place < b->place);
}

static void collect(summary *made)
{
    const results *from = made->from;
    for (size_t first = 0; first < from->count; first += from->lines[first].searches) {
        const result *unit = &from->lines[first];
        made->unit_count++;
        made->queries += unit->queries;
        made->wrong_lengths += unit->wrong_lengths;
        made->wrong_costs += unit->wrong_costs;
        for (size_t place = 0; place < unit->searches; place++) {
            const result *of = &unit[place];
            summary_line *line = line_of(made, of, place);
            line->scenario_count += of->paths > 0;
            line->expanded += of->expanded;
            line->time_us += of->time_us;
            line->queries += of->queries;
            note_worst(line, of);
        }
    }
    qsort(made->lines, made->line_count, sizeof *made->lines, by_set);
}

/* Values of many scenarios, side by side. */
typedef struct values {
    double *ratios;
    double *speed_ups;
    size_t count;
} values;

static void average(const summary *made, summary_line *line, values *room)
{
    room->count = 0;
    for (size_t i = 0; i < made->from->count; i++) {
        const result *of = &made->from->lines[i];
        if (of->paths == 0 || !is_of_line(line, of))
            continue;
        room->ratios[room->count] = of->expansion_ratio;
        room->speed_ups[room->count++] = of->speed_up;
    }
    line->expansion_ratio = kit_geometric_mean(room->ratios, room->count);
    line->speed_up = kit_geometric_mean(room->speed_ups, room->count);
}

/* -------------------------------------------------------------------------------- pairs */

/* The result of the first set for the same queries and search. */
static const result *partner(const summary *made, const summary_line *first, const result *of)
{
    for (size_t i = 0; i < made->from->count; i++) {
        const result *other = &made->from->lines[i];
        if (is_of_line(first, other) && strcmp(other->scenario, of->scenario) == 0 &&
            strcmp(other->settings, of->settings) == 0)
            return other;
    }
    return NULL;
}

static void pair_up(summary *made, const summary_line *first, const summary_line *second,
                    values *room)
{
    room->count = 0;
    for (size_t i = 0; i < made->from->count; i++) {
        const result *of = &made->from->lines[i];
        if (of->paths == 0 || !is_of_line(second, of))
            continue;
        const result *other = partner(made, first, of);
        if (!other || other->paths == 0)
            continue;
        room->ratios[room->count] = of->expansion_ratio / other->expansion_ratio;
        room->speed_ups[room->count++] = of->speed_up / other->speed_up;
    }
    if (room->count == 0)
        return;
    made->pairs[made->pair_count++] =
        (summary_pair){.first = first,
                       .second = second,
                       .scenario_count = room->count,
                       .expansion_ratio = kit_geometric_mean(room->ratios, room->count),
                       .speed_up = kit_geometric_mean(room->speed_ups, room->count)};
}

/* Searches that use the table, of every set against the first. The others are the same in all. */
static void pair_all(summary *made, values *room)
{
    for (size_t i = 0; i < made->line_count; i++) {
        const summary_line *second = &made->lines[i];
        if (second->set == 0 || !strstr(second->search, "landmarks"))
            continue;
        for (size_t j = 0; j < made->line_count && made->lines[j].set == 0; j++)
            if (strcmp(made->lines[j].search, second->search) == 0)
                pair_up(made, &made->lines[j], second, room);
    }
}

bool summary_make(summary *made, const results *from)
{
    size_t room_size = from->count + 1;
    values room = {calloc(room_size, sizeof(double)), calloc(room_size, sizeof(double)), 0};

    *made = (summary){.from = from,
                      .lines = calloc(room_size, sizeof *made->lines),
                      .pairs = calloc(room_size, sizeof *made->pairs)};
    bool whole = room.ratios && room.speed_ups && made->lines && made->pairs;
    if (whole) {
        collect(made);
        for (size_t i = 0; i < made->line_count; i++)
            average(made, &made->lines[i], &room);
        pair_all(made, &room);
    }
    free(room.ratios);
    free(room.speed_ups);
    return whole;
}

const char *summary_agreement(const summary *of)
{
    for (size_t i = 0; i < of->from->count; i++)
        if (strncmp(of->from->lines[i].search, "asked", 5) == 0)
            return "on every cost but those asked for";
    return "on every cost";
}

void summary_free(summary *made)
{
    free(made->lines);
    free(made->pairs);
    *made = (summary){0};
}

/* Whether all sets have the first search over as many scenarios. */
static bool first_is_alike(const summary *of)
{
    for (size_t i = 0; i < of->line_count; i++)
        if (of->lines[i].place == 0 && of->lines[i].scenario_count != of->lines[0].scenario_count)
            return false;
    return true;
}

bool summary_repeats(const summary *of, const summary_line *line)
{
    return line->place == 0 && line->set > 0 && first_is_alike(of);
}

void summary_name(const summary *of, const summary_line *line, char *text, size_t size)
{
    if (of->set_count < 2 || (line->place == 0 && first_is_alike(of)))
        snprintf(text, size, "%s", line->search);
    else
        snprintf(text, size, "%.*s%s", (int)line->folder_size, line->folder, line->search);
}
