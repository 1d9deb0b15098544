#!/bin/sh
# Builds the demo: one page that needs no server, with the library inside as WebAssembly.
#
#     sh tools/web/build.sh [FOLDER]      FOLDER/cairn.html and FOLDER/cairn.wasm; build/web
#
# Needs clang with its linker and runtime for WebAssembly, and the C library wasi-libc (Debian:
# clang lld wasi-libc libclang-rt-dev-wasm32). 77 where they are not there.

root=$(cd "$(dirname "$0")/../.." && pwd) || exit 1
here=$root/tools/web
folder=${1:-$root/build/web}
headers=${WASI_HEADERS:-/usr/include/wasm32-wasi}
set -e
mkdir -p "$folder/objects"

clang_for_web() {
    clang --target=wasm32-wasi -msimd128 -O3 -DNDEBUG -std=c11 -D_POSIX_C_SOURCE=200809L \
        -isystem "$headers" -idirafter /usr/include "-I$root/lib/include" "$@"
}

echo 'int main(void) { return 0; }' >"$folder/probe.c"
if ! clang_for_web "$folder/probe.c" -o "$folder/probe.wasm" 2>"$folder/probe.log"; then
    echo "The demo needs clang, lld, wasi-libc and clang's runtime for wasm32; here:" >&2
    sed 's/^/    /' "$folder/probe.log" >&2
    exit 77
fi

# Files are not read or written in a page, so that zlib and the renaming of files stay away: what
# is not called is not linked.
for source in "$root"/lib/src/*.c; do
    name=$(basename "$source" .c)
    case $name in
    file_replace | deflate) ;;
    *) clang_for_web -c "$source" -o "$folder/objects/$name.o" ;;
    esac
done
clang_for_web -Wall -Wextra -Wconversion -Wshadow -c "$here/bridge.c" -o "$folder/bridge.o"
clang --target=wasm32-wasi -mexec-model=reactor -Wl,--gc-sections -Wl,--strip-all \
    "$folder/bridge.o" "$folder"/objects/*.o -o "$folder/cairn.wasm"

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
