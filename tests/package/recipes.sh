#!/bin/sh
# The recipes for other package managers, and what says the version: recipes.py has the claims.
#
#     sh tests/package/recipes.sh

here=$(cd "$(dirname "$0")" && pwd)
. "$here/../support/report.sh"
command -v python3 >/dev/null 2>&1 || {
    echo "skipped: needs python3"
    exit 77
}
work=$(mktemp -d "${TMPDIR:-/tmp}/cairn-recipes.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT

begin recipes
python3 "$here/recipes.py" "$work" >"$work/log" 2>&1
status=$?
cat "$work/log"
said=$([ $status = 0 ] || grep -v '      OK' "$work/log")
pass_if_empty "recipes_fit_the_tree" "$said"
finish
