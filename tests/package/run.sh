#!/bin/sh
# Installs static and shared Cairn below a scratch folder, moves the tree, and builds a program
# against it with CMake's find_package and with pkg-config.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/support/report.sh"
work=$(mktemp -d "${TMPDIR:-/tmp}/cairn-package.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT

check() {
    name=$1
    shift
    if "$@" >"$work/log" 2>&1; then
        pass "$name"
    else
        fail "$name" "$(cat "$work/log")"
    fi
}

install_cairn() {
    cmake -S "$root" -B "$work/$1/build" -DBUILD_SHARED_LIBS="$2" -DCAIRN_BUILD_TOOLS=OFF &&
        cmake --build "$work/$1/build" -j 2 &&
        cmake --install "$work/$1/build" --prefix "$work/$1/first" &&
        mv "$work/$1/first" "$work/$1/moved"
}

use_by_cmake() {
    cmake -S "$root/tests/package" -B "$work/$1/user" -DCMAKE_PREFIX_PATH="$work/$1/moved" &&
        cmake --build "$work/$1/user" && "$work/$1/user/user"
}

examples_by_cmake() {
    cmake -S "$root/examples" -B "$work/$1/examples" -DCMAKE_PREFIX_PATH="$work/$1/moved" &&
        cmake --build "$work/$1/examples" && "$work/$1/examples/game"
}

# KIND OF LIBRARY, --static OR NOTHING, SOURCE, COMPILER...
use_by_pkg_config() {
    kind=$1
    static=$2
    source=$root/tests/package/$3
    shift 3
    pc=$(dirname "$(find "$work/$kind/moved" -name cairn.pc)")
    lib=$(dirname "$pc")
    # shellcheck disable=SC2046,SC2086
    "$@" $(PKG_CONFIG_PATH="$pc" pkg-config --cflags cairn) "$source" \
        -o "$work/$kind/by-pc" $(PKG_CONFIG_PATH="$pc" pkg-config $static --libs cairn) &&
        LD_LIBRARY_PATH="$lib" "$work/$kind/by-pc"
}

begin package
check a_static_library_installs install_cairn static OFF
check an_installed_static_library_serves_find_package use_by_cmake static
check the_examples_are_a_project_of_their_own examples_by_cmake static
check a_shared_library_installs install_cairn shared ON
check an_installed_shared_library_serves_find_package use_by_cmake shared
if command -v python3 >/dev/null; then
    check an_installed_shared_library_serves_python env \
        CAIRN_LIBRARY="$(find "$work/shared/moved" -name libcairn.so)" PYTHONDONTWRITEBYTECODE=1 \
        python3 "$root/tests/package/user.py" "${CC:-cc}"
else
    skip an_installed_shared_library_serves_python "python3 is not installed"
fi
if command -v pkg-config >/dev/null; then
    check an_installed_static_library_serves_pkg_config use_by_pkg_config static --static user.c cc
    check an_installed_shared_library_serves_pkg_config use_by_pkg_config shared "" user.c cc
    if command -v c++ >/dev/null; then
        check an_installed_library_serves_cpp use_by_pkg_config static --static user.cpp \
            c++ -std=c++11 -Wall -Wextra -pedantic -Werror
    else
        skip an_installed_library_serves_cpp "there is no C++ compiler"
    fi
else
    skip an_installed_library_serves_pkg_config "pkg-config is not installed"
fi
finish
