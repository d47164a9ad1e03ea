#!/usr/bin/env bash
# Runs every test of the API's test program, each in a process with a device process of its own.
# usage: api_tests.sh <warpsim> <cudart_test> <least number of tests> [options of warpsim]
set -euo pipefail
warpsim=$1
program=$2
least=$3
options=("${@:4}")

mapfile -t names < <("$warpsim" --quiet -- "$program" --list-tests --verbosity quiet)
failed=0
count=0
for name in "${names[@]}"; do
  [[ -n $name ]] || continue
  escaped=${name//,/\\,}
  escaped=${escaped//[/\\[}
  count=$((count + 1))
  if ! output=$("$warpsim" "${options[@]}" --separate --quiet --budget 1000000 --error-exitcode 0 -- \
    "$program" "$escaped" 2>&1); then
    printf 'failed: %s\n%s\n' "$name" "$output"
    failed=$((failed + 1))
  fi
done
echo "$count tests, $failed failed"
((count >= least && failed == 0))
