#!/usr/bin/env bash
# Checks a lab: what differs from reference/<lab>/checked.<compiler>.json, and an eighth of the rest, which
# the commit selects; with WARPGRADE_LONG_TESTS=1 all. Nothing is taken from the user's cache. Where both compilers
# are here, the eighth runs with one of them, which the commit selects for each lab, and what is the same with each
# is checked with nvcc.
# usage: lab_check.sh WARPGRADE LAB COMPILER; exit code 77: there is no such compiler here
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=scripts/common.sh
source scripts/common.sh
case $3 in
  nvcc) find_nvcc >/dev/null || { echo 'skipped: needs nvcc' && exit 77; } ;;
  clang) command -v clang++ >/dev/null || { echo 'skipped: needs clang (scripts/setup installs it)' && exit 77; } ;;
esac
if [[ ${WARPGRADE_LONG_TESTS:-} == 1 ]]; then
  part=()
else
  commit=$(git rev-parse HEAD 2>/dev/null || echo 'no commit')
  part=(--changed --seed "$commit")
  if find_nvcc >/dev/null && command -v clang++ >/dev/null; then
    turn=nvcc
    [[ $(sha256sum <<<"$commit $2") != [0-7]* ]] || turn=clang
    [[ $3 == "$turn" ]] || part+=(--no-sample)
  fi
fi
if [[ $3 == clang ]] && find_nvcc >/dev/null; then part+=(--compiled-only); fi
echo "warpgrade lab check $2 --compiler $3 --cache none ${part[*]}"
exec "$1" lab check "$2" --compiler "$3" --cache none "${part[@]}"
