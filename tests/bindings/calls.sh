#!/bin/sh
# Every call of the headers is in each binding, or in its left_out.txt. Builds nothing.
command -v python3 >/dev/null || exit 77
exec python3 "$(dirname "$0")/calls.py"
