#include <algorithm>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <csetjmp>

#include "gppc/classic.hpp"

extern "C" {
#include <cmocka.h>

#include "support/oracle.h"
#include "support/random_maps.h"
char *scratch_file(const char *name);
void scratch_remove(char *path);
}

namespace {

using GPPC::xyLoc;

const oracle_steps steps = {2378, 3363};

std::vector<bool> bits_of(const picture &drawn)
{
    std::vector<bool> bits(picture_size(&drawn));
    for (std::uint32_t cell = 0; cell < bits.size(); cell++)
        bits[cell] = picture_is_open(&drawn, cell % drawn.width, cell / drawn.width);
    return bits;
}

/* What was prepared can't be given back. */
std::vector<void *> *kept = new std::vector<void *>;

void *prepared(const picture &drawn, const std::string &file)
{
    kept->push_back(PrepareForSearch(bits_of(drawn), static_cast<int>(drawn.width),
                                     static_cast<int>(drawn.height), file));
    return kept->back();
}

void preprocess(const picture &drawn, const std::string &file)
{
    PreprocessMap(bits_of(drawn), static_cast<int>(drawn.width), static_cast<int>(drawn.height),
                  file);
}

xyLoc point_of(const picture &drawn, std::uint32_t cell)
{
    return {static_cast<std::int16_t>(cell % drawn.width),
            static_cast<std::int16_t>(cell / drawn.width)};
}

std::uint32_t cell_of(const picture &drawn, xyLoc at)
{
    return static_cast<std::uint32_t>(at.y) * drawn.width + static_cast<std::uint32_t>(at.x);
}

std::int16_t towards(std::int16_t from, std::int16_t to)
{
    return static_cast<std::int16_t>(from + (to > from) - (to < from));
}

/* Every cell of a path of runs. */
std::vector<std::uint32_t> cells_of(const picture &drawn, const std::vector<xyLoc> &path)
{
    std::vector<std::uint32_t> cells(1, cell_of(drawn, path[0]));
    xyLoc at = path[0];
    for (const xyLoc &end : path)
        while (at.x != end.x || at.y != end.y) {
            at = {towards(at.x, end.x), towards(at.y, end.y)};
            cells.push_back(cell_of(drawn, at));
        }
    return cells;
}

void assert_path_right(const picture &drawn, void *data, std::uint32_t start, std::uint32_t goal)
{
    std::vector<xyLoc> path(3, xyLoc{7, 7});
    std::uint64_t *costs = oracle_costs(&drawn, steps, &goal, 1);
    assert_true(GetPath(data, point_of(drawn, start), point_of(drawn, goal), path));
    if (start == goal || costs[start] == ORACLE_NEVER) {
        assert_true(path.empty());
    } else {
        const std::vector<std::uint32_t> cells = cells_of(drawn, path);
        assert_int_equal(cells.front(), start);
        assert_int_equal(cells.back(), goal);
        assert_int_equal(oracle_path_cost(&drawn, steps, cells.data(), cells.size()), costs[start]);
    }
    std::free(costs);
}

void assert_answers_right(const picture &drawn, void *data, std::uint64_t seed)
{
    dice luck = {seed};
    for (int query = 0; query < 12; query++) {
        const std::uint32_t start = dice_open_cell(&luck, &drawn);
        assert_path_right(drawn, data, start, query ? dice_open_cell(&luck, &drawn) : start);
    }
}

void paths_are_shortest_with_a_file_and_without(void **)
{
    for (std::uint64_t seed = 0; seed < 3 * MAP_KINDS; seed++) {
        picture drawn = any_map(seed);
        drawn.letters[0] = '.';
        char *file = scratch_file("map.cairn");
        void *made = prepared(drawn, file);
        preprocess(drawn, file);
        void *loaded = prepared(drawn, file);
        assert_non_null(made);
        assert_non_null(loaded);
        assert_answers_right(drawn, made, seed);
        assert_answers_right(drawn, loaded, seed);
        scratch_remove(file);
        picture_free(&drawn);
    }
}

/* Blocked everywhere beside a file of an open map. */
void a_file_of_another_map_is_not_used(void **)
{
    picture open = random_map(MAP_ALL_OPEN, 24, 20, 1), cave = random_map(MAP_CAVE, 24, 20, 1);
    char *file = scratch_file("map.cairn");
    preprocess(open, file);
    cave.letters[0] = '.';
    assert_answers_right(cave, prepared(cave, file), 3);
    scratch_remove(file);
    picture_free(&open);
    picture_free(&cave);
}

void what_is_no_map_has_no_paths(void **)
{
    std::vector<xyLoc> path(1, xyLoc{1, 1});
    picture drawn = random_map(MAP_ALL_OPEN, 9, 7, 1);
    assert_null(PrepareForSearch(std::vector<bool>(10), 9, 7, ""));
    assert_null(PrepareForSearch(std::vector<bool>(), 0, 0, ""));
    assert_true(GetPath(nullptr, {0, 0}, {1, 1}, path) && path.empty());
    path.resize(2);
    assert_true(GetPath(prepared(drawn, ""), {-1, 0}, {9, 7}, path) && path.empty());
    assert_true(GetName() == "Cairn");
    picture_free(&drawn);
}

} // namespace

int main()
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_are_shortest_with_a_file_and_without),
        cmocka_unit_test(a_file_of_another_map_is_not_used),
        cmocka_unit_test(what_is_no_map_has_no_paths),
    };
    return cmocka_run_group_tests_name("gppc_classic", tests, nullptr, nullptr);
}
