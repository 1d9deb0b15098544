#!/bin/sh
# Makes the npm package: the library as WebAssembly, with vectors and without, and what JavaScript
# sees of it.
#
#     sh bindings/npm/build.sh [FOLDER]      FOLDER/cairn-path-VERSION.tgz; build/npm
#
# Needs node and npm, and what assemble.sh needs. Nothing is fetched when the package is installed.
set -e
root=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "${1:-$root/build/npm}"
folder=$(cd "${1:-$root/build/npm}" && pwd)
sh "$root/bindings/npm/assemble.sh" "$folder" cairn cairn-simd
cd "$folder"
rm -f ./*.tgz
npm pack --silent ./package
