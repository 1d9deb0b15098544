# Lines in the manner of cmocka for tests written in shell. To be sourced.
#
#     begin "structure"
#     if ...; then pass "a_claim"; else fail "a_claim" "what is wrong"; fi
#     finish                  # prints the totals; its status is 0 when nothing failed

passed_count=0
failed_count=0
skipped_count=0
failed_names=

begin() {
    echo "[==========] $1"
}

pass() {
    echo "[       OK ] $1"
    passed_count=$((passed_count + 1))
}

fail() {
    [ -z "${2:-}" ] || printf '%s\n' "$2"
    echo "[  FAILED  ] $1"
    failed_count=$((failed_count + 1))
    failed_names="$failed_names $1"
}

skip() {
    echo "[  SKIPPED ] $1: $2"
    skipped_count=$((skipped_count + 1))
}

# Passes when the text of what is wrong is empty.
pass_if_empty() {
    if [ -z "$2" ]; then
        pass "$1"
    else
        fail "$1" "$2"
    fi
}

finish() {
    echo "[==========] $((passed_count + failed_count + skipped_count)) test(s) run."
    echo "[  PASSED  ] $passed_count test(s)."
    [ "$skipped_count" -eq 0 ] || echo "[  SKIPPED ] $skipped_count test(s), listed above."
    [ "$failed_count" -eq 0 ] && return 0
    echo "[  FAILED  ] $failed_count test(s), listed below:"
    for name in $failed_names; do
        echo "[  FAILED  ] $name"
    done
    return 1
}
