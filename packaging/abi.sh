#!/bin/sh
# What programs that are linked with the library rely on: written down at a release, compared at the
# next.
#
#     sh packaging/abi.sh dump FILE       the interface of this tree, as abidw writes it
#     sh packaging/abi.sh compare FILE    what has changed since; status 0: nothing that matters
#
# Needs abigail-tools. A change that matters asks for another minor version before 1.0, and for
# another major version from then on (docs/decisions/versions.md).
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
build=$root/build/abi
[ $# -eq 2 ] || {
    echo "usage: sh packaging/abi.sh dump|compare FILE" >&2
    exit 2
}
cmake -S "$root" -B "$build" -DBUILD_SHARED_LIBS=ON -DCAIRN_BUILD_TOOLS=OFF -DCMAKE_BUILD_TYPE=Debug \
    "-DCMAKE_C_FLAGS_DEBUG=-O0 -g -DCAIRN_NO_X86" >/dev/null
cmake --build "$build" -j "$(getconf _NPROCESSORS_ONLN)" >/dev/null
case $1 in
dump) abidw --headers-dir "$root/lib/include" --out-file "$2" "$build/lib/libcairn.so" ;;
compare) abidiff --headers-dir2 "$root/lib/include" "$2" "$build/lib/libcairn.so" ;;
*)
    echo "there is no $1" >&2
    exit 2
    ;;
esac
