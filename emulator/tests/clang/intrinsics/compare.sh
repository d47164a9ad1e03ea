#!/usr/bin/env bash
# Compares what a program of this folder prints with what nvcc's printed:
#   compare.sh [--part] <recorded> <program>
# With constants nvcc's compiler itself gives other results than the instruction for some intrinsics
# (lines "..., constants"). The program may give either. --part: lines may be missing.
set -euo pipefail
part=0
if [[ $1 == --part ]]; then
  part=1
  shift
fi
recorded=$1
printed=$("$2" | LC_ALL=C sort)
if (($(wc -l <<<"$printed") < 60)); then
  echo "$2 printed too little"
  exit 1
fi
failures=0
while IFS= read -r line; do
  echo "not recorded: $line"
  echo "    recorded: $(grep -F -- "${line%%:*}:" "$recorded" || true)"
  failures=$((failures + 1))
done < <(LC_ALL=C comm -23 <(echo "$printed") <(LC_ALL=C sort "$recorded"))
if ((part == 0)); then
  while IFS= read -r line; do
    echo "missing: $line"
    failures=$((failures + 1))
  done < <(LC_ALL=C comm -13 <(echo "$printed") <(grep -v ', constants:' "$recorded" | LC_ALL=C sort))
fi
exit "$((failures > 0))"
