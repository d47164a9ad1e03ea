#!/usr/bin/env bash
# Both halves of a pair (../checkers/pair.h): both_halves.sh <checker_test> <warpsim> <program> <source>
set -euo pipefail
for half in bug clean; do
  "$1" "$2" "$3" "$4" "$half" "$3.$half.json"
done
