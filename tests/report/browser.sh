#!/bin/sh
# Opens a report of `cairn compare` in a headless browser: no console error, no request to
# anywhere (its policy forbids all, so that one would be an error), charts and pictures drawn.
#
#     sh tests/report/browser.sh PROGRAM [MAP SCEN]
#
# Exit code 77: there is no browser here.

here=$(cd "$(dirname "$0")" && pwd)
program=$1
map=${2:-$here/../../data/maps/town.map}
scenario=${3:-$here/../../data/scen/town.map.scen}

for name in chromium chromium-browser google-chrome; do
    browser=$(command -v $name) && break
done
[ -n "$browser" ] || {
    echo "skipped: no chromium is installed"
    exit 77
}

work=$(mktemp -d "${TMPDIR:-/tmp}/cairn-report.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

claim() {
    if [ "$1" -eq 0 ]; then
        echo "[       OK ] $2"
    else
        echo "[  FAILED  ] $2"
        failed=1
    fi
}

# Prints the page as it stands after loading; complaints of the console go to $work/console.
browse() {
    timeout 120 "$browser" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
        --disable-background-networking --disable-component-update --disable-sync \
        --user-data-dir="$work/profile" --enable-logging=stderr --dump-dom "file://$1" \
        2>"$work/log" >"$work/dom"
    grep CONSOLE "$work/log" >"$work/console"
}

"$program" build "$map" -k 4 -o "$work/a.cairn" >"$work/out" &&
    "$program" build "$map" -k 8 -p greedy --candidates 32 -o "$work/b.cairn" >"$work/out" ||
    exit 1
"$program" compare "$work/a.cairn" "$work/b.cairn" "$scenario" --exact --report "$work/page.html" \
    >"$work/out"
claim $? "a_report_of_two_tables_is_written"
[ "$(wc -c <"$work/page.html")" -lt 2000000 ]
claim $? "the_page_is_below_two_megabytes"

browse "$work/page.html"
[ ! -s "$work/console" ]
claim $? "the_console_has_no_complaint"
cat "$work/console"
[ "$(grep -c '<svg ' "$work/dom")" -eq 6 ]
claim $? "six_charts_are_there"
[ "$(grep -c '<p class="lead">.*along jump points, as the library searches' "$work/dom")" -eq 2 ]
claim $? "the_first_lines_say_what_each_table_gains_along_jump_points"
! grep '<path' "$work/dom" | grep -q -i -e 'nan' -e 'inf'
claim $? "no_coordinate_is_missing"
grep -v '^<img' "$work/page.html" | grep -q -e 'src="http' -e 'href="http' -e 'url(' -e '@import'
[ $? -ne 0 ]
claim $? "the_page_refers_to_nothing_else"

# The test can fail: a page that asks for something is caught.
sed 's|</body>|<img src="http://example.invalid/x.png"></body>|' "$work/page.html" >"$work/asks.html"
browse "$work/asks.html"
[ -s "$work/console" ]
claim $? "a_page_with_a_request_would_be_caught"
exit $failed
