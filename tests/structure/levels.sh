#!/bin/sh
# What the shape of the library promises: includes go down, one door to the heap, no output, and
# no exported names but cairn_*.
#
#     sh tests/structure/levels.sh [LIBRARY_ROOT]

here=$(cd "$(dirname "$0")" && pwd)
. "$here/../support/report.sh"
cd "${1:-$here/../..}" || exit 1

# The level of a source or header by its name; nothing for a file that has no place yet.
level_of() {
    case ${1%.*} in
    base | mem | status) echo 0 ;;
    bits | bytes | rng | tasks | watch | bucket_queue | open_list | text | file | simd_* | cpu | clock) echo 1 ;;
    buffer | source | deflate | file_replace | crc | range_coder | turn) echo 1 ;;
    map | map_* | arcs | journal | edits_text | dynamic_text | jump | grid | grid_* | metric | scenario | roadmap | roadmap_*) echo 2 ;;
    flood | flood_*) echo 3 ;;
    table | table_follow | table_put | table_stage | bound | bound_* | place | place_* | build | verify) echo 4 ;;
    codec | codec_* | table_file | table_file_* | search | search_* | refresh | refresh_* | world) echo 5 ;;
    esac
}

# Services, the parts of level 5 that know nothing of one another.
service_of() {
    case ${1%.*} in
    codec | codec_*) echo codec ;;
    table_file | table_file_*) echo table_file ;;
    search | search_*) echo search ;;
    refresh | refresh_*) echo refresh ;;
    world) echo world ;;
    esac
}

includes_of() {
    sed -n 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*"\([^"]*\)".*/\1/p' "$1"
}

# Comments and string literals blanked, so that only code is searched.
code_of() {
    awk '
    {
        line = $0
        out = ""
        while (length(line)) {
            if (in_comment) {
                end = index(line, "*/")
                if (!end) { line = ""; break }
                line = substr(line, end + 2); in_comment = 0; continue
            }
            if (match(line, /\/\*|"|\/\//)) {
                out = out substr(line, 1, RSTART - 1)
                mark = substr(line, RSTART, RLENGTH)
                line = substr(line, RSTART + RLENGTH)
                if (mark == "/*") { in_comment = 1; out = out " "; continue }
                if (mark == "//") { line = ""; break }
                while (length(line) && substr(line, 1, 1) != "\"") {
                    line = substr(line, substr(line, 1, 1) == "\\" ? 3 : 2)
                }
                line = substr(line, 2); out = out "\"\""; continue
            }
            out = out line; line = ""
        }
        print FILENAME ":" FNR ": " out
    }' "$1"
}

files_without_a_level() {
    for path in lib/src/*.[ch]; do
        [ -n "$(level_of "$(basename "$path")")" ] || echo "$path"
    done
}

headers_that_state_another_level() {
    for path in lib/src/*.h; do
        level=$(level_of "$(basename "$path")")
        sed -n '1,3p' "$path" | grep -q "Level $level:" || echo "$path: is of level $level"
    done
}

includes_that_go_up() {
    for path in lib/src/*.[ch]; do
        level=$(level_of "$(basename "$path")")
        for included in $(includes_of "$path"); do
            [ "$included" = cairn/cairn.h ] && continue
            below=$(level_of "$included")
            [ -n "$below" ] && [ "$below" -le "${level:-0}" ] || echo "$path includes $included"
        done
    done
}

services_that_know_each_other() {
    for path in lib/src/*.[ch]; do
        service=$(service_of "$(basename "$path")")
        [ -n "$service" ] || continue
        for included in $(includes_of "$path"); do
            other=$(service_of "$included")
            case $service:$other in
            *: | "$other:$service" | table_file:codec) ;;
            *) echo "$path includes $included" ;;
            esac
        done
    done
}

outside_headers_that_reach_inside() {
    grep -n 'include.*"' lib/include/cairn/*.h
}

programs_that_reach_inside() {
    for path in tools/*.[ch] tools/*/*.[ch]; do
        [ -f "$path" ] || continue
        for included in $(includes_of "$path"); do
            case $included in
            cairn/*) ;;
            *) [ -f "lib/src/$(basename "$included")" ] &&
                ! [ -f "$(dirname "$path")/$included" ] && ! [ -f "tools/$included" ] &&
                echo "$path includes $included" ;;
            esac
        done
    done
}

calls_of() {
    names=$1
    shift
    for path in "$@"; do
        code_of "$path"
    done | grep -E "(^|[^A-Za-z0-9_>.])($names)[ ]*\\("
}

heap_calls_outside_mem() {
    set --
    for path in lib/src/*.[ch]; do
        [ "$path" = lib/src/mem.c ] || set -- "$@" "$path"
    done
    calls_of 'malloc|calloc|realloc|free|aligned_alloc|posix_memalign|strdup|strndup|getline|mmap|alloca' "$@"
}

output_and_exits() {
    calls_of 'printf|vprintf|puts|putchar|perror|exit|_exit|_Exit|abort|quick_exit|raise' \
        lib/src/*.[ch]
    for path in lib/src/*.[ch]; do
        code_of "$path"
    done | grep -E '(^|[^A-Za-z0-9_])(stdout|stderr)([^A-Za-z0-9_]|$)'
}

type_names_with_an_underscore_t() {
    for path in lib/src/*.[ch] lib/include/cairn/*.h; do
        code_of "$path"
    done | grep -E 'typedef.*[ *][A-Za-z0-9_]+_t;|^[^ ]* \} [A-Za-z0-9_]+_t;'
}

long_lines() {
    find lib tools tests bench \( -name '*.[ch]' -o -name '*.hpp' -o -name '*.py' -o -name '*.js' \) | while read -r path; do
        awk 'length($0) > 100 { print FILENAME ":" FNR ": " length($0) " columns" }' "$path"
    done
}

begin structure
pass_if_empty "every_file_of_the_library_has_a_level" "$(files_without_a_level)"
pass_if_empty "headers_state_their_level" "$(headers_that_state_another_level)"
pass_if_empty "includes_never_go_up" "$(includes_that_go_up)"
pass_if_empty "services_do_not_include_each_other" "$(services_that_know_each_other)"
pass_if_empty "the_public_header_needs_no_other" "$(outside_headers_that_reach_inside)"
pass_if_empty "the_program_uses_the_public_header_alone" "$(programs_that_reach_inside)"
pass_if_empty "only_mem_touches_the_heap" "$(heap_calls_outside_mem)"
pass_if_empty "the_library_never_prints_or_exits" "$(output_and_exits)"
pass_if_empty "no_type_name_ends_in_t" "$(type_names_with_an_underscore_t)"
pass_if_empty "lines_fit_100_columns" "$(long_lines)"

work=$(mktemp -d "${TMPDIR:-/tmp}/cairn-structure.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT

zlib_flags=$(pkg-config --cflags --libs zlib 2>/dev/null || echo -lz)
# shellcheck disable=SC2086
if ${CC:-cc} -std=c11 -D_POSIX_C_SOURCE=200809L -DCAIRN_SHARED -DCAIRN_BUILDING -fPIC -shared \
    -fvisibility=hidden lib/src/*.c -Ilib/include -o "$work/libcairn.so" $zlib_flags -lpthread \
    2>"$work/log"; then
    nm -g "$work/libcairn.so" | awk '$2 ~ /[TDBRVWC]/ { sub(/^_/, "", $3); print $3 }' \
        >"$work/names"
    strange=$(grep -v '^cairn_' "$work/names" |
        grep -vE '^_?_?(init|fini|end|edata|bss_start|_bss_start)$')
    pass_if_empty "the_shared_library_exports_only_cairn_names" "$strange"
    declared=$(sed -n 's/^CAIRN_API .*[ *]\(cairn_[a-z0-9_]*\)(.*/\1/p' lib/include/cairn/cairn.h)
    missing=
    for name in $declared; do
        grep -qx "$name" "$work/names" || missing="$missing $name"
    done
    pass_if_empty "every_declared_function_is_exported" "$missing"
    mutable=$(nm "$work/libcairn.so" | awk '$2 ~ /[bBdDC]/ { print $3 }' |
        grep -vE '^_?(completed|__|_DYNAMIC|_GLOBAL|__dso_handle|_edata|_end|_TMC|DW\.)')
    # Constant tables of pointers are relocated, which puts them into .data.rel.ro: not mutable.
    constant=$(objdump -t "$work/libcairn.so" 2>/dev/null |
        awk '/\.data\.rel\.ro|\.rodata/ { print $NF }')
    unexpected=
    for name in $mutable; do
        printf '%s\n' "$constant" | grep -qx "$name" || unexpected="$unexpected $name"
    done
    pass_if_empty "the_library_has_no_mutable_globals" "$unexpected"
else
    fail "the_shared_library_builds" "$(cat "$work/log")"
fi

finish
