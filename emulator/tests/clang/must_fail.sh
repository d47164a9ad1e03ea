#!/usr/bin/env bash
# A program that needs nvcc gets an error that says so:
#   must_fail.sh <source.cu> <part of the first error> <clang_cuda's arguments>
set -euo pipefail
source=$1 want=$2
shift 2
compiler=$(dirname "${BASH_SOURCE[0]}")/../../../scripts/clang_cuda
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
status=0
"$compiler" -c -o "$scratch/program.o" "$@" "$source" 2>"$scratch/log" || status=$?
if ((status == 3)); then exit 77; fi
first=$(grep -m1 -E 'error: ' "$scratch/log" || true)
if ((status != 0)) && [[ $first == *"$want"* ]]; then exit 0; fi
echo "status $status, first error: $first"
echo "want an error with: $want"
exit 1
