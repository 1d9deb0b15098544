#!/bin/sh
# Every call of the headers is in each binding, or in its left_out.txt; the declarations for Rust are
# those of the headers, as a compiler of C sees it. Builds nothing.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../support/report.sh"

begin bindings
if command -v python3 >/dev/null; then
    said=$(python3 "$here/calls.py" 2>&1) && said= || said=${said:-calls.py ended badly}
    pass_if_empty every_call_is_there_or_left_out "$said"
    work=$(mktemp -d "${TMPDIR:-/tmp}/cairn-calls.XXXXXX") || exit 1
    trap 'rm -rf "$work"' EXIT
    said=$(python3 "$here/../../bindings/declarations.py" rust >"$work/declarations.rs" &&
        python3 "$here/rust/layout.py" types "$work/declarations.rs" >"$work/types.c" &&
        ${CC:-cc} -fsyntax-only -I"$here/../../lib/include" "$work/types.c" 2>&1) && said= ||
        said=${said:-layout.py ended badly}
    pass_if_empty rust_declares_what_the_headers_do "$said"
else
    skip every_call_is_there_or_left_out "python3 is not installed"
fi
finish
