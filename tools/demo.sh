#!/bin/sh
# Builds Cairn, preprocesses a map of data/maps, and shows what landmarks are worth on it.
# Installs what is missing for that: a C compiler, make, cmake and zlib. It says first what is
# missing and what it will run; CAIRN_INSTALL=no keeps it from installing.
#
#     sh tools/demo.sh

root=$(cd "$(dirname "$0")/.." && pwd) || exit 3
cd "$root" || exit 3
. tools/kit/install.sh

log=build/demo.log
cairn=build/release/tools/cairn

configure() {
    command -v make >/dev/null 2>&1 || export CMAKE_GENERATOR=Ninja
    cmake --preset release
}

build() {
    mkdir -p build
    workers=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
    if ! configure >"$log" 2>&1 ||
        ! cmake --build build/release -j "$workers" >>"$log" 2>&1; then
        tail -n 30 "$log" >&2
        echo "The build failed; all of it is in $log." >&2
        return 1
    fi
}

# Prints a command as a user would type it, then runs it.
show() {
    echo
    echo "\$ $*"
    "$@"
}

need_packages cc make cmake zlib || exit 3
echo "Building $cairn (about a minute) ..."
build || exit 3

show $cairn build data/maps/town.map -k 16 -o build/town.cairn || exit
show $cairn verify build/town.cairn data/maps/town.map || exit
show $cairn compare build/town.cairn data/scen/town.map.scen --exact || exit

cat <<END

The same paths, found with fewer nodes expanded. Try next:

    $cairn path build/town.cairn 3,3 250,215
    $cairn build data/maps/rooms.map --metric compact -o build/rooms.cairn
    $cairn compare build/rooms.cairn data/scen/rooms.map.scen --exact
END
