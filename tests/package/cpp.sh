#!/bin/sh
# What compilers say of the headers for C++: nothing, by any standard since C++11, each header by
# itself, without exceptions; and what they must refuse or warn of.
#
#     sh tests/package/cpp.sh

here=$(cd "$(dirname "$0")" && pwd)
. "$here/../support/report.sh"
cd "$here/../.." || exit 1
work=$(mktemp -d "${TMPDIR:-/tmp}/cairn-cpp.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
warnings="-Wall -Wextra -Wpedantic -Wshadow -Wold-style-cast -Wconversion"

# COMPILER, FLAGS...: what it says of a file.
said() {
    compiler=$1
    shift
    # shellcheck disable=SC2086
    "$compiler" $warnings -Ilib/include -fsyntax-only "$@" 2>&1
}

# COMPILER: all that it says.
warnings_of() {
    for standard in 11 20; do
        # Compilers that do not know a standard yet have nothing to say of it.
        echo | "$1" -std=c++$standard -fsyntax-only -x c++ - 2>/dev/null || continue
        said "$1" -std=c++$standard tests/package/helpers.cpp
    done
    said "$1" -std=c++11 -fno-exceptions tests/package/helpers.cpp
    for header in lib/include/cairn/cpp/*.hpp; do
        echo "#include \"${header#lib/include/}\"" >"$work/alone.cpp"
        said "$1" -std=c++11 "$work/alone.cpp"
    done
}

# COMPILER, FLAGS, TEXT: the body of a function that has a map, a status and a search.
body() {
    printf '#include <cairn/cairn.hpp>\nvoid f(cairn::map &map, cairn_status status);\n' \
        >"$work/body.cpp"
    printf 'void f(cairn::map &map, cairn_status status)\n{\n    %s\n    %s\n}\n' "$3" \
        'static_cast<void>(map); static_cast<void>(status);' >>"$work/body.cpp"
    # shellcheck disable=SC2086
    said "$1" $2 "$work/body.cpp"
}

# CLAIM, COMPILER, FLAGS, TEXT, PATTERN: it is complained of, and the same without it is not.
complains() {
    if body "$2" "$3" "$4" | grep -q "$5" && [ -z "$(body "$2" "$3" '')" ]; then
        pass "$1_in_$2"
    else
        fail "$1_in_$2" "$(body "$2" "$3" "$4")"
    fi
}

begin cpp
for compiler in g++ clang++; do
    if ! command -v $compiler >/dev/null; then
        skip "no_warning_from_$compiler" "$compiler is not installed"
        continue
    fi
    pass_if_empty "no_warning_from_$compiler" "$(warnings_of $compiler)"
    complains "a_status_of_a_call_is_not_ignored" $compiler -std=c++17 \
        'cairn_map_edit(map.get(), nullptr, 0);' ignoring
    complains "a_status_of_a_helper_is_not_ignored" $compiler -std=c++17 \
        'cairn::edit(map, {cairn_open(0, 0)});' ignoring
    pass_if_empty "a_program_may_ignore_statuses_in_$compiler" \
        "$(body $compiler "-std=c++17 -DCAIRN_NODISCARD=" 'cairn_map_edit(map.get(), nullptr, 0);')"
    complains "an_edit_that_is_only_made_is_not_ignored" $compiler -std=c++11 'cairn_block(0, 0);' \
        ignoring
    complains "callbacks_that_do_not_live_are_refused" $compiler -std=c++17 \
        'auto progress = cairn::progress([](const char *, uint64_t, uint64_t) { return true; });' \
        error
    complains "views_are_not_copied" $compiler -std=c++17 \
        'cairn::view one; cairn::view other(one); static_cast<void>(other);' error
    complains "a_view_that_goes_at_once_shows_nothing" $compiler -std=c++17 \
        'static_cast<void>(cairn::view()->map);' error
done
for compiler in gcc clang; do
    if ! command -v $compiler >/dev/null; then
        skip "edits_in_c_by_$compiler" "$compiler is not installed"
        continue
    fi
    printf '#include <cairn/cairn.h>\nvoid f(void)\n{\n    cairn_block(0, 0);\n}\n' >"$work/edit.c"
    if "$compiler" -Ilib/include -S -o "$work/edit.s" "$work/edit.c" 2>&1 | grep -q ignoring; then
        pass "an_edit_that_is_only_made_is_not_ignored_in_c_by_$compiler"
    else
        fail "an_edit_that_is_only_made_is_not_ignored_in_c_by_$compiler"
    fi
done
finish
