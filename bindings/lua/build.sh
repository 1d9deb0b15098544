#!/bin/sh
# Makes the Lua module's folder: cairn.lua, the declarations that it needs, and what is to be read.
#
#     sh bindings/lua/build.sh [FOLDER]      FOLDER/cairn.lua, cairn_declarations.lua; build/lua
set -e
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=${1:-$root/build/lua}
mkdir -p "$folder"
for file in bindings/lua/cairn.lua bindings/lua/README.md bindings/lua/left_out.txt LICENSE; do
    cp "$root/$file" "$folder"
done
python3 "$root/bindings/declarations.py" lua >"$folder/cairn_declarations.lua"
echo "$folder"
