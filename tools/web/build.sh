#!/bin/sh
# Builds the demo: one page that needs no server, with the npm package inside.
#
#     sh tools/web/build.sh [FOLDER]      FOLDER/cairn.html, FOLDER/package; build/web
#
# DOCUMENTS is where the documents are from the page, for a link to them; without it there is none.
#
# Needs clang with its linker and runtime for WebAssembly, the C library wasi-libc, and python3; installs
# the first three on Debian and what is like it.

root=$(cd "$(dirname "$0")/../.." && pwd) || exit 1
here=$root/tools/web
mkdir -p "${1:-$root/build/web}" || exit 1
folder=$(cd "${1:-$root/build/web}" && pwd)
set -e

# The page neither reads nor writes table files.
FILES=no sh "$root/bindings/npm/assemble.sh" "$folder" cairn-simd

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
base64 <"$folder/package/cairn-simd.wasm" | tr -d '\n' >"$folder/module.txt"
cat "$folder/package/script.js" "$here/module.js" "$here/draw.js" "$here/page.js" >"$folder/scripts.js"

cairn=Cairn
[ -z "${DOCUMENTS:-}" ] || cairn="<a href=\"$DOCUMENTS\">Cairn</a>"

awk -v folder="$folder" -v css="$here/page.css" -v cairn="$cairn" '
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
    { gsub(/%CAIRN%/, cairn) }
    { print }' "$here/page.html" >"$folder/cairn.html.new"
mv "$folder/cairn.html.new" "$folder/cairn.html"
echo "$folder/cairn.html"
