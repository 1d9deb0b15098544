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

# Placement goes with the first call alone; everything else shapes the rows.
"$cairn" build "$map" "$@" --place "$list"
shared=
while [ $# -gt 0 ]; do
    case $1 in
    -p | --placement | --pairs | --candidates) shift ;;
    --placement=* | --pairs=* | --candidates=*) ;;
    *) shared="$shared $1" ;;
    esac
    shift
done

one="$cairn build $map$shared --list $list --threads 1"
if [ -n "${LAUNCHER:-}" ]; then
    seq "$parts" | $LAUNCHER -j "$jobs" "$one --part {}/$parts -o $table.{}.part"
else
    seq "$parts" | xargs -P "$jobs" -I '{}' sh -c "$one --part {}/$parts -o $table.{}.part"
fi
seq "$parts" | sed "s|.*|$table.&.part|" | xargs "$cairn" merge -o "$table"
seq "$parts" | sed "s|.*|$table.&.part|" | xargs rm -f "$list"
