#!/usr/bin/env bash
# Grades a class of 55 twice with an empty cache, once as the machine is and once beside 20 programs that compute:
# all verdicts, points, findings and pitfalls must be equal, and nothing may be an error of the environment.
# Prints both times. Takes minutes: runs with WARPGRADE_LONG_TESTS=1 only. Exit code 77: skipped.
# usage: busy_class.sh <warpgrade> <source folder>
set -euo pipefail
program=$1 source=$2
if [[ -z ${WARPGRADE_LONG_TESTS:-} ]]; then
  echo 'skipped: takes minutes; WARPGRADE_LONG_TESTS=1 runs it'
  exit 77
fi
export WARPGRADE_PROGRAM=$program WARPGRADE_SOURCE=$source
code=0
"$(dirname "$program")/warpgrade_program_test" '[.load]' || code=$?
((code == 4)) && exit 77 # of Catch2: skipped, there is no sandbox
exit "$code"
