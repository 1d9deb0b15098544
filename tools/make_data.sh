#!/bin/sh
# Draws the maps and scenarios of data/MANIFEST.md into a folder.
#
#     sh tools/make_data.sh PROGRAM FOLDER

if [ $# -ne 2 ] || [ ! -x "$1" ]; then
    echo "usage: sh tools/make_data.sh PROGRAM FOLDER" >&2
    exit 2
fi
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
manifest=$(cd -P "$(dirname "$0")/../data" && pwd)/MANIFEST.md

mkdir -p "$2/maps" "$2/scen" || exit 3
cd "$2" || exit 3
sed -n 's/^cairn //p' "$manifest" | while read -r words; do
    # shellcheck disable=SC2086
    "$program" $words || exit
done
