#!/bin/sh
# Runs the cases of tests/cli/cases with a cairn program and compares what it prints.
#
#     sh tests/cli/run.sh PROGRAM [--refresh] [CASE...]
#
# A case is a text file in sections, each headed by a line of its own:
#
#     --- files            optional: "NAME" then its lines, each indented by one space
#     --- run              shell lines; `cairn` is the program; the folder is new and empty
#     --- stdout           what it prints
#     --- stderr           optional: what it prints on stderr; missing: nothing
#     --- status           its exit code
#
# A case that ends with the status 77 needs something that is not there, and is skipped.
#
# In stdout and stderr, <NUMBER> and <ANY> stand for a number and for anything in the line.
# --refresh writes what the program prints into the cases instead: read the difference before
# it is committed. `spoil` (spoil.c) makes tables wrong on purpose; `limited` (limited.c) runs a
# command on a disk that is full, or ends it as it writes; `terminal` (terminal.c) runs one that
# writes its errors to a terminal; `strict_json` (strict_json.c) reads JSON. $DATA is the project's
# data folder. $EVERY says which queries of a scenario long cases ask for: every one, or every tenth
# under sanitizers.

here=$(cd "$(dirname "$0")" && pwd)
. "$here/../support/report.sh"

[ $# -ge 1 ] && [ -x "$1" ] || {
    echo "usage: sh tests/cli/run.sh PROGRAM [--refresh] [CASE...]" >&2
    exit 2
}
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
shift
refresh=no
[ "${1:-}" = --refresh ] && refresh=yes && shift
[ $# -gt 0 ] || set -- "$here"/cases/*.case

# The test presets let programs keep more memory than some cases leave them.
unset MALLOC_TRIM_THRESHOLD_ MALLOC_MMAP_THRESHOLD_ MALLOC_TOP_PAD_

# As seen from a case's folder, so that there is no space in it wherever the project lies.
DATA=../../data
CAIRN=$program
NO_COLOR=1
LC_ALL=C
EVERY=${EVERY:-1}
export EVERY DATA CAIRN NO_COLOR LC_ALL

work=$(mktemp -d "${TMPDIR:-/tmp}/cairn-cli.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
ln -s "$here/../../data" "$work/data"
mkdir "$work/bin"
ln -s "$program" "$work/bin/cairn"
for helper in spoil limited strict_json terminal; do
    ln -s "$(dirname "$program")/../tests/cli/$helper" "$work/bin/$helper"
done
PATH=$work/bin:$PATH
export PATH

# Writes the sections of a case to files of their names, in a folder.
split_case() {
    awk -v folder="$2" '
        /^--- / { part = folder "/" substr($0, 5); printf "" >part; next }
        part { print >part }' "$1"
}

make_files() {
    awk '
        /^ / { print substr($0, 2) >name; next }
        NF { name = $1; printf "" >name }' "$1"
}

# Whether the lines of a file match those expected, wildcards included.
matches() {
    cmp -s "$1" "$2" || awk '
    function pattern(text) {
        gsub(/[][\\.*+?(){}|^$]/, "\\\\&", text)
        gsub(/<NUMBER>/, "-?[0-9]+(\\.[0-9]+)?(e[-+][0-9]+)?", text)
        gsub(/<ANY>/, ".*", text)
        return "^" text "$"
    }
    NR == FNR { expected[NR] = $0; count = NR; next }
    { given++; if (given > count || $0 !~ pattern(expected[given])) wrong = 1 }
    END { exit wrong || given != count }' "$1" "$2"
}

run_case() {
    name=${1##*/}
    name=${name%.case}
    if ! [ -f "$1" ]; then
        fail "$name" "no such case: $1"
        return
    fi
    case_file=$1
    folder=$work/$name
    mkdir -p "$folder/here" "$folder/expected"
    split_case "$case_file" "$folder/expected"
    (
        cd "$folder/here" || exit 99
        [ ! -f ../expected/files ] || make_files ../expected/files
        sh ../expected/run >../stdout 2>../stderr </dev/null
        echo $? >../status
    )
    if [ $refresh = yes ]; then
        refresh_case
        return
    fi

    read -r status <"$folder/status"
    if [ "$status" = 77 ]; then
        skip "$name" "needs what this machine does not have"
        return
    fi
    wrong=
    for part in stdout stderr status; do
        [ -f "$folder/expected/$part" ] || : >"$folder/expected/$part"
        matches "$folder/expected/$part" "$folder/$part" || wrong="$wrong $part"
    done
    if [ -z "$wrong" ]; then
        pass "$name"
    else
        fail "$name" "$(for part in $wrong; do
            echo "$part, expected (<) and given (>):"
            diff "$folder/expected/$part" "$folder/$part"
        done)"
    fi
}

# Keeps the lines above "--- stdout", writes the rest again; lines that still match by their
# wildcards stay as they are.
refresh_part() {
    if [ -f "$folder/expected/$1" ] && matches "$folder/expected/$1" "$folder/$1"; then
        cat "$folder/expected/$1"
    else
        cat "$folder/$1"
    fi
}

refresh_case() {
    {
        awk '/^--- (stdout|stderr|status)$/ { exit } { print }' "$case_file"
        echo "--- stdout"
        refresh_part stdout
        if [ -f "$folder/expected/stderr" ] || [ -s "$folder/stderr" ]; then
            echo "--- stderr"
            refresh_part stderr
        fi
        echo "--- status"
        refresh_part status
    } >"$folder/new"
    if cmp -s "$folder/new" "$case_file"; then
        pass "$name"
    else
        cp "$folder/new" "$case_file"
        echo "rewritten: $name"
        pass "$name"
    fi
}

# To look for leaks at its end takes half of a program's time under the address sanitizer: it does so
# in every fourth case.
sanitizer_options=${ASAN_OPTIONS:-}
export ASAN_OPTIONS
number=0

begin cli
for one in "$@"; do
    ASAN_OPTIONS=$sanitizer_options
    [ $((number % 4)) -eq 0 ] || ASAN_OPTIONS=detect_leaks=0:$sanitizer_options
    number=$((number + 1))
    run_case "$one"
done
finish
