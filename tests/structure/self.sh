#!/bin/sh
# What judges tests is tested: levels.sh on small trees, each with one fault, on which it must fail
# with that claim and no other; the counts of tests/run.sh on a log of every way in which a test may
# end.

here=$(cd "$(dirname "$0")" && pwd)
. "$here/../support/report.sh"

work=$(mktemp -d "${TMPDIR:-/tmp}/cairn-self.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
rooms=$(eval "$(grep '^ROOMS=' "$here/levels.sh")" && echo "$ROOMS")

# A library of two rooms without a fault, in $work/tree.
make_tree() {
    rm -rf "$work/tree"
    mkdir -p "$work/tree/lib/include/cairn" "$work/tree/tests/structure" \
        "$work/tree/tests/support" "$work/tree/tools/kit" "$work/tree/bench" \
        "$work/tree/bindings" "$work/tree/packaging"
    cp "$here/levels.sh" "$work/tree/tests/structure"
    cp "$here/../support/report.sh" "$work/tree/tests/support"
    cd "$work/tree" || exit 1
    # shellcheck disable=SC2086
    (mkdir lib/src && cd lib/src && mkdir $rooms)
    header lib/include/cairn/cairn.h \
        '#include "cairn/base.h"' 'CAIRN_API int cairn_one(void);'
    header lib/include/cairn/base.h '#define CAIRN_API __attribute__((visibility("default")))'
    header lib/src/base/base.h '#include "cairn/cairn.h"' 'int cn_base(void);'
    header lib/src/map/map.h '#include "base/base.h"' 'int cn_map(void);' 'int cn_other(void);'
    source_of lib/src/base/base.c '#include "base/base.h"' cn_base 1
    source_of lib/src/map/map.c '#include "map/map.h"' cn_map 'cn_other() + cn_base()'
    source_of lib/src/map/other.c '#include "map/map.h"' cn_other 2
    source_of lib/src/map/one.c '#include "map/map.h"' cairn_one 'cn_map()'
    source_of lib/src/system/replacement.c '' named_descriptor 1
    source_of tools/kit/system_posix.c '' kit_file_descriptor 1
}

# FILE LINES...
header() {
    file=$1
    shift
    guard=$(echo "$file" | tr 'a-z/.' 'A-Z__')
    printf '%s\n' "#ifndef $guard" "#define $guard" "$@" '#endif' >"$file"
}

# FILE INCLUDE NAME RESULT: a file of one function.
source_of() {
    printf '%s\n\nint %s(void)\n{\n    return %s;\n}\n' "$2" "$3" "$4" >"$1"
}

# The claims that fail on the tree, in one line.
failing() {
    sh tests/structure/levels.sh 2>"$work/noise" | sed -n 's/^\[  FAILED  \] \([a-z].*\)/\1/p' |
        sort -u | tr '\n' ' '
}

# CLAIM: that it alone fails. The tree is copied again for the next fault.
finds() {
    said=$(failing)
    if [ "$said" = "$1${1:+ }" ]; then
        pass "${2:-$1_is_found}"
    else
        fail "${2:-$1_is_found}" "failed: $said"
    fi
    make_tree
}

begin self
make_tree
finds "" a_tree_without_a_fault_passes

source_of lib/src/base/base.c '#include "map/map.h"' cn_base 1
finds includes_never_climb

header lib/src/map/map.h '#include "map/grid.h"' 'int cn_map(void);' 'int cn_other(void);'
header lib/src/map/grid.h '#include "map/map.h"' '#include "base/base.h"'
finds includes_run_in_no_circle

source_of lib/src/map/other.c '#include "map/map.h"' cn_other 'cn_map()'
finds calls_between_files_run_in_no_circle

source_of lib/src/loose.c '' cn_loose 1
finds every_file_of_the_library_lies_in_a_room

for number in $(seq 23); do
    echo "/* $number */" >"lib/src/map/file_$number.h"
done
finds no_room_holds_more_than_25_files

for number in $(seq 300); do
    echo "#define CAIRN_NUMBER_$number $number" >>lib/include/cairn/cairn.h
done
finds no_public_header_is_over_300_lines

source_of lib/src/base/base.c '#include "base/base.h"' cn_base "$(printf '\n    +%.0s' $(seq 60)) 1"
finds functions_are_short

source_of lib/src/base/base.c '#include <stdlib.h>
#include "base/base.h"' cn_base '(free(0), 1)'
finds only_mem_touches_the_heap

source_of lib/src/base/base.c '#include <unistd.h>
#include "base/base.h"' cn_base 1
finds only_the_room_system_and_the_kit_know_operating_systems

source_of tools/kit/system_posix.c '' kit_file_descriptor 2
finds library_and_program_take_the_same_paths_for_descriptors

source_of lib/src/base/base.c '#include "base/base.h"' cn_base '__builtin_popcount(1)'
finds only_base_knows_what_compilers_have_beyond_c11

header tools/say.h '#ifdef __GNUC__' '#endif'
finds only_base_knows_what_compilers_have_beyond_c11 a_program_that_asks_for_its_compiler_is_found

source_of lib/src/base/base.c '#include "base/base.h"
static int count;' cn_base '++count'
finds the_library_has_no_mutable_globals

cd / || exit 1

# As CTest logs them: two cases that passed, one failed, one skipped; a crash; no case at all; a
# script that is skipped as a whole; a program that was not built.
block() {
    printf '%s\n' "$1/5 Testing: test $1" "Command: ..." "Output:" ---------- "$2" \
        "<end of output>" "Test time =   0.01 sec" ---------- "$3"
}
{
    block 1 '[       OK ] a
[       OK ] b
[  SKIPPED ] c
[  FAILED  ] d
[  SKIPPED ] 1 test(s), listed below:
[  FAILED  ] 1 test(s), listed below:
[  FAILED  ] d' 'Test Failed.'
    block 2 '[       OK ] a' 'Test Failed.'
    block 3 '' 'Test Passed.'
    block 4 'skipped: no browser' 'Test Passed.'
    block 5 'Could not find executable' 'Unable to find executable: nowhere'
} >"$work/log"
sed -n '/^cases_of() {/,/^}/p' "$here/../run.sh" >"$work/cases_of"
said=$(. "$work/cases_of" && cases_of "$work/log")
pass_if_empty every_way_to_end_is_counted "$([ "$said" = "3 4 2" ] || echo "counted: $said")"

finish
