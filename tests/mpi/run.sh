#!/bin/sh
# cairn-mpi against cairn, on this machine; runs by itself, and skips where there is no MPI:
#
#     sh tests/mpi/run.sh [--speed]
#
# It builds the preset mpi, then holds at 1 to 4 processes the files to those of one process, ends
# processes at calls of MPI and at moments between, fills the disk, and gives one process another map.
# --speed times greedy placement on one process and on two. PROGRAMS is a folder of cairn and cairn-mpi
# that are to be taken instead.

here=$(cd "$(dirname "$0")" && pwd)
. "$here/../support/report.sh"
cd "$here/../.." || exit 1

command -v mpicc >/dev/null && command -v mpirun >/dev/null || {
    echo "tests/mpi: no MPI here (Open MPI: openmpi-bin and libopenmpi-dev): skipped"
    exit 77
}
if [ -z "${PROGRAMS:-}" ]; then
    { cmake --preset mpi && cmake --build --preset mpi -j 2; } >/tmp/cairn-mpi-build.$$ 2>&1 || {
        cat /tmp/cairn-mpi-build.$$
        exit 1
    }
    rm -f /tmp/cairn-mpi-build.$$
    PROGRAMS=$PWD/build/mpi/tools
fi
cairn=$PROGRAMS/cairn
program=$PROGRAMS/cairn-mpi
data=$PWD/data
work=$(mktemp -d "${TMPDIR:-/tmp}/cairn-mpi.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
mpicc -std=c11 -shared -fPIC -o "$work/dying.so" "$here/dying.c" || exit 1
cd "$work" || exit 1

OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM

# together PROCESSES WORD...
together() {
    processes=$1
    shift
    timeout 60 mpirun --oversubscribe -n "$processes" "$program" "$@"
}

# ------------------------------------------------------------------------------ the same bytes

same_bytes() {
    printf 'p sp 4 6\na 1 2 3\na 2 1 3\na 2 3 4\na 3 2 4\na 3 4 9\na 4 3 2\n' >roads.gr
    for map in "$data"/maps/cave.map "$data"/maps/rooms.map "$data"/maps/maze.map \
        "$data"/maps/town.map roads.gr; do
        for placement in farthest 'greedy --candidates 24' avoid; do
            # shellcheck disable=SC2086
            set -- build "$map" -k 4 -p $placement --seed 3
            "$cairn" "$@" -o one.cairn >out || echo "$map $placement: one process"
            for processes in 1 2 3 4; do
                rm -f all.cairn
                together $processes "$@" -o all.cairn >out 2>&1 || cat out
                cmp one.cairn all.cairn || echo "$map $placement at $processes"
            done
        done
    done 2>&1
}

same_with_other_options() {
    for options in "--metric compact" "--table-metric 1/1" "--moves 4 --terrain T=2" \
        "--codec predictor" "--list 30,30;40,40" "-p refined --pairs $data/scen/cave.map.scen"; do
        # shellcheck disable=SC2086
        "$cairn" build "$data/maps/cave.map" -k 5 $options -o one.cairn >out
        # shellcheck disable=SC2086
        together 3 build "$data/maps/cave.map" -k 5 $options -o all.cairn >out 2>&1 || cat out
        cmp one.cairn all.cairn || echo "$options"
    done 2>&1
    "$cairn" build "$data/maps/cave.map" -k 5 -p greedy --candidates 20 --place one.list >out
    together 3 build "$data/maps/cave.map" -k 5 -p greedy --candidates 20 --place all.list >out 2>&1
    cmp one.list all.list 2>&1
}

same_comparisons() {
    "$cairn" build "$data/maps/cave.map" -k 4 -o cave.cairn >out
    "$cairn" compare cave.cairn "$data/scen/cave.map.scen" --json >one.json
    for processes in 1 3; do
        together $processes compare cave.cairn "$data/scen/cave.map.scen" --json --csv all.csv \
            >all.json 2>all.err || cat all.err
        for file in one all; do grep -vE 'time|_us|"low"|"high"|"estimate"' $file.json >$file.kept; done
        cmp one.kept all.kept
        [ "$(wc -l <all.csv)" -gt 200 ] || echo "all.csv: $(wc -l <all.csv) lines"
    done 2>&1
}

# What of a comparison does not depend on a clock.
counts_of() {
    sed '/"slowest_query"/,/}/d; /"speed_up"/,/}/d' "$1" | grep -v time
}

# Many tables and scenarios; results go on where they ended; a file that one process lacks ends all.
same_many_comparisons() {
    scenarios=
    for map in cave rooms maze; do
        "$cairn" build "$data/maps/$map.map" -k 4 -o $map.cairn >out
        scenarios="$scenarios $data/scen/$map.map.scen"
    done
    # shellcheck disable=SC2086
    set -- compare cave.cairn rooms.cairn maze.cairn $scenarios --json
    "$cairn" "$@" >one.json
    for processes in 1 2 3; do
        rm -f results.csv
        together $processes "$@" >all.json 2>all.err || cat all.err
        together $processes compare cave.cairn "$data/scen/cave.map.scen" --results results.csv \
            >out 2>all.err || cat all.err
        together $processes "$@" --results results.csv >out 2>all.err || cat all.err
        counts_of one.json >one.kept
        counts_of all.json >all.kept
        cmp one.kept all.kept
        [ "$(wc -l <results.csv)" -eq 13 ] || echo "results.csv: $(wc -l <results.csv) lines"
    done 2>&1
    printf '#!/bin/sh\n[ $OMPI_COMM_WORLD_RANK -eq 0 ] || cd /\nexec %s "$@"\n' "$program" >odd.sh
    chmod +x odd.sh
    timeout 60 mpirun --oversubscribe -n 3 ./odd.sh "$@" >out 2>err
    ended "no tables" $? 0
    grep -q "process 1 on .*: cave.cairn: no such file" err || { echo "no tables:" && cat err; }
}

# Standard input reaches the first process alone, which gives it to all.
same_from_standard_input() {
    "$cairn" build "$data/maps/cave.map" -k 4 -o cave.cairn >out
    "$cairn" build "$data/maps/rooms.map" -k 4 -o rooms.cairn >out
    for map in cave rooms; do echo "$map.cairn $data/scen/$map.map.scen"; done >list
    "$cairn" compare --set list --json >one.json
    counts_of one.json >one.kept
    "$cairn" compare cave.cairn "$data/scen/cave.map.scen" --json >table.json
    counts_of table.json | sed 's/"cave"/"-"/' >table.kept
    # More bytes than are given at once.
    "$cairn" generate cave --size 700x400 --seed 2 -o large.map >out
    "$cairn" build large.map -k 3 -o one.cairn >out
    for processes in 1 3; do
        together $processes compare --set - --json <list >all.json 2>all.err || cat all.err
        counts_of all.json >all.kept
        cmp one.kept all.kept
        together $processes compare - "$data/scen/cave.map.scen" --json <cave.cairn >all.json \
            2>all.err || cat all.err
        counts_of all.json | grep -v '"map"' >all.kept
        grep -v '"map"' table.kept | cmp - all.kept
        together $processes build - -k 3 -o all.cairn <large.map >out 2>&1 || cat out
        cmp one.cairn all.cairn
    done 2>&1
    together 2 build - -o all.cairn </dev/null >out 2>err
    ended "nothing" $? 0
    one_error "nothing" "standard input:1: expected"
}

same_along_changes() {
    printf '%s\n' 'type patch' 'patches 2' 'patch 0' 'height 1' 'width 3' map '@@@' 'patch 1' 'height 1' \
        'width 3' map '...' >wall.patch
    printf '%s\n' 'version 2' 'height 3' 'width 5' 'cost 1 octile' 'patch wall.patch' commands 'Q 0 0 0 0 2 2.0' \
        'P 1 0 0 1' 'Q 1 0 0 0 2 8.0' 'P 2 1 0 1' 'Q 2 0 0 0 2 2.0' >wall.scen
    "$cairn" compare wall.scen --dynamic --landmarks 2 --json >one.json
    for processes in 1 2 4; do
        together $processes compare wall.scen --dynamic --landmarks 2 --json >all.json 2>all.err ||
            cat all.err
        for file in one all; do grep -v seconds $file.json >$file.kept; done
        cmp one.kept all.kept
        [ "$(grep -c expanded all.kept)" -eq 5 ] || echo "at $processes: $(cat all.json)"
    done 2>&1
    sed 's/2 8.0/2 9.0/' wall.scen >wrong.scen
    together 3 compare wrong.scen --dynamic >out 2>err
    [ $? -eq 1 ] || echo "a wrong length is no answer of 1"
    sed 's/^[.][.][.]$/.@./' wall.patch >other.patch
    printf '#!/bin/sh\nmkdir -p $OMPI_COMM_WORLD_RANK && cd $OMPI_COMM_WORLD_RANK && cp %s/wall.scen .\n%s\nexec %s "$@"\n' \
        "$work" "[ \$OMPI_COMM_WORLD_RANK -eq 1 ] && cp $work/other.patch wall.patch || cp $work/wall.patch ." "$program" >odd.sh
    chmod +x odd.sh
    timeout 60 mpirun --oversubscribe -n 3 ./odd.sh compare wall.scen --dynamic >out 2>err
    ended "another patch" $? 0
    one_error "another patch" "process 1 on .*: wall.scen: another file"
}

# What fails, in all processes or in one, is named, and the rest is compared.
comparisons_go_on() {
    "$cairn" build "$data/maps/cave.map" -k 4 -o cave.cairn >out
    "$cairn" build "$data/maps/rooms.map" -k 4 -o rooms.cairn >out
    head -c 400 rooms.cairn >short.cairn
    cat >odd.sh <<END
#!/bin/sh
mkdir -p \$OMPI_COMM_WORLD_RANK && cd \$OMPI_COMM_WORLD_RANK && cp $work/*.cairn .
case \$OMPI_COMM_WORLD_RANK in
1) rm maze.cairn ;;
2) cp cave.cairn rooms.cairn ;;
esac
exec $program "\$@"
END
    chmod +x odd.sh
    "$cairn" build "$data/maps/maze.map" -k 4 -o maze.cairn >out
    cp "$data/scen/rooms.map.scen" short.scen
    for map in maze rooms short none cave; do echo "$map.cairn $data/scen/$map.map.scen"; done |
        sed "s,$data/scen/short.map,$work/short," >list
    timeout 60 mpirun --oversubscribe -n 3 ./odd.sh compare --set "$work/list" --results "$work/kept.csv" --json \
        >all.json 2>err
    ended "one of three" $? 0
    "$cairn" compare cave.cairn "$data/scen/cave.map.scen" --results alone.csv --json >one.json
    counts_of one.json >one.kept
    counts_of all.json >all.kept
    cmp one.kept all.kept
    [ "$(wc -l <kept.csv)" -eq "$(wc -l <alone.csv)" ] || wc -l kept.csv
    grep '^cairn' err | sed "s/process \([0-9]\) on [^:]*:/process \1:/; s,$data,DATA,; s,$work/,,; s/found .*//" >said
    cat >expected <<'END'
cairn-mpi: process 1: maze.cairn: no such file or folder
cairn-mpi: process 2: rooms.cairn: another file than that of the first process
cairn-mpi: short.cairn: byte 32: expected the bytes of a section, 
cairn-mpi: none.cairn: no such file or folder
cairn-mpi: compare: no results of 4 of 5 comparisons:
cairn-mpi:   maze.cairn on DATA/scen/maze.map.scen
cairn-mpi:   rooms.cairn on DATA/scen/rooms.map.scen
cairn-mpi:   short.cairn on short.scen
cairn-mpi:   none.cairn on DATA/scen/none.map.scen
END
    diff expected said
}

# Killed at any call or while it writes, the file has whole results, and the same call goes on from there.
results_outlive_deaths() {
    scenarios=
    for map in cave rooms maze; do
        "$cairn" build "$data/maps/$map.map" -k 3 -o $map.cairn >out
        scenarios="$scenarios $data/scen/$map.map.scen"
    done
    # shellcheck disable=SC2086
    set -- compare cave.cairn rooms.cairn maze.cairn $scenarios --every 20 --json
    "$cairn" "$@" --results one.csv >one.json
    counts_of one.json | rounded >one.kept
    calls=$(timeout 60 mpirun --oversubscribe -n 2 -x LD_PRELOAD="$work/dying.so" -x DIE_CALL=0 \
        "$program" "$@" --results none.csv 2>&1 | sed -n 's/^process 0: \([0-9]*\) calls$/\1/p')
    for death in "0 CALL 20" "1 CALL $((calls / 2))" "0 CALL $((calls * 3 / 4))" "0 FLUSH 1" "0 FLUSH 2" "0 FLUSH 3"; do
        rm -f results.csv
        # shellcheck disable=SC2086
        set_death $death
        timeout 60 mpirun --oversubscribe -n 2 -x LD_PRELOAD="$work/dying.so" -x DIE_RANK=$rank \
            -x "DIE_$kind=$number" "$program" "$@" --results results.csv >out 2>err
        ended "$death" $? $(($(date +%s) - $(cat died)))
        grep -q 'signal 9' err || echo "$death: no error"
        before=$(wc -l <results.csv)
        together 2 "$@" --results results.csv >all.json 2>all.err || cat all.err
        counts_of all.json | rounded >all.kept
        cmp one.kept all.kept || echo "$death"
        [ "$(wc -l <results.csv)" -eq "$(wc -l <one.csv)" ] || echo "$death: $(wc -l <results.csv)"
        [ "$kind" = CALL ] || [ "$before" -ge "$number" ] || echo "$death: only $before lines were there"
    done 2>&1
}

# The file holds nine digits.
rounded() {
    sed 's/\([.][0-9][0-9][0-9][0-9]\)[0-9]*/\1/'
}

set_death() {
    rank=$1 kind=$2 number=$3
}

# ------------------------------------------------------------------------------------ failures

# left_alone WHAT: the old file is there, and nothing beside it.
left_alone() {
    [ "$(cat old.cairn)" = old ] || echo "$1: the old file is gone"
    for file in old.cairn.*; do
        [ ! -e "$file" ] || echo "$1: $file is left"
        rm -f "$file"
    done
}

# ends WHAT STATUS SECONDS: within 10 seconds, not by the limit of time, with an error.
ended() {
    [ "$2" -ne 0 ] || echo "$1: no failure"
    [ "$2" -ne 124 ] && [ "$3" -le 10 ] || echo "$1: took $3 seconds"
}

# one_error WHAT TEXT: there is one line of an error, and it holds the text.
one_error() {
    count=$(grep -c '^cairn' err)
    [ "$count" -eq 1 ] || echo "$1: $count errors"
    grep -q "$2" err || { echo "$1: no \"$2\" in:" && cat err; }
}

failures_end_all() {
    echo old >old.cairn
    set -- build "$data/maps/cave.map" -k 4 -p greedy --candidates 24
    together 3 "$@" -o none/table.cairn >out 2>err
    ended "missing folder" $? 0
    one_error "missing folder" "none/table.cairn: there is no folder none"
    together 3 "$@" --seed >out 2>err
    one_error "usage" "seed"
    together 2 build none.map -o old.cairn >out 2>err
    one_error "no map" "none.map: no such file or folder"
    for kind in 'cp $data/maps/town.map own.map' 'head -c 900 $data/maps/cave.map >own.map' 'rm own.map'; do
        cat >odd.sh <<END
#!/bin/sh
mkdir -p \$OMPI_COMM_WORLD_RANK && cd \$OMPI_COMM_WORLD_RANK && cp $data/maps/cave.map own.map
data=$data
[ \$OMPI_COMM_WORLD_RANK -ne 1 ] || $kind
exec $program build own.map -k 3 -o $work/old.cairn
END
        chmod +x odd.sh
        timeout 60 mpirun --oversubscribe -n 3 ./odd.sh >out 2>err
        ended "$kind" $? 0
        one_error "$kind" "process 1 on .*: own.map"
        left_alone "$kind"
    done
    together 3 build "$data/maps/maze.map" -k 8 -o /dev/full >out 2>err
    ended "full disk" $? 0
    one_error "full disk" "/dev/full: No space left"
    printf '#!/bin/sh\nulimit -f 8\nexec %s "$@"\n' "$program" >small.sh
    chmod +x small.sh
    timeout 60 mpirun --oversubscribe -n 3 ./small.sh build "$data/maps/maze.map" -k 16 --codec raw \
        -o old.cairn >out 2>err
    ended "file too large" $? 0
    one_error "file too large" "old.cairn: File too large"
    left_alone "file too large"
}

# What one process does not do for others is told at once, by one line.
work_for_one_is_refused() {
    echo old >old.cairn
    rm -f cave.cairn # of tests before
    for words in "cave.map rooms.map -o tables" "--maps list -o tables" "cave.map -o tables/" \
        "cave.map --part 1/2" "cave.map --part 2/2 -o old.cairn"; do
        cp "$data/maps/cave.map" "$data/maps/rooms.map" .
        printf 'cave.map\nrooms.map\n' >list
        mkdir -p tables
        # shellcheck disable=SC2086
        together 2 build $words >out 2>err
        ended "$words" $? 0
        one_error "$words" "build: cairn-mpi builds one table, all of it; cairn build"
        case $words in
        *--part*) grep -q "cairn build makes each part, without" err || cat err ;;
        *) grep -q "cairn build takes many maps, without" err || cat err ;;
        esac
        left_alone "$words"
        [ -z "$(ls tables)" ] && [ ! -e cave.cairn ] || echo "$words: something was written"
    done
}

# most_memory PROCESSES WORD...: of the process that has most, in kB.
most_memory() {
    processes=$1
    shift
    timeout 100 mpirun --oversubscribe -n "$processes" -x LD_PRELOAD="$work/dying.so" -x DIE_CALL=0 \
        "$program" "$@" 2>&1 | sed -n 's/^process [0-9]*: \([0-9]*\) kB$/\1/p' | sort -n | tail -n 1
}

# The rows that `avoid` works with are divided, 4 bytes for each cell and row; the map is not.
memory_is_of_the_map_and_own_rows() {
    side=600 rows=48
    "$cairn" generate cave --size ${side}x$side --seed 4 -o square.map >out
    row=$((side * side * 4 / 1024))
    few=$(most_memory 1 build square.map -k 1 -p avoid -o all.cairn)
    for processes in 1 2 4; do
        most=$(most_memory $processes build square.map -k $rows -p avoid -o all.cairn)
        own=$(((rows + processes - 1) / processes * row))
        [ $((most - few)) -le $((own + own / 4 + 8192)) ] ||
            echo "$processes processes: $most kB at most, with one row $few; own rows have $own"
    done
}

# How many calls of MPI a run makes, then a process that dies at each of them.
deaths_end_all() {
    set -- build "$data/maps/cave.map" -k 4 -p greedy --candidates 24 -o old.cairn
    calls=$(timeout 60 mpirun --oversubscribe -n 3 -x LD_PRELOAD="$work/dying.so" -x DIE_CALL=0 \
        "$program" "$@" 2>&1 | sed -n 's/^process 1: \([0-9]*\) calls$/\1/p')
    [ "${calls:-0}" -gt 10 ] || echo "only ${calls:-no} calls"
    cp old.cairn new.cairn
    for rank in 0 1 2; do
        call=1
        while [ $call -le "$calls" ]; do
            echo old >old.cairn
            date +%s >died
            timeout 120 mpirun --oversubscribe -n 3 -x LD_PRELOAD="$work/dying.so" \
                -x DIE_RANK=$rank -x DIE_CALL=$call "$program" "$@" >out 2>err
            ended "process $rank, call $call" $? $(($(date +%s) - $(cat died)))
            grep -q 'signal 9' err || echo "process $rank, call $call: no error"
            # Once the file is written nothing is left to be lost.
            cmp -s old.cairn new.cairn && [ $call -ge $((calls - 2)) ] ||
                left_alone "process $rank, call $call"
            call=$((call + 1 + call / 12))
        done
    done 2>&1
}

# A process that dies while it floods, at moments that are spread over the run.
deaths_at_any_moment_end_all() {
    printf '#!/bin/sh\necho $$ >pid.$OMPI_COMM_WORLD_RANK\nexec %s "$@"\n' "$program" >noted.sh
    chmod +x noted.sh
    "$cairn" generate cave -o cave.map --size 600x600 --seed 5 >out
    for tenths in 3 5 7 9 12 15; do
        echo old >old.cairn
        rm -f pid.*
        timeout 120 mpirun --oversubscribe -n 2 ./noted.sh build cave.map -k 16 \
            -p greedy --candidates 4000 -o old.cairn >out 2>err &
        run=$!
        while [ ! -s pid.0 ] || [ ! -s pid.1 ]; do sleep 0.1; done
        sleep $((tenths / 10)).$((tenths % 10))
        kill -9 "$(cat pid.$((tenths % 2)))" 2>/dev/null || echo "nothing to kill after $tenths"
        started=$(date +%s)
        wait $run
        ended "after $tenths tenths" $? $(($(date +%s) - started))
        left_alone "after $tenths tenths"
    done 2>&1
}

# ----------------------------------------------------------------------------------- the run

speed() {
    "$cairn" generate cave -o large.map --size 700x700 --seed 5 >out
    for processes in 1 2 1 2 1 2; do
        together $processes build large.map -p greedy --candidates 512 --json -o t.cairn |
            sed -n "s/.*\"build_seconds\": \([0-9.]*\).*/$processes process(es): \1 s/p"
    done
}

if [ "${1:-}" = --speed ]; then
    speed
    exit 0
fi
begin mpi
pass_if_empty "the_file_is_that_of_one_process" "$(same_bytes)"
pass_if_empty "options_mean_the_same" "$(same_with_other_options)"
pass_if_empty "comparisons_are_those_of_one_process" "$(same_comparisons)"
pass_if_empty "many_comparisons_are_those_of_one_process" "$(same_many_comparisons)"
pass_if_empty "standard_input_reaches_all_processes" "$(same_from_standard_input)"
pass_if_empty "maps_that_change_are_compared_by_all_processes" "$(same_along_changes)"
pass_if_empty "comparisons_go_on_after_a_failure" "$(comparisons_go_on)"
pass_if_empty "results_outlive_processes_that_die" "$(results_outlive_deaths)"
pass_if_empty "a_failure_of_one_process_is_told_once" "$(failures_end_all)"
pass_if_empty "work_for_processes_alone_is_refused" "$(work_for_one_is_refused)"
pass_if_empty "a_process_holds_the_map_and_its_own_rows" "$(memory_is_of_the_map_and_own_rows)"
pass_if_empty "a_process_that_dies_at_any_call_ends_all" "$(deaths_end_all)"
pass_if_empty "a_process_that_dies_between_ends_all" "$(deaths_at_any_moment_end_all)"
finish
