/* What is said of a text that is wrong: line, place in the text, what was expected, what was found.
 * One case for each message of each format. */
#include "cairn/cairn.h"

#include "support/check.h"

#define MAP_HEAD "type octile\nheight 2\nwidth 3\nmap\n"
#define CHANGING_HEAD "version 2\nheight 2\nwidth 3\ncost 1 octile\npatch p\n"
#define PATCH "type patch\npatches 1\npatch 0\nheight 1\nwidth 2\nmap\n.@\n"

typedef struct refusal {
    const char *text;
    uint64_t line;
    uint64_t offset;
    const char *expected;
    const char *found;
    cairn_status status; /* 0: CAIRN_E_FORMAT */
} refusal;

typedef cairn_status (*reader)(const char *text, size_t size, cairn_error *error);

static void assert_refused(reader read, const refusal *wrong)
{
    cairn_error error = {0};
    cairn_status status = read(wrong->text, strlen(wrong->text), &error);

    if (status == CAIRN_OK || error.line != wrong->line || error.offset != wrong->offset ||
        !error.expected || strcmp(error.expected, wrong->expected) != 0 ||
        strcmp(error.found, wrong->found) != 0)
        print_error("%s\n--> {%u, %u, \"%s\", \"%s\", %d}\n", wrong->text, (unsigned)error.line,
                    (unsigned)error.offset, error.expected ? error.expected : "", error.found,
                    (int)status);
    assert_int_equal(status, wrong->status ? wrong->status : CAIRN_E_FORMAT);
    assert_int_equal(error.status, status);
    assert_int_equal(error.line, wrong->line);
    assert_int_equal(error.offset, wrong->offset);
    assert_string_equal(error.expected, wrong->expected);
    assert_string_equal(error.found, wrong->found);
}

static cairn_status read_map(const char *text, size_t size, cairn_error *error)
{
    cairn_map *map;
    cairn_status status = cairn_map_parse(text, size, NULL, &map, error);
    cairn_map_free(map);
    return status;
}

static void maps_say_where_they_are_wrong(void **state)
{
    (void)state;
    static const char sides[] = "\"height N\", \"width N\" or \"map\"";
    static const char kinds[] = "\"type octile\" of a grid or \"p sp NODES ARCS\" of roads";
    static const char type[] = "\"type octile\", the only type that is read";
    static const refusal wrong[] = {
        {"", 1, 0, kinds, "the end of the file", 0},
        {"height 2\n", 1, 0, kinds, "height 2", 0},
        {"a 1 2 3\n", 1, 0, "\"p sp NODES ARCS\"", "a 1 2 3", 0},
        {"type octile-corner\n", 1, 5, type, "octile-corner", 0},
        {"type foo\nheight 2\n", 1, 5, type, "foo", 0},
        {"type\n", 1, 0, type, "type", 0},
        {"type octile 2\n", 1, 0, type, "type octile 2", 0},
        {"type octile\n\n", 2, 12, sides, "", 0},
        {"type octile\nwide 3\n", 2, 12, sides, "wide 3", 0},
        {"type octile\nwidth 3\nwidth 3\n", 3, 20, "each of height and width once", "width 3", 0},
        {"type octile\nwidth three\n", 2, 12, "a whole number from 1 to 65535", "width three", 0},
        {"type octile\nwidth 0\n", 2, 12, "a whole number from 1 to 65535", "width 0", 0},
        {"type octile\nwidth -3\n", 2, 12, "a whole number from 1 to 65535", "width -3", 0},
        {"type octile\nwidth 3 4\n", 2, 12, "a whole number from 1 to 65535", "width 3 4", 0},
        {"type octile\nwidth 65536\n", 2, 12, "a whole number from 1 to 65535", "width 65536",
         CAIRN_E_LIMIT},
        {"type octile\nwidth 123456789012345678901234\n", 2, 12, "a whole number from 1 to 65535",
         "width 123456789012345678901234", 0},
        {"type octile\nwidth 3\n", 3, 20, "\"map\"", "the end of the file", 0},
        {"type octile\nwidth 3\nmap\n", 3, 20, "height and width before \"map\"", "map", 0},
        {"type octile\nheight 65535\nwidth 65535\nmap\n", 4, 37, "at most 2^28 cells",
         "65535 x 65535", CAIRN_E_LIMIT},
        {"type octile\nheight 99\nwidth 99\nmap\n", 5, 35, "another row of the map",
         "the end of the file", 0},
        {"type octile\nheight 99\nwidth 3\nmap\n...\n..", 6, 38,
         "a row as long as the width (this one is shorter)", "..", 0},
        {MAP_HEAD "...\n", 6, 37, "another row of the map", "the end of the file", 0},
        {MAP_HEAD "...\n..\n", 6, 37, "a row as long as the width (this one is shorter)", "..", 0},
        {MAP_HEAD "....\n", 5, 33, "a row as long as the width (this one is longer)", "....", 0},
        {MAP_HEAD "...\r\n.x.\r\n", 6, 39,
         "one of the terrain letters . G S @ O T W, or a terrain with this letter", "x", 0},
        {MAP_HEAD "...\n...\n\n  .\n", 8, 42, "nothing after the last row", "  .", 0},
    };
    for (size_t i = 0; i < COUNT_OF(wrong); i++)
        assert_refused(read_map, &wrong[i]);
}

static cairn_status read_roads(const char *text, size_t size, cairn_error *error)
{
    cairn_map *map;
    cairn_status status = cairn_roads_parse(text, size, NULL, 0, NULL, &map, error);
    cairn_map_free(map);
    return status;
}

static void roads_say_where_they_are_wrong(void **state)
{
    (void)state;
    static const char problem[] = "\"p sp NODES ARCS\"";
    static const refusal wrong[] = {
        {"c only a comment", 2, 16, problem, "the end of the file", 0},
        {"\nq sp 2 1\n", 2, 1, problem, "q sp 2 1", 0},
        {"p sp 0 1\n", 1, 0, "at least one node", "p sp 0 1", 0},
        {"p sp 2 1 0\n", 1, 0, problem, "p sp 2 1 0", 0},
        {"p sp 268435457 1\n", 1, 0, "at most 2^28 nodes and 2^30 arcs", "p sp 268435457 1",
         CAIRN_E_LIMIT},
        {"p sp 65537 0\n", 1, 0,
         "at most 65536 nodes, or a byte of text, comments too, for each node", "p sp 65537 0", 0},
        {"p sp 2 9\na 1 2 3\n", 1, 0, "as many lines of arcs as announced", "p sp 2 9", 0},
        {"p sp 2 2\na 1 2 3\nc c c c\n", 4, 25, "another arc", "the end of the file", 0},
        {"p sp 2 1\nb 1 2 3\n", 2, 9, "\"a FROM TO COST\", whole numbers from 1", "b 1 2 3", 0},
        {"p sp 2 1\na 1 2 5.5\n", 2, 9, "\"a FROM TO COST\", whole numbers from 1", "a 1 2 5.5", 0},
        {"p sp 2 1\na 1 2 -3\n", 2, 9, "\"a FROM TO COST\", whole numbers from 1", "a 1 2 -3", 0},
        {"p sp 2 1\na 1 3 3\n", 2, 9, "nodes from 1 to their number", "a 1 3 3", 0},
        {"p sp 2 1\na 1 2 0\n", 2, 9, "a cost above 0", "a 1 2 0", 0},
        {"p sp 2 1\na 1 2 268435456\n", 2, 9, "a cost of at most 268435455", "a 1 2 268435456",
         CAIRN_E_LIMIT},
        {"p sp 2 1\na 1 2 3\na 2 1 3\n", 3, 17, "nothing after the last arc", "a 2 1 3", 0},
    };
    for (size_t i = 0; i < COUNT_OF(wrong); i++)
        assert_refused(read_roads, &wrong[i]);
}

static cairn_status read_places(const char *text, size_t size, cairn_error *error)
{
    static const char roads[] = "p sp 2 1\na 1 2 3\n";
    cairn_map *map;
    cairn_status status = cairn_roads_parse(roads, sizeof roads - 1, text, size, NULL, &map, error);
    cairn_map_free(map);
    return status;
}

static void coordinates_say_where_they_are_wrong(void **state)
{
    (void)state;
    static const char problem[] =
        "in the file of places: \"p aux sp co NODES\", as many as in the arcs";
    static const char place[] = "in the file of places: \"v NODE X Y\"";
    static const refusal wrong[] = {
        {"c\n", 2, 2, problem, "the end of the file", 0},
        {"p aux sp co 3\n", 1, 0, problem, "p aux sp co 3", 0},
        {"p aux sp co 2\nv 1 2 3\n", 3, 22, "in the file of places: coordinates of another node",
         "the end of the file", 0},
        {"p aux sp co 2\nv 3 2 3\n", 2, 14, "in the file of places: nodes from 1 to their number",
         "v 3 2 3", 0},
        {"p aux sp co 2\nv 1 2147483648 3\n", 2, 14, place, "v 1 2147483648 3", 0},
        {"p aux sp co 2\nv 1 -2147483649 3\n", 2, 14, place, "v 1 -2147483649 3", 0},
        {"p aux sp co 2\nv 1 2 --3\n", 2, 14, place, "v 1 2 --3", 0},
        {"p aux sp co 2\nv 1 2 3\nv 1 2 3\n", 3, 22, "in the file of places: each node once",
         "v 1 2 3", 0},
        {"p aux sp co 2\nv 1 2 3\nv 2 2 3\nv 2 2 3\n", 4, 30,
         "in the file of places: nothing after the last node", "v 2 2 3", 0},
    };
    for (size_t i = 0; i < COUNT_OF(wrong); i++)
        assert_refused(read_places, &wrong[i]);
}

static void coordinates_may_be_any_of_32_bits(void **state)
{
    (void)state;
    static const char roads[] = "p sp 2 1\na 1 2 3\n";
    static const char places[] = "p aux sp co 2\nv 1 -2147483648 2147483647\nv 2 -0 -1\n";
    cairn_map *map;
    int32_t x, y;
    assert_int_equal(
        cairn_roads_parse(roads, sizeof roads - 1, places, sizeof places - 1, NULL, &map, NULL),
        CAIRN_OK);
    assert_true(cairn_node_place(map, 0, &x, &y));
    assert_true(x == INT32_MIN && y == INT32_MAX);
    assert_true(cairn_node_place(map, 1, &x, &y));
    assert_true(x == 0 && y == -1);
    cairn_map_free(map);
}

static cairn_status read_scenario(const char *text, size_t size, cairn_error *error)
{
    static const char letters[] = "......";
    cairn_map *map;
    cairn_scenario *scenario;
    assert_int_equal(cairn_map_from_letters(3, 2, letters, NULL, &map, NULL), CAIRN_OK);
    cairn_status status = cairn_scenario_parse(text, size, map, &scenario, error);
    cairn_scenario_free(scenario);
    cairn_map_free(map);
    return status;
}

static void scenarios_say_where_they_are_wrong(void **state)
{
    (void)state;
    static const refusal wrong[] = {
        {"version 2\n", 1, 0, "\"version 1\"", "version 2", 0},
        {"version 1 and more\n", 1, 0, "\"version 1\"", "version 1 and more", 0},
        {"version 1\nx m 3 2 0 0 1 1 1\n", 2, 10, "a bucket number", "x", 0},
        {"0\n", 1, 0, "the name of the map", "0", 0},
        {"0 m\n", 1, 4, "the width of the map", "the end of the line", 0},
        {"0 m w 2\n", 1, 4, "the width of the map", "w", 0},
        {"0 m 3 h\n", 1, 6, "the height of the map", "h", 0},
        {"0 m 3 2 -1\n", 1, 8, "the column of the start", "-1", 0},
        {"0 m 3 2 0 y\n", 1, 10, "the row of the start", "y", 0},
        {"0 m 3 2 0 0 x\n", 1, 12, "the column of the goal", "x", 0},
        {"0 m 3 2 0 0 1 4294967296\n", 1, 14, "the row of the goal", "4294967296", 0},
        {"0\tm\t2\t3\t0\t0\t1\t1\t1\n", 1, 4, "the width and height of the map in use", "2 3", 0},
        {"0 m 3 2 0 0 1 2 1\n", 1, 0, "a goal on the map", "0 m 3 2 0 0 1 2 1", 0},
        {"0 m 3 2 3 0 1 1 1\n", 1, 0, "a start on the map", "0 m 3 2 3 0 1 1 1", 0},
        {"0 m 3 2 0 0 1 1\n", 1, 16, "the optimal length in steps, 0 or more (0: no path)",
         "the end of the line", 0},
        {"0 m 3 2 0 0 1 1 -1\n", 1, 16, "the optimal length in steps, 0 or more (0: no path)", "-1",
         0},
        {"0 m 3 2 0 0 1 1 nan\n", 1, 16, "the optimal length in steps, 0 or more (0: no path)",
         "nan", 0},
        {"0 m 3 2 0 0 1 1 1 more\n", 1, 18, "nothing after the optimal length", "more", 0},
        {"p aux sp p2p 1\nq 1 2\n", 1, 0, "queries on a grid, as the map is one", "p aux sp p2p 1",
         0},
    };
    for (size_t i = 0; i < COUNT_OF(wrong); i++)
        assert_refused(read_scenario, &wrong[i]);
}

static cairn_status read_road_queries(const char *text, size_t size, cairn_error *error)
{
    static const char roads[] = "p sp 2 1\na 1 2 3\n";
    cairn_map *map;
    cairn_scenario *scenario;
    assert_int_equal(cairn_map_parse(roads, sizeof roads - 1, NULL, &map, NULL), CAIRN_OK);
    cairn_status status = cairn_scenario_parse(text, size, map, &scenario, error);
    cairn_scenario_free(scenario);
    cairn_map_free(map);
    return status;
}

static void queries_on_roads_say_where_they_are_wrong(void **state)
{
    (void)state;
    static const char problem[] = "\"p aux sp p2p QUERIES\", as the map is a graph";
    static const char many[] = "as many lines of queries as announced";
    static const char nodes[] = "nodes from 1 to their number";
    static const char query[] = "\"q START GOAL\"";
    static const refusal wrong[] = {
        {"", 1, 0, problem, "the end of the file", 0},
        {"c only a comment", 2, 16, problem, "the end of the file", 0},
        {"version 1\n0 m 2 1 0 0 1 0 1\n", 1, 0, problem, "version 1", 0},
        {"q 1 2\n", 1, 0, problem, "q 1 2", 0},
        {"p aux sp co 1\nq 1 2\n", 1, 0, problem, "p aux sp co 1", 0},
        {"c\np aux sp p2p\nq 1 2\n", 2, 2, problem, "p aux sp p2p", 0},
        {"p aux sp p2p 1 1\nq 1 2\n", 1, 0, problem, "p aux sp p2p 1 1", 0},
        {"p aux sp p2p -1\n", 1, 0, problem, "p aux sp p2p -1", 0},
        {"p aux sp p2p 18446744073709551616\n", 1, 0, problem, "p aux sp p2p 18446744073709551616",
         0},
        {"p aux sp p2p 18446744073709551615\n", 1, 0, many, "p aux sp p2p 18446744073709551615", 0},
        {"p aux sp p2p 9\nq 1 2\n", 1, 0, many, "p aux sp p2p 9", 0},
        {"p aux sp p2p 2\nq 1 2\nc c c c\n", 4, 29, "another query", "the end of the file", 0},
        {"p aux sp p2p 1\na 1 2\n", 2, 15, query, "a 1 2", 0},
        {"p aux sp p2p 1\nq 1\n", 2, 15, query, "q 1", 0},
        {"p aux sp p2p 1\nq 1 two\n", 2, 15, query, "q 1 two", 0},
        {"p aux sp p2p 1\nq 1 2 3\n", 2, 15, query, "q 1 2 3", 0},
        {"p aux sp p2p 1\nq -1 2\n", 2, 15, query, "q -1 2", 0},
        {"p aux sp p2p 1\nq 0 2\n", 2, 15, nodes, "q 0 2", 0},
        {"p aux sp p2p 1\nq 1 3\n", 2, 15, nodes, "q 1 3", 0},
        {"p aux sp p2p 1\nq 4294967297 1\n", 2, 15, nodes, "q 4294967297 1", 0},
        {"p aux sp p2p 1\nq 1 2\nq 2 1\n", 3, 21, "nothing after the last query", "q 2 1", 0},
    };
    for (size_t i = 0; i < COUNT_OF(wrong); i++)
        assert_refused(read_road_queries, &wrong[i]);
}

static cairn_status read_scenario_file(const char *text, size_t size, cairn_error *error)
{
    cairn_dynamic *dynamic;
    cairn_status status = cairn_dynamic_parse(text, size, PATCH, sizeof PATCH - 1, &dynamic, error);
    cairn_dynamic_free(dynamic);
    return status;
}

static cairn_status read_patch_file(const char *text, size_t size, cairn_error *error)
{
    static const char scenario[] = CHANGING_HEAD "commands\n";
    cairn_dynamic *dynamic;
    cairn_status status = cairn_dynamic_parse(scenario, sizeof scenario - 1, text, size, &dynamic,
                                              error);
    cairn_dynamic_free(dynamic);
    return status;
}

static void maps_that_change_say_where_they_are_wrong(void **state)
{
    (void)state;
    static const char sides[] = "height N, then width N, from 1 to 65535";
    static const char event[] =
        "P TIME PATCH X Y or Q TIME X Y X Y LENGTH (-1: no path), on the map";
    static const char version[] = "version 2: a scenario whose map changes";
    static const refusal wrong[] = {
        {"version 1\n", 1, 0, version, "version 1", 0},
        {"0\tmap\t3\t2\t0\t0\t2\t0\t2\n", 1, 0, version, "0 map 3 2 0 0 2 0 2", 0},
        {"version 2\nheight 0\n", 2, 10, sides, "height 0", 0},
        {"version 2\nheight 1\nwidth 65536\n", 3, 19, sides, "width 65536", 0},
        {"version 2\nheight 65535\nwidth 65535\n", 3, 23, "at most 2^28 cells", "65535 x 65535",
         CAIRN_E_LIMIT},
        {"version 2\nheight 1\nwidth 1\ncost 2 octile\n", 4, 27, "cost 1 octile", "cost 2 octile",
         0},
        {"version 2\nheight 1\nwidth 1\ncost 1 octile\npatch\n", 5, 41, "patch FILE", "patch", 0},
        {"version 2\nheight 1\nwidth 1\ncost 1 octile\npatch /p\n", 5, 41,
         "the name of a patch file in the same folder", "patch /p", 0},
#ifdef _WIN32
        {"version 2\nheight 1\nwidth 1\ncost 1 octile\npatch ..\\p\n", 5, 41,
         "the name of a patch file in the same folder", "patch ..\\p", 0},
        {"version 2\nheight 1\nwidth 1\ncost 1 octile\npatch c:p\n", 5, 41,
         "the name of a patch file in the same folder", "patch c:p", 0},
#endif
        {CHANGING_HEAD, 6, 49, "commands", "the end of the file", 0},
        {CHANGING_HEAD "commands\nP 0 1 0 0\n", 7, 58, event, "P 0 1 0 0", 0},
        {CHANGING_HEAD "commands\nP 0 0 2 0\n", 7, 58, event, "P 0 0 2 0", 0},
        {CHANGING_HEAD "commands\nQ 0 0 0 3 0 3\n", 7, 58, event, "Q 0 0 0 3 0 3", 0},
        {CHANGING_HEAD "commands\nQ 0 0 0 2 0 2 2\n", 7, 58, event, "Q 0 0 0 2 0 2 2", 0},
        {CHANGING_HEAD "commands\nQ 0 0 0 2 0 -2\n", 7, 58, event, "Q 0 0 0 2 0 -2", 0},
        {CHANGING_HEAD "commands\nQ 0 0 0 2 0 -\n", 7, 58, event, "Q 0 0 0 2 0 -", 0},
        {CHANGING_HEAD "commands\nQ 0 0 0 2 0 --1\n", 7, 58, event, "Q 0 0 0 2 0 --1", 0},
    };
    for (size_t i = 0; i < COUNT_OF(wrong); i++)
        assert_refused(read_scenario_file, &wrong[i]);
}

static void patch_files_say_where_they_are_wrong(void **state)
{
    (void)state;
    static const char head[] = "in the patch file: type patch";
    static const refusal wrong[] = {
        {"", 1, 0, head, "the end of the file", 0},
        {"type octile\n", 1, 0, head, "type octile", 0},
        {"type patch\npatches 99\n", 2, 11, "in the patch file: patches N, as many as follow",
         "patches 99", 0},
        {"type patch\npatches 1\npatch 1\n", 3, 21, "in the patch file: patch N, counted from 0",
         "patch 1", 0},
        {"type patch\npatches 1\npatch 0\nheight 1\nwidth 0\n", 5, 38,
         "in the patch file: height N, then width N, from 1 to 65535", "width 0", 0},
        {"type patch\npatches 1\npatch 0\nheight 1\nwidth 1\nletters\n", 6, 46,
         "in the patch file: map", "letters", 0},
        {"type patch\npatches 1\npatch 0\nheight 9\nwidth 1\nmap\n.\n", 6, 46,
         "in the patch file: as many letters as width and height say", "map", 0},
        {"type patch\npatches 1\npatch 0\nheight 1\nwidth 2\nmap\n.x\n", 7, 50,
         "in the patch file: terrain letters, as many as it is wide", ".x", 0},
    };
    for (size_t i = 0; i < COUNT_OF(wrong); i++)
        assert_refused(read_patch_file, &wrong[i]);
}

static void a_refused_alphabet_changes_no_letter(void **state)
{
    (void)state;
    static const char text[] = "S=3 T=5\none-way W=0";
    cairn_alphabet alphabet, before;
    cairn_error error;
    cairn_alphabet_init(&alphabet);
    before = alphabet;
    assert_int_equal(cairn_alphabet_parse(text, strlen(text), &alphabet, &error), CAIRN_E_FORMAT);
    assert_int_equal(error.line, 2);
    assert_string_equal(error.found, "W=0");
    assert_memory_equal(&alphabet, &before, sizeof alphabet);
    assert_int_equal(cairn_alphabet_parse("S=3 S=5", 7, &alphabet, &error), CAIRN_OK);
    assert_int_equal(alphabet.cost['S'], 5);
}

static void refuse_arcs(uint32_t node_count, cairn_arc last, const char *words)
{
    const cairn_arc arcs[] = {{0, 1, 1}, last};
    cairn_map *map;
    cairn_error error;
    char text[128];
    const cairn_status status = cairn_map_from_arcs(node_count, arcs, 2, NULL, NULL, NULL, &map,
                                                    &error);
    assert_null(map);
    assert_int_equal(status, error.status);
    assert_int_equal(status,
                     cairn_map_from_arcs(node_count, arcs, 2, NULL, NULL, NULL, &map, NULL));
    cairn_error_text(&error, "arcs", text, sizeof text);
    assert_string_equal(text, words);
}

static void arcs_say_which_of_them_is_wrong(void **state)
{
    (void)state;
    refuse_arcs(2, (cairn_arc){1, 2, 1}, "arcs:2: expected nodes of the graph, found \"1 to 2\"");
    refuse_arcs(2, (cairn_arc){1, 0, 0},
                "arcs:2: expected a cost from 1 to 268435455, found \"0\"");
    refuse_arcs(2, (cairn_arc){1, 1, UINT32_MAX},
                "arcs:2: expected a cost from 1 to 268435455, found \"4294967295\"");
    refuse_arcs(0, (cairn_arc){1, 0, 1}, "arcs: expected at least one node, found \"0\"");
    refuse_arcs(CAIRN_NODES_MAX + 1, (cairn_arc){1, 0, 1}, "arcs: expected at most 2^28 nodes");
}

/* Files from elsewhere: a mark of byte order, CRLF, blanks at the end of lines, the end-of-file of
 * DOS. */
static void what_nobody_sees_is_no_error(void **state)
{
    (void)state;
    static const struct {
        reader read;
        const char *text;
    } right[] = {
        {read_map, "\xef\xbb\xbftype octile  \r\nheight 2 \r\nwidth 3\t\r\nmap \r\n... \r\n...  "},
        {read_map, "type octile\r\nheight 1\r\nwidth 3\r\nmap\r\n...\r\n\x1a"},
        {read_roads, "p sp 2 1\na 1 2 3\x1a"},
        {read_roads, "\xef\xbb\xbf"
                     "c a b\r\np sp 2 1 \r\na 1 2 3\t\r\n\r\n"},
        {read_map, "\xef\xbb\xbf"
                   "c a b\r\np sp 2 1 \r\na 1 2 3\t\r\n\r\n"},
        {read_places, "\xef\xbb\xbfp aux sp co 2\r\nv 1 2 3 \r\nv 2 -2 3"},
        {read_scenario, "\xef\xbb\xbfversion 1 \r\n0 m 3 2 0 0 1 1 1.41421 \r\n \r\n"},
        {read_road_queries, "\xef\xbb\xbfp aux sp p2p 2 \r\nq 1 2 \r\n\tq 2 2\r\n\x1a"},
        {read_scenario_file, "\xef\xbb\xbfversion 2 \r\nheight 2 \r\nwidth 3\r\ncost 1 octile \r\n"
                             "patch p \r\ncommands \r\nP 0 0 1 1 \r\n \r\nQ 0 0 0 2 0 2"},
        {read_patch_file, "\xef\xbb\xbftype patch \r\npatches 1 \r\npatch 0\r\nheight 1\r\n"
                          "width 2\r\nmap \r\n.@ \r\n"},
    };
    for (size_t i = 0; i < COUNT_OF(right); i++) {
        cairn_error error = {0};
        cairn_status status = right[i].read(right[i].text, strlen(right[i].text), &error);
        if (status != CAIRN_OK)
            print_error("%s\n--> line %u: %s\n", right[i].text, (unsigned)error.line,
                        error.expected);
        assert_int_equal(status, CAIRN_OK);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maps_say_where_they_are_wrong),
        cmocka_unit_test(roads_say_where_they_are_wrong),
        cmocka_unit_test(coordinates_say_where_they_are_wrong),
        cmocka_unit_test(coordinates_may_be_any_of_32_bits),
        cmocka_unit_test(scenarios_say_where_they_are_wrong),
        cmocka_unit_test(queries_on_roads_say_where_they_are_wrong),
        cmocka_unit_test(maps_that_change_say_where_they_are_wrong),
        cmocka_unit_test(patch_files_say_where_they_are_wrong),
        cmocka_unit_test(a_refused_alphabet_changes_no_letter),
        cmocka_unit_test(arcs_say_which_of_them_is_wrong),
        cmocka_unit_test(what_nobody_sees_is_no_error),
    };
    return cmocka_run_group_tests_name("refusals", tests, NULL, NULL);
}
