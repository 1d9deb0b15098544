#!/bin/sh
# Prints a folder with the sources of a library, for builds for which it is not installed:
# $ZLIB_SOURCE or $CMOCKA_SOURCE, or Debian's sources, which are fetched into build/sources.
#
#     folder=$(sh tools/kit/source.sh zlib)      or cmocka
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
name=$1
case $name in
zlib) folder=${ZLIB_SOURCE:-} ;;
cmocka) folder=${CMOCKA_SOURCE:-} ;;
esac
work=$root/build/sources/$name
[ -n "$folder" ] || folder=$work/source
if [ -f "$folder/CMakeLists.txt" ]; then
    echo "$folder"
    exit
fi
command -v apt-get >/dev/null || {
    echo "set ZLIB_SOURCE and CMOCKA_SOURCE to folders with the sources of these" >&2
    exit 1
}
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
fetch source --download-only "$name"
mkdir -p source
tar xf "$(find . -maxdepth 1 -name "${name}_*.orig.tar.*" ! -name "*.asc")" -C source --strip-components 1
[ -f "$folder/CMakeLists.txt" ] && echo "$folder"
