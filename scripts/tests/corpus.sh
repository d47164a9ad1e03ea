#!/usr/bin/env bash
# scripts/corpus on the project's own list, and on lists and programs that are wrong.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

if ! python3 -c 'import tomllib' 2>/dev/null; then
  echo 'skipped: needs python3, 3.11 or later'
  exit 77
fi
if ! command -v nvcc "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc" clang++ clang++-{19,18,17,16,15,14} >/dev/null; then
  echo 'skipped: needs nvcc or clang'
  exit 77
fi
PYTHONPATH=scripts PYTHONDONTWRITEBYTECODE=1 python3 scripts/tests/corpus_test.py "$1"
