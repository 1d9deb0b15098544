/*
 * The contents of a table, on a map with one-way cells: rows of costs from landmarks and to them,
 * and the steps that make the two differ. A search pauses and says what it knows about a cell, and
 * the landmarks what they know alone. An entry is made wrong on purpose, and the verification finds
 * it.
 */
#include <stdio.h>

#include "cairn/cairn.h"

enum { WIDTH = 7, HEIGHT = 3 };

static const char level[] = "......."
                            ".@@>.@."
                            ".......";

static void show_rows(const cairn_map *map, const cairn_table *table)
{
    static const char *const ways[] = {"from and to", "from", "to"};
    cairn_node node = cairn_node_at(map, 3, 1);

    printf("a table of %s\n",
           cairn_table_resident(table) == CAIRN_RESIDENT_CELLS ? "all cells" : "corners");
    for (uint32_t row = 0; row < cairn_table_row_count(table); row++) {
        const cairn_node *landmarks;
        size_t count = cairn_table_landmarks(table, row, &landmarks);
        printf("row %u: costs %s %zu landmark%s", row, ways[cairn_table_direction(table, row)],
               count, count == 1 ? "" : "s");
        if (cairn_table_holds(table, node))
            printf("; at 3,1: %u", cairn_table_cost(table, row, node));
        printf("\n");
    }
}

/* The costs of a row for all cells; those that are blocked have none. */
static cairn_status show_whole_row(const cairn_map *map, const cairn_table *table, uint32_t row)
{
    cairn_cost costs[WIDTH * HEIGHT];
    cairn_status status = cairn_table_row(table, map, row, costs);
    for (int y = 0; status == CAIRN_OK && y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            const cairn_cost cost = costs[y * WIDTH + x];
            if (cost == CAIRN_UNREACHABLE)
                printf("   -");
            else
                printf("%4u", cost);
        }
        printf("\n");
    }
    return status;
}

static void show_steps(const cairn_map *map, cairn_node node)
{
    cairn_arc steps[CAIRN_STEPS_MAX];
    uint32_t there = cairn_steps(map, node, steps, CAIRN_STEPS_MAX);
    uint32_t here = cairn_steps_to(map, node, steps, CAIRN_STEPS_MAX);
    printf("the one-way cell: %u steps lead to it, %u from it\n", here, there);
}

/* Shows a search along cells after five nodes, and the bound that the rows give without a base
 * heuristic. */
static cairn_status show_search(const cairn_map *map, const cairn_table *table)
{
    const cairn_search_options along = {.size = sizeof along, .space = CAIRN_SPACE_CELLS};
    cairn_node node = cairn_node_at(map, 2, 2), goal = cairn_node_at(map, 6, 1);
    cairn_search *search = NULL;
    cairn_path path;
    cairn_node_info seen;
    cairn_bound bound;

    cairn_status status = cairn_search_new(map, table, &along, &search);
    if (status == CAIRN_OK)
        status = cairn_search_begin(search, cairn_node_at(map, 0, 1), goal, &path);
    if (status == CAIRN_OK)
        status = cairn_search_resume(search, 5, &path);
    if (status == CAIRN_OK)
        status = cairn_search_node_info(search, node, &seen);
    if (status == CAIRN_OK)
        status = cairn_bound_with(map, table, goal, CAIRN_HEURISTIC_ZERO, &bound);
    if (status == CAIRN_OK)
        printf("2,2 after five nodes: g %u, h %u; by landmarks alone %u\n", seen.g, seen.h,
               cairn_bound_at(&bound, node));
    cairn_search_free(search);
    return status;
}

/* Returns CAIRN_OK when the verification finds the entry that was made wrong. */
static cairn_status prove(const cairn_map *map, cairn_table *table)
{
    cairn_node node = cairn_node_at(map, 6, 1);
    cairn_fault fault;
    cairn_status status = cairn_table_verify(table, map, 1, &fault);
    if (status != CAIRN_OK)
        return status;
    printf("every entry is exact\n");
    status = cairn_table_set_cost(table, 0, node, cairn_table_cost(table, 0, node) + 1);
    if (status == CAIRN_OK)
        status = cairn_table_verify(table, map, 1, &fault);
    if (status != CAIRN_E_INEXACT)
        return status == CAIRN_OK ? CAIRN_E_INEXACT : status;
    printf("row %u is wrong: %u, possible %u\n", fault.row, fault.stored, fault.possible);
    return CAIRN_OK;
}

int main(void)
{
    cairn_alphabet letters;
    cairn_map_options options = {.size = sizeof options, .metric = {10, 14}, .alphabet = &letters};
    cairn_build_options build = {.size = sizeof build, .landmark_count = 1};
    cairn_map *map = NULL;
    cairn_table *table = NULL;

    cairn_alphabet_init(&letters);
    cairn_status status = cairn_alphabet_parse("one-way", 7, &letters, NULL);
    if (status == CAIRN_OK)
        status = cairn_map_from_letters(WIDTH, HEIGHT, level, &options, &map, NULL);
    if (status == CAIRN_OK)
        status = cairn_table_build(map, &build, &table);
    if (status == CAIRN_OK) {
        show_rows(map, table);
        status = show_whole_row(map, table, 0);
    }
    if (status == CAIRN_OK) {
        show_steps(map, cairn_node_at(map, 3, 1));
        status = show_search(map, table);
    }
    if (status == CAIRN_OK)
        status = prove(map, table);
    if (status != CAIRN_OK)
        fprintf(stderr, "%s\n", cairn_status_text(status));
    cairn_table_free(table);
    cairn_map_free(map);
    return status == CAIRN_OK ? 0 : 1;
}
