#!/bin/sh
# What the shape of the library promises: includes go down, one door to the heap, no output, and
# no exported names but cairn_*.
#
#     sh tests/structure/levels.sh [BUILD_FOLDER]
#
# With a folder of CMake's, its objects are examined; without, every source is compiled first.

here=$(cd "$(dirname "$0")" && pwd)
. "$here/../support/report.sh"
cd "$here/../.." || exit 1
objects=${1:+$1/lib/CMakeFiles/cairn.dir/src}

# The folders of lib/src in the order of their levels: a file includes its own room and earlier
# ones.
ROOMS='system base simd io grid graph components map units formats flood table bound place build'
ROOMS="$ROOMS search nearest ways corner_refresh refresh codec file world"

# Lines "FILE INCLUDED" of the library, both from lib/src: "map/grid.c base/bits.h".
includes_of_the_library() {
    (cd lib/src && grep -H '^[[:space:]]*#[[:space:]]*\(include\|define TEMPLATE\) "' ./*/*.[ch]) |
        sed 's|^\./\([^:]*\):[^"]*"\([^"]*\)".*|\1 \2|' | grep -v ' cairn/'
}

# Comments and string literals blanked, so that only code is searched.
code_of() {
    awk '
    FNR == 1 { in_comment = 0 }
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
    }' "$@"
}

files_outside_the_rooms() {
    for path in lib/src/*; do
        case " $ROOMS " in
        *" ${path##*/} "*) [ -d "$path" ] || echo "$path" ;;
        *) echo "$path" ;;
        esac
    done
}

rooms_over_25_files() {
    find lib/src -type f | awk -F/ '
        { count[$3]++ }
        END {
            for (room in count)
                if (count[room] > 25) print "lib/src/" room ": " count[room] " files"
        }'
}

includes_that_climb() {
    includes_of_the_library | awk -v rooms="$ROOMS" '
        BEGIN { for (i = split(rooms, names, " "); i > 0; i--) rank[names[i]] = i }
        {
            split($1, from, "/"); split($2, to, "/")
            if (!(to[1] in rank) || rank[to[1]] > rank[from[1]]) print $1 " includes " $2
        }'
}

# Searching, refreshing and packing know nothing of one another.
services_that_know_each_other() {
    includes_of_the_library | awk '
        BEGIN { is_service["search"]; is_service["refresh"]; is_service["codec"] }
        {
            split($1, from, "/"); split($2, to, "/")
            if (from[1] in is_service && to[1] in is_service && from[1] != to[1])
                print $1 " includes " $2
        }'
}

# The lines "one other" of pairs on a circle, as tsort names them.
circles() {
    tsort 2>&1 >/dev/null | sed -n 's/^tsort: //p' | grep -v 'contains a loop'
}

circles_of_includes() {
    includes_of_the_library | circles
}

outside_headers_that_reach_inside() {
    grep -n 'include.*"' lib/include/cairn/*.h | grep -v '"cairn/[a-z]*\.h"'
}

public_headers_over_300_lines() {
    wc -l lib/include/cairn/*.h lib/include/cairn/*.hpp lib/include/cairn/cpp/*.hpp | awk '$1 > 300 && $2 != "total" { print $2 ": " $1 " lines" }'
}

# Each one alone, as a program may include it.
public_headers_that_need_another() {
    ${CC:-cc} -std=c11 -Wall -Wextra -Werror -fsyntax-only -Ilib/include -x c \
        lib/include/cairn/*.h 2>&1
}

# Lines of the input that are not among those of a file.
unlisted_in() {
    grep -vxF -f "$1"
}

calls_that_never_met_null() {
    sed -n 's/.*REFUSED(\(cairn_[a-z0-9_]*\)(.*/\1/p' tests/api/null.c >"$work/met" 2>/dev/null
    sed -n 's/^CAIRN_API cairn_status \(cairn_[a-z0-9_]*\)(.*/\1/p' lib/include/cairn/*.h |
        unlisted_in "$work/met"
}

programs_that_reach_inside() {
    (cd lib/src && ls -d ./*/*.h) | sed 's|^\./\(.*\)|include "\1"|' >"$work/inside"
    grep -Fn -f "$work/inside" tools/*.[ch] tools/*/*.[ch] 2>/dev/null
}

calls_of() {
    names=$1
    shift
    code_of "$@" | grep -E "(^|[^A-Za-z0-9_>.])($names)[ ]*\\("
}

heap_calls_outside_mem() {
    set --
    for path in lib/src/*/*.[ch]; do
        [ "$path" = lib/src/base/mem.c ] || set -- "$@" "$path"
    done
    allocating='malloc|calloc|realloc|free|aligned_alloc|posix_memalign|strdup|strndup|getline'
    calls_of "$allocating|mmap|alloca" "$@"
}

# What POSIX has and Windows lacks is used in few files.
headers_of_systems() {
    headers='pthread|unistd|fcntl|dirent|sched|poll|termios|windows|sys/[a-z]+'
    grep -nE "^ *# *include <($headers)\.h>" \
        lib/src/*/*.[ch] tools/*.[ch] tools/*/*.[ch] |
        grep -vE '^(lib/src/system/|lib/src/base/mem\.c|tools/kit/system)'
}

# The lines of a function after the one with its name: NAME FILE.
body_of() {
    sed -n "/^[a-z ]*$1(/,/^}/p" "$2" | sed 1d
}

# Which paths name descriptors is told twice, since the program uses the public interface alone.
differences_of_named_descriptors() {
    body_of named_descriptor lib/src/system/replacement.c >"$work/of_the_library"
    body_of kit_file_descriptor tools/kit/system_posix.c >"$work/of_the_kit"
    [ -s "$work/of_the_library" ] || echo "no named_descriptor in lib/src/system/replacement.c"
    diff "$work/of_the_library" "$work/of_the_kit"
}

# What compilers have beyond C11, and which compiler it is, has names of the project's own, in
# base.h.
words_of_compilers() {
    words='__attribute__|__builtin_|__asm|__typeof|__extension__|__int128|__declspec'
    grep -nE "$words|__GNUC__|__clang__|_MSC_VER" lib/src/*/*.[ch] lib/include/cairn/*.h \
        tools/*.[ch] tools/*/*.[ch] 2>/dev/null | grep -v '/base\.h:'
}

output_and_exits() {
    calls_of 'printf|vprintf|puts|putchar|perror|exit|_exit|_Exit|abort|quick_exit|raise' \
        lib/src/*/*.[ch]
    code_of lib/src/*/*.[ch] | grep -E '(^|[^A-Za-z0-9_])(stdout|stderr)([^A-Za-z0-9_]|$)'
}

type_names_with_an_underscore_t() {
    code_of lib/src/*/*.[ch] lib/include/cairn/*.h |
        grep -E 'typedef.*[ *][A-Za-z0-9_]+_t;|^[^ ]* \} [A-Za-z0-9_]+_t;'
}

# Lines "LENGTH FILE:LINE" of functions, from the line of their name to their last.
function_lengths() {
    awk '
        /^[A-Za-z_].*\(/ { first = FNR }
        /^\{/ { inside = first; next }
        /^\}/ { if (inside) print FNR - inside + 1, FILENAME ":" inside; inside = 0 }' \
        lib/src/*/*.c lib/src/*/*.h
}

functions_that_are_too_long() {
    function_lengths | sort -n | awk '
        { length_of[NR] = $1 }
        $1 > 60 { print $2 ": " $1 " lines, more than 60" }
        END {
            half = length_of[int((NR + 1) / 2)]
            most = length_of[int((NR * 9 + 9) / 10)]
            if (half > 12) print "the median is " half " lines, more than 12"
            if (most > 25) print "one of ten has " most " lines or more, more than 25"
        }'
}

# Folders of test programs that no build makes: of a room that is no more, say.
folders_of_tests_without_a_room() {
    grep -l 'cmocka_run_group_tests' tests/*/*.c | sed 's|^tests/\([^/]*\)/.*|\1|' | sort -u |
        while read -r folder; do
            case $folder in
            api | bindings | fuzz | golden | steps | support | tools) ;;
            *) [ -d "lib/src/$folder" ] || echo "tests/$folder" ;;
            esac
        done
}

long_lines() {
    find lib tools tests bench bindings packaging -type f \( -name '*.[ch]' -o -name '*.hpp' \
        -o -name '*.py' -o -name '*.js' -o -name '*.mjs' -o -name '*.lua' -o -name '*.cs' \
        -o -name '*.rs' \) -exec awk \
        'length($0) > 100 { print FILENAME ":" FNR ": " length($0) " columns" }' {} +
}

work=$(mktemp -d "${TMPDIR:-/tmp}/cairn-structure.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT

begin structure
pass_if_empty "every_file_of_the_library_lies_in_a_room" "$(files_outside_the_rooms)"
pass_if_empty "no_room_holds_more_than_25_files" "$(rooms_over_25_files)"
pass_if_empty "includes_never_climb" "$(includes_that_climb)"
pass_if_empty "includes_run_in_no_circle" "$(circles_of_includes)"
pass_if_empty "services_do_not_include_each_other" "$(services_that_know_each_other)"
pass_if_empty "public_headers_include_one_another_alone" "$(outside_headers_that_reach_inside)"
pass_if_empty "no_public_header_is_over_300_lines" "$(public_headers_over_300_lines)"
pass_if_empty "every_public_header_compiles_alone" "$(public_headers_that_need_another)"
pass_if_empty "every_call_with_a_status_is_tested_with_null" "$(calls_that_never_met_null)"
pass_if_empty "the_program_uses_the_public_header_alone" "$(programs_that_reach_inside)"
pass_if_empty "only_mem_touches_the_heap" "$(heap_calls_outside_mem)"
pass_if_empty "only_the_room_system_and_the_kit_know_operating_systems" "$(headers_of_systems)"
pass_if_empty "library_and_program_take_the_same_paths_for_descriptors" \
    "$(differences_of_named_descriptors)"
pass_if_empty "only_base_knows_what_compilers_have_beyond_c11" "$(words_of_compilers)"
pass_if_empty "the_library_never_prints_or_exits" "$(output_and_exits)"
pass_if_empty "no_type_name_ends_in_t" "$(type_names_with_an_underscore_t)"
pass_if_empty "folders_of_tests_are_those_of_rooms" "$(folders_of_tests_without_a_room)"
pass_if_empty "functions_are_short" "$(functions_that_are_too_long)"
pass_if_empty "lines_fit_100_columns" "$(long_lines)"

# The objects of all sources, named as a build names them: "map/grid.c.o".
all_objects=$(printf '%s\n' lib/src/*/*.c | sed 's|^lib/src/||; s|$|.o|')

# Makes them, below $work.
compile_all() {
    # shellcheck disable=SC2086
    (cd "$work" && mkdir $ROOMS)
    export work
    printf '%s\n' lib/src/*/*.c | xargs -P "$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)" \
        -n 8 sh -c '
        for source in "$@"; do
            ${CC:-cc} -std=c11 -D_POSIX_C_SOURCE=200809L -fPIC -fvisibility=hidden \
                -Ilib/include -Ilib/src -c "$source" -o "$work/${source#lib/src/}.o" || exit 255
        done' sh
}

# Lines "caller callee" of objects, from the names that one needs and the other defines.
calls_between_objects() {
    # shellcheck disable=SC2086
    (cd "$objects" && nm -A -g $all_objects) | sed 's|\.c\.o:| |' | awk '
        $(NF - 1) == "U" { needs[$1] = needs[$1] " " $NF; next }
        NF == 4 { home[$NF] = $1 }
        END {
            for (object in needs) {
                count = split(needs[object], names, " ")
                for (i = 1; i <= count; i++)
                    if (names[i] in home && home[names[i]] != object)
                        print object, home[names[i]]
            }
        }' | sort -u
}

zlib_flags="$(pkg-config --libs zlib 2>/dev/null || echo -lz)
    $(pkg-config --libs libdeflate 2>/dev/null)"
if [ ! -d "$objects" ]; then
    compile_all >"$work/log" 2>&1
    objects=$work
fi
# shellcheck disable=SC2086
if (cd "$objects" && ${CC:-cc} -shared $all_objects -o "$work/libcairn.so" $zlib_flags -lpthread) \
    2>>"$work/log"; then
    pass_if_empty "calls_between_files_run_in_no_circle" "$(calls_between_objects | circles)"
    nm -g "$work/libcairn.so" | awk '$2 ~ /[TDBRVWC]/ { sub(/^_/, "", $3); print $3 }' \
        >"$work/names"
    strange=$(grep -v '^cairn_' "$work/names" |
        grep -vE '^_?_?(init|fini|end|edata|bss_start|_bss_start)$')
    pass_if_empty "the_shared_library_exports_only_cairn_names" "$strange"
    missing=$(sed -n 's/^CAIRN_API .*[ *]\(cairn_[a-z0-9_]*\)(.*/\1/p' lib/include/cairn/*.h |
        unlisted_in "$work/names")
    pass_if_empty "every_declared_function_is_exported" "$missing"
    # Constant tables of pointers are relocated, which puts them into .data.rel.ro: not mutable.
    objdump -t "$work/libcairn.so" 2>/dev/null |
        awk '/\.data\.rel\.ro|\.rodata/ { print $NF }' >"$work/constant"
    mutable=$(nm "$work/libcairn.so" | awk '$2 ~ /[bBdDC]/ { print $3 }' |
        grep -vE '^_?(completed|__|_DYNAMIC|_GLOBAL|__dso_handle|_edata|_end|_TMC|DW\.)' |
        unlisted_in "$work/constant")
    pass_if_empty "the_library_has_no_mutable_globals" "$mutable"
else
    fail "the_shared_library_builds" "$(cat "$work/log")"
fi

finish
