#!/bin/sh
# What the documents show is what there is: links lead somewhere, commands run, code is that of the
# examples, options are explained, public functions are used.
#
#     sh tests/docs/run.sh BUILD      BUILD: a build with tests, e.g. build/dev

here=$(cd "$(dirname "$0")" && pwd)
. "$here/../support/report.sh"
build=$(cd "${1:?usage: sh tests/docs/run.sh BUILD}" && pwd) || exit 2
cd "$here/../.." || exit 1
root=$PWD
headers=lib/include/cairn
work=$(mktemp -d "${TMPDIR:-/tmp}/cairn-docs.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
PATH=$build/tools:$build/examples:$PATH

links_that_lead_nowhere() {
    for page in *.md docs/*.md docs/*/*.md data/*.md; do
        grep -o '](\([^)#]*\)[^)]*)' "$page" | sed 's/^](//; s/[#)].*//' | grep -v '^http' |
            while read -r link; do
                [ -z "$link" ] || [ -e "$(dirname "$page")/$link" ] || echo "$page: $link"
            done
    done
}

# The names that links have for the headings of a page, as GitHub makes them.
headings_of() {
    awk '/^```/ { inside = !inside } !inside && sub(/^#+ /, "") { print tolower($0) }' "$1" |
        sed 's/\[\([^]]*\)\]([^)]*)/\1/g; s/[^a-z0-9_ -]//g; s/ /-/g'
}

sections_that_are_not_there() {
    for page in *.md docs/*.md docs/*/*.md data/*.md examples/*/*.md; do
        grep -o ']([^)#]*#[^)]*)' "$page" | sed 's/^](//; s/)$//' | grep -v '^http' |
            while IFS='#' read -r link heading; do
                target=$page
                [ -z "$link" ] || target=$(dirname "$page")/$link
                headings_of "$target" | grep -qx -e "$heading" || echo "$page: $link#$heading"
            done
    done
}

# The blocks of README in a language, one after the other.
blocks_of_readme() {
    awk -v language="$1" '
        /^```/ { inside = !inside && $0 == "```" language; next }
        inside' README.md
}

# The commands stand from `cairn generate` to the end of their block.
commands_of_readme() {
    blocks_of_readme sh | sed -n '/^cairn generate/,$p'
}

# By measured times, advise may find that landmarks are not worth it: an answer, and no failure.
failing_commands() {
    commands_of_readme | sed '/^cairn advise /{ s/ *#.*//; s/$/ || [ $? = 1 ]/; }' >"$work/commands"
    [ "$(grep -c '^cairn ' "$work/commands")" -ge 10 ] || echo "README shows hardly any command"
    mkdir "$work/here"
    (cd "$work/here" && sh -ex "$work/commands") >"$work/log" 2>&1 || tail -n 4 "$work/log"
}

commands_that_readme_leaves_out() {
    for name in $(cairn --help | awk '/^  [a-z]/ { print $1 }'); do
        commands_of_readme | grep -q "^cairn $name " || echo "$name"
    done
}

# TABLE, START, GOAL, PAGE: counts of expanded cells that the text of a picture does not tell.
counts_left_out() {
    for bound in --no-landmarks ''; do
        # shellcheck disable=SC2086
        count=$(cairn path "$1" "$2" "$3" --space cells $bound --json |
            sed -n 's/.*"expanded": \([0-9]*\).*/\1/p' | sed 's/\(.*\)\(...\)$/\1,\2/; s/^,//')
        grep -q "expands $count" "$root/$4" || echo "$4: expanded: $count"
    done
}

# Whether pictures tell what their commands find; these are in tools/pictures.sh.
counts_of_pictures() {
    cd "$work/here" || return
    cairn build town.map -k 16 -o town.cairn >"$work/log"
    counts_left_out town.cairn 3,3 250,215 README.md
    cairn build "$root/data/maps/rooms.map" -k 16 -o rooms.cairn >"$work/log"
    counts_left_out rooms.cairn 5,130 140,20 docs/ALGORITHMS.md
}

# Charts are drawn from the tables of the documents: the names of those that are older than these.
charts_unlike_their_tables() {
    mkdir "$work/charts" && python3 tools/pictures/charts.py "$work/charts" || return
    for chart in "$work"/charts/*; do
        cmp -s "$chart" "docs/images/$(basename "$chart")" || basename "$chart"
    done
}

one_line() {
    tr -s ' \t\n' ' ' <"$1"
}

# Lines of code in README that stand in no example, comments and last semicolons aside.
code_unlike_the_examples() {
    cat examples/*.c >"$work/examples"
    one_line "$work/examples" >"$work/examples.line"
    blocks_of_readme c | sed 's,/\*.*\*/,,; s/[ ;]*$//; s/^ *//' | grep . >"$work/code"
    [ -s "$work/code" ] || echo "README shows no code"
    while read -r line; do
        grep -qF -e "$line" "$work/examples.line" || echo "$line"
    done <"$work/code"
}

# The same of C++, in README and in the page on it.
cpp_unlike_the_example() {
    one_line examples/guards.cpp >"$work/guards.line"
    for page in README.md docs/CPP.md; do
        awk '/^```/ { inside = !inside && $0 == "```cpp"; next } inside' "$page" |
            sed 's,/\*.*\*/,,; s/[ ;]*$//; s/^ *//' | grep . >"$work/code"
        [ -s "$work/code" ] || echo "$page shows no C++"
        while read -r line; do
            grep -qF -e "$line" "$work/guards.line" || echo "$page: $line"
        done <"$work/code"
    done
}

unlike() {
    expected=$1
    shift
    "$@" >"$work/out" 2>&1 || echo "$*: exit code $?"
    echo "$expected" | diff - "$work/out"
}

examples_that_say_something_else() {
    unlike 'length 402.66, 71 corners, 101 nodes expanded' first data/maps/town.map
    unlike '16 rows of 35264 open cells' pipeline data/maps/town.map "$work/town.cairn"
    unlike 'base heuristic: cost 957535, 17588 nodes expanded
landmarks: cost 957535, 571 nodes expanded' own_astar "$work/town.cairn" 3 3 250 215
    unlike 'gate open: length 9.00, corners 1,2 10,2
unit in the gate: length 12.90, corners 1,2 5,6 7,6 10,3 10,2
gate closed: length 13.49, corners 1,2 2,3 2,4 4,6 7,6 10,3 10,2
table repaired: length 13.49, corners 1,2 2,3 2,4 4,6 7,6 10,3 10,2' game
    unlike 'Oslo - Rome: 180 minutes
Oslo - Rome - Cairo: 370 minutes
Oslo - Rome - Cairo - Delhi: 740 minutes
Oslo - Tokyo: 790 minutes
Oslo - Tokyo - Lima: 2090 minutes
With a storm:
Oslo - Rome: 180 minutes
Oslo - Rome - Cairo: 370 minutes
Oslo - Rome - Cairo - Delhi: 740 minutes
Oslo - Rome - Cairo - Delhi - Tokyo: 1200 minutes
Oslo - Rome - Cairo - Delhi - Tokyo - Lima: 2500 minutes' callback_graph
    unlike 'ship: no path
scout: 10 steps 0,0 1,0 2,0 3,0 3,1 3,2 4,2 5,2 6,2 7,1 8,0
archer: 4 steps 2,2 3,2 4,2 4,3 4,4' hexagons
    unlike 'length 6.00, published 6.00
length 6.83, published 6.83' archive
    unlike 'to the monster: 9.66
row 0 is exact
the way is open: 8.66
the way is closed before its corner 3
to the monster: 11.41
row 0 is exact
memory within its budget
......@.....
......@.....
......@.....
......@.....
......@.....
......@.....
............' kept
    unlike 'every entry is exact, by several jobs of the program' pool
    unlike '1000 requests, 1000 answered, most of them with a path' frames
    unlike 'a table of all cells
row 0: costs from 1 landmark; at 3,1: 40
row 1: costs to 1 landmark; at 3,1: 54
   0  10  20  30  40  50  60
  10   -   -  40  44   -  70
  20  30  40  50  54  64  74
the one-way cell: 5 steps lead to it, 3 from it
2,2 after five nodes: g 30, h 44; by landmarks alone 30
every entry is exact
row 0 is wrong: 71, possible 70' inspect
    unlike '40 states published, 0 wrong answers' readers
    unlike 'steps to the exits: 3 6 4 6
with a wall:        12 6 4 6' crowd
    unlike '................
..@@@@@@@@......
..@++++++@......
..@++++++@..@@@@
.*@@@++@@@..@...
+*****+++++.@...
.+++++++++..@...' reach
    unlike 'job 0: worker 2, 3.00 steps away
job 1: worker 2, 5.00 steps away' distances
    unlike 'a cart of size 2 covers 4 cells; the gate is for units of size 1
a soldier: 6 steps
a cart: no path
a soldier: 6 steps
a cart: 7 steps
with a cart in the gate
a soldier: 18 steps
a cart: no path' units
    unlike 'builder: depot 2, length 47.90
builder, a soldier in that one: depot 3, length 84.53
fire: crew 1, length 98.87
tower: depot 1, length 142.74
tower: crew 2, length 96.14
tower: 8 and 5 frames' nearest data/maps/town.map
    unlike '71 corners, length 402.66
pulled straight: 36 lines, length 390.82
71 corners, length 403.25
pulled straight: 38 lines, length 392.01' smooth data/maps/town.map
}

what_the_example_in_cpp_says_else() {
    unlike '4 rows
usual path: 1,2 10,2
a unit in the gate: 1,2 6,6 10,3 10,2
to the exit: 21402
with the gate closed: 32068
the way: 1,2 1,3 2,4 3,4 4,5 5,6 6,6 7,6 7,5 8,4 9,3 10,2
steps from the gate below: 2' guards
}

commands() {
    cairn --help | awk '/^  [a-z]/ { print $1 }'
}

options_of() {
    cairn "$1" --help | sed -n 's/^  \(....\)\(--[a-z-]*\).*/\1\2/p'
}

options_that_the_guide_leaves_out() {
    for name in $(commands); do
        options_of "$name" |
            while read -r option; do
                # By its long name or its letter.
                either=$(echo "$option" | sed 's/, /\\|/')
                [ "${option%--help}" != "$option" ] ||
                    grep -q -e "[\` ]\($either\)[^a-z-]" docs/GUIDE.md || echo "$name $option"
            done
    done
}

# The members of JSON that are explained for a command, those of all commands included.
members_explained() {
    awk -v head="## $1" '/^#/ { inside = /^# / || $0 == head } inside' docs/JSON.md |
        grep -o '`[a-z_]*`' | tr -d '`' | sort -u
}

sources_of() {
    name=$(echo "$1" | tr - _)
    cat "tools/cmd_$name.c" "tools/$name"/*.c 2>/dev/null
}

# Members are words in the code behind `json`, as in kit_json_count(json, "rows", ...).
members_printed() {
    sources_of "$1" | grep -o 'json, [^"()?]*"[a-z_]*"' | sed 's/.*"\(.*\)"/\1/' | sort -u
}

members_in_cases() {
    sed -n 's/^ *"\([a-z_]*\)": .*/\1/p' tests/cli/cases/*.case | sort -u
}

commands_with_json() {
    for name in $(commands); do
        ! cairn "$name" --help | grep -q -e '--json' || echo "$name"
    done
}

members_that_no_page_explains() {
    for name in $(commands_with_json); do
        members_explained "$name" >"$work/explained"
        cat "$work/explained" >>"$work/all_explained"
        members_printed "$name" | comm -23 - "$work/explained" | sed "s/^/$name: /"
    done
    members_in_cases | grep -vxF -f "$work/all_explained"
}

# What stands first in the lines of its tables.
members_that_nothing_prints() {
    for name in $(commands_with_json); do
        sources_of "$name" >"$work/sources"
        awk -v head="## $name" '/^#/ { inside = $0 == head } inside && /^\| `/' docs/JSON.md |
            cut -d '|' -f 2 | grep -o '`[a-z_]*`' | tr -d '`' | sort -u |
            while read -r member; do
                grep -qF "\"$member\"" "$work/sources" || echo "$name: $member"
            done
    done
}

public_functions() {
    sed -n 's/^CAIRN_API .*[ *]\(cairn_[a-z0-9_]*\)(.*/\1/p' "$headers"/*.h
}

functions_that_nothing_uses() {
    for name in $(public_functions); do
        grep -rqw "$name" examples tools bench --include='*.c' --include='*.h' || echo "$name"
    done
}

# What is compared above, one count after the other: none of it says anything of an empty list.
lists_that_are_short() {
    while read -r least what; do
        [ "$($what | wc -l)" -ge "$least" ] || echo "$what: fewer than $least"
    done <<END
14 commands
20 options_of build
8 commands_with_json
10 members_printed build
10 members_explained build
20 members_in_cases
100 public_functions
END
}

figures_that_differ() {
    mkdir "$work/figures" && python3 tests/docs/figures.py "$build/tools/cairn" "$work/figures"
}

words_that_were_replaced() {
    sh "$here/words.sh" >"$work/words" 2>&1 || grep -v ' OK ' "$work/words"
}

begin docs
pass_if_empty what_is_compared_is_there "$(lists_that_are_short)"
pass_if_empty links_lead_somewhere "$(links_that_lead_nowhere)"
pass_if_empty links_name_sections_that_there_are "$(sections_that_are_not_there)"
pass_if_empty the_commands_of_readme_run "$(failing_commands)"
pass_if_empty readme_shows_every_command "$(commands_that_readme_leaves_out)"
pass_if_empty pictures_tell_what_searches_expand "$(counts_of_pictures)"
if command -v python3 >/dev/null; then
    pass_if_empty charts_show_what_tables_say "$(charts_unlike_their_tables 2>&1)"
    pass_if_empty figures_are_those_of_a_run "$(figures_that_differ 2>&1)"
    [ -d "${CAIRN_TEST_DATA:-../shared/data}/movingai" ] ||
        skip bytes_and_expansions_are_those_of_a_run "CAIRN_TEST_DATA has no maps"
else
    skip charts_show_what_tables_say "python3 is not installed"
    skip figures_are_those_of_a_run "python3 is not installed"
fi
pass_if_empty the_code_of_readme_is_that_of_the_examples "$(code_unlike_the_examples)"
pass_if_empty the_examples_say_what_they_should "$(examples_that_say_something_else)"
pass_if_empty code_in_cpp_is_that_of_its_example "$(cpp_unlike_the_example)"
if [ -x "$build/examples/guards" ]; then
    pass_if_empty the_example_in_cpp_says_what_it_should "$(what_the_example_in_cpp_says_else)"
else
    skip the_example_in_cpp_says_what_it_should "there is no C++ compiler"
fi
pass_if_empty the_guide_explains_every_option "$(options_that_the_guide_leaves_out)"
pass_if_empty every_member_of_json_is_explained "$(members_that_no_page_explains)"
pass_if_empty every_member_that_is_explained_is_printed "$(members_that_nothing_prints)"
pass_if_empty every_public_function_is_used_by_an_example_or_a_program \
    "$(functions_that_nothing_uses)"
pass_if_empty the_words_are_those_of_the_project "$(words_that_were_replaced)"
finish
