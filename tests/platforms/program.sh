#!/bin/sh
# The program of another platform beside that of this one: the same files, byte for byte, and the same
# words.
#
#     sh tests/platforms/program.sh HERE THERE...      HERE: the program; THERE: the words that run the
#                                                      other one, as an emulator and its program
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../support/report.sh"
cd "$here/../.." || exit 1
native=$1
shift
there=$* # words without blanks
work=$(mktemp -d "${TMPDIR:-/tmp}/cairn-program.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
mkdir "$work/here" "$work/there"

# What both programs do, each in its own folder, and what they say. An emulator may say something of its
# own on standard error.
do_both() {
    (cd "$work/here" && "$native" "$@" >said 2>complained; echo "status $?" >>said)
    (cd "$work/there" && $there "$@" >said 2>complained; echo "status $?" >>said)
}

say_both() {
    do_both "$@"
    same said
}

same() {
    cmp "$work/here/$1" "$work/there/$1"
}

maps=$PWD/data/maps
scenarios=$PWD/data/scen

builds_alike() {
    for map in town cave maze; do
        do_both build "$maps/$map.map" -k 8 -o "$map.cairn"
        same "$map.cairn" || return 1
    done
}

builds_every_rule_alike() {
    for options in "--moves 4" "--moves 8-one" "--moves 8-any" "--moves hex" "--metric compact" \
        "--terrain S=3,W=2 --charge average" "--codec predictor" "--unit-size 2" \
        "--placement refined"; do
        # shellcheck disable=SC2086
        do_both build "$maps/rooms.map" -k 4 $options -o rule.cairn
        same rule.cairn || return 1
        rm "$work/here/rule.cairn" "$work/there/rule.cairn"
    done
}

finds_alike() {
    say_both info town.cairn && say_both path town.cairn 3,3 250,215 --cells &&
        say_both path maze.cairn 3,43 11,11 && say_both path cave.cairn 9,139 0,0
}

writes_alike() {
    do_both convert cave.cairn -k 4 --strip -o small.cairn
    do_both export cave.cairn --row 2 -o row.csv
    do_both export cave.cairn --flow 9,139 -o flow.csv
    do_both generate town -o new.map --size 64x64 --seed 5 --scen new.scen
    for file in small.cairn row.csv flow.csv new.map new.scen; do
        same $file || return 1
    done
}

# Beyond ASCII; and folders, which are made where they are missing.
names_are_any_letters() {
    do_both build "$maps/field.map" -k 4 -o 'größe-日本.cairn'
    same 'größe-日本.cairn' && say_both info 'größe-日本.cairn' && [ -f "$work/there/größe-日本.cairn" ]
}

many_maps_are_built_alike() {
    do_both build "$maps/town.map" "$maps/cave.map" -k 4 -o new/tables/
    same new/tables/town.cairn && same new/tables/cave.cairn
}

refuses_alike() {
    for path in missing.cairn . "$maps/town.map"; do
        say_both info "$path" && same complained || return 1
    done
}

lengths_are_right() {
    do_both compare maze.cairn "$scenarios/maze.map.scen"
    grep -q 'status 0' "$work/there/said"
}

refreshes_alike() {
    for side in here there; do
        printf 'rect 120 100 9 1 block\nrect 20 20 2 2 open\n' >"$work/$side/edits.txt"
    done
    do_both refresh town.cairn edits.txt --in-place
    same town.cairn && say_both path town.cairn 3,3 250,215 || return 1
    do_both verify town.cairn
    grep -q 'status 0' "$work/there/said"
}

leaves_nothing_behind() {
    ! ls "$work"/there/*.tmp 2>/dev/null
}

begin program
for claim in builds_alike builds_every_rule_alike finds_alike writes_alike names_are_any_letters \
    many_maps_are_built_alike refuses_alike lengths_are_right refreshes_alike leaves_nothing_behind; do
    if $claim >"$work/log" 2>&1; then
        pass "$claim"
    else
        fail "$claim" "$(cat "$work/log" "$work"/*/said "$work"/*/complained | tail -n 20)"
    fi
done
finish
