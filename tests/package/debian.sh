#!/bin/sh
# The Debian packages: made, free of what lintian finds, and used where nothing else of Cairn is.
#
#     sh tests/package/debian.sh        about a minute of processor time
#
# They are unpacked below a folder, not installed.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/support/report.sh"
work=$(mktemp -d "${TMPDIR:-/tmp}/cairn-debian.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT

for tool in dpkg-deb lintian pkg-config; do
    command -v $tool >/dev/null || { echo "skipped: $tool is not installed" && exit 77; }
done

check() {
    name=$1
    shift
    if "$@" >"$work/log" 2>&1; then
        pass "$name"
    else
        fail "$name" "$(tail -n 30 "$work/log")"
    fi
}

packages_are_made() {
    cd "$root" && cmake --preset package && cmake --build --preset package -j 2 &&
        cd build/package && rm -f ./*.deb && cpack -B "$work" && [ "$(ls "$work"/*.deb | wc -l)" = 3 ] &&
        [ "$(ls "$work"/*.tar.gz | wc -l)" = 3 ]
}

lintian_finds_nothing() {
    lintian --allow-root --fail-on error,warning "$work"/*.deb
}

packages_are_small() {
    [ -z "$(find "$work" -maxdepth 1 -name '*.deb' -size +1024k -print | tee /dev/stderr)" ]
}

# What every package has by itself: nothing of the others.
packages_share_no_file() {
    for package in "$work"/*.deb; do
        dpkg-deb --fsys-tarfile "$package" | tar tf - | grep -v '/$'
    done | sort | uniq -d >"$work/twice" && ! [ -s "$work/twice" ]
}

program_and_pages_serve() {
    for package in "$work"/*.deb; do
        dpkg-deb -x "$package" "$work/system" || return 1
    done
    library=$(dirname "$(find "$work/system" -name 'libcairn.so.*' -type l)")
    LD_LIBRARY_PATH=$library "$work/system/usr/bin/cairn" --version &&
        MANPATH=$work/system/usr/share/man man cairn-build | grep -q -e --landmarks &&
        MANPATH=$work/system/usr/share/man man 3 cairn | grep -q cairn_search_run
}

a_program_is_built_with_them() {
    # shellcheck disable=SC2046
    cc $(PKG_CONFIG_PATH="$library/pkgconfig" pkg-config --cflags cairn) \
        "$root/tests/package/user.c" -o "$work/user" \
        $(PKG_CONFIG_PATH="$library/pkgconfig" pkg-config --libs cairn) &&
        LD_LIBRARY_PATH=$library "$work/user"
}

begin debian
check packages_are_made packages_are_made
check lintian_finds_nothing lintian_finds_nothing
check packages_are_small packages_are_small
check packages_share_no_file packages_share_no_file
check program_and_pages_serve program_and_pages_serve
check a_program_is_built_with_them a_program_is_built_with_them
finish
