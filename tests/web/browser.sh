#!/bin/sh
# Builds the demo and uses it in a headless browser: tests/web/browser.js has the claims.
#
#     sh tests/web/browser.sh [FOLDER]     FOLDER: where pictures of the page go
#
# Exit code 77: there is no browser here, no node, or no clang for WebAssembly.

here=$(cd "$(dirname "$0")" && pwd)
. "$here/../support/report.sh"
cd "$here/../.." || exit 1
. tools/kit/install.sh

for name in chromium chromium-browser google-chrome; do
    browser=$(command -v $name) && break
done
if [ -z "$browser" ] || ! command -v node >/dev/null 2>&1 || ! has_package web; then
    echo "skipped: needs chromium, node, clang, lld and wasi-libc"
    exit 77
fi
work=$(mktemp -d "${TMPDIR:-/tmp}/cairn-web.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
sh tools/web/build.sh "$work/web" || exit

begin web
node tests/web/browser.js "$browser" "$work/web/cairn.html" "$@" >"$work/log" 2>&1
status=$?
cat "$work/log"
said=$([ $status = 0 ] || grep -v '      OK' "$work/log")
pass_if_empty "the_page_does_what_it_says" "$said"
finish
