// What the headers of cairn/cpp add to the calls, one after the other.
#include <cairn/cairn.hpp>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#ifdef __cpp_exceptions
// The largest block that `new` gives.
static std::size_t largest_new = SIZE_MAX;

void *operator new(std::size_t size)
{
    void *block = size > largest_new ? nullptr : std::malloc(size ? size : 1);
    if (!block)
        throw std::bad_alloc();
    return block;
}

void operator delete(void *block) noexcept
{
    std::free(block);
}

void operator delete(void *block, std::size_t) noexcept
{
    std::free(block);
}
#endif

namespace {

// Two halls behind a wall with two gates.
const std::uint32_t width = 12, height = 7;
const std::string hall = "......@....."
                         "......@....."
                         "............"
                         "......@....."
                         "......@....."
                         "......@....."
                         "............";
const std::string text_of_hall = "type octile\nheight 3\nwidth 4\nmap\n....\n.@@.\n....\n";

cairn_node at(std::uint32_t x, std::uint32_t y)
{
    return y * width + x;
}

const cairn_node start = at(1, 2), goal = at(10, 2), gate = at(6, 2);

cairn::map new_hall()
{
    cairn::map map;
    static_cast<void>(cairn::map_from_letters(width, height, hall, map));
    return map;
}

cairn_build_options four_landmarks()
{
    auto options = cairn::options<cairn_build_options>();
    options.landmark_count = 4;
    return options;
}

// -------------------------------------------------------------------------------- statuses --

bool statuses_have_words()
{
    return std::strcmp(cairn::text(CAIRN_E_MEMORY), cairn_status_text(CAIRN_E_MEMORY)) == 0;
}

#ifdef __cpp_exceptions
bool failures_say_what_failed()
{
    try {
        cairn::check(CAIRN_E_STALE, "table");
        return false;
    } catch (const cairn::failure &failed) {
        if (failed.status != CAIRN_E_STALE || failed.error.status != CAIRN_E_STALE ||
            failed.what() != "table: " + std::string(cairn_status_text(CAIRN_E_STALE)))
            return false;
    }
    try {
        cairn::check(CAIRN_E_LIMIT);
        return false;
    } catch (const std::runtime_error &failed) {
        return failed.what() == std::string(cairn_status_text(CAIRN_E_LIMIT));
    }
}

bool failures_have_the_line_of_an_error()
{
    cairn::map map;
    cairn_error error{};
    const cairn_status status = cairn::parse_map("type hex\n", map, &error);
    try {
        cairn::check(status, error, "a.map");
        return false;
    } catch (const cairn::failure &failed) {
        if (failed.status != CAIRN_E_FORMAT || failed.error.line != 1 ||
            failed.what() != cairn::text(error, "a.map"))
            return false;
    }
    try { // the error is that of another call
        cairn::check(CAIRN_E_MEMORY, error, "a.map");
        return false;
    } catch (const cairn::failure &failed) {
        return failed.error.line == 0 &&
               failed.what() == "a.map: " + std::string(cairn_status_text(CAIRN_E_MEMORY));
    }
}

// What check throws with these arguments.
template <class... Arguments>
std::string thrown(const Arguments &...arguments)
{
    try {
        cairn::check(arguments...);
        return "nothing";
    } catch (const cairn::failure &failed) {
        return failed.what();
    }
}

bool names_are_strings_or_literals()
{
    cairn::map map;
    cairn_error error{};
    const std::string name = "a.map";
    const char *none = nullptr;
    const cairn_status status = cairn::parse_map("type hex\n", map, &error);
    const std::string line = cairn::text(error, "a.map"), words = cairn::text(CAIRN_E_STALE);
    return cairn::text(error, name) == line && thrown(status, error, name) == line &&
           thrown(status, error, "a.map") == line && thrown(status, error, name + "") == line &&
           thrown(status, error, nullptr) == cairn::text(error) &&
           thrown(status, error, none) == cairn::text(error, nullptr) &&
           thrown(status, error) == cairn::text(error) &&
           thrown(CAIRN_E_STALE, name) == "a.map: " + words &&
           thrown(CAIRN_E_STALE, "a.map") == "a.map: " + words &&
           thrown(CAIRN_E_STALE, nullptr) == words && thrown(CAIRN_E_STALE, none) == words &&
           thrown(CAIRN_OK, name) == "nothing";
}

bool what_is_no_failure_passes()
{
    return cairn::check(CAIRN_OK) && !cairn::check(CAIRN_MORE) && !cairn::check(CAIRN_BUSY);
}
#endif

// ---------------------------------------------------------------------------------- makers --

bool makers_follow_one_another_in_an_expression()
{
    cairn::map map;
    cairn::table table;
    cairn::search search;
    const cairn_build_options options = four_landmarks();
    return cairn::map_from_letters(width, height, hall, map) == CAIRN_OK &&
           cairn::build(map, table, &options) == CAIRN_OK &&
           cairn::new_search(map, table, search) == CAIRN_OK &&
           cairn_table_row_count(table.get()) == 4;
}

bool owners_keep_what_they_had_after_a_failure()
{
    cairn::map map = new_hall();
    const cairn_map *before = map.get();
    cairn_error error{};
    return cairn::load_map("there/is/no.map", map, &error) == CAIRN_E_IO &&
           error.status == CAIRN_E_IO && map.get() == before &&
           cairn::map_from_letters(width, height, "...", map, &error) == CAIRN_E_ARGUMENT &&
           error.status == CAIRN_E_ARGUMENT && error.expected && map.get() == before &&
           cairn::parse_map(text_of_hall, map) == CAIRN_OK && cairn_map_width(map.get()) == 4;
}

bool paths_with_a_zero_byte_are_refused(const std::string &folder)
{
    const std::string path = folder + "/cut.map", cut = path + std::string("\0x", 2);
    cairn::map map = new_hall(), loaded;
    cairn::table rows;
    cairn::scenario queries;
    cairn::edits edits;
    cairn::dynamic dynamic;
    cairn_error error{};
    return cairn_map_save(map.get(), path.c_str(), nullptr) == CAIRN_OK &&
           cairn::load_map(path, loaded) == CAIRN_OK &&
           cairn::load_map(cut, map, &error) == CAIRN_E_ARGUMENT &&
           error.status == CAIRN_E_ARGUMENT && error.expected && map &&
           cairn::load_map(cut, map) == CAIRN_E_ARGUMENT &&
           cairn::load(cut, map, rows) == CAIRN_E_ARGUMENT &&
           cairn::load(cut, rows) == CAIRN_E_ARGUMENT &&
           cairn::load_scenario(cut, map, queries) == CAIRN_E_ARGUMENT &&
           cairn::load_edits(cut, edits) == CAIRN_E_ARGUMENT &&
           cairn::load_dynamic(cut, dynamic) == CAIRN_E_ARGUMENT;
}

bool files_are_loaded(const std::string &folder)
{
    const cairn::map map = new_hall();
    cairn::map loaded, text;
    cairn::table table, rows;
    const std::string path = folder + "/hall.cairn", letters = folder + "/hall.map";
    cairn_load_options options = cairn::options<cairn_load_options>();
    cairn_fault fault;
    options.fault = &fault;
    if (cairn::build(map, table) != CAIRN_OK ||
        cairn_save(map.get(), table.get(), path.c_str(), nullptr) != CAIRN_OK ||
        cairn_map_save(map.get(), letters.c_str(), nullptr) != CAIRN_OK)
        return false;
    if (cairn::load(path, loaded, table) != CAIRN_OK ||
        cairn::load(path, rows, nullptr, &options) != CAIRN_OK ||
        cairn::load_map(letters, text) != CAIRN_OK)
        return false;
    const std::uint64_t hash = cairn_map_hash(map.get());
    if (hash != cairn_map_hash(loaded.get()) || hash != cairn_map_hash(text.get()) ||
        cairn_table_map_hash(rows.get()) != hash)
        return false;
    // A table with a wrong entry is loaded beside the status that says so.
    if (cairn_table_set_cost(table.get(), 0, start, 7) != CAIRN_OK ||
        cairn_save(map.get(), table.get(), path.c_str(), nullptr) != CAIRN_OK)
        return false;
    loaded.reset();
    table.reset();
    return cairn::load(path, loaded, table, nullptr, &options) == CAIRN_E_INEXACT && loaded &&
           table && fault.stored == 7;
}

bool copies_and_maps_for_units_are_made()
{
    const cairn::map map = new_hall();
    cairn::map copy, carts;
    cairn::table table, rows;
    return cairn::clone(map, copy) == CAIRN_OK && cairn::build(map, table) == CAIRN_OK &&
           cairn::clone(table, rows) == CAIRN_OK &&
           cairn_map_hash(copy.get()) == cairn_table_map_hash(rows.get()) &&
           cairn::map_for_units(map, 2, CAIRN_ANCHOR_TOP_LEFT, carts) == CAIRN_OK &&
           !cairn_map_is_open(carts.get(), gate);
}

// ----------------------------------------------------------------------------------- views --

static_assert(!std::is_copy_constructible<cairn::view>::value, "released once");
static_assert(std::is_nothrow_move_constructible<cairn::view>::value, "vectors move them");
static_assert(std::is_nothrow_move_assignable<cairn::view>::value, "vectors move them");

bool views_are_moved_and_released_once()
{
    cairn::map map = new_hall();
    cairn::world world;
    if (cairn::new_world(map, world) != CAIRN_OK || map)
        return false;
    std::vector<cairn::view> kept;
    kept.emplace_back(world);
    kept.emplace_back(world.get());
    cairn::view view(world), empty;
    cairn::view moved(std::move(view));
    if (empty || !moved || moved->version != 0 || !cairn_map_is_open(kept[1]->map, gate))
        return false;
    if (cairn::edit(world, {cairn_block(6, 2)}) != CAIRN_OK ||
        cairn_world_publish(world.get()) != CAIRN_OK)
        return false;
    // Three views of the first state are held: the draft is free once all are gone.
    moved = cairn::view(world);
    if (moved->version != 1 || cairn::edit(world, {cairn_open(6, 2)}) != CAIRN_BUSY)
        return false;
    kept.pop_back();
    if (cairn::edit(world, {cairn_open(6, 2)}) != CAIRN_BUSY)
        return false;
    kept[0].reset();
    kept[0].reset();
    return !kept[0] && cairn::edit(world, {cairn_open(6, 2)}) == CAIRN_OK &&
           cairn_world_publish(world.get()) == CAIRN_OK &&
           cairn::edit(world, {cairn_block(6, 2)}) == CAIRN_BUSY &&
           !cairn::view(static_cast<cairn_world *>(nullptr));
}

// ---------------------------------------------------------------------------------- ranges --

bool ranges_are_made_of_lists()
{
    const cairn_node nodes[] = {1, 2, 3};
    const std::vector<cairn_node> vector(nodes, nodes + 3);
    const std::array<cairn_node, 3> array{{1, 2, 3}};
    const cairn::range<cairn_node> none, of_array = nodes, of_vector = vector, of_std = array;
    std::size_t sum = 0;
    for (cairn_node node : of_array)
        sum += node;
    return none.empty() && of_array.data() == nodes && of_vector.size() == 3 && sum == 6 &&
           of_vector.back() == 3 && of_std[1] == 2 &&
           std::is_same<cairn::range<cairn_node>::const_iterator, const cairn_node *>::value;
}

bool what_files_list_is_ranged_over(const std::string &folder)
{
    const cairn::map map = new_hall();
    cairn::scenario scenario;
    cairn::edits edits;
    cairn::dynamic dynamic;
    const char queries[] = "version 1\n0\ta.map\t12\t7\t1\t2\t10\t2\t9.0\n"
                           "0\ta.map\t12\t7\t0\t0\t1\t0\t1.0\n";
    const char changes[] = "version 2\nheight 3\nwidth 5\ncost 1 octile\npatch map.patch\n"
                           "commands\nQ 0 0 0 4 2 5.5\nP 1 0 2 1\n";
    const char patches[] = "type patch\npatches 1\npatch 0\nheight 1\nwidth 3\nmap\n@.@\n";
    if (cairn::parse_scenario(queries, map, scenario) != CAIRN_OK ||
        cairn::parse_edits("block 6 2\nopen 6 0\n", edits) != CAIRN_OK ||
        cairn::parse_dynamic(changes, patches, dynamic) != CAIRN_OK)
        return false;
    const auto events = cairn::events(dynamic);
    if (events.size() != 2 || events[1].kind != CAIRN_EVENT_EDIT || events[1].edit.x != 2)
        return false;
    if (cairn::queries(scenario).size() != 2 || cairn::queries(scenario)[0].start != start ||
        cairn::items(edits).size() != 2 || cairn::items(edits).back().x != 6)
        return false;
    cairn::scenario none;
    cairn::edits listed;
    const std::string path = folder + "/list.txt";
    return cairn::load_scenario(path, map, none) == CAIRN_E_IO &&
           cairn::load_edits(path, listed) == CAIRN_E_IO &&
           cairn::load_dynamic(path, dynamic) == CAIRN_E_IO &&
           cairn::edit(map, cairn::items(edits)) == CAIRN_OK &&
           !cairn_map_is_open(map.get(), gate) && cairn_map_is_open(map.get(), at(6, 0));
}

bool batches_have_a_path_for_each_query()
{
    const cairn::map map = new_hall();
    cairn::batch batch;
    std::vector<cairn_query> queries(2);
    queries[0].start = queries[1].goal = start;
    queries[0].goal = queries[1].start = goal;
    if (cairn::run_batch(map, nullptr, queries, batch, nullptr, 1) != CAIRN_OK)
        return false;
    const auto paths = cairn::paths(batch);
    return paths.size() == 2 && paths[0].length == 9 && cairn::nodes(paths.back()).front() == goal;
}

bool steps_are_listed()
{
    const cairn::map map = new_hall();
    const auto in_gate = cairn::steps(map, gate);
    for (const cairn_arc &step : in_gate)
        if (step.from != gate || step.cost != 2378)
            return false;
    if (in_gate.size() != 2 || !cairn::steps(map, at(6, 0)).empty() ||
        cairn::steps_to(map.get(), gate)[0].to != gate)
        return false;
    // More arcs than a cell has steps.
    std::vector<cairn_arc> arcs;
    for (cairn_node node = 1; node < 20; node++)
        arcs.push_back({0, node, node});
    cairn::map star;
    if (cairn::map_from_arcs(20, arcs, star) != CAIRN_OK)
        return false;
    auto many = cairn::steps(star, 0);
    const auto moved = std::move(many);
    std::size_t sum = 0;
    for (const cairn_arc &arc : moved)
        sum += arc.cost;
    return moved.size() == 19 && sum == 190 && cairn::steps(star, 1).empty() &&
           cairn::steps_to(star, 7).size() == 1;
}

bool graphs_have_coordinates_or_say_which_arc_is_wrong()
{
    const std::vector<cairn_arc> arcs = {{0, 1, 5}, {1, 0, 5}};
    const std::vector<std::int32_t> x = {3, 7}, y = {1, -2};
    cairn::map roads;
    cairn_error error;
    std::int32_t east = 0, south = 0;
    if (cairn::map_from_arcs(2, arcs, x, y, roads) != CAIRN_OK ||
        !cairn_node_place(roads.get(), 1, &east, &south) || east != 7 || south != -2)
        return false;
    return cairn::map_from_arcs(2, arcs, x, {1, 2, 3}, roads, &error) == CAIRN_E_ARGUMENT &&
           error.status == CAIRN_E_ARGUMENT &&
           cairn::map_from_arcs(1, arcs, roads, &error) == CAIRN_E_ARGUMENT && error.line == 1;
}

bool copies_of_paths_outlive_the_next_run()
{
    const cairn::map map = new_hall();
    cairn::search search;
    cairn_path path;
    if (cairn::new_search(map, nullptr, search) != CAIRN_OK ||
        cairn_search_run(search.get(), start, goal, &path) != CAIRN_OK)
        return false;
    cairn::path_copy copy(path);
    if (cairn_search_run(search.get(), goal, at(0, 0), &path) != CAIRN_OK)
        return false;
    search.reset();
    if (copy.outcome != CAIRN_PATH_FOUND || copy.length != 9 || copy.cost != 9 * 2378 ||
        copy.nodes.size() != 10 || copy.nodes.front() != start || copy.corners.size() != 2 ||
        copy.corners.back() != goal)
        return false;
    copy.assign(cairn_path{});
    return copy.nodes.empty() && copy.corners.empty() && cairn::path_copy().nodes.empty();
}

// ----------------------------------------------------------------------------------- calls --

// Whether an error is of the second edit, whose cell is not on a map of 12 x 7 cells.
bool is_of_the_second(const cairn_error &error)
{
    return error.status == CAIRN_E_ARGUMENT && error.line == 2 &&
           cairn::text(error, "edits") ==
               "edits:2: expected cells of the map, found \"1 x 1 at 99,0 of 12 x 7\"";
}

bool errors_of_edits_say_which_and_why()
{
    cairn::map map = new_hall(), units;
    cairn_error error{};
    const std::vector<cairn_edit> edits = {cairn_block(6, 2), cairn_block(99, 0)};
    if (cairn::edit(map, edits, &error) != CAIRN_E_ARGUMENT || !is_of_the_second(error) ||
        cairn::edit(map, {cairn_block(6, 2)}, &error) != CAIRN_OK || error.status != CAIRN_OK ||
        error.line != 0 || cairn::edit(map, {cairn_terrain(0, 0, '?')}, &error) != CAIRN_E_FORMAT ||
        error.line != 1)
        return false;
    // A map for units takes no edits of its own, and none of these is at fault.
    if (cairn::map_for_units(map, 2, CAIRN_ANCHOR_TOP_LEFT, units) != CAIRN_OK ||
        cairn::edit(units, {cairn_open(6, 2)}, &error) != CAIRN_E_ARGUMENT ||
        error.status != CAIRN_E_ARGUMENT || error.line != 0 || !error.expected)
        return false;
    for (cairn::map *of : {&units, &map}) {
        cairn::world world;
        if (cairn::new_world(*of, world) != CAIRN_OK ||
            cairn::edit(world, edits, &error) != CAIRN_E_ARGUMENT || !is_of_the_second(error) ||
            cairn::edit(world, {cairn_open(6, 2)}, &error) != CAIRN_OK || error.line != 0 ||
            cairn_world_publish(world.get()) != CAIRN_OK)
            return false;
    }
    return true;
}

bool edits_are_lists()
{
    const cairn::map map = new_hall();
    const std::vector<cairn_edit> edits = {cairn_block(6, 2), cairn_block(6, 6)};
    return cairn::edit(map, edits) == CAIRN_OK && !cairn_connected(map.get(), start, goal) &&
           cairn::edit(map.get(), {cairn_open(6, 6)}) == CAIRN_OK &&
           cairn_connected(map.get(), start, goal) &&
           cairn::edit(map, {cairn_open(99, 0)}) == CAIRN_E_ARGUMENT;
}

bool nodes_are_avoided()
{
    const cairn::map map = new_hall();
    cairn::search search;
    cairn_path path;
    const std::vector<cairn_node> units = {gate, at(6, 6)};
    if (cairn::new_search(map, nullptr, search) != CAIRN_OK ||
        cairn::avoid(search, units) != CAIRN_OK ||
        cairn_search_run(search.get(), start, goal, &path) != CAIRN_OK ||
        path.outcome != CAIRN_PATH_NONE)
        return false;
    if (cairn::avoid(search, {gate}, {100}) != CAIRN_OK ||
        cairn_search_run(search.get(), start, goal, &path) != CAIRN_OK ||
        path.cost != 9 * 2378 + 100)
        return false;
    return cairn::avoid(search, {gate}, {100, 100}) == CAIRN_E_ARGUMENT &&
           cairn::avoid(search, {}) == CAIRN_OK &&
           cairn_search_run(search.get(), start, goal, &path) == CAIRN_OK && path.cost == 9 * 2378;
}

cairn_status to_the_end(const cairn::search &search, cairn_status status, cairn_path &path)
{
    while (status == CAIRN_OK && path.outcome == CAIRN_PATH_PAUSED)
        status = cairn_search_resume(search.get(), 1, &path);
    return status;
}

bool the_nearest_of_many_is_found()
{
    const cairn::map map = new_hall();
    cairn::search search;
    cairn_path path;
    cairn_cost cost;
    const cairn_node depots[] = {goal, at(3, 2)}, starts[] = {start, at(9, 2)};
    if (cairn::new_search(map, nullptr, search) != CAIRN_OK ||
        cairn::run_to_any(search, start, depots, path) != CAIRN_OK || path.which != 1 ||
        cairn::path_cost(map, {path.nodes, path.node_count}, cost) != CAIRN_OK ||
        cost != path.cost || cairn::run_from_any(search, starts, goal, path) != CAIRN_OK ||
        path.which != 1 || path.length != 1)
        return false;
    cairn_status status = cairn::begin_to_any(search, start, depots, path);
    if (to_the_end(search, status, path) != CAIRN_OK || path.which != 1)
        return false;
    status = cairn::begin_from_any(search, starts, goal, path);
    return to_the_end(search, status, path) == CAIRN_OK && path.which == 1;
}

bool paths_are_pulled_into_vectors()
{
    const cairn::map map = new_hall();
    cairn::search search;
    cairn_path path;
    std::vector<cairn_node> waypoints(99), others;
    double length = 0;
    if (cairn::new_search(map, nullptr, search) != CAIRN_OK ||
        cairn_search_run(search.get(), at(0, 0), at(11, 3), &path) != CAIRN_OK ||
        cairn::pull(search, path, waypoints, &length) != CAIRN_OK ||
        cairn::pull(map, path, others) != CAIRN_OK)
        return false;
    if (waypoints != others || waypoints.size() < 2 || waypoints.front() != at(0, 0) ||
        waypoints.back() != at(11, 3) || length >= path.length)
        return false;
    const cairn::map small = new_hall();
    path.outcome = CAIRN_PATH_FOUND;
    const cairn_node beyond[] = {0, 9999};
    path.corners = beyond;
    path.corner_count = 2;
    return cairn::pull(small, path, waypoints) == CAIRN_E_ARGUMENT && waypoints.empty();
}

bool costs_have_their_sizes()
{
    const cairn::map map = new_hall();
    std::vector<cairn_cost> matrix, from, to;
    return cairn::distances(map, nullptr, {start, gate}, {goal}, matrix, 1) == CAIRN_OK &&
           matrix.size() == 2 && matrix[0] == 9 * 2378 && matrix[1] == 4 * 2378 &&
           cairn::costs_from(map, {start}, from) == CAIRN_OK && from.size() == hall.size() &&
           from[goal] == matrix[0] && cairn::costs_to(map, {goal}, to) == CAIRN_OK &&
           to[start] == matrix[0];
}

bool components_have_numbers()
{
    const cairn::map map = new_hall();
    std::vector<std::uint32_t> numbers;
    std::uint32_t count = 0;
    return cairn::components(map, numbers) == CAIRN_OK && numbers.size() == hall.size() &&
           numbers[start] == 0 && numbers[goal] == 0 &&
           cairn::components(map, numbers, &count, CAIRN_STRONGLY_CONNECTED) == CAIRN_OK &&
           count >= 1 && numbers[start] == 0;
}

bool lists_may_be_empty()
{
    const cairn::map map = new_hall();
    const std::vector<cairn_edit> edits;
    const std::vector<cairn_node> none;
    cairn::search search;
    cairn::batch batch;
    cairn_path path;
    std::vector<cairn_node> waypoints(3);
    std::vector<cairn_cost> costs(3);
    cairn::flow_field field;
    if (cairn::edit(map, edits) != CAIRN_OK ||
        cairn::edit(map, {cairn_block(6, 2), cairn_block(6, 6)}) != CAIRN_OK ||
        cairn::new_search(map, nullptr, search) != CAIRN_OK ||
        cairn_search_run(search.get(), start, goal, &path) != CAIRN_OK)
        return false;
    return path.outcome == CAIRN_PATH_NONE && cairn::pull(search, path, waypoints) == CAIRN_OK &&
           waypoints.empty() && cairn::distances(map, nullptr, none, {goal}, costs) == CAIRN_OK &&
           costs.empty() && cairn::run_batch(map, nullptr, {}, batch) == CAIRN_OK &&
           cairn::paths(batch).empty() && field.aim(map, none) == CAIRN_OK &&
           field.next(start) == CAIRN_NO_NODE;
}

// ------------------------------------------------------------------------------ flow fields --

// Whether the field is the one that a flood gives now.
bool is_right(const cairn::flow_field &field, const cairn::map &map)
{
    cairn::flood flood;
    std::vector<std::uint8_t> flow(hall.size());
    std::vector<cairn_cost> costs(hall.size());
    const auto targets = field.targets();
    if (cairn::new_flood(map, flood) != CAIRN_OK ||
        cairn_flood_flow(flood.get(), targets.data(), targets.size(), flow.data(), costs.data()) !=
            CAIRN_OK)
        return false;
    for (cairn_node node = 0; node < flow.size(); node++)
        if (field.steps()[node] != flow[node] || field.cost(node) != costs[node])
            return false;
    return field && field.costs().size() == costs.size();
}

bool fields_follow_edits()
{
    const cairn::map map = new_hall();
    cairn::flow_field field;
    if (field || field.next(start) != CAIRN_NO_NODE || field.cost(start) != CAIRN_UNREACHABLE ||
        field.update() != CAIRN_E_ARGUMENT)
        return false;
    if (field.aim(map, {goal}) != CAIRN_OK || field.next(start) != at(2, 2) ||
        field.update() != CAIRN_OK || !is_right(field, map))
        return false;
    if (cairn::edit(map, {cairn_block(6, 2)}) != CAIRN_OK || is_right(field, map) ||
        field.update() != CAIRN_OK || !is_right(field, map) || field.cost(start) <= 9 * 2378)
        return false;
    // While a unit stands on the only target, the field stays as it was.
    if (cairn::edit(map, {cairn_block(10, 2)}) != CAIRN_OK || field.update() != CAIRN_E_ARGUMENT ||
        !field || field.next(start) == CAIRN_NO_NODE)
        return false;
    if (cairn::edit(map, {cairn_open(10, 2), cairn_open(6, 2)}) != CAIRN_OK ||
        field.update() != CAIRN_OK || !is_right(field, map))
        return false;
    return field.aim(map, field.targets()) == CAIRN_OK && is_right(field, map) &&
           field.aim(map, {goal, at(0, 0)}) == CAIRN_OK && is_right(field, map) &&
           field.aim(map, {at(6, 0)}) == CAIRN_E_ARGUMENT && !field &&
           field.next(start) == CAIRN_NO_NODE && field.aim(map, {goal}) == CAIRN_OK &&
           is_right(field, map);
}

// Whether a field is one that was never made.
bool is_none(cairn::flow_field &field)
{
    return !field && field.next(start) == CAIRN_NO_NODE && field.cost(start) == CAIRN_UNREACHABLE &&
           field.update() == CAIRN_E_ARGUMENT;
}

#ifdef __cpp_exceptions
// Vectors for a large map throw on the way: the field is not made, and made by the next call.
bool fields_outlive_the_end_of_memory()
{
    const cairn::map map = new_hall();
    const std::string letters(200 * 200, '.');
    cairn::map large;
    cairn::flow_field field;
    bool has_thrown = false;
    if (field.aim(map, {goal}) != CAIRN_OK ||
        cairn::map_from_letters(200, 200, letters, large) != CAIRN_OK)
        return false;
    largest_new = letters.size() - 1;
    try {
        static_cast<void>(field.aim(large, {0}));
    } catch (const std::bad_alloc &) {
        has_thrown = true;
    }
    largest_new = SIZE_MAX;
    return has_thrown && !field && field.next(0) == CAIRN_NO_NODE && field.update() == CAIRN_OK &&
           field.steps().size() == letters.size() && field.cost(1) == 2378;
}
#endif

bool fields_go_on_with_other_maps()
{
    const cairn::map map = new_hall();
    cairn::map copy, small;
    cairn::flow_field field;
    if (field.aim(map, {goal}) != CAIRN_OK || cairn::clone(map, copy) != CAIRN_OK ||
        cairn::edit(copy, {cairn_block(6, 2)}) != CAIRN_OK || field.update(copy) != CAIRN_OK ||
        !is_right(field, copy))
        return false;
    cairn::flow_field moved(std::move(field));
    if (!is_none(field) || !is_right(moved, copy))
        return false;
    field = std::move(moved);
    if (!is_none(moved) || !is_right(field, copy))
        return false;
    moved = std::move(field);
    return is_right(moved, copy) && cairn::parse_map(text_of_hall, small) == CAIRN_OK &&
           moved.update(small) == CAIRN_E_MISMATCH && is_right(moved, copy) &&
           moved.aim(small, {11}) == CAIRN_OK && moved.cost(0) == 5 * 2378 &&
           moved.cost(12) == CAIRN_UNREACHABLE;
}

// -------------------------------------------------------------------------------- callbacks --

bool progress_is_a_lambda()
{
    const cairn::map map = new_hall();
    cairn::table table;
    auto options = four_landmarks();
    std::size_t reports = 0;
    bool goes_on = true;
    auto report = [&](const char *stage, std::uint64_t done, std::uint64_t total) {
        reports += stage && done <= total;
        return goes_on;
    };
    const cairn_progress progress = cairn::progress(report);
    options.progress = &progress;
    if (cairn::build(map, table, &options) != CAIRN_OK || reports == 0)
        return false;
    goes_on = false;
    return cairn::build(map, table, &options) == CAIRN_E_CANCELLED && table;
}

bool searches_call_lambdas()
{
    const cairn::map map = new_hall();
    cairn::search search;
    cairn_path path;
    auto options = cairn::options<cairn_search_options>();
    std::vector<cairn_node> seen;
    bool stops = false;
    auto see = [&](cairn_node node) { seen.push_back(node); };
    auto stop = [&] { return stops; };
    const auto zero = [](cairn_node) { return cairn_cost{0}; };
    cairn::on_expand(options, see);
    cairn::cancel(options, stop);
    cairn::bound(options, zero);
    if (cairn::new_search(map, nullptr, search, &options) != CAIRN_OK ||
        cairn_search_run(search.get(), start, goal, &path) != CAIRN_OK)
        return false;
    if (path.length != 9 || seen.size() != path.expanded || seen.front() != start ||
        seen.size() < 40) // without a heuristic, most of the hall
        return false;
    stops = true;
    return cairn_search_run(search.get(), start, at(11, 6), &path) == CAIRN_E_CANCELLED;
}

bool pools_run_jobs()
{
    const cairn::map map = new_hall();
    cairn::table table;
    std::size_t begun = 0;
    auto run = [&](std::uint32_t count, cairn::job job) {
        std::vector<std::thread> crew;
        for (std::uint32_t i = 0; i < count; i++)
            crew.emplace_back(job);
        begun += crew.size();
        for (auto &one : crew)
            one.join();
    };
    const cairn_pool pool = cairn::pool(run);
    cairn_map_use_pool(map.get(), &pool);
    auto options = four_landmarks();
    options.thread_count = 2;
    options.placement = CAIRN_PLACE_RANDOM;
    return cairn::build(map, table, &options) == CAIRN_OK && begun > 0 &&
           cairn_table_verify(table.get(), map.get(), 1, nullptr) == CAIRN_OK;
}

struct test {
    const char *name;
    bool (*passes)();
};

struct test_of_files {
    const char *name;
    bool (*passes)(const std::string &folder);
};

const test tests[] = {
    {"statuses_have_words", statuses_have_words},
#ifdef __cpp_exceptions
    {"failures_say_what_failed", failures_say_what_failed},
    {"failures_have_the_line_of_an_error", failures_have_the_line_of_an_error},
    {"names_are_strings_or_literals", names_are_strings_or_literals},
    {"what_is_no_failure_passes", what_is_no_failure_passes},
#endif
    {"makers_follow_one_another_in_an_expression", makers_follow_one_another_in_an_expression},
    {"owners_keep_what_they_had_after_a_failure", owners_keep_what_they_had_after_a_failure},
    {"copies_and_maps_for_units_are_made", copies_and_maps_for_units_are_made},
    {"views_are_moved_and_released_once", views_are_moved_and_released_once},
    {"ranges_are_made_of_lists", ranges_are_made_of_lists},
    {"batches_have_a_path_for_each_query", batches_have_a_path_for_each_query},
    {"steps_are_listed", steps_are_listed},
    {"graphs_have_coordinates_or_say_which_arc_is_wrong",
     graphs_have_coordinates_or_say_which_arc_is_wrong},
    {"copies_of_paths_outlive_the_next_run", copies_of_paths_outlive_the_next_run},
    {"errors_of_edits_say_which_and_why", errors_of_edits_say_which_and_why},
    {"edits_are_lists", edits_are_lists},
    {"nodes_are_avoided", nodes_are_avoided},
    {"the_nearest_of_many_is_found", the_nearest_of_many_is_found},
    {"paths_are_pulled_into_vectors", paths_are_pulled_into_vectors},
    {"costs_have_their_sizes", costs_have_their_sizes},
    {"components_have_numbers", components_have_numbers},
    {"lists_may_be_empty", lists_may_be_empty},
    {"fields_follow_edits", fields_follow_edits},
#ifdef __cpp_exceptions
    {"fields_outlive_the_end_of_memory", fields_outlive_the_end_of_memory},
#endif
    {"fields_go_on_with_other_maps", fields_go_on_with_other_maps},
    {"progress_is_a_lambda", progress_is_a_lambda},
    {"searches_call_lambdas", searches_call_lambdas},
    {"pools_run_jobs", pools_run_jobs},
};

const test_of_files tests_of_files[] = {
    {"paths_with_a_zero_byte_are_refused", paths_with_a_zero_byte_are_refused},
    {"files_are_loaded", files_are_loaded},
    {"what_files_list_is_ranged_over", what_files_list_is_ranged_over},
};

} // namespace

// helpers [FOLDER]: files are written there.
int main(int count, char **words)
{
    const std::string folder = count > 1 ? words[1] : ".";
    int failed = 0;
    const auto tell = [&](const char *name, bool passes) {
        std::printf("%s %s\n", passes ? "[       OK ]" : "[  FAILED  ]", name);
        failed += !passes;
    };
    for (const test &one : tests)
        tell(one.name, one.passes());
    for (const test_of_files &one : tests_of_files)
        tell(one.name, one.passes(folder));
    if (failed)
        std::printf("[  FAILED  ] %d test(s)\n", failed);
    return failed ? 1 : 0;
}
