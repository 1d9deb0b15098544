#!/bin/sh
# Builds the demo and runs the library inside under node; tests/web/browser.sh opens the page.
#
#     sh tests/web/run.sh [FOLDER]     FOLDER: where the demo goes, and stays
#
# Skipped without clang for WebAssembly, python3 or node.

here=$(cd "$(dirname "$0")" && pwd)
. "$here/../support/report.sh"
cd "$here/../.." || exit 1
. tools/kit/install.sh

work=$(mktemp -d "${TMPDIR:-/tmp}/cairn-web.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT

demo=${1:-$work/web}

begin web

# Colours that the light demo has otherwise than pictures and reports: lines "NAME hex".
other_colours() {
    sed -n 's/^#define PALETTE_\([A-Z]*\) *0x\([0-9a-f]*\).*/\1 #\2/p' tools/render/palette.h |
        while read -r name colour; do
            case $name in
            BASE | LANDMARKS | PATH | START | GOAL | LANDMARK | FLOOR) ;;
            BLOCKED) name=WALL ;;
            *) continue ;;
            esac
            member=$(echo "$name" | tr '[:upper:]' '[:lower:]')
            sed -n '/^    light: {/,/^    },/p' tools/web/draw.js |
                grep -q "[ {]$member: '$colour'" || echo "$name $colour"
        done
}
pass_if_empty "the_demo_has_the_colours_of_pictures" "$(other_colours)"

if ! has_package web || ! command -v python3 >/dev/null 2>&1; then
    skip "the_demo_is_built" "needs clang, lld, wasi-libc and python3"
    finish
    exit
fi
# Compiling takes half as long without optimisation, and the module answers few queries here.
if ! OPTIMISE=-O0 sh tools/web/build.sh "$demo" >"$work/log" 2>&1; then
    fail "the_demo_is_built" "$(cat "$work/log")"
    finish
    exit
fi
pass "the_demo_is_built"
said=$(grep -n -e 'src=' -e 'href=' -e '@import' -e 'url(' -e 'https*:' "$demo/cairn.html")
pass_if_empty "the_page_refers_to_nothing_else" "$said"
said=$(grep -q 'A demo of Cairn, a C library' "$demo/cairn.html" || echo "it does not")
pass_if_empty "the_page_names_the_library" "$said"

if command -v node >/dev/null 2>&1; then
    node tests/web/module.js "$demo/package" >"$work/log" 2>&1
    status=$?
    said=$([ $status = 0 ] || cat "$work/log")
    pass_if_empty "the_module_answers_as_the_oracle_does" "$said"
else
    skip "the_module_answers_as_the_oracle_does" "node is not installed"
fi

finish
