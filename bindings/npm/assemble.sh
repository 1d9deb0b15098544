#!/bin/sh
# Fills a folder with what the npm package contains: the library as WebAssembly and what JavaScript sees
# of it. build.sh packs it; the demo has it in its page.
#
#     sh bindings/npm/assemble.sh FOLDER MODULE...      FOLDER/package; a MODULE is cairn, or cairn-simd
#                                                       with vectors
#     FILES=no sh bindings/npm/assemble.sh ...          modules that lack the calls for table files, and
#                                                       need no sources of zlib
#     OPTIMISE=FLAGS sh bindings/npm/assemble.sh ...    compiled by these in place of -O2
#
# Needs clang with its linker and runtime for WebAssembly, wasi-libc, the sources of zlib, and python3.
set -e
root=$(cd "$(dirname "$0")/../.." && pwd)
here=$root/bindings/npm
mkdir -p "$1"
folder=$(cd "$1" && pwd)
shift
headers=${WASI_HEADERS:-/usr/include/wasm32-wasi}
. "$root/tools/kit/install.sh"
need_packages web
workers=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
calls=$(python3 "$root/bindings/declarations.py" calls | grep -v -x -F -f "$here/left_out.txt")
# Files are the host's business, so that renaming them stays away.
sources=$(printf '%s\n' "$root"/lib/src/*/*.c "$here/src/glue.c" | grep -v /replacement.c)
if [ "${FILES:-yes}" = yes ]; then
    zlib=$(sh "$root/tools/kit/source.sh" zlib)
    for part in adler32 crc32 deflate inffast inflate inftrees trees zutil; do
        sources="$sources
$zlib/$part.c"
    done
else
    zlib=
    calls=$(echo "$calls" | grep -v -x -e cairn_save_bytes -e cairn_bytes_free -e cairn_load_bytes \
        -e cairn_outline_load_bytes)
    sources=$(echo "$sources" | grep -v /deflate.c)
fi
export flags="--target=wasm32-wasi -isystem $headers -std=c11 -D_POSIX_C_SOURCE=200809L -DNDEBUG ${OPTIMISE:--O2}
    -Wall -Wextra -Wno-cast-function-type ${zlib:+-I$zlib} -I$root/lib/include -I$root/lib/src"

# NAME OPTION: a module; what no call needs is not linked.
module() {
    export objects="$folder/objects-$1" option="$2"
    # Objects of older headers are not taken.
    [ -z "$(find "$root/lib" -name '*.h' -newer "$objects" 2>/dev/null | head -n 1)" ] ||
        rm -rf "$objects"
    mkdir -p "$objects"
    # shellcheck disable=SC2016
    echo "$sources" | xargs -P "$workers" -n 4 sh -c '
        for source in "$@"; do
            object=$objects/$(echo "$source" | tr / _).o
            case $source in *zlib*) quiet=-w ;; *) quiet= ;; esac
            [ "$object" -nt "$source" ] ||
                clang $flags $option $quiet -c "$source" -o "$object" || exit 255
        done' sh
    touch "$objects"
    # shellcheck disable=SC2046
    clang --target=wasm32-wasi -mexec-model=reactor -Wl,--gc-sections -Wl,--strip-all \
        -Wl,--export=malloc -Wl,--export=free $(printf ' -Wl,--export=%s' $calls) \
        "$objects"/*.o -o "$package/$1.wasm"
}

package=$folder/package
rm -rf "$package"
mkdir -p "$package"
for name in "$@"; do
    case $name in
    cairn) module cairn "" ;;
    cairn-simd) module cairn-simd -msimd128 ;;
    *)
        echo "there is no module $name" >&2
        exit 2
        ;;
    esac
done

cd "$here"
version=$(sed -n 's/^project(cairn VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")
sed "s/%VERSION%/$version/" package.json >"$package/package.json"
# Each imports earlier ones alone.
parts="values library owned structs edits paths searches bounds floods tables maps worlds core"
cp README.md left_out.txt src/*.mjs src/index.cjs "$root/LICENSE" "$package"
python3 "$root/bindings/declarations.py" javascript >"$package/declarations.mjs"
{ python3 "$root/bindings/declarations.py" typescript && cat src/types.d.ts; } >"$package/index.d.ts"
cp "$package/index.d.ts" "$package/index.d.cts"

# The modules of $parts one after the other, without what they import and export.
one_after_another() {
    for part in $parts; do
        echo
        sed '/^import .*[^;]$/,/;$/d; /^import /d; /^export {/d; s/^export //' "src/$part.mjs"
    done
}

# The same for require().
sed 's/^export const /exports./' "$package/declarations.mjs" \
    >"$package/declarations.cjs"
{
    echo "'use strict';"
    echo "const D = require('./declarations.cjs');"
    one_after_another
    echo "module.exports = {instantiate, CairnError, UNREACHABLE, NO_NODE};"
} >"$package/core.cjs"

# And for pages that take scripts in place of modules.
{
    echo "// For pages without modules: <script src> of this file makes cairnPath."
    echo "const cairnPath = (() => {"
    echo "'use strict';"
    echo "const PLACE = document.currentScript && document.currentScript.src || document.baseURI;"
    echo "const D = (() => {"
    echo "const exports = {};"
    cat "$package/declarations.cjs"
    echo "return exports;"
    echo "})();"
    one_after_another
    sed '/^import /d; /^export {/d; s/^export //; s/import\.meta\.url/PLACE/' src/browser.mjs
    echo "return {load, CairnError, UNREACHABLE, NO_NODE};"
    echo "})();"
} >"$package/script.js"
