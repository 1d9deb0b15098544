#!/bin/sh
# Builds a table in parts, by xargs or GNU parallel:
#
#     sh parts.sh MAP TABLE PARTS [OPTIONS OF CAIRN BUILD]
#
# JOBS parts at a time (default: one per processor), each on one thread. With LAUNCHER, such as
# "parallel --sshloginfile hosts", that command runs the parts. (GNU parallel takes options from a
# variable PARALLEL.)
set -eu
map=$1 table=$2 parts=$3
shift 3
cairn=${CAIRN:-cairn}
list=$table.list
jobs=${JOBS:-$(getconf _NPROCESSORS_ONLN)}

# A word as a shell reads it again.
quoted() {
    printf '%s\n' "$1" | sed "s/'/'\\\\''/g; 1s/^/'/; \$s/\$/'/"
}

made=
for part in $(seq "$parts"); do
    made="$made $(quoted "$table.$part.part")"
done
trap 'eval "rm -f $made $(quoted "$list")"' EXIT

# Placement goes with the first call alone; everything else shapes the rows. There are
# as many as without a list, 16 unless another -k follows.
"$cairn" build "$map" "$@" --place "$list"
shared=' -k 16'
while [ $# -gt 0 ]; do
    case $1 in
    -p | --placement | --pairs | --candidates) shift ;;
    --placement=* | --pairs=* | --candidates=*) ;;
    *) shared="$shared $(quoted "$1")" ;;
    esac
    shift
done

one="$(quoted "$cairn") build $(quoted "$map")$shared --list $(quoted "$list") --threads 1"
part="--part {}/$parts -o $(quoted "$table.{}.part")"
if [ -n "${LAUNCHER:-}" ]; then
    seq "$parts" | $LAUNCHER -j "$jobs" "$one $part"
else
    seq "$parts" | xargs -P "$jobs" -I '{}' sh -c "$one $part"
fi
eval "$(quoted "$cairn") merge -o $(quoted "$table") $made"
