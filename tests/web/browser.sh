#!/bin/sh
# Opens the demo in a headless browser: no complaint of the console, and both searches shown.
#
#     sh tests/web/browser.sh
#
# Exit code 77: there is no browser here, or no clang for WebAssembly.

here=$(cd "$(dirname "$0")" && pwd)
. "$here/../support/report.sh"
cd "$here/../.." || exit 1
. tools/kit/install.sh

for name in chromium chromium-browser google-chrome; do
    browser=$(command -v $name) && break
done
if [ -z "$browser" ] || ! has_package web; then
    echo "skipped: needs chromium, clang, lld and wasi-libc"
    exit 77
fi
work=$(mktemp -d "${TMPDIR:-/tmp}/cairn-web.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
sh tools/web/build.sh "$work/web" || exit

# The page compiles its module in the background, which the browser's clock does not wait for.
browse() {
    timeout 120 "$browser" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
        --disable-background-networking --disable-component-update --disable-sync \
        --user-data-dir="$work/profile" --enable-logging=stderr --virtual-time-budget="$1" \
        --dump-dom "file://$work/web/cairn.html" 2>"$work/errors" >"$work/dom"
}

begin web
for budget in 5000 20000 100000; do
    browse $budget
    grep -q 'id="expanded-1">[0-9]' "$work/dom" && break
done
pass_if_empty "the_console_has_no_complaint" "$(grep CONSOLE "$work/errors")"
found=$(sed -n 's/.*id="expanded-[01]">\([^<]*\)<.*id="expanded-1">\([^<]*\)<.*/\1 \2/p' "$work/dom")
said=$([ "$found" = "17,676 679" ] || echo "expanded: $found")
pass_if_empty "the_page_shows_both_searches" "$said"
finish
