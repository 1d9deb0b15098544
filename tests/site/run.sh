#!/bin/sh
# Builds the documentation site and uses it in a headless browser, from a server of its own:
# browser.js has the claims.
#
#     sh tests/site/run.sh [FOLDER [PICTURES]]     FOLDER: a built site; PICTURES: where they go
#
# Runs by itself. Exit code 77: MkDocs, Material, a browser, node or clang for WebAssembly is missing.

here=$(cd "$(dirname "$0")" && pwd)
. "$here/../support/report.sh"
cd "$here/../.." || exit 1
. tools/kit/install.sh

for name in chromium chromium-browser google-chrome; do
    browser=$(command -v $name) && break
done
if [ -z "$browser" ] || ! command -v node >/dev/null || ! command -v mkdocs >/dev/null ||
    ! has_package web; then
    echo "skipped: needs mkdocs, mkdocs-material, chromium, node, clang, lld and wasi-libc"
    exit 77
fi
site=${1:-}
log=$(mktemp "${TMPDIR:-/tmp}/cairn-site.XXXXXX") || exit 1
trap 'rm -f "$log"' EXIT

begin site
if [ -z "$site" ]; then
    site=build/site
    if sh tools/site.sh "$site" >"$log" 2>&1; then
        pass "the_site_is_built_and_every_link_leads_somewhere"
    else
        fail "the_site_is_built_and_every_link_leads_somewhere" "$(cat "$log")"
    fi
fi
[ -z "${2:-}" ] || mkdir -p "$2"
if node tests/site/browser.js "$browser" "$site/html" "${2:-}" >"$log" 2>&1; then
    pass "pages_fit_light_and_dark_wide_and_narrow_and_the_search_finds"
else
    fail "pages_fit_light_and_dark_wide_and_narrow_and_the_search_finds" "$(cat "$log")"
fi
finish
