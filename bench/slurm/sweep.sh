#!/bin/bash
# One shard of a sweep for each task of a Slurm job array; README.md beside tells how to submit it.
# Arguments go to `deno task bench` as they are.
#SBATCH --job-name=portlab
#SBATCH --exclusive
#SBATCH --requeue
#SBATCH --open-mode=append
set -eu
: "${RUN_ID:?names the run: sbatch --export=ALL,RUN_ID=NAME,OUT=FOLDER}"
: "${OUT:?is a folder that every node sees}"
: "${PORTLAB:=$SLURM_SUBMIT_DIR}" # where portlab is
: "${BENCH:=deno run -A $PORTLAB/bench/cli/main.ts}"

shard=$SLURM_ARRAY_TASK_ID
count=$SLURM_ARRAY_TASK_MAX
file=$OUT/raw/${RUN_ID}_${shard}of$count.jsonl

# A task that was requeued, because its node died or it was preempted, goes on with its own file.
resume=()
[ -e "$file" ] && resume=(--resume "$file")

# Slurm asks a task to end by SIGTERM: exec hands that to the sweep, which ends its point and the file.
# shellcheck disable=SC2086 # BENCH may be several words
exec $BENCH "$@" --run-id "$RUN_ID" --out "$OUT" --shard "$shard/$count" "${resume[@]}"
