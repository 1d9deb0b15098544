#!/bin/sh
# Makes the pictures of docs/images that the program can draw and the charts of the figures in docs/.
#
#     sh tools/pictures.sh PROGRAM [FOLDER]       (docs/images without one)
#
# PROGRAM is cairn with libpng. The charts alone: python3 tools/pictures/charts.py FOLDER.

[ $# -ge 1 ] && [ $# -le 2 ] && [ -x "$1" ] || {
    sed -n '2,6s/^# \{0,1\}//p' "$0" >&2
    exit 2
}
root=$(cd "$(dirname "$0")/.." && pwd) || exit 3
cairn=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
folder=${2:-$root/docs/images}
folder=$(mkdir -p "$folder" && cd "$folder" && pwd) || exit 3
work=$(mktemp -d "${TMPDIR:-/tmp}/cairn-pictures.XXXXXX") || exit 3
trap 'rm -rf "$work"' EXIT

# NAME OPTIONS...: a picture of the table rooms.cairn, or of another that comes first.
draw() {
    name=$1
    shift
    "$cairn" render "$@" -o "$folder/$name.png"
}

cd "$work" &&
    "$cairn" generate town -o town.map --size 256x224 --seed 16 >/dev/null &&
    "$cairn" build town.map -k 16 -o town.cairn >/dev/null &&
    draw town town.cairn --show explored --start 3,3 --goal 250,215 &&
    "$cairn" build "$root/data/maps/rooms.map" -k 1 -o one.cairn >/dev/null &&
    "$cairn" build "$root/data/maps/rooms.map" -k 16 -o rooms.cairn >/dev/null &&
    draw rooms-row rooms.cairn --show row --row 1 --scale map --no-landmarks --size 480x432 &&
    draw rooms-one one.cairn --show error --goal 140,20 --scale map --size 480x432 &&
    draw rooms-sixteen rooms.cairn --show error --goal 140,20 --scale map --size 480x432 &&
    draw rooms-explored rooms.cairn --show explored --start 5,130 --goal 140,20 --size 480x432 &&
    python3 "$root/tools/pictures/charts.py" "$folder"
