#!/bin/sh
# Every call of the headers is in each binding, or in its left_out.txt. Builds nothing.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../support/report.sh"

begin bindings
if command -v python3 >/dev/null; then
    said=$(python3 "$here/calls.py" 2>&1) && said= || said=${said:-calls.py ended badly}
    pass_if_empty every_call_is_there_or_left_out "$said"
else
    skip every_call_is_there_or_left_out "python3 is not installed"
fi
finish
