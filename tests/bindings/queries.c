/* Costs of 500 queries of a scenario and the time of a short query, which the examples of all
 * languages print as well:
 *
 *     queries MAP SCEN
 *
 * A cost a line, then "time" and the median of what a query between two neighbours takes, in
 * microseconds of processor time. */
#include <cairn/cairn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { QUERIES = 500, ROUNDS = 9, TIMES = 20000 };

static int compare(const void *a, const void *b)
{
    double first = *(const double *)a;
    double second = *(const double *)b;
    return (first > second) - (first < second);
}

static double microseconds(cairn_search *search, cairn_node start, cairn_node goal)
{
    double rounds[ROUNDS];
    cairn_path path;
    for (int round = 0; round < ROUNDS; round++) {
        clock_t begun = clock();
        for (int time = 0; time < TIMES; time++)
            if (cairn_search_run(search, start, goal, &path) != CAIRN_OK)
                exit(1);
        rounds[round] = (double)(clock() - begun) / CLOCKS_PER_SEC / TIMES * 1e6;
    }
    qsort(rounds, ROUNDS, sizeof *rounds, compare);
    return rounds[ROUNDS / 2];
}

int main(int count, char **words)
{
    cairn_map *map;
    cairn_table *table;
    cairn_search *search;
    cairn_scenario *scenario;
    cairn_path path;
    if (count != 3 || cairn_map_load(words[1], NULL, &map, NULL) != CAIRN_OK ||
        cairn_table_build(map, NULL, &table) != CAIRN_OK ||
        cairn_search_new(map, table, NULL, &search) != CAIRN_OK ||
        cairn_scenario_load(words[2], map, &scenario, NULL) != CAIRN_OK)
        return 1;
    const cairn_query *queries = cairn_scenario_queries(scenario);
    size_t query_count = cairn_scenario_count(scenario);
    for (size_t index = 0; index < QUERIES; index++) {
        const cairn_query *query = &queries[index * query_count / QUERIES];
        if (cairn_search_run(search, query->start, query->goal, &path) != CAIRN_OK)
            return 1;
        printf("%u\n", path.cost);
    }
    cairn_arc step;
    cairn_steps(map, queries[0].start, &step, 1);
    printf("time %.3f\n", microseconds(search, step.from, step.to));
    cairn_search_free(search);
    cairn_scenario_free(scenario);
    cairn_table_free(table);
    cairn_map_free(map);
    return 0;
}
