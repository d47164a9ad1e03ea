#!/usr/bin/env bash
# Compiles a CUDA program with scripts/clang_cuda and runs a command:
#   compile_and_run.sh <clang_cuda's arguments> -- <command> ...
# Exit status 77, CTest's "skipped", where there is no clang.
set -euo pipefail
compiler=$(dirname "${BASH_SOURCE[0]}")/../../../scripts/clang_cuda
arguments=()
while [[ $1 != -- ]]; do
  arguments+=("$1")
  shift
done
shift
status=0
# The emulator's library is for the program, not for clang.
env -u LD_LIBRARY_PATH "$compiler" "${arguments[@]}" || status=$?
if ((status == 3)); then exit 77; fi
if ((status != 0)); then exit "$status"; fi
exec "$@"
