#!/bin/sh
# Unit, property and golden tests on other processors and systems: 64-bit ARM, s390x, which is
# big-endian, and 32-bit x86, under qemu, or without it where this machine runs such programs; and
# Windows, under wine. Golden tests compare what is written into files byte for byte, and program.sh
# does it with the files of the program, on Windows with the library as a DLL.
#
#     sh tests/platforms/run.sh [PLATFORM...]      arm64 s390x i386 windows; without any those with a
#                                                  compiler
#     TESTS=^file/ sh tests/platforms/run.sh       those tests alone
#
# Needs a compiler for the platform (Debian: gcc-aarch64-linux-gnu, gcc-s390x-linux-gnu,
# gcc-i686-linux-gnu, gcc-mingw-w64-x86-64), and qemu-user-static, or wine, for those that this
# machine does not run; zlib and cmocka are built from sources. Tests are linked statically and take a
# tenth of their random cases, on s390x, whose emulator is slow, three in a hundred, unless
# CAIRN_TEST_SEEDS says how many. This takes many minutes of processor time a platform, so that
# tests/run.sh does without it.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
workers=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
named=$#
[ $# -gt 0 ] || set -- arm64 s390x i386 windows
asked=${CAIRN_TEST_SEEDS:-}

# Sets triple, processor, system and emulator; how programs are linked, and whether with a DLL; how many
# random cases tests take, in percent.
describe() {
    system=Linux static=-static shared=OFF seeds=10
    case $1 in
    arm64) triple=aarch64-linux-gnu processor=aarch64 emulator=qemu-aarch64-static ;;
    s390x) triple=s390x-linux-gnu processor=s390x emulator=qemu-s390x-static seeds=3 ;;
    i386) triple=i686-linux-gnu processor=i686 emulator=qemu-i386-static ;;
    windows)
        triple=x86_64-w64-mingw32 processor=x86_64 system=Windows emulator=wine
        static=-static-libgcc shared=ON ;;
    *)
        echo "there is no platform $1" >&2
        exit 2
        ;;
    esac
}

# Whether programs of the platform run here; empties the emulator if they do so without one.
runs() {
    echo 'int main(void) { return 0; }' >"$folder/nothing.c"
    "$triple-gcc" -static -o "$folder/nothing" "$folder/nothing.c" 2>/dev/null || return 1
    if "$folder/nothing" 2>/dev/null; then
        emulator=
    else
        command -v "$emulator" >/dev/null
    fi
}

# zlib and cmocka below a folder.
libraries() {
    [ -f "$prefix/lib/libcmocka.a" ] && return
    zlib=$(sh "$root/tools/kit/source.sh" zlib) && cmocka=$(sh "$root/tools/kit/source.sh" cmocka) ||
        return 1
    mkdir -p "$prefix/lib/pkgconfig" "$prefix/include" "$prefix/objects"
    for part in adler32 crc32 deflate inffast inflate inftrees trees zutil; do
        "$triple-gcc" -O2 -w -c "$zlib/$part.c" -o "$prefix/objects/$part.o" || return 1
    done
    "$triple-ar" rcs "$prefix/lib/libz.a" "$prefix"/objects/*.o &&
        cp "$zlib/zlib.h" "$zlib/zconf.h" "$prefix/include" &&
        cmake -S "$cmocka" -B "$prefix/cmocka" "-DCMAKE_C_COMPILER=$triple-gcc" \
            "-DCMAKE_SYSTEM_NAME=$system" "-DCMAKE_SYSTEM_PROCESSOR=$processor" \
            -DBUILD_SHARED_LIBS=OFF -DWITH_STATIC_LIB=ON -DWITH_EXAMPLES=OFF \
            "-DCMAKE_INSTALL_PREFIX=$prefix" -DCMAKE_INSTALL_LIBDIR=lib &&
        cmake --build "$prefix/cmocka" &&
        cmake --install "$prefix/cmocka" || return 1
    # Tests are linked statically; some versions name the library by its kind.
    rm -f "$prefix"/lib/libcmocka.so* "$prefix"/lib/libcmocka.dll.a
    [ -f "$prefix/lib/libcmocka.a" ] ||
        cp "$(find "$prefix" -name 'libcmocka*.a' ! -name '*.dll.a' | head -n 1)" "$prefix/lib/libcmocka.a"
}

configure() {
    PKG_CONFIG_LIBDIR=$prefix/lib/pkgconfig cmake -S "$root" -B "$folder" -DCMAKE_BUILD_TYPE=Debug \
        "-DCMAKE_C_FLAGS_DEBUG=-O2" "-DCMAKE_C_COMPILER=$triple-gcc" "-DCMAKE_SYSTEM_NAME=$system" \
        "-DCMAKE_SYSTEM_PROCESSOR=$processor" "-DCMAKE_CROSSCOMPILING_EMULATOR=$emulator" \
        -DCMAKE_EXE_LINKER_FLAGS=-static "-DZLIB_LIBRARY=$prefix/lib/libz.a" \
        "-DZLIB_INCLUDE_DIR=$prefix/include" -DCAIRN_LIBDEFLATE=OFF -DCAIRN_BUILD_TESTS=ON \
        -DCAIRN_BUILD_TOOLS=OFF -DCAIRN_INSTALL=OFF
}

# CTest with the tests that this script runs.
tests() {
    ctest --test-dir "$folder" -L '^(unit|property|golden)$' ${TESTS:+-R "$TESTS"} "$@"
}

# The programs of these tests: ROOM/NAME is test_ROOM_NAME.
build() {
    targets=$(tests --show-only | sed -n 's,^ *Test.*#[0-9]*: \([^/]*\)/\(.*\)$,test_\1_\2,p')
    # shellcheck disable=SC2086 # one word each
    [ -n "$targets" ] && cmake --build "$folder" -j "$workers" --target $targets
}

# The program for the platform, in $folder/program: for Windows with the library as a DLL.
build_program() {
    cmake -S "$root" -B "$folder/program" -DCMAKE_BUILD_TYPE=Release \
        "-DCMAKE_C_COMPILER=$triple-gcc" "-DCMAKE_SYSTEM_NAME=$system" -DCMAKE_CXX_COMPILER=NOTFOUND \
        "-DCMAKE_SYSTEM_PROCESSOR=$processor" "-DBUILD_SHARED_LIBS=$shared" \
        "-DCMAKE_EXE_LINKER_FLAGS=$static" "-DZLIB_LIBRARY=$prefix/lib/libz.a" \
        "-DZLIB_INCLUDE_DIR=$prefix/include" -DCAIRN_LIBDEFLATE=OFF \
        -DCMAKE_DISABLE_FIND_PACKAGE_PNG=ON -DCAIRN_INSTALL=OFF &&
        cmake --build "$folder/program" -j "$workers" --target cairn_program || return 1
    program=$folder/program/tools/cairn
    [ "$system" = Linux ] || {
        program=$program.exe
        cp "$folder"/program/lib/*.dll "$folder/program/tools"
    }
}

# It and the program of this machine write the same.
compare_programs() {
    cmake -S "$root" -B "$root/build/platforms/here" -DCMAKE_BUILD_TYPE=Release \
        -DCAIRN_INSTALL=OFF >>"$folder/log" &&
        cmake --build "$root/build/platforms/here" -j "$workers" --target cairn_program \
            >>"$folder/log" &&
        build_program >>"$folder/log" 2>&1 || {
        tail -n 40 "$folder/log"
        return 1
    }
    # shellcheck disable=SC2086
    sh "$root/tests/platforms/program.sh" "$root/build/platforms/here/tools/cairn" $emulator \
        "$program"
}

status=0
for platform in "$@"; do
    describe "$platform"
    folder=$root/build/platforms/$platform
    prefix=$folder/libraries
    mkdir -p "$folder"
    export CAIRN_TEST_SEEDS="${asked:-$seeds}"
    export WINEPREFIX="$folder/wine" WINEDEBUG=-all
    if ! runs; then
        echo "$platform is left out: it needs $triple-gcc and $emulator"
        [ "$named" -eq 0 ] || status=1
        continue
    fi
    echo "=== $platform${emulator:+ by $emulator}"
    # The first program that wine runs makes its folder; two at the same time are in each other's way.
    [ "$system" = Linux ] || $emulator "$folder/nothing.exe" >/dev/null 2>&1
    if ! { libraries && configure && build; } >"$folder/log" 2>&1; then
        tail -n 40 "$folder/log"
        status=1
        continue
    fi
    tests -j "$workers" --output-on-failure --no-tests=error || status=1
    [ -n "${TESTS:-}" ] || compare_programs || status=1
done
exit $status
