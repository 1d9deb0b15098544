// The same from C++, by owners and ranges.
#include <cairn/cairn.hpp>

#include <cstdio>

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

int main()
{
    cairn_map_options options = cairn::options<cairn_map_options>();
    options.metric = CAIRN_METRIC_OCTILE;

    cairn::map map;
    for (int twice = 0; twice < 2; twice++)  // the first is let go of
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
    return path.length == 5 && sum > 0 && shows_what_listed_landmarks_are(map.get()) ? 0 : 1;
}
