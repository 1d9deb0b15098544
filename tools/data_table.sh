#!/bin/sh
# Compares searches on every map of data/ and prints the table of the README.
#
#     sh tools/data_table.sh [PROGRAM] [ROWS]

program=${1:-build/release/tools/cairn}
rows=${2:-16}
data=$(cd "$(dirname "$0")/../data" && pwd)
[ -x "$program" ] || {
    echo "usage: sh tools/data_table.sh [PROGRAM] [ROWS]" >&2
    exit 2
}
work=$(mktemp -d "${TMPDIR:-/tmp}/cairn-table.XXXXXX") || exit 3
trap 'rm -rf "$work"' EXIT

echo "| map | open cells | octile distance | $rows landmarks | exact heuristic | expansion ratio | speed-up" \
    "| with jump points | file |"
echo "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
for map in cave rooms maze corridors scatter town field; do
    "$program" build "$data/maps/$map.map" -k "$rows" -o "$work/$map.cairn" >"$work/build" &&
        "$program" compare "$work/$map.cairn" "$data/scen/$map.map.scen" --exact >"$work/text" ||
        exit
    awk -v map="$map" '
        NR == 1 { cells = $5 }
        /^base / { base = $2 }
        /^landmarks / { landmarks = $2; ratio = $(NF - 3); speedup = $(NF - 1) }
        /^exact / { exact = $2 }
        /^jump landmarks / { jump = $(NF - 1) }
        END {
            printf "| %s | %s | %s | %s | %s | %s × | %s × | %s × | %d bytes |\n", map, cells,
                base, landmarks, exact, ratio, speedup, jump, bytes
        }' bytes="$(wc -c <"$work/$map.cairn")" "$work/text"
done
