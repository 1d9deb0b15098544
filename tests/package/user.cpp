// The same from C++.
#include <cairn/cairn.h>

#include <cstdio>
#include <memory>

struct give_back {
    void operator()(cairn_map *map) const { cairn_map_free(map); }
    void operator()(cairn_search *search) const { cairn_search_free(search); }
};

int main()
{
    static const char letters[] = "...."
                                  ".@@."
                                  "....";
    cairn_map_options options{};
    options.size = sizeof options;
    options.metric = CAIRN_METRIC_OCTILE;

    cairn_map *made_map = nullptr;
    cairn_search *made_search = nullptr;
    if (cairn_map_from_letters(4, 3, letters, &options, &made_map, nullptr) != CAIRN_OK)
        return 1;
    const std::unique_ptr<cairn_map, give_back> map(made_map);
    if (cairn_search_new(map.get(), nullptr, nullptr, &made_search) != CAIRN_OK)
        return 1;
    const std::unique_ptr<cairn_search, give_back> search(made_search);

    cairn_path path;
    if (cairn_search_run(search.get(), 0, 11, &path) != CAIRN_OK)
        return 1;
    std::printf("cairn %s: %.0f steps\n", cairn_version(), path.length);
    return path.length == 5 ? 0 : 1;
}
