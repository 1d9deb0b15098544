#!/bin/sh
# Manual pages and completion say what the help says, and work where they are used: in man, and in
# shells in a terminal.
#
#     sh tests/manual/run.sh BUILD
#
# A shell that is not installed is skipped; so are all without python3, which types into them.

here=$(cd "$(dirname "$0")" && pwd)
. "$here/../support/report.sh"
build=$(cd "${1:?usage: sh tests/manual/run.sh BUILD}" && pwd) || exit 2
root=$(cd "$here/../.." && pwd)
made=$build/tools/manual
work=$(mktemp -d "${TMPDIR:-/tmp}/cairn-manual.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
export LC_ALL=C PATH="$build/tools:$PATH" PYTHONDONTWRITEBYTECODE=1
touch "$work/town.map"
mkdir "$work/man1" "$work/man3"
cp "$made"/*.1 "$work/man1"
cp "$made"/*.3 "$work/man3"

commands() {
    cairn --help | awk '/^  [a-z]/ { print $1 }'
}

# As man shows it, without overstrikes and with dashes as they are typed.
page() {
    MANWIDTH=1000 man -M "$work" "$1" "$2" | col -bx
}

# What the pages leave out of the help.
left_out() {
    for name in $(commands); do
        page 1 "cairn-$name" >"$work/page" || echo "man does not show cairn-$name"
        cairn "$name" --help | sed -n 's/^  .... *\(--[a-z-]*\).*/\1/p' | while read -r option; do
            grep -q -e "$option" "$work/page" || echo "cairn-$name: $option"
        done
        page 1 cairn | grep -q "cairn-$name(1)" || echo "cairn: $name"
    done
}

# Of the program for MPI, which need not be built: what its two commands have.
left_out_of_mpi() {
    page 1 cairn-mpi >"$work/page" || echo "man does not show cairn-mpi"
    for name in build compare; do
        cairn "$name" --help | sed -n 's/^  .... *\(--[a-z-]*\).*/\1/p' | grep -v -e '^--help' |
            while read -r option; do
                grep -q -e "$option" "$work/page" || echo "cairn-mpi: $option of $name"
            done
        grep -q "mpirun -n N cairn-mpi $name " "$work/page" || echo "cairn-mpi: no use of $name"
    done
}

calls_left_out() {
    page 3 cairn >"$work/page"
    sed -n 's/^CAIRN_API .*[ *]\(cairn_[a-z0-9_]*\)(.*/\1/p' "$root"/lib/include/cairn/*.h |
        while read -r call; do
            grep -q "[ *]$call(" "$work/page" || echo "cairn(3): $call"
        done
}

warnings() {
    for file in "$made"/*.[13]; do
        groff -man -ww -Tutf8 "$file" 2>&1 >"$work/formatted"
    done
}

# SHELL, SETUP, TEXT, EXPECTED: what the terminal shows after the text was typed.
types() {
    name=$1 setup=$2 text=$3 expected=$4
    shift 4
    shown=$(cd "$work" && python3 "$here/type.py" "$setup" "$text" "$expected" "$@")
    echo "$shown" | grep -q -F -e "$expected" || echo "$name: typed $text, expected $expected:
$shown"
}

complete_in() {
    name=$1 setup=$2 equals=$3
    shift 3
    types "$name" "$setup" 'cairn ad\t' 'cairn advise' "$@"
    types "$name" "$setup" 'cairn build --placem\t'"$equals"'rand\t' "random" "$@"
    types "$name" "$setup" 'cairn build -p bor\t to\t' "town.map" "$@"
    types "$name" "$setup" 'cairn generate tow\t' 'cairn generate town' "$@"
}

complete_in_bash() {
    complete_in bash "source $made/cairn.bash" '' bash --norc --noprofile -i
    types bash "source $made/cairn.bash" 'cairn build --codec=pre\t' '--codec=predictor' \
        bash --norc --noprofile -i
}

complete_in_zsh() {
    complete_in zsh "fpath=($made \$fpath); autoload -Uz compinit; compinit -u -D" '' zsh -f -i
}

complete_in_fish() {
    complete_in fish "source $made/cairn.fish" ' ' fish --no-config -i
}

begin manual
if command -v man >/dev/null && command -v col >/dev/null; then
    pass_if_empty pages_leave_no_option_out "$(left_out)"
    pass_if_empty the_page_of_cairn_mpi_leaves_no_option_out "$(left_out_of_mpi)"
    pass_if_empty the_page_of_the_library_leaves_no_call_out "$(calls_left_out)"
else
    skip pages_leave_no_option_out "man or col is not installed"
fi
if command -v groff >/dev/null; then
    pass_if_empty pages_are_well_formed "$(warnings)"
else
    skip pages_are_well_formed "groff is not installed"
fi
for shell in bash zsh fish; do
    missing=
    for program in $shell python3; do
        command -v $program >/dev/null || missing=${missing:-$program}
    done
    if [ -z "$missing" ]; then
        pass_if_empty "tab_completes_in_$shell" "$(complete_in_$shell)"
    else
        skip "tab_completes_in_$shell" "$missing is not installed"
    fi
done
finish
