#!/usr/bin/env bash
# What scripts/gpu_fidelity does without a GPU: reading, comparing, writing.
set -euo pipefail

if ! python3 -c 'import tomllib' 2>/dev/null; then
  echo 'skipped: needs python3, 3.11 or later'
  exit 77
fi
PYTHONPATH=scripts PYTHONDONTWRITEBYTECODE=1 python3 scripts/tests/fidelity_test.py
