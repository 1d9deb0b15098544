#!/bin/sh
# Makes the npm package: the library as WebAssembly, with vectors and without, and what JavaScript
# sees of it.
#
#     sh bindings/npm/build.sh [FOLDER]      FOLDER/cairn-path-VERSION.tgz; build/npm
#
# Needs clang with its linker and runtime for WebAssembly, wasi-libc, the sources of zlib, python3,
# node and npm. Nothing is fetched when the package is installed.
set -e
root=$(cd "$(dirname "$0")/../.." && pwd)
here=$root/bindings/npm
mkdir -p "${1:-$root/build/npm}"
folder=$(cd "${1:-$root/build/npm}" && pwd)
headers=${WASI_HEADERS:-/usr/include/wasm32-wasi}
. "$root/tools/kit/install.sh"
need_packages web
zlib=$(sh "$root/tools/kit/source.sh" zlib)
calls=$(python3 "$root/bindings/declarations.py" calls | grep -v -x -F -f "$here/left_out.txt")
export flags="--target=wasm32-wasi -isystem $headers -std=c11 -D_POSIX_C_SOURCE=200809L -DNDEBUG -O2
    -Wall -Wextra -Wno-cast-function-type -I$zlib -I$root/lib/include -I$root/lib/src"
workers=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)

# NAME OPTION: a module. Files are the host's business, so that renaming them stays away.
module() {
    export objects="$folder/objects-$1" option="$2"
    # Objects of older headers are not taken.
    [ -z "$(find "$root/lib" -name '*.h' -newer "$objects" 2>/dev/null | head -n 1)" ] ||
        rm -rf "$objects"
    mkdir -p "$objects"
    { printf '%s\n' "$root"/lib/src/*/*.c "$here/src/glue.c" | grep -v /replacement.c
        for part in adler32 crc32 deflate inffast inflate inftrees trees zutil; do
            echo "$zlib/$part.c"
        done; } | xargs -P "$workers" -n 4 sh -c '
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
module cairn ""
module cairn-simd -msimd128

cd "$here"
version=$(sed -n 's/^project(cairn VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")
sed "s/%VERSION%/$version/" package.json >"$package/package.json"
cp README.md src/index.mjs src/index.cjs src/browser.mjs "$root/LICENSE" "$package"
python3 "$root/bindings/declarations.py" javascript >"$package/declarations.mjs"
{ python3 "$root/bindings/declarations.py" typescript && cat src/types.d.ts; } >"$package/index.d.ts"
cp "$package/index.d.ts" "$package/index.d.cts"
cp src/core.mjs "$package"

# The same for require().
sed 's/^export const /exports./' "$package/declarations.mjs" \
    >"$package/declarations.cjs"
{
    sed "s/^import \* as \(.*\) from '\.\/declarations\.mjs';/const \1 = require('.\/declarations.cjs');/
         s/^export //" src/core.mjs
    echo "module.exports = {instantiate, CairnError, UNREACHABLE, NO_NODE};"
} >"$package/core.cjs"
cd "$folder"
rm -f ./*.tgz
npm pack --silent "$package"
