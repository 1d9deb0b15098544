#!/bin/sh
# Builds a table in parts by Slurm: a job that places the landmarks, an array with a task for each
# part, and a job that merges them. Map and table lie in a folder that all nodes see.
#
#     sh slurm.sh MAP TABLE PARTS [OPTIONS OF CAIRN BUILD]
#
# SBATCH holds further options of sbatch for each job, such as "--time=10 --mem=2G".
set -eu
map=$1 table=$2 parts=$3
shift 3
cairn=${CAIRN:-cairn}
list=$table.list
options="$*"

submit() {
    # shellcheck disable=SC2086
    sbatch --parsable ${SBATCH:-} "$@"
}

# Placement goes with the first job alone; everything else shapes the rows. There are
# as many as without a list, 16 unless another -k follows.
shared=' -k 16'
while [ $# -gt 0 ]; do
    case $1 in
    -p | --placement | --pairs | --candidates) shift ;;
    --placement=* | --pairs=* | --candidates=*) ;;
    *) shared="$shared $1" ;;
    esac
    shift
done

place=$(submit --job-name=cairn-place --wrap "$cairn build $map $options --place $list")
build=$(submit --job-name=cairn-part --dependency="afterok:$place" --array="1-$parts" \
    --wrap "$cairn build $map$shared --list $list --part \$SLURM_ARRAY_TASK_ID/$parts \
        -o $table.\$SLURM_ARRAY_TASK_ID.part")
merge=$(submit --job-name=cairn-merge --dependency="afterok:$build" \
    --wrap "$cairn merge $table.*.part -o $table")
echo "$table will be there after job $merge"
