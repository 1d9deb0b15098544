// The same from C++, by owners and ranges.
#include <cairn/cairn.hpp>

#include <cstdint>
#include <cstdio>
#include <utility>

static const char letters[] = "...."
                              ".@@."
                              "....";

static bool shows_what_listed_landmarks_are(cairn_map *map)
{
    const cairn_node listed[] = {4};
    cairn_build_options options = cairn::options<cairn_build_options>();
    options.placement = CAIRN_PLACE_LIST;
    options.listed = listed;
    options.listed_count = 1;
    cairn::table table;
    if (cairn_table_build(map, &options, cairn::out(table)) != CAIRN_OK)
        return false;
    const auto landmarks = cairn::landmarks(table.get(), 0);
    return landmarks.size() == 1 && landmarks[0] == 4 && cairn::landmarks(table.get(), 1).empty();
}

static bool floods_end_at_a_cost(const cairn_map *map)
{
    cairn::flood flood;
    const cairn_node source = 0;
    std::uint16_t narrow[12];
    cairn_cost wide[12];
    if (cairn_flood_new(map, cairn::out(flood)) != CAIRN_OK)
        return false;
    if (cairn_flood_limit(flood.get(), 2378 * 3, nullptr, 0) != CAIRN_OK ||
        cairn_flood_lend(flood.get(), narrow) != CAIRN_OK ||
        cairn_flood_from_16(flood.get(), &source, 1, narrow) != CAIRN_OK ||
        cairn_flood_to_16(flood.get(), &source, 1, narrow) != CAIRN_OK ||
        cairn_flood_from(flood.get(), &source, 1, wide) != CAIRN_OK)
        return false;
    return narrow[3] == 2378 * 3 && wide[3] == 2378 * 3 && narrow[7] == CAIRN_UNREACHABLE_16 &&
           wide[7] == CAIRN_UNREACHABLE;
}

static bool errors_are_lines()
{
    cairn::map map;
    cairn_error error;
    return cairn_map_parse("type hex\n", 9, nullptr, cairn::out(map), &error) == CAIRN_E_FORMAT &&
           cairn::text(error).compare(0, 17, "line 1: expected ") == 0 &&
           cairn::text(error, "a.map").compare(0, 18, "a.map:1: expected ") == 0;
}

static const char yard[] = "....."
                           "....."
                           "..@.."
                           ".....";
static const std::uint32_t yard_width = 5, yard_height = 4;
static const cairn_node yard_wall = 12, yard_end = 19;

static bool units_have_a_map_of_their_own(cairn_map *map)
{
    cairn::map units;
    std::uint16_t clearance[yard_width * yard_height];
    const cairn_edit edit = cairn_block(0, 0);
    if (cairn_clearance(map, CAIRN_ANCHOR_TOP_LEFT, clearance) != CAIRN_OK ||
        cairn_map_for_units(map, 2, CAIRN_ANCHOR_TOP_LEFT, cairn::out(units)) != CAIRN_OK)
        return false;
    const bool fits = cairn_map_is_open(units.get(), 0) && clearance[0] == 2;
    return cairn_map_edit(map, &edit, 1) == CAIRN_OK && fits &&
           cairn_map_unit_size(units.get()) == 2 && !cairn_map_is_open(units.get(), 0);
}

static bool units_have_a_world_of_their_own(cairn_map *map)
{
    cairn::map units;
    cairn::world world;
    const cairn_node cell = 3, anchor = 2;
    const cairn_edit edit = cairn_block(cell, 0);
    if (cairn_map_for_units(map, 2, CAIRN_ANCHOR_TOP_LEFT, cairn::out(units)) != CAIRN_OK)
        return false;
    const bool was_open = cairn_map_is_open(units.get(), anchor);
    if (cairn_world_new(units.get(), nullptr, cairn::out(world)) != CAIRN_OK)
        return false;
    units.release();
    if (cairn_world_edit(world.get(), &edit, 1) != CAIRN_OK ||
        cairn_world_publish(world.get()) != CAIRN_OK)
        return false;
    const cairn::view view(world);
    return was_open && !cairn_map_is_open(view->map, anchor) && cairn_map_is_open(map, cell);
}

static bool fields_and_matrices_agree(const cairn_map *map)
{
    cairn::flood flood;
    const cairn_node target = yard_end, from[] = {1, yard_wall - 1};
    std::uint8_t flow[yard_width * yard_height];
    cairn_cost costs[yard_width * yard_height], matrix[2];
    if (cairn_flood_new(map, cairn::out(flood)) != CAIRN_OK)
        return false;
    if (cairn_flood_flow(flood.get(), &target, 1, flow, costs) != CAIRN_OK ||
        cairn_flow_repair(flood.get(), &target, 1, cairn_map_hash(map), flow, costs) != CAIRN_OK ||
        cairn_distances(map, nullptr, from, 2, &target, 1, 1, matrix) != CAIRN_OK)
        return false;
    return matrix[0] == costs[from[0]] && matrix[1] == costs[from[1]] &&
           costs[cairn_flow_next(map, flow, from[0])] < costs[from[0]] &&
           cairn_connected(map, from[0], target);
}

static bool slices_end_in_a_path_that_is_pulled(const cairn_map *map)
{
    cairn::search search;
    cairn_path path;
    cairn_node waypoints[yard_width * yard_height];
    std::size_t count = yard_width * yard_height;
    double length = 0;
    const cairn_node start = cairn_nearest_open(map, yard_wall, 2, 1);
    if (cairn_search_new(map, nullptr, nullptr, cairn::out(search)) != CAIRN_OK)
        return false;
    if (cairn_search_begin(search.get(), start, yard_end, &path) != CAIRN_OK)
        return false;
    while (path.outcome == CAIRN_PATH_PAUSED)
        if (cairn_search_resume_for(search.get(), 50, &path) != CAIRN_OK)
            return false;
    return cairn_path_pull(map, &path, waypoints, &count, &length) == CAIRN_OK && count >= 2 &&
           length <= path.length && cairn_sight(map, waypoints[0], waypoints[1]) &&
           !cairn_sight(map, yard_wall - 1, yard_wall + 1);
}

static bool has_what_games_ask_for()
{
    cairn::map map;
    if (cairn_map_from_letters(yard_width, yard_height, yard, nullptr, cairn::out(map), nullptr) !=
        CAIRN_OK)
        return false;
    return units_have_a_map_of_their_own(map.get()) && units_have_a_world_of_their_own(map.get()) &&
           fields_and_matrices_agree(map.get()) && slices_end_in_a_path_that_is_pulled(map.get());
}

static bool arrays_are_given_back(const cairn::map &map)
{
    cairn::array<std::uint8_t> file(map);
    cairn::array<cairn_node> landmarks(map);
    cairn::map loaded;
    cairn::table table;
    if (cairn_table_build(map.get(), nullptr, cairn::out(table)) != CAIRN_OK)
        return false;
    for (int twice = 0; twice < 2; twice++) // the first ones are let go of
        if (cairn_save_bytes(map.get(), table.get(), nullptr, file.out(), file.out_size()) !=
                CAIRN_OK ||
            cairn_landmarks_place(map.get(), nullptr, landmarks.out(), landmarks.out_size()) !=
                CAIRN_OK)
            return false;
    cairn::array<std::uint8_t> kept(map.get());
    kept = std::move(file);
    for (cairn_node node : landmarks)
        if (!cairn_map_is_open(map.get(), node))
            return false;
    if (cairn_load_bytes(kept.data(), kept.size(), nullptr, cairn::out(loaded), nullptr, nullptr) !=
        CAIRN_OK)
        return false;
    return landmarks.size() > 0 && file.size() == 0 &&
           cairn_map_hash(loaded.get()) == cairn_map_hash(map.get());
}

static bool a_world_is_read(cairn::map map)
{
    cairn::world world, none;
    cairn::table table;
    if (cairn_table_build(map.get(), nullptr, cairn::out(table)) != CAIRN_OK)
        return false;
    if (cairn::new_world(map, table, world) != CAIRN_OK || map || table)
        return false;
    if (cairn::new_world(map, table, none) != CAIRN_E_ARGUMENT || none)
        return false; // there is no map any more
    if (cairn::new_world(map, table, world) != CAIRN_E_ARGUMENT || !world)
        return false; // it keeps what it had
    const cairn_edit edit = cairn_block(0, 1);
    bool is_right = cairn_world_edit(world.get(), &edit, 1) == CAIRN_OK;
    {
        const cairn::view before(world);
        is_right = is_right && cairn_world_publish(world.get()) == CAIRN_OK &&
                   cairn_map_is_open(before->map, 4) && before->version == 0 &&
                   cairn_world_edit(world.get(), &edit, 1) == CAIRN_BUSY;
    }
    const cairn::view after(world);
    cairn::array<std::uint8_t> file(after->map);
    return is_right && !cairn_map_is_open(after->map, 4) &&
           cairn_world_edit(world.get(), &edit, 1) == CAIRN_OK &&
           cairn_save_bytes(after->map, after->table, nullptr, file.out(), file.out_size()) ==
               CAIRN_E_STALE;
}

static bool a_map_is_replaced_beside_its_search(cairn::search &search, cairn::map &map)
{
    cairn::map next;
    if (cairn::clone(map, next) != CAIRN_OK ||
        cairn_search_use(search.get(), next.get(), nullptr) != CAIRN_OK)
        return false;
    map = std::move(next);
    cairn_path path;
    if (cairn_search_run(search.get(), 0, 11, &path) != CAIRN_OK)
        return false;
    const auto nodes = cairn::nodes(path);
    return nodes.front() == 0 && nodes.back() == 11 && nodes.data() == path.nodes;
}

int main()
{
    cairn_map_options options = cairn::options<cairn_map_options>();
    options.metric = CAIRN_METRIC_OCTILE;

    cairn::map map;
    for (int twice = 0; twice < 2; twice++) // the first is let go of
        if (cairn_map_from_letters(4, 3, letters, &options, cairn::out(map), nullptr) != CAIRN_OK)
            return 1;
    cairn::search search;
    if (cairn_search_new(map.get(), nullptr, nullptr, cairn::out(search)) != CAIRN_OK)
        return 1;

    cairn_path path;
    if (cairn_search_run(search.get(), 0, 11, &path) != CAIRN_OK)
        return 1;
    unsigned sum = 0;
    for (cairn_node node : cairn::nodes(path))
        sum += node;
    for (cairn_node corner : cairn::corners(path))
        sum += corner;
    std::printf("cairn %s: %.0f steps\n", cairn_version(), path.length);
    if (!a_map_is_replaced_beside_its_search(search, map))
        return 1;
    search.reset();
    return path.length == 5 && sum > 0 && shows_what_listed_landmarks_are(map.get()) &&
                   floods_end_at_a_cost(map.get()) && has_what_games_ask_for() &&
                   errors_are_lines() && arrays_are_given_back(map) &&
                   a_world_is_read(std::move(map))
               ? 0
               : 1;
}
