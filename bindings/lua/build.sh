#!/bin/sh
# Makes the Lua module's folder: cairn.lua and the declarations that it needs.
#
#     sh bindings/lua/build.sh [FOLDER]      FOLDER/cairn.lua, cairn_declarations.lua; build/lua
set -e
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=${1:-$root/build/lua}
mkdir -p "$folder"
cp "$root/bindings/lua/cairn.lua" "$root/LICENSE" "$folder"
python3 "$root/bindings/declarations.py" lua >"$folder/cairn_declarations.lua"
echo "$folder"
