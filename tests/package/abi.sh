#!/bin/sh
# Programs that are linked with the library of the last release (packaging/abi) need no change, unless
# the version says so; and the comparison finds what they would miss.
#
#     sh tests/package/abi.sh

here=$(cd "$(dirname "$0")" && pwd)
. "$here/../support/report.sh"
cd "$here/../.." || exit 1
command -v python3 >/dev/null 2>&1 || {
    echo "skipped: needs python3"
    exit 77
}
[ "$(getconf LONG_BIT)" = 64 ] || {
    echo "skipped: the interface is kept for 64 bits"
    exit 77
}
work=$(mktemp -d "${TMPDIR:-/tmp}/cairn-abi.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT

# Status 0 or 1 and nothing else, so that an error is no answer.
compare() {
    python3 packaging/abi.py compare "$work/include" >"$work/log" 2>&1
}

# HEADER, SCRIPT OF SED: headers that differ; a script that changes nothing is a fault.
change() {
    cp -r lib/include "$work/include"
    sed -i.before "$2" "$work/include/cairn/$1"
    ! cmp -s "$work/include/cairn/$1" "$work/include/cairn/$1.before"
}

# CLAIM, HEADER, SCRIPT OF SED
is_found() {
    if change "$2" "$3" && ! compare && grep -q '^- ' "$work/log"; then
        pass "$1"
    else
        fail "$1" "$(cat "$work/log")"
    fi
    rm -rf "$work/include"
}

is_allowed() {
    if change "$2" "$3" && compare; then
        pass "$1"
    else
        fail "$1" "$(cat "$work/log")"
    fi
    rm -rf "$work/include"
}

begin abi
cp -r lib/include "$work/include"
compare
said=$([ $? -eq 0 ] || cat "$work/log")
rm -rf "$work/include"
pass_if_empty "programs_of_the_last_release_need_no_change" "$said"

next=$(($(sed -n 's/^#define CAIRN_VERSION_MINOR //p' lib/include/cairn/*.h) + 1))
version=$(grep -l 'define CAIRN_VERSION_MINOR' lib/include/cairn/*.h)
version=${version##*/}
is_found a_call_that_is_gone search.h '/^CAIRN_API .*cairn_search_cells(/d'
is_found an_argument_of_another_type nodes.h \
    's/\(cairn_node_at(const cairn_map \*map, \)uint32_t/\1uint64_t/'
is_found a_member_in_the_middle search.h '/^    cairn_outcome outcome;/i\
    uint64_t more;'
is_found a_member_in_what_was_padding search.h '/^} cairn_search_options;/i\
    bool more;'
is_found a_value_that_moves map.h 's/^    CAIRN_RULE_4,/    CAIRN_RULE_X,&/'
is_found another_constant base.h 's/^#define CAIRN_ROWS_MAX 256/#define CAIRN_ROWS_MAX 128/'
is_found a_callback_that_is_called_in_another_way search.h \
    's/(\*cancel)(void \*[a-z]*)/(*cancel)(void *context, int more)/'
is_allowed a_new_call "$version" 's/^CAIRN_API const char \*cairn_version(void);/&CAIRN_API int cairn_new(void);/'
is_allowed a_new_value map.h 's/^    CAIRN_RULE_HEX /    CAIRN_RULE_HEX, CAIRN_RULE_X/'
is_allowed a_member_behind_those_of_options file.h '/^} cairn_save_options;/i\
    uint64_t more;'
is_allowed anything_in_another_version "$version" \
    "s/define CAIRN_VERSION_MINOR .*/define CAIRN_VERSION_MINOR $next/;/cairn_version(void)/d"
finish
