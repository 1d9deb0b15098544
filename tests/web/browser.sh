#!/bin/sh
# Uses the demo in a headless browser: tests/web/browser.js has the claims.
#
#     sh tests/web/browser.sh DEMO [FOLDER]     FOLDER: where pictures of the page go
#
# DEMO is a folder with the demo; it is built there where it is missing.
#
# Exit code 77: there is no browser here, no node, no python3, or no clang for WebAssembly.

here=$(cd "$(dirname "$0")" && pwd)
. "$here/../support/report.sh"
cd "$here/../.." || exit 1
. tools/kit/install.sh

for name in chromium chromium-browser google-chrome; do
    browser=$(command -v $name) && break
done
if [ -z "$browser" ] || ! command -v node >/dev/null 2>&1 ||
    ! command -v python3 >/dev/null 2>&1 || ! has_package web; then
    echo "skipped: needs chromium, node, python3, clang, lld and wasi-libc"
    exit 77
fi
[ $# -ge 1 ] || { echo "usage: sh tests/web/browser.sh DEMO [FOLDER]" >&2 && exit 2; }
demo=$1
shift
[ $# -eq 0 ] || mkdir -p "$1" || exit
work=$(mktemp -d "${TMPDIR:-/tmp}/cairn-web.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
[ -f "$demo/cairn.html" ] || sh tools/web/build.sh "$demo" || exit

begin web
node tests/web/browser.js "$browser" "$demo/cairn.html" "$@" >"$work/log" 2>&1
status=$?
cat "$work/log"
said=$([ $status = 0 ] || grep -v '      OK' "$work/log")
pass_if_empty "the_page_does_what_it_says" "$said"
finish
