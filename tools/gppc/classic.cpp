#include "gppc/classic.hpp"

#include "cairn/cairn.hpp"

namespace {

constexpr std::uint32_t landmark_count = 32;

struct prepared {
    cairn::map map;
    cairn::table table;
    cairn::search search;
};

cairn_status map_of(const std::vector<bool> &bits, int width, int height, cairn::map &map)
{
    if (width < 1 || height < 1 || width > INT16_MAX || height > INT16_MAX)
        return CAIRN_E_ARGUMENT;
    const std::size_t count = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
    if (bits.size() < count)
        return CAIRN_E_ARGUMENT;
    std::string letters(count, '@');
    for (std::size_t i = 0; i < count; i++)
        if (bits[i])
            letters[i] = '.';
    return cairn_map_from_letters(static_cast<std::uint32_t>(width),
                                  static_cast<std::uint32_t>(height), letters.data(), nullptr,
                                  cairn::out(map), nullptr);
}

cairn_status build(prepared &made)
{
    auto options = cairn::options<cairn_build_options>();
    options.landmark_count = landmark_count;
    options.resident = CAIRN_RESIDENT_CORNERS;
    return cairn_table_build(made.map.get(), &options, cairn::out(made.table));
}

bool load(const std::string &filename, prepared &made)
{
    auto options = cairn::options<cairn_load_options>();
    options.resident = CAIRN_RESIDENT_CORNERS;
    options.memory_limit = UINT64_MAX; /* the file is one's own */
    options.map = made.map.get();
    return cairn_load(filename.c_str(), &options, nullptr, cairn::out(made.table), nullptr) ==
           CAIRN_OK;
}

cairn_status prepare(const std::vector<bool> &bits, int width, int height,
                     const std::string &filename, prepared &made)
{
    cairn_status status = map_of(bits, width, height, made.map);
    if (status == CAIRN_OK && !load(filename, made))
        status = build(made);
    if (status != CAIRN_OK)
        return status;
    auto options = cairn::options<cairn_search_options>();
    options.form = CAIRN_FORM_CORNERS;
    return cairn_search_new(made.map.get(), made.table.get(), &options, cairn::out(made.search));
}

cairn_node node_of(const prepared &made, GPPC::xyLoc at)
{
    return cairn_node_at(made.map.get(), static_cast<std::uint32_t>(at.x),
                         static_cast<std::uint32_t>(at.y));
}

GPPC::xyLoc point_of(const prepared &made, cairn_node node)
{
    std::uint32_t x = 0, y = 0;
    cairn_node_xy(made.map.get(), node, &x, &y);
    return {static_cast<std::int16_t>(x), static_cast<std::int16_t>(y)};
}

} // namespace

void PreprocessMap(const std::vector<bool> &bits, int width, int height,
                   const std::string &filename)
{
    cairn::map map;
    auto options = cairn::options<cairn_build_options>();
    auto saving = cairn::options<cairn_save_options>();
    options.landmark_count = landmark_count;
    saving.map_part = CAIRN_MAP_LEFT_OUT; /* it is given again */
    if (map_of(bits, width, height, map) == CAIRN_OK)
        (void)cairn_build_file(map.get(), filename.c_str(), &options, &saving, nullptr);
}

void *PrepareForSearch(const std::vector<bool> &bits, int width, int height,
                       const std::string &filename)
{
    std::unique_ptr<prepared> made(new prepared);
    return prepare(bits, width, height, filename, *made) == CAIRN_OK ? made.release() : nullptr;
}

bool GetPath(void *data, GPPC::xyLoc s, GPPC::xyLoc g, std::vector<GPPC::xyLoc> &path)
{
    cairn_path found;
    path.clear();
    if (!data || (s.x == g.x && s.y == g.y))
        return true;
    const prepared &made = *static_cast<prepared *>(data);
    if (cairn_search_run(made.search.get(), node_of(made, s), node_of(made, g), &found) != CAIRN_OK)
        return true;
    path.reserve(found.corner_count);
    for (cairn_node corner : cairn::corners(found))
        path.push_back(point_of(made, corner));
    return true;
}

std::string GetName()
{
    return "Cairn";
}
