#!/usr/bin/env bash
# scripts/measure_diagnosis and scripts/check_claims: their own tests, and a sample of what they measure.
#   diagnosis.sh BUILD
set -euo pipefail

export PYTHONPATH=scripts PYTHONDONTWRITEBYTECODE=1 WARPGRADE_PROGRAM=$1/bin/warpgrade
python3 scripts/tests/diagnosis_test.py
evidence=$(mktemp -d)
trap 'rm -rf "$evidence"' EXIT
result=0
scripts/measure_diagnosis --build "$1" --evidence "$evidence" --sample --lab vecadd --lab scan ||
  result=$?
if [[ $result == 3 ]]; then
  exit 77
fi
scripts/check_claims --build "$1" --evidence "$evidence" --mutants 8 --lab vecadd
exit "$result"
