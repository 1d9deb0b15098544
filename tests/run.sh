#!/bin/sh
# Builds everything and runs every test. Installs what is missing for that: a C compiler, make,
# cmake, pkg-config, zlib, libpng and cmocka. It says first what is missing and what it will run,
# and CAIRN_INSTALL=no keeps it from installing. Tests that need other things are skipped without
# them.
#
#     sh tests/run.sh            everything
#     sh tests/run.sh --fast     without the sanitizers and the builds by other compilers
#
# The last line is "N passed, N failed", the one before it how many were skipped, if any were; the
# status is 0 when none failed. What runs are the test presets of CMakePresets.json: fast, or check,
# asan and tsan, each from a build of its own below build/.

fast=no
for argument in "$@"; do
    case $argument in
    --fast) fast=yes ;;
    -h | --help)
        sed -n '2,13s/^# \{0,1\}//p' "$0"
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
workers=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
# Ninja saves a tenth of a build's processor time: what Make takes beside the compilers. Folders
# that were built by Make go on with that.
command -v ninja >/dev/null && export CMAKE_GENERATOR="${CMAKE_GENERATOR:-Ninja}"

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

# Configures and builds a preset, which may not warn.
build() {
    echo
    echo "=== building $1 in build/$1"
    mkdir -p build
    if ! cmake --preset "$1" >"build/$1.log" 2>&1 ||
        ! cmake --build --preset "$1" -j "$workers" >>"build/$1.log" 2>&1; then
        tail -n 60 "build/$1.log"
        give_up "The build of build/$1 failed."
    fi
    warnings=$(grep -A 4 'warning:' "build/$1.log")
    [ -z "$warnings" ] || give_up "$warnings
The build of build/$1 warns."
}

# Cases that passed, failed and were skipped, by CTest's log of what each test printed. A test that
# ended badly without naming a case, or well without having had one, is a failed case.
cases_of() {
    awk '
        /^[0-9]+\/[0-9]+ Testing: / { ok = bad = left = 0 }
        /^\[       OK \]/ { ok++ }
        /^\[  FAILED  \] [0-9]+ test\(s\)/ { bad = $4 }
        /^skipped: / { left = 1 }
        /^\[  SKIPPED \] [0-9]+ test\(s\)/ { left = $4 }
        /^Test [A-Z][a-z ]*\.$/ || /^Unable to find executable/ {
            if ($0 != "Test Passed." && !bad || $0 == "Test Passed." && !ok && !left) bad++
            passed += ok; failed += bad; skipped += left
            ok = bad = left = 0
        }
        END { print passed + 0, failed + 0, skipped + 0 }' "$1"
}

# A test preset of a build, side by side on all processors and one more, since tests also wait: for
# files, for threads, and for what they start.
run() {
    echo
    echo "=== testing $1"
    $SAME_ADDRESSES ctest --preset "$1" -j $((workers + 1))
    status=$?
    counts=$(cases_of "build/$2/Testing/Temporary/LastTest.log")
    read -r ok bad left <<END
$counts
END
    [ "$status" -eq 0 ] || [ "$bad" -gt 0 ] || bad=1
    echo "$1: $ok passed, $bad failed, $left skipped"
    grep -e '^\[  SKIPPED \] [^0-9]' -e '^skipped: ' "build/$2/Testing/Temporary/LastTest.log" |
        awk '!told[$0]++ { sub(/^\[  SKIPPED \]/, "skipped:"); print "    " $0 }'
    passed=$((passed + ok))
    failed=$((failed + bad))
    skipped=$((skipped + left))
}

# Some kernels choose addresses so freely that sanitizers do not find room for theirs, now and then:
# where it is allowed, what runs by this runs at the same addresses every time.
SAME_ADDRESSES=
keep_addresses() {
    SAME_ADDRESSES="setarch $(uname -m) -R"
    $SAME_ADDRESSES true 2>/dev/null || SAME_ADDRESSES=
}

# Whether there are such programs, and they run every time: some kernels and containers do not let
# them.
sanitizers_work() {
    echo 'int main(void) { return 0; }' >build/probe.c
    ${CC:-cc} "-fsanitize=$1" build/probe.c -o build/probe >/dev/null 2>&1
    works=$?
    times=0
    while [ $works -eq 0 ] && [ $times -lt 20 ]; do
        $SAME_ADDRESSES build/probe >/dev/null 2>&1
        works=$?
        times=$((times + 1))
    done
    rm -f build/probe build/probe.c
    return $works
}

# PRESET SANITIZERS
run_sanitized() {
    if sanitizers_work "$2"; then
        build "$1"
        run "$1" "$1"
    else
        echo "(no -fsanitize=$2 here: its run is skipped)"
        skipped=$((skipped + 1))
    fi
}

need_packages cc make cmake pkg-config zlib png cmocka || give_up "The tests cannot be built."

if [ $fast = yes ]; then
    build dev
    run fast dev
    total
fi
# One processor configures; the others build meanwhile. What is wrong is said by the build itself.
for preset in asan tsan; do
    mkdir -p build && cmake --preset $preset >/dev/null 2>&1 &
done
build check
wait
run check check
keep_addresses
run_sanitized asan address,undefined
run_sanitized tsan thread
total
