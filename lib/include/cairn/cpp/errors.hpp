/* What statuses and errors say, and exceptions for programs that want them. Part of
 * cairn/cairn.hpp. */
#ifndef CAIRN_CPP_ERRORS_HPP
#define CAIRN_CPP_ERRORS_HPP

#include <string>
#ifdef __cpp_exceptions
#  include <stdexcept>
#endif

#include "cairn/cairn.h"

namespace cairn {

/* The words of cairn_status_text. */
inline const char *text(cairn_status status)
{
    return cairn_status_text(status);
}

/* The line of cairn_error_text. */
inline std::string text(const cairn_error &error, const char *name = nullptr)
{
    std::string line(cairn_error_text(&error, name, nullptr, 0) + 1, '\0');
    cairn_error_text(&error, name, &line[0], line.size());
    line.pop_back();
    return line;
}

inline std::string text(const cairn_error &error, const std::string &name)
{
    return text(error, name.c_str());
}

#ifdef __cpp_exceptions
/* What `check` throws: the status, and the error with all that is known of it. */
struct failure : std::runtime_error {
    failure(const cairn_error &of, const std::string &line)
        : std::runtime_error(line), status(of.status), error(of)
    {
    }
    cairn_status status;
    cairn_error error;
};

/* Throws a failure for a status that is one. Returns whether all is done, false for CAIRN_MORE and
 * CAIRN_BUSY:
 *
 *     cairn::check(cairn::build(map, table), "town");
 *     while (!cairn::check(cairn_refresh_step(table.get(), map.get(), budget)))
 *         next_frame();
 *
 * `what` says what failed, and comes first in the text. */
inline bool check(cairn_status status, const char *what = nullptr)
{
    if (status == CAIRN_OK || status == CAIRN_MORE || status == CAIRN_BUSY)
        return status == CAIRN_OK;
    cairn_error error{};
    error.status = status;
    throw failure(error, what ? std::string(what) + ": " + text(status) : text(status));
}

inline bool check(cairn_status status, const std::string &what)
{
    return check(status, what.c_str());
}

/* The same after a call that fills an error, whose line is then the text; `name` is that of what
 * was read. */
inline bool check(cairn_status status, const cairn_error &error, const char *name = nullptr)
{
    if (status == CAIRN_OK || status != error.status)
        return check(status, name);
    throw failure(error, text(error, name));
}

inline bool check(cairn_status status, const cairn_error &error, const std::string &name)
{
    return check(status, error, name.c_str());
}
#endif

} // namespace cairn

#endif
