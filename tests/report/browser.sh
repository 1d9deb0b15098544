#!/bin/sh
# Opens a report of `cairn compare` in a headless browser: no console error, no request to
# anywhere (its policy forbids all, so that one would be an error), charts and pictures drawn, and
# long names stay within them.
#
#     sh tests/report/browser.sh PROGRAM [MAP SCEN]
#
# Exit code 77: there is no browser here.

here=$(cd "$(dirname "$0")" && pwd)
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
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

# Writes the page as it stands after loading to $work/dom, complaints of the console to
# $work/console. After the page, further options.
browse() {
    address=file://$1
    shift
    timeout 120 "$browser" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
        --disable-background-networking --disable-component-update --disable-sync \
        --user-data-dir="$work/profile" --enable-logging=stderr --dump-dom "$@" "$address" \
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

grep -q 'dotted: exact heuristic' "$work/page.html"
claim $? "the_line_of_the_exact_heuristic_is_explained_where_it_is"
"$program" compare "$work/a.cairn" "$scenario" --report "$work/one.html" >"$work/out" &&
    grep -q 'Dashed: along jump points\.' "$work/one.html" &&
    ! grep -q 'otted: exact' "$work/one.html"
claim $? "and_only_there"

# What overruns its place, at the width of a screen, of half of one and of a telephone; tables may
# scroll in their boxes on the latter two, but not the gains out of sight. Letters of charts are no
# larger than headings, and short names are not broken. Copies of the page are measured in frames of
# these widths, as the page's policy allows no script.
cat >"$work/measure.html" <<'END'
<script>
/* Whether one must scroll the table under that heading to see some of these columns. */
function hides(title, names) {
    const heading = [...document.querySelectorAll("h2")].find(at => at.textContent === title);
    const box = heading?.parentElement.querySelector(".wide");
    return box && [...box.querySelectorAll("th")].some(head => names.includes(head.textContent) &&
        head.getBoundingClientRect().right > box.getBoundingClientRect().right);
}
function overruns() {
    const found = new Set(), right = of => of.getBoundingClientRect().right;
    if (document.body.scrollWidth > document.body.clientWidth)
        found.add("page");
    for (const box of document.querySelectorAll(".wide:not(details .wide)"))
        if (innerWidth > 1000 && box.scrollWidth > box.clientWidth)
            found.add("table");
    for (const text of document.querySelectorAll("svg text, .key span"))
        if (right(text) > right(text.closest("svg, .key")) + 1)
            found.add("text");
    for (const title of ["All queries", "Geometric means over the scenarios", "All scenarios"])
        if (hides(title, ["expansion ratio", "speed-up"]))
            found.add("gains");
    for (const text of document.querySelectorAll("svg text"))
        if (parseFloat(getComputedStyle(text).fontSize) * text.closest("svg").clientWidth <
            10 * text.closest("svg").viewBox.baseVal.width)
            found.add("small");
        else if (parseFloat(getComputedStyle(text).fontSize) * text.closest("svg").clientWidth >
                 18 * text.closest("svg").viewBox.baseVal.width)
            found.add("large");
    for (const head of document.querySelectorAll("tbody th:first-child"))
        for (const node of head.childNodes)
            for (const word of (node.data ?? "").matchAll(/[^ /]{1,12}/g)) {
                const range = document.createRange();
                range.setStart(node, word.index);
                range.setEnd(node, word.index + word[0].length);
                if (node.length <= 24 && range.getClientRects().length > 1)
                    found.add("broken");
            }
    return "overruns at " + innerWidth + ": " + [...found].join(" ") + ".\n";
}
parent.found.push(overruns());
</script>
END
framed() {
    echo "<iframe width=\"$1\" height=\"900\" style=\"border:0\" srcdoc=\""
    sed -e 's/&/\&amp;/g' -e 's/"/\&quot;/g' "$work/measured.html"
    echo '"></iframe>'
}
measure() {
    sed -e '/Content-Security-Policy/d' -e "/<\/body>/{
        r $work/measure.html
        d
    }" "$1" >"$work/measured.html"
    {
        echo '<body><script>var found = [];'
        echo 'onload = () => { document.body.textContent = found.sort().join(""); };</script>'
        framed 1400
        framed 900
        framed 390
    } >"$work/frames.html"
    browse "$work/frames.html"
    grep -o 'overruns at .*' "$work/dom" | sed 's/<.*//'
}
nothing_overruns() {
    [ "$(measure "$1" | tee "$work/overruns")" = "overruns at 1400: .
overruns at 390: .
overruns at 900: ." ]
}

name=a_name_of_sixty_letters_without_a_place_where_a_line_may_end
mkdir "$work/few_$name" "$work/many_$name"
cp "$work/a.cairn" "$work/few_$name/$name.cairn"
cp "$work/b.cairn" "$work/many_$name/$name.cairn"
cp "$scenario" "$work/$name.map.scen"
set -- "few_$name/$name.cairn" "many_$name/$name.cairn" "$name.map.scen"
(cd "$work" && "$program" compare "$@" --exact --report two.html >out)
nothing_overruns "$work/two.html"
claim $? "long_names_of_tables_overrun_neither_charts_nor_tables"
grep ': [a-z]' "$work/overruns"
(cd "$work" && "$program" compare "$@" --results all.csv --report many.html >out)
nothing_overruns "$work/many.html"
claim $? "long_names_overrun_nothing_in_a_report_of_many"
grep ': [a-z]' "$work/overruns"
mkdir "$work/k8" "$work/k16"
cp "$work/a.cairn" "$work/k8/t.cairn"
cp "$work/b.cairn" "$work/k16/t.cairn"
cp "$scenario" "$work/t.map.scen"
(cd "$work" && "$program" compare k8/t.cairn k16/t.cairn t.map.scen --results sets.csv \
    --report sets.html >out)
nothing_overruns "$work/sets.html"
claim $? "names_end_lines_behind_their_folders"
grep ': [a-z]' "$work/overruns"
sed 's|</style>|svg{max-width:none!important}</style>|' "$work/sets.html" >"$work/large.html"
measure "$work/large.html" | grep -q '900: .*large'
claim $? "letters_larger_than_headings_would_be_caught"
sed 's|<wbr>||g; s|</style>|th:first-child{min-width:0!important}</style>|' "$work/sets.html" >"$work/broken.html"
measure "$work/broken.html" | grep -q '900: .*broken'
claim $? "names_that_are_broken_would_be_caught"
sed 's|</style>|table{margin-left:800px}</style>|' "$work/many.html" >"$work/wide.html"
measure "$work/wide.html" | grep -q '1400: .*table'
claim $? "a_table_beyond_its_box_would_be_caught"
sed 's|</style>|svg text{font-size:5px!important}</style>|' "$work/two.html" >"$work/small.html"
measure "$work/small.html" | grep -q '390: .*small'
claim $? "letters_too_small_to_read_would_be_caught"
sed 's|<table><thead><tr>|&<th><p style="width:300px">x</p></th>|' "$work/two.html" >"$work/far.html"
measure "$work/far.html" | grep -q '390: .*gains'
claim $? "columns_out_of_sight_would_be_caught"

# The test can fail: a page that asks for something is caught.
sed 's|</body>|<img src="http://example.invalid/x.png"></body>|' "$work/page.html" >"$work/asks.html"
browse "$work/asks.html"
[ -s "$work/console" ]
claim $? "a_page_with_a_request_would_be_caught"
exit $failed
