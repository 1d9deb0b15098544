#!/bin/sh
# Ways to build the library that must keep working: one compiler line, and without a warning. And
# its form.
#
#     sh tests/structure/builds.sh

here=$(cd "$(dirname "$0")" && pwd)
. "$here/../support/report.sh"
cd "$here/../.." || exit 1
workers=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)

work=$(mktemp -d "${TMPDIR:-/tmp}/cairn-builds.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT

begin builds

# For any processor, which takes half the time; two_files_serve_c of the package tests is without
# that.
if ${CC:-cc} -DCAIRN_NO_X86 tests/structure/one_line.c lib/src/*/*.c -Ilib/include -Ilib/src -lz \
    -lpthread -o "$work/one_line" >"$work/log" 2>&1; then
    pass "the_library_builds_with_one_compiler_line"
    # Two steps down, around the wall, and up again: counted by hand.
    answer=$("$work/one_line")
    if [ "$answer" = "6 steps" ]; then
        pass "a_program_built_with_one_line_finds_its_path"
    else
        fail "a_program_built_with_one_line_finds_its_path" "printed: $answer"
    fi
else
    fail "the_library_builds_with_one_compiler_line" "$(cat "$work/log")"
fi

# The library as $work/cairn.c, which compilers read in a tenth of the time that its files take.
one_file() {
    [ -f "$work/cairn.c" ] || sh tools/amalgamate.sh "$work"
}

# The library without two codecs and for any processor, as $work/fewer.o, which serves two tests.
make_library() {
    one_file && ${CC:-cc} -DCAIRN_NO_X86 -DCAIRN_WITHOUT_PREDICTOR -DCAIRN_WITHOUT_SEEDS \
        -c "$work/cairn.c" -o "$work/fewer.o"
}

libraries="-lz -lpthread"
golden=tests/golden/files/1.0
# shellcheck disable=SC2086
if make_library >"$work/log" 2>&1 &&
    ${CC:-cc} tests/structure/fewer_codecs.c -Ilib/include -Ilib/src "$work/fewer.o" $libraries \
        -o "$work/fewer_codecs" >"$work/log" 2>&1; then
    "$work/fewer_codecs" $golden/raw.cairn $golden/predictor.cairn $golden/seeds-16.cairn \
        >"$work/said"
    cat >"$work/wanted" <<'END'
read, written and read: no error
expected a codec that this build has, found predictor
expected a codec that this build has, found seeds
END
    if cmp -s "$work/said" "$work/wanted"; then
        pass "a_build_with_fewer_codecs_says_which_one_it_lacks"
    else
        fail "a_build_with_fewer_codecs_says_which_one_it_lacks" "$(cat "$work/said")"
    fi
else
    fail "the_library_builds_with_fewer_codecs" "$(cat "$work/log")"
fi

flags="-std=c11 -D_POSIX_C_SOURCE=200809L -D_FILE_OFFSET_BITS=64 -Wall -Wextra -Wconversion
    -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wundef -Werror
    -Ilib/include -Ilib/src -Itools -Itools/kit -Itests"
defines='-DCAIRN_TEST_SOURCE_DIR="."'
includes=$(pkg-config --cflags zlib libpng cmocka 2>/dev/null)

# What another compiler says of every source but those for MPI, which need its header. Those of the
# builds are held to warnings by tests/run.sh, each file of the library by itself; here the library
# is one file, whose functions have constants of the same name as other files'.
warnings_of_clang() {
    # shellcheck disable=SC2086
    one_file >/dev/null && clang -fsyntax-only $flags -Wno-shadow "$work/cairn.c" 2>&1
    # shellcheck disable=SC2086
    printf '%s\n' tools/*.c tools/*/*.c tests/*/*.c | while read -r source; do
        [ ! -f "$source" ] || grep -q '<mpi.h>' "$source" || echo "$source"
    done | xargs -P "$workers" -n 8 clang -fsyntax-only $flags "$defines" $includes 2>&1
}

if command -v clang >/dev/null 2>&1; then
    pass_if_empty no_warning_from_clang "$(warnings_of_clang)"
else
    skip no_warning_from_clang "clang is not installed"
fi

cmocka=$(pkg-config --cflags --libs cmocka 2>/dev/null)

# As a compiler reads the sources that has nothing beyond C11 (clang without __GNUC__): the library
# as one file, in which not every function is used, and every file of the program. glibc's INFINITY
# is for it a constant that is too large.
pure="-fgnuc-version=0 -std=c11 -D_POSIX_C_SOURCE=200809L -D_FILE_OFFSET_BITS=64 -pedantic-errors
    -Wall -Wextra -Wgnu -Wno-literal-range -Werror"

words_beyond_c11() {
    # shellcheck disable=SC2086
    one_file >/dev/null && clang -fsyntax-only $pure -Wno-unused-function "$work/cairn.c" 2>&1
    # shellcheck disable=SC2086
    printf '%s\n' tools/*.c tools/*/*.c | grep -v '^tools/mpi/' |
        xargs -P "$workers" -n 8 clang -fsyntax-only $pure -Ilib/include -Itools $includes 2>&1
}

# Objects of what tests share, which know nothing of vectors and serve two tests.
make_support() {
    [ -d "$work/support" ] && return
    mkdir "$work/support"
    for source in $(ls tests/support/*.c | grep -v _unit); do
        # shellcheck disable=SC2086
        ${CC:-cc} -O1 "$(echo "$defines" | tr -d "'")" -Ilib/include -Ilib/src -Itests $cmocka \
            -c "$source" -o "$work/support/$(basename "$source").o" || return 1
    done
}

# PROGRAM...: tests of such a library, which has answers and files of all builds.
pure_library_passes() {
    one_file && make_support &&
        clang $pure -Wno-unused-function -c "$work/cairn.c" -o "$work/pure.o" || return 1
    for program in "$@"; do
        # shellcheck disable=SC2086
        ${CC:-cc} -O1 "$(echo "$defines" | tr -d "'")" "tests/$program.c" "$work"/support/*.o \
            -Ilib/include -Ilib/src -Itests "$work/pure.o" $cmocka $libraries -lm \
            -o "$work/pure" && "$work/pure" || return 1
    done
}

if ! command -v clang >/dev/null 2>&1; then
    skip every_source_is_c11_outside_of_base_h "clang is not installed"
else
    pass_if_empty every_source_is_c11_outside_of_base_h "$(words_beyond_c11)"
    one_file >/dev/null
    # shellcheck disable=SC2086
    pass_if_empty vectors_are_used_by_intrinsics_alone "$(clang -fsyntax-only $pure \
        -Wno-unused-function -Itests/structure/opaque "$work/cairn.c" 2>&1)"
    if [ -z "$cmocka" ]; then
        skip a_library_of_c11_alone_has_the_same_results "cmocka is not installed"
    elif pure_library_passes golden/files golden/project_data file/load_unit search/search_unit \
        >"$work/log" 2>&1; then
        pass a_library_of_c11_alone_has_the_same_results
    else
        fail a_library_of_c11_alone_has_the_same_results "$(tail -n 40 "$work/log")"
    fi
fi

# For processors without vectors, run on this one.
# shellcheck disable=SC2086
if [ -z "$cmocka" ]; then
    skip "floods_without_vectors_equal_the_oracle" "cmocka is not installed"
elif [ -f "$work/fewer.o" ] && make_support >"$work/log" 2>&1 &&
    ${CC:-cc} -O1 -DCAIRN_NO_X86 "$(echo "$defines" | tr -d "'")" tests/flood/flood.c \
        "$work"/support/*.o -Ilib/include -Ilib/src -Itests \
        "$work/fewer.o" $cmocka $libraries -lm -o "$work/flood" >"$work/log" 2>&1 &&
    CAIRN_TEST_SEEDS=10 "$work/flood" >"$work/log" 2>&1; then
    pass "floods_without_vectors_equal_the_oracle"
else
    fail "floods_without_vectors_equal_the_oracle" "$(cat "$work/log")"
fi

# The vectors of one lane that they have.
# shellcheck disable=SC2086
if [ -z "$cmocka" ]; then
    skip "vectors_of_one_lane_do_what_loops_do" "cmocka is not installed"
elif ${CC:-cc} -O1 -DCAIRN_NO_X86 "$(echo "$defines" | tr -d "'")" \
    tests/simd/vectors_unit.c tests/support/random_maps.c tests/support/picture.c \
    lib/src/base/cpu.c -Ilib/include -Ilib/src -Itests $cmocka -o "$work/vectors" \
    >"$work/log" 2>&1 && "$work/vectors" >"$work/log" 2>&1; then
    pass "vectors_of_one_lane_do_what_loops_do"
else
    fail "vectors_of_one_lane_do_what_loops_do" "$(cat "$work/log")"
fi

# Indentation is examined file by file: for that of so long a file GCC takes nine tenths of its
# time.
pass_if_empty "the_library_compiles_without_vectors" "$(${CC:-cc} -DCAIRN_NO_X86 \
    -Wall -Wextra -Wno-misleading-indentation -Werror -fsyntax-only "$work/cairn.c" 2>&1)"

# Compiles files for another processor: name, target and flags, its headers, a vector instruction
# that the floods must have there, files.
compiles_for() {
    title=the_library_compiles_with_vectors_for_$1
    target=$2
    headers=$3
    vectors=$4
    shift 4
    if ! command -v clang >/dev/null 2>&1 || [ ! -d "$headers" ]; then
        skip "$title" "needs clang and $headers"
        return
    fi
    cross="clang -target $target -isystem $headers -idirafter /usr/include -std=c11 -O1
        -D_POSIX_C_SOURCE=200809L -Wall -Wextra -Wconversion -Werror -Ilib/include -Ilib/src"
    # shellcheck disable=SC2086
    said=$(printf '%s\n' "$@" | xargs -P "$workers" -n 8 $cross -fsyntax-only 2>&1
    $cross -S lib/src/flood/flood_tiles_kernels.c -o - 2>&1 | grep -q "$vectors" ||
        echo "no vectors in lib/src/flood/flood_tiles_kernels.c")
    pass_if_empty "$title" "$said"
}

# Debian: libc6-dev-arm64-cross, wasi-libc. WASI has no permissions and no links, which replacing
# files asks for: that file is left out there.
one_file >/dev/null
awk '/^\/\* ---- .* ---- \*\/$/ { left_out = $3 ~ /\/replacement\.c$/ } !left_out' \
    "$work/cairn.c" >"$work/cairn_wasi.c"
compiles_for arm64 aarch64-linux-gnu "${ARM64_HEADERS:-/usr/aarch64-linux-gnu/include}" \
    '\.8h' "$work/cairn.c"
compiles_for webassembly "wasm32-wasi -msimd128" "${WASI_HEADERS:-/usr/include/wasm32-wasi}" \
    'i16x8' "$work/cairn_wasi.c"

# Versions of the program differ in small things: one of them decides.
files_that_clang_format_would_change() {
    find lib tools tests bench examples -type f \
        \( -name '*.[ch]' -o -name '*.hpp' -o -name '*.cpp' \) \
        -exec clang-format --dry-run --Werror {} + 2>&1 | grep 'error:' | head -n 20
}

if clang-format --version 2>/dev/null | grep -q 'version 14\.'; then
    pass_if_empty "the_tree_is_formatted" "$(files_that_clang_format_would_change)"
else
    skip "the_tree_is_formatted" "clang-format 14 is not installed"
fi

finish
