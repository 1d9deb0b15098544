#!/bin/sh
# Builds everything and runs every test. Installs what is missing for that: a C compiler, make, cmake,
# pkg-config, zlib, libpng and cmocka. It says first what is missing and what it will run, and
# CAIRN_INSTALL=no keeps it from installing. Tests that need other things are skipped without them.
#
#     sh tests/run.sh            everything
#     sh tests/run.sh --fast     without the sanitizers and the builds by other compilers
#
# The last line is "N passed, N failed", the one before it how many were skipped, if any were; the
# status is 0 when none failed. Builds go to build/dev, build/asan and build/tsan; the second
# goes without libdeflate, also where it is installed.

fast=no
for argument in "$@"; do
    case $argument in
    --fast) fast=yes ;;
    -h | --help)
        sed -n '2,11s/^# \{0,1\}//p' "$0"
        exit 0
        ;;
    *)
        echo "usage: sh tests/run.sh [--fast]" >&2
        exit 2
        ;;
    esac
done

root=$(cd "$(dirname "$0")/.." && pwd) || exit 1
cd "$root" || exit 1
. tools/kit/install.sh

passed=0
failed=0
skipped=0
# The folders of tests that are named as the rooms of lib/src.
rooms=$(cd tests && for room in ../lib/src/*/; do
    room=$(basename "$room")
    [ ! -d "$room" ] || echo "$room"
done)
workers=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)

total() {
    echo
    [ "$skipped" -eq 0 ] || echo "$skipped skipped"
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ]
    exit
}

give_up() {
    echo "$1" >&2
    failed=$((failed + 1))
    total
}

# Adds up what one test program printed; it counts as failed when it ended badly without saying so.
count_log() {
    log=$1
    status=$2
    ok=$(grep -c '^\[       OK \]' "$log")
    bad=$(sed -n 's/^\[  FAILED  \] \([0-9][0-9]*\) test(s).*/\1/p' "$log" | tail -n 1)
    left=$(sed -n 's/^\[  SKIPPED \] \([0-9][0-9]*\) test(s).*/\1/p' "$log" | tail -n 1)
    bad=${bad:-0}
    if [ "$status" -ne 0 ] && [ "$bad" -eq 0 ]; then
        echo "[  FAILED  ] ended with status $status"
        bad=1
    fi
    if [ "$status" -eq 0 ] && [ "$ok" -eq 0 ] && [ -z "$left" ]; then
        echo "[  FAILED  ] ran no test"
        bad=$((bad + 1))
    fi
    passed=$((passed + ok))
    failed=$((failed + bad))
    skipped=$((skipped + ${left:-0}))
}

# Runs a command as one test program.
run_one() {
    title=$1
    shift
    echo
    echo "--- $title"
    "$@" >"$logs/one.log" 2>&1
    run_status=$?
    cat "$logs/one.log"
    count_log "$logs/one.log" "$run_status"
}

# A preset, and the targets of it where not all are wanted.
build() {
    preset=$1
    shift
    echo
    echo "=== building build/$preset"
    mkdir -p build
    if ! cmake --preset "$preset" >"build/$preset.log" 2>&1 ||
        ! cmake --build "build/$preset" -j "$workers" --target "${@:-all}" \
            >>"build/$preset.log" 2>&1; then
        tail -n 60 "build/$preset.log"
        give_up "The build of build/$preset failed."
    fi
    warnings=$(grep -A 4 'warning:' "build/$preset.log")
    [ -z "$warnings" ] || give_up "$warnings
The build of build/$preset warns."
}

# Executables run side by side; their lines are shown one after the other.
run_executables() {
    preset=$1
    shift
    programs=$(for folder in "$@"; do
        find "build/$preset/tests/$folder" -maxdepth 1 -type f -perm -u+x ! -path '*/CMakeFiles/*' \
            ${without_units:+! -name '*_unit'}
    done 2>/dev/null | sort)
    [ -n "$programs" ] || give_up "No test programs in build/$preset."
    printf '%s\n' "$programs" | xargs -P "$workers" -n 1 sh -c '
        log="$0/$(echo "$1" | tr / _)"
        $SAME_ADDRESSES "$1" >"$log.log" 2>&1
        echo $? >"$log.status"' "$logs"
    for program in $programs; do
        log=$logs/$(echo "$program" | tr / _)
        echo
        echo "--- $program${CAIRN_SIMD:+ with CAIRN_SIMD=$CAIRN_SIMD}"
        cat "$log.log"
        count_log "$log.log" "$(cat "$log.status")"
    done
}

run_cli() {
    if [ -x "build/$1/tools/cairn" ]; then
        run_one "tests/cli/run.sh build/$1/tools/cairn" \
            $SAME_ADDRESSES sh tests/cli/run.sh "build/$1/tools/cairn"
    else
        echo "(no program in build/$1: command-line tests skipped)"
        skipped=$((skipped + 1))
    fi
}

# Some kernels choose addresses so freely that sanitizers do not find room for theirs, now and then:
# where it is allowed, what runs by this runs at the same addresses every time.
SAME_ADDRESSES=
keep_addresses() {
    SAME_ADDRESSES="setarch $(uname -m) -R"
    $SAME_ADDRESSES true 2>/dev/null || SAME_ADDRESSES=
    export SAME_ADDRESSES
}

# Whether there are such programs, and they run every time: some kernels and containers do not let
# them.
sanitizers_work() {
    echo 'int main(void) { return 0; }' >"$logs/probe.c"
    ${CC:-cc} "-fsanitize=$1" "$logs/probe.c" -o build/probe >/dev/null 2>&1
    works=$?
    times=0
    while [ $works -eq 0 ] && [ $times -lt 20 ]; do
        $SAME_ADDRESSES build/probe >/dev/null 2>&1
        works=$?
        times=$((times + 1))
    done
    rm -f build/probe
    return $works
}

logs=$(mktemp -d "${TMPDIR:-/tmp}/cairn-tests.XXXXXX") || exit 1
trap 'rm -rf "$logs"' EXIT

need_packages cc make cmake pkg-config zlib png cmocka || give_up "The tests cannot be built."

build dev
run_executables dev $rooms support golden api fuzz
run_cli dev
run_one "tests/structure/levels.sh build/dev" sh tests/structure/levels.sh build/dev
run_one "tests/structure/install.sh" sh tests/structure/install.sh
run_one "tests/docs/run.sh build/dev" sh tests/docs/run.sh build/dev
if [ $fast = no ]; then
    # The same results without vector instructions, and with the shorter vectors.
    for CAIRN_SIMD in off avx2; do
        export CAIRN_SIMD
        without_units=yes
        run_executables dev $rooms golden
    done
    unset CAIRN_SIMD without_units
    run_one "tests/structure/builds.sh" sh tests/structure/builds.sh
    run_one "tests/package/run.sh" sh tests/package/run.sh build/dev
    run_one "tests/web/run.sh" sh tests/web/run.sh
    build bench cairn-bench cairn_program
    run_one "tests/bench/run.sh build/bench/bench/cairn-bench" sh tests/bench/run.sh \
        build/bench/bench/cairn-bench build/bench/tools/cairn build/dev/tests/cli/strict_json
    keep_addresses
    if sanitizers_work address,undefined; then
        build asan
        run_executables asan $rooms support golden api fuzz
        run_cli asan
    else
        echo "(no address sanitizer here: its run is skipped)"
        skipped=$((skipped + 1))
    fi
    if sanitizers_work thread; then
        build tsan test_world_readers test_file_build_file test_base_threads
        for threaded in world/readers file/build_file base/threads; do
            run_one "build/tsan/tests/$threaded" $SAME_ADDRESSES "build/tsan/tests/$threaded"
        done
    else
        echo "(no thread sanitizer here: its run is skipped)"
        skipped=$((skipped + 1))
    fi
fi
total
