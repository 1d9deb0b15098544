#!/bin/sh
# Builds the demo: one page that needs no server, with the library inside as WebAssembly.
#
#     sh tools/web/build.sh [FOLDER]      FOLDER/cairn.html and FOLDER/cairn.wasm; build/web
#
# Needs clang with its linker and runtime for WebAssembly, and the C library wasi-libc; installs them
# on Debian and what is like it.

root=$(cd "$(dirname "$0")/../.." && pwd) || exit 1
here=$root/tools/web
mkdir -p "${1:-$root/build/web}/objects" || exit 1
folder=$(cd "${1:-$root/build/web}" && pwd)
headers=${WASI_HEADERS:-/usr/include/wasm32-wasi}
. "$root/tools/kit/install.sh"
need_packages web || exit 1
set -e

export flags="--target=wasm32-wasi -isystem $headers -std=c11 -D_POSIX_C_SOURCE=200809L -DNDEBUG -O3 -msimd128
    -Wall -Wextra -Wconversion -Wshadow"
workers=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)

# Files are not read or written in a page, so that zlib and the renaming of files stay away: what
# is not called is not linked.
cd "$root"
printf '%s\n' lib/src/*/*.c tools/web/bridge.c | grep -v -e /replacement.c -e /deflate.c |
    xargs -P "$workers" -n 4 sh -c '
        objects=$0
        for source in "$@"; do
            clang $flags -Ilib/include -Ilib/src -c "$source" \
                -o "$objects/$(basename "$source" .c).o" || exit 255
        done' "$folder/objects"
clang --target=wasm32-wasi -mexec-model=reactor -Wl,--gc-sections -Wl,--strip-all \
    "$folder"/objects/*.o -o "$folder/cairn.wasm"

# Maps of data/, with start and goal.
while read -r name start goal; do
    printf '%s: {ends: [[%s], [%s]], text: `' "$name" "$start" "$goal"
    cat "$root/data/maps/$name.map"
    printf '`},\n'
done >"$folder/maps.js" <<'END'
town 3,3 250,215
cave 9,139 185,22
rooms 135,140 76,93
corridors 33,28 135,148
maze 3,43 11,11
scatter 5,1 121,125
field 121,4 1,109
END
base64 <"$folder/cairn.wasm" | tr -d '\n' >"$folder/module.txt"
cat "$here/module.js" "$here/draw.js" "$here/page.js" >"$folder/scripts.js"

awk -v folder="$folder" -v css="$here/page.css" '
    function paste(file, line) {
        while ((getline line < file) > 0)
            print line
        close(file)
    }
    /^%CSS%$/ { paste(css); next }
    /^%MAPS%$/ { paste(folder "/maps.js"); next }
    /^%SCRIPTS%$/ { paste(folder "/scripts.js"); next }
    /%MODULE%/ {
        getline module < (folder "/module.txt")
        sub(/%MODULE%.*/, "")
        printf "%s%s\047;\n", $0, module
        next
    }
    { print }' "$here/page.html" >"$folder/cairn.html.new"
mv "$folder/cairn.html.new" "$folder/cairn.html"
echo "$folder/cairn.html"
