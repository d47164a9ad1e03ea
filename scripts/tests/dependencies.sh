#!/usr/bin/env bash
# Folders depend on each other as docs/dependencies.toml says.
set -euo pipefail

export PYTHONDONTWRITEBYTECODE=1
if ! python3 -c 'import tomllib' 2>/dev/null; then
  echo 'skipped: needs Python 3.11'
  exit 77
fi
python3 scripts/tests/dependencies_test.py
python3 scripts/tests/dependencies.py
