#!/bin/sh
# The tree uses the words of the project: patterns find those that docs/decisions/words.md replaced. It
# also plants each of them in a file, and expects to find it.
#
#     sh tests/docs/words.sh

here=$(cd "$(dirname "$0")" && pwd)
. "$here/../support/report.sh"
cd "$here/../.." || exit 1
work=$(mktemp -d "${TMPDIR:-/tmp}/cairn-words.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT

# A word as an extended regular expression, between word boundaries; a tab; what to write instead.
words() {
    cat <<'END'
anew	again, rebuild, recompute
plain distances?	base heuristic
plain (loops?|maps?|search|searches|bounds?|queues?)	scalar, base heuristic, or what it is
plain_(distance|loop|expanded|rows)[a-z_]*	base, scalar
ways? back	reverse
turned over	transposed
batons?	serial stage
trips	queries
cn_trip[a-z_]*	cn_query
flat (maps?|tables?|rows?)	step map
([a-z]+_)?flat_(arcs|map|table|metric)[a-z_]*	step_map, step_metric
([a-z]+_)?is_flat	counts_steps
stops? at all ones	saturate
edits? (is|are|was|were|being) taken	edits are applied
takes? (an|its|the|these|those) edits?	edits are applied
folded to	zigzag-coded
pays after	breaks even after
as (far as )?(it )?pays	as far as it is worth it
(not to|do not|does not) pay	not to be worth it
measured? (it|them|rows|a row) again	rebuild
own graph|own_graph(\.c|_unit)?	callback graph
looked at	visited, examined
(an?|the|one) looks? (at|where)	a visit
touched cells?	dirty cells
relays?	pipeline
(\| |")times (fewer|faster)	expansion ratio, speed-up
END
}

# This page and this script name the words; the list of changes names what they were.
places() {
    grep -rlI '' "$@" --exclude='*.svg' --exclude-dir=corpus --exclude-dir=target |
        grep -v -e '^docs/decisions/words\.md$' -e '^tests/docs/words\.sh$'
}

# Lines of the files in $work/files that have a word, or an identifier that ends in one.
found() {
    any=$(words | cut -f 1 | paste -sd '|' -)
    tr '\n' '\0' <"$work/files" |
        xargs -0 grep -nEi "(^|[^A-Za-z0-9])($any)([^A-Za-z0-9_]|\$)" /dev/null
}

# Which of the words are not found when they are planted.
planted() {
    echo "$work/planted.md" >"$work/files"
    for example in 'measured anew' 'connect_anew' 'a plain distance' 'the way back' \
        'rows turned over' 'the baton' 'many trips' 'cn_trip_rows' 'a flat map' \
        'sums stop at all ones' 'when edits are taken' 'a plain loop' 'plain maps' \
        'plain_expanded' 'twin_flat_arcs' 'flat_metric' 'table_is_flat' \
        'an edit is taken' 'as it pays' 'own_graph.c' \
        'seem not to pay' 'they do not pay' '| times faster |' 'in one look where' \
        'it takes the edits' 'folded to z' 'pays after' 'as far as pays' 'measure them again' \
        'an own graph' 'cells looked at' 'a look at a cell' 'touched cells' 'a relay'; do
        echo "Text, $example." >"$work/planted.md"
        [ -n "$(found)" ] || echo "not found: $example"
    done
    echo 'Looking at it, plain sentences, a folder, retaken, cairn_callback_graph,' \
        'cairn_refresh_as_it_pays, 3 times faster.' >"$work/planted.md"
    found
}

begin words
pass_if_empty planted_words_are_found "$(planted)"
places lib tools bench bindings examples packaging tests data docs .ci CMakeLists.txt README.md \
    CONTRIBUTING.md >"$work/files"
pass_if_empty the_tree_uses_the_words_of_the_project "$(found)"
finish
