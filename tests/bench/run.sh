#!/bin/sh
# Runs every subject of a cairn-bench with --json on a small map drawn for it, and reads the result
# strictly.
#
#     sh tests/bench/run.sh BENCH CAIRN

here=$(cd "$(dirname "$0")" && pwd)
. "$here/../support/report.sh"
[ $# -eq 2 ] || {
    echo "usage: sh tests/bench/run.sh BENCH CAIRN" >&2
    exit 2
}
work=$(mktemp -d "${TMPDIR:-/tmp}/cairn-bench.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT

${CC:-cc} -std=c11 "$here/../cli/strict_json.c" -o "$work/strict_json" || exit 1

begin bench
bench=$1
maps=$work/movingai/drawn
mkdir -p "$maps"
for kind in cave rooms; do
    "$2" generate $kind --size 48x40 --queries 20 -o "$maps/$kind.map" \
        --scen "$maps/$kind.map.scen" >"$work/log" || cat "$work/log"
done
# A scenario whose map changes, of the same name: a wall closes and opens again.
for kind in cave rooms; do
    cat >"$maps/$kind.patch" <<'END'
type patch
patches 2
patch 0
height 1
width 3
map
@@@
patch 1
height 1
width 3
map
...
END
    cat >"$maps/$kind.scen" <<END
version 2
height 3
width 5
cost 1 octile
patch $kind.patch
commands
Q 0 0 0 0 2 2.0
P 1 0 0 1
Q 1 0 0 0 2 8.0
P 2 1 0 1
Q 2 0 0 0 2 2.0
END
done
subjects=$("$bench" --subjects)
[ -n "$subjects" ] || fail there_are_subjects "$("$bench" --subjects 2>&1)"
# The option for one round, which not all subjects have: SUBJECT.
one_round() {
    case $1 in
    openings | halves | frames | storm | goals) ;;
    *) echo "--repeat 1" ;;
    esac
}

# one_document NAME WORD...: the words after cairn-bench, on both maps
one_document() {
    name=$1
    shift
    "$bench" "$@" --data "$work" --maps drawn/cave,drawn/rooms $(one_round $1) --json \
        >"$work/said" 2>"$work/notes" || echo "status $?" >>"$work/notes"
    # Small maps have no place for some edits, which is said.
    grep -v 'left out: hardly any' "$work/notes" >"$work/log"
    "$work/strict_json" <"$work/said" >>"$work/log"
    [ "$(grep -o '"subject"' "$work/said" | wc -l)" -eq 1 ] ||
        echo "not one head: $(head -c 2000 "$work/said")" >>"$work/log"
    [ "$(grep -o '"drawn/[a-z]*"' "$work/said" | sort -u | wc -l)" -eq 2 ] ||
        echo "not of both maps: $(head -c 2000 "$work/said")" >>"$work/log"
    pass_if_empty "${name}_is_one_json_document" "$(cat "$work/log")"
}
for subject in $subjects; do one_document $subject $subject; done
one_document flood_by_every_engine flood --every-engine
one_document search_beside_all_peers search --all-pairs
grep -o '"longer":[0-9]*' "$work/said" | grep -vx '"longer":0' >"$work/log"
[ "$(grep -o "JPS+, goal bounding" "$work/said" | wc -l)" -eq 2 ] ||
    echo "no goal bounding" >>"$work/log"
pass_if_empty paths_of_every_peer_are_shortest "$(cat "$work/log")"

# A map of one cell, and one without any: every subject ends, with a document or by saying why not.
printf 'type octile\nheight 1\nwidth 1\nmap\n.\n' >"$maps/dot.map"
printf 'type octile\nheight 2\nwidth 2\nmap\n@@\n@@\n' >"$maps/wall.map"
for map in dot wall; do
    printf 'version 1\n' >"$maps/$map.map.scen"
    : >"$work/log"
    for subject in $subjects; do
        if timeout 60 "$bench" $subject --data "$work" --maps drawn/$map $(one_round $subject) \
            --json >"$work/said" 2>"$work/notes"; then
            "$work/strict_json" <"$work/said" >>"$work/log"
        else
            grep -q "^cairn-bench: drawn/$map: " "$work/notes" ||
                echo "$subject: nothing said: $(cat "$work/notes")" >>"$work/log"
        fi
    done
    pass_if_empty "every_subject_ends_on_a_${map}" "$(cat "$work/log")"
done

printf 'type octile\nheight 1\nwidth 2\nmap\n.\n' >"$maps/torn.map"
"$bench" refresh --data "$work" --maps drawn/torn >"$work/said" 2>"$work/notes"
: >"$work/log"
grep -q '/drawn/torn.map:5: expected a row as long as the width' "$work/notes" ||
    cat "$work/notes" >"$work/log"
pass_if_empty a_wrong_map_is_told_by_its_line "$(cat "$work/log")"

: >"$work/log"
for wrong in "build --cold" "flood --every-query" "roads --every-map" "scale --resident corners" \
    "flood --moves 5" "flood --repeat" "flood --repeat 3x" "flood --no-such" \
    "openings --repeat 3" "halves --repeat 3" "frames --repeat 3" "goals --repeat 3" \
    "storm --repeat 3"; do
    "$bench" $wrong >"$work/said" 2>"$work/notes"
    code=$?
    option=$(echo "$wrong" | cut -d ' ' -f 1,2 | sed 's/ /: /')
    [ $code -eq 2 ] && [ ! -s "$work/said" ] && [ "$(wc -l <"$work/notes")" -eq 1 ] &&
        grep -q "^cairn-bench: $option: " "$work/notes" ||
        echo "$wrong: status $code, $(cat "$work/said" "$work/notes")" >>"$work/log"
done
pass_if_empty an_option_that_a_subject_does_not_know_is_refused_by_one_line "$(cat "$work/log")"

: >"$work/log"
for subject in first goals; do
    "$bench" $subject --data "$work" --maps drawn/dot $(one_round $subject) >"$work/said" 2>&1
    awk 'NR == 1 { print $1, / rounds: 1$/ ? "has rounds" : "has none" }' "$work/said" >>"$work/log"
done
printf 'first has rounds\ngoals has none\n' | diff - "$work/log" >"$work/notes"
pass_if_empty rounds_are_told_of_subjects_that_have_them "$(cat "$work/notes")"
finish
