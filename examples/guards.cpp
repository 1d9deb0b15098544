/*
 * Guards in C++: a path is searched, kept and pulled straight, a unit stands in its way, a gate
 * closes, and all others follow a flow field. Failures are exceptions.
 */
#include <cstdio>
#include <vector>

#include "cairn/cairn.hpp"

namespace {

/* Two halls behind a wall with two gates. */
const char level[] = "......@....."
                     "......@....."
                     "............"
                     "......@....."
                     "......@....."
                     "......@....."
                     "............";

void show(const cairn::map &map, const char *what, const std::vector<cairn_node> &nodes)
{
    std::printf("%s:", what);
    for (cairn_node node : nodes) {
        std::uint32_t x = 0, y = 0;
        cairn_node_xy(map.get(), node, &x, &y);
        std::printf(" %u,%u", x, y);
    }
    std::printf("\n");
}

/* The path that the last run found is kept: the next one overwrites it. */
void patrol(const cairn::map &map, const cairn::table &table, cairn_node start, cairn_node goal)
{
    cairn::search search;
    cairn_path path;
    std::vector<cairn_node> waypoints;
    cairn::check(cairn::new_search(map, table, search), "search");
    cairn::check(cairn_search_run(search.get(), start, goal, &path));
    const cairn::path_copy usual(path);

    cairn::check(cairn::avoid(search, {cairn_node_at(map.get(), 6, 2)}));
    cairn::check(cairn_search_run(search.get(), start, goal, &path));
    cairn::check(cairn::pull(search, path, waypoints));
    show(map, "usual path", usual.corners);
    show(map, "a unit in the gate", waypoints);
}

/* Where guards go who all follow one field, which is repaired when the gate closes. */
void alarm(const cairn::map &map, cairn_node guard, cairn_node exit)
{
    cairn::flow_field field;
    cairn::check(field.aim(map, {exit}));
    std::printf("to the exit: %u\n", field.cost(guard));
    cairn::check(cairn::edit(map, {cairn_block(6, 2), cairn_terrain(3, 3, 'T')}));
    cairn::check(field.update());
    std::printf("with the gate closed: %u\n", field.cost(guard));
    std::vector<cairn_node> way;
    for (cairn_node node = guard; node != CAIRN_NO_NODE; node = field.next(node))
        way.push_back(node);
    show(map, "the way", way);
}

void play()
{
    cairn::map map;
    cairn::table table;
    auto options = cairn::options<cairn_build_options>();
    options.landmark_count = 4;
    std::uint64_t rows = 0;
    auto report = [&](const char *, std::uint64_t done, std::uint64_t) {
        rows = done;
        return true; /* false: the build ends */
    };
    const cairn_progress progress = cairn::progress(report);
    options.progress = &progress;

    cairn::check(cairn::map_from_letters(12, 7, level, map), "map");
    cairn::check(cairn::build(map, table, &options), "table");
    std::printf("%u rows\n", static_cast<unsigned>(rows));

    const cairn_node start = cairn_node_at(map.get(), 1, 2), goal = cairn_node_at(map.get(), 10, 2);
    patrol(map, table, start, goal);
    alarm(map, start, goal);
    while (!cairn::check(cairn_refresh_step(table.get(), map.get(), CAIRN_MICROSECONDS(200))))
        continue; /* the next frame */
    std::printf("steps from the gate below: %zu\n",
                cairn::steps(map, cairn_node_at(map.get(), 6, 6)).size());
}

} // namespace

int main()
{
    try {
        play();
    } catch (const cairn::failure &failed) {
        std::fprintf(stderr, "%s\n", failed.what());
        return 1;
    }
    return 0;
}
