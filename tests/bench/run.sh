#!/bin/sh
# Runs every subject of a cairn-bench with --json on a small map drawn for it, and reads the result
# strictly.
#
#     sh tests/bench/run.sh BENCH CAIRN STRICT_JSON

here=$(cd "$(dirname "$0")" && pwd)
. "$here/../support/report.sh"
[ $# -eq 3 ] || {
    echo "usage: sh tests/bench/run.sh BENCH CAIRN STRICT_JSON" >&2
    exit 2
}
work=$(mktemp -d "${TMPDIR:-/tmp}/cairn-bench.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT

begin bench
maps=$work/movingai/drawn
mkdir -p "$maps"
for kind in cave rooms; do
    "$2" generate $kind --size 48x40 --queries 20 -o "$maps/$kind.map" \
        --scen "$maps/$kind.map.scen" >"$work/log" || cat "$work/log"
done
for subject in $("$1" --help | sed -n 's/^  \([a-z][a-z]*\)  *[a-z].*/\1/p'); do
    "$1" $subject --data "$work" --maps drawn/cave,drawn/rooms --repeat 1 --json \
        >"$work/said" 2>"$work/notes" || echo "status $?" >>"$work/notes"
    # Small maps have no place for some edits, which is said.
    grep -v 'left out: hardly any' "$work/notes" >"$work/log"
    "$3" <"$work/said" >>"$work/log"
    [ "$(grep -o '"drawn/[a-z]*"' "$work/said" | sort -u | wc -l)" -eq 2 ] ||
        echo "not of both maps: $(head -c 2000 "$work/said")" >>"$work/log"
    pass_if_empty "${subject}_is_one_json_document" "$(cat "$work/log")"
done
finish
