/* Calls that make objects, for owners. Part of cairn/cairn.hpp.
 *
 * The owner has the object once the call has returned, so that calls may follow one another in one
 * expression:
 *
 *     if (cairn::load(path, map, table, &error) != CAIRN_OK ||
 *         cairn::new_search(map, table, search) != CAIRN_OK)
 *         return complain(cairn::text(error, path));
 *
 * What the owner had before is freed then; after a failure it keeps that. (With a `fault` in the
 * options of a load it gets what was loaded, also with CAIRN_E_INEXACT.) */
#ifndef CAIRN_CPP_MAKERS_HPP
#define CAIRN_CPP_MAKERS_HPP

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "cairn/cpp/ranges.hpp"

namespace cairn {

namespace detail {

template <class T, class Call>
cairn_status make(std::unique_ptr<T, deleter> &owner, Call call)
{
    T *made = nullptr;
    const cairn_status status = call(&made);
    if (made)
        owner.reset(made);
    return status;
}

inline cairn_status refuse(cairn_error *error, const char *expected)
{
    if (error) {
        *error = cairn_error();
        error->status = CAIRN_E_ARGUMENT;
        error->expected = expected;
    }
    return CAIRN_E_ARGUMENT;
}

/* `load` gets the name of the file, which has no zero byte: C would read it up to there. */
template <class T, class Load>
cairn_status make_of_file(std::unique_ptr<T, deleter> &owner, const std::string &path,
                          cairn_error *error, Load load)
{
    if (path.find('\0') != std::string::npos)
        return refuse(error, "a path without a zero byte");
    return make(owner, [&](T **to) { return load(path.c_str(), to); });
}

} // namespace detail

/* CAIRN_E_ARGUMENT also for a path with a zero byte, as do all functions below that take one. */
inline cairn_status load_map(const std::string &path, map &made, cairn_error *error = nullptr,
                             const cairn_map_options *options = nullptr)
{
    return detail::make_of_file(made, path, error, [&](const char *name, cairn_map **to) {
        return cairn_map_load(name, options, to, error);
    });
}

inline cairn_status parse_map(const std::string &text, map &made, cairn_error *error = nullptr,
                              const cairn_map_options *options = nullptr)
{
    return detail::make(made, [&](cairn_map **to) {
        return cairn_map_parse(text.data(), text.size(), options, to, error);
    });
}

/* CAIRN_E_ARGUMENT also where there are not width * height letters. */
inline cairn_status map_from_letters(std::uint32_t width, std::uint32_t height,
                                     const std::string &letters, map &made,
                                     cairn_error *error = nullptr,
                                     const cairn_map_options *options = nullptr)
{
    if (letters.size() != std::uint64_t{width} * height)
        return detail::refuse(error, "width * height letters");
    return detail::make(made, [&](cairn_map **to) {
        return cairn_map_from_letters(width, height, letters.data(), options, to, error);
    });
}

/* A graph without coordinates, and one with them: `x` and `y` have one for each node, or the result
 * is CAIRN_E_ARGUMENT. */
inline cairn_status map_from_arcs(std::uint32_t node_count, range<cairn_arc> arcs, map &made,
                                  cairn_error *error = nullptr,
                                  const cairn_map_options *options = nullptr)
{
    return detail::make(made, [&](cairn_map **to) {
        return cairn_map_from_arcs(node_count, arcs.data(), arcs.size(), nullptr, nullptr, options,
                                   to, error);
    });
}

inline cairn_status map_from_arcs(std::uint32_t node_count, range<cairn_arc> arcs,
                                  range<std::int32_t> x, range<std::int32_t> y, map &made,
                                  cairn_error *error = nullptr,
                                  const cairn_map_options *options = nullptr)
{
    if (x.size() != node_count || y.size() != node_count)
        return detail::refuse(error, "an x and a y for each node");
    return detail::make(made, [&](cairn_map **to) {
        return cairn_map_from_arcs(node_count, arcs.data(), arcs.size(), x.data(), y.data(),
                                   options, to, error);
    });
}

inline cairn_status map_for_units(ref<cairn_map> of, std::uint32_t size, cairn_anchor anchor,
                                  map &made)
{
    return detail::make(made,
                        [&](cairn_map **to) { return cairn_map_for_units(of, size, anchor, to); });
}

inline cairn_status clone(ref<const cairn_map> of, map &made)
{
    return detail::make(made, [&](cairn_map **to) { return cairn_map_clone(of, to); });
}

inline cairn_status clone(ref<const cairn_table> of, table &made)
{
    return detail::make(made, [&](cairn_table **to) { return cairn_table_clone(of, to); });
}

inline cairn_status build(ref<cairn_map> of, table &made,
                          const cairn_build_options *options = nullptr)
{
    return detail::make(made, [&](cairn_table **to) { return cairn_table_build(of, options, to); });
}

/* A file with its map, and the table alone of one with or without it (`map` of the options). */
inline cairn_status load(const std::string &path, map &made, table &rows,
                         cairn_error *error = nullptr, const cairn_load_options *options = nullptr)
{
    return detail::make_of_file(made, path, error, [&](const char *name, cairn_map **map_to) {
        return detail::make(rows, [&](cairn_table **rows_to) {
            return cairn_load(name, options, map_to, rows_to, error);
        });
    });
}

inline cairn_status load(const std::string &path, table &rows, cairn_error *error = nullptr,
                         const cairn_load_options *options = nullptr)
{
    return detail::make_of_file(rows, path, error, [&](const char *name, cairn_table **to) {
        return cairn_load(name, options, nullptr, to, error);
    });
}

/* `rows` may be nullptr. */
inline cairn_status new_search(ref<const cairn_map> of, ref<const cairn_table> rows, search &made,
                               const cairn_search_options *options = nullptr)
{
    return detail::make(made,
                        [&](cairn_search **to) { return cairn_search_new(of, rows, options, to); });
}

inline cairn_status new_flood(ref<const cairn_map> of, flood &made)
{
    return detail::make(made, [&](cairn_flood **to) { return cairn_flood_new(of, to); });
}

inline cairn_status run_batch(ref<const cairn_map> of, ref<const cairn_table> rows,
                              range<cairn_query> queries, batch &made,
                              const cairn_search_options *options = nullptr,
                              std::uint32_t thread_count = 0)
{
    return detail::make(made, [&](cairn_batch **to) {
        return cairn_search_batch(of, rows, queries.data(), queries.size(), options, thread_count,
                                  to);
    });
}

inline cairn_status load_scenario(const std::string &path, ref<const cairn_map> of, scenario &made,
                                  cairn_error *error = nullptr)
{
    return detail::make_of_file(made, path, error, [&](const char *name, cairn_scenario **to) {
        return cairn_scenario_load(name, of, to, error);
    });
}

inline cairn_status parse_scenario(const std::string &text, ref<const cairn_map> of, scenario &made,
                                   cairn_error *error = nullptr)
{
    return detail::make(made, [&](cairn_scenario **to) {
        return cairn_scenario_parse(text.data(), text.size(), of, to, error);
    });
}

inline cairn_status load_edits(const std::string &path, edits &made, cairn_error *error = nullptr)
{
    return detail::make_of_file(made, path, error, [&](const char *name, cairn_edits **to) {
        return cairn_edits_load(name, to, error);
    });
}

inline cairn_status parse_edits(const std::string &text, edits &made, cairn_error *error = nullptr)
{
    return detail::make(made, [&](cairn_edits **to) {
        return cairn_edits_parse(text.data(), text.size(), to, error);
    });
}

inline cairn_status load_dynamic(const std::string &path, dynamic &made,
                                 cairn_error *error = nullptr)
{
    return detail::make_of_file(made, path, error, [&](const char *name, cairn_dynamic **to) {
        return cairn_dynamic_load(name, to, error);
    });
}

inline cairn_status parse_dynamic(const std::string &text, const std::string &patches,
                                  dynamic &made, cairn_error *error = nullptr)
{
    return detail::make(made, [&](cairn_dynamic **to) {
        return cairn_dynamic_parse(text.data(), text.size(), patches.data(), patches.size(), to,
                                   error);
    });
}

} // namespace cairn

#endif
