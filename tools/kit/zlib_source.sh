#!/bin/sh
# Prints a folder with the sources of zlib, for builds for which no zlib is installed: $ZLIB_SOURCE, or
# Debian's sources, which are fetched into build/zlib.
#
#     folder=$(sh tools/kit/zlib_source.sh)
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=${ZLIB_SOURCE:-$root/build/zlib/source}
if [ -f "$folder/inflate.c" ]; then
    echo "$folder"
    exit
fi
command -v apt-get >/dev/null || {
    echo "set ZLIB_SOURCE to a folder with the sources of zlib" >&2
    exit 1
}
work=$root/build/zlib
mkdir -p "$work/parts" "$work/lists/partial"
# Where packages come from, sources come from too; the system's own lists stay as they are.
for list in /etc/apt/sources.list.d/*.sources; do
    sed 's/^Types: deb$/Types: deb-src/' "$list" >"$work/parts/$(basename "$list")"
done
[ ! -f /etc/apt/sources.list ] || sed -n 's/^deb /deb-src /p' /etc/apt/sources.list \
    >"$work/parts/main.list"
cd "$work"
fetch() {
    apt-get -q -o Dir::Etc::SourceList=/dev/null -o "Dir::Etc::SourceParts=$work/parts" \
        -o "Dir::State::Lists=$work/lists" -o APT::Sandbox::User= "$@" >&2
}
fetch update
fetch source --download-only zlib
mkdir -p source
tar xf zlib_*.orig.tar.* -C source --strip-components 1
[ -f "$folder/inflate.c" ] && echo "$folder"
