#!/usr/bin/env bash
# Runs whole programs twice, with the device in their own process and in another: output, exit code
# and report must be the same to the byte.
# usage: same_report.sh <warpsim> <folder of programs>
set -euo pipefail
warpsim=$1
folder=$2

# Of each part of the API some; what allocates host memory that kernels read has other addresses in
# the two runs, and so other sectors.
programs=(bfs clusters_sm90 cooperative_groups copies cub_block_warp device_assert errors
  forward_progress graphs_and_grids histogram language_debug locks look_back math_library
  memory_layouts scan separate_units sorting standard_library sticky_errors streams_events
  surfaces symbols textures work_queue)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
run() {  # <name of the run> <program> [option]
  local status=0
  "$warpsim" --quiet --threads 1 --error-exitcode 0 --json "$scratch/$1.json" "${@:3}" -- "$2" \
    >"$scratch/$1.out" 2>&1 || status=$?
  echo "$status" >"$scratch/$1.status"
}
failed=0
for name in "${programs[@]}"; do
  program=$folder/cuda_$name
  run one "$program"
  run two "$program" --separate
  for part in json out status; do
    if ! cmp -s "$scratch/one.$part" "$scratch/two.$part"; then
      echo "$name: another $part"
      diff "$scratch/one.$part" "$scratch/two.$part" | head -5 || true
      failed=$((failed + 1))
    fi
  done
done
echo "${#programs[@]} programs, $failed differences"
((failed == 0))
