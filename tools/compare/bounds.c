/* What is known of bounds beforehand, and what became of the paths. */
#include <math.h>
#include <stdio.h>

#include "compare/compare.h"
#include "kit/say.h"

static void weigh_paths(const comparison *work, const contender *search, bound_facts *facts)
{
    double logs = 0;
    size_t found = 0;

    facts->longer_most = 1;
    for (size_t i = 0; i < work->query_count; i++) {
        const run_result *first = &work->searches[0].results[i], *result = &search->results[i];
        facts->reopened += result->reopened;
        facts->limited_count += result->outcome == CAIRN_PATH_PAUSED;
        if (result->outcome != CAIRN_PATH_FOUND || first->outcome != CAIRN_PATH_FOUND)
            continue;
        double longer = first->cost ? (double)result->cost / first->cost : 1;
        logs += log(longer);
        found++;
        facts->longer_count += longer > 1;
        facts->longer_most = fmax(facts->longer_most, longer);
    }
    facts->longer_mean = found ? exp(logs / (double)found) : 1;
}

/* Whether its rows speak at some cells alone, so that bounds differ more between neighbours than a
 * step costs: those at corners of a search from cell to cell. */
static bool rows_are_at_corners(const contender *search)
{
    return search->space == CAIRN_SPACE_CELLS && search->table &&
           cairn_table_resident(search->table) == CAIRN_RESIDENT_CORNERS;
}

bound_facts comparison_bound(const comparison *work, const contender *search)
{
    cairn_heuristic base = search->is_asked ? (cairn_heuristic)work->asked.heuristic
                                            : CAIRN_HEURISTIC_BEST;
    uint32_t weight = search->is_asked && work->asked.weight ? work->asked.weight : 1000;
    bound_facts facts = {.weight = weight};

    if (search->goal_costs) {
        facts.base = "exact costs";
        facts.admissible = facts.consistent = true;
    } else {
        facts.base = kit_heuristic_name(work->map, search->table, base);
        facts.admissible = cairn_bound_is_admissible(work->map, base);
        facts.consistent = cairn_bound_is_consistent(work->map, base) && weight == 1000;
    }
    const bool stays_closed = search->is_asked && work->asked.no_reopening;
    if (rows_are_at_corners(search) && !stays_closed)
        facts.consistent = false;
    facts.reopens = !facts.consistent && !stays_closed;
    facts.guarantee = facts.admissible && (facts.consistent || facts.reopens) ? weight : 0;
    weigh_paths(work, search, &facts);
    return facts;
}

static const char *promise(const bound_facts *facts)
{
    if (!facts->admissible)
        return "not admissible: paths may be longer";
    if (facts->weight > 1000)
        return "admissible before its weight";
    if (facts->consistent)
        return "admissible and consistent: paths are shortest, no node opens twice";
    return facts->reopens ? "admissible: paths are shortest, nodes may open twice"
                          : "admissible: paths may be longer, since closed nodes stay closed";
}

void comparison_bound_text(const comparison *work, const contender *search, char *text, size_t size)
{
    bound_facts facts = comparison_bound(work, search);
    size_t used = (size_t)snprintf(text, size, "%s%s", facts.base,
                                   search->table ? " and landmarks" : "");
#define ADD(...)   \
  if (used < size) \
  used += (size_t)snprintf(text + used, size - used, __VA_ARGS__)
    if (facts.weight != 1000)
        ADD(" times %.4g", facts.weight / 1000.0);
    ADD(", %s", promise(&facts));
    if (facts.guarantee > 1000)
        ADD("; no path is longer than %.4g times the shortest", facts.guarantee / 1000.0);
    if (facts.longer_count)
        ADD("; %s longer than the shortest, by %.3f %% on average of all and %.3f %% at most",
            kit_count(facts.longer_count).text, 100 * (facts.longer_mean - 1),
            100 * (facts.longer_most - 1));
    if (facts.reopened)
        ADD("; %s nodes opened again", kit_count(facts.reopened).text);
    if (search->is_asked && work->asked.limit)
        ADD("; the limit of %s expansions ended %s", kit_count(work->asked.limit).text,
            kit_count(facts.limited_count).text);
#undef ADD
}
