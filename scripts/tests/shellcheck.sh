#!/usr/bin/env bash
# The shell scripts pass shellcheck.
set -euo pipefail

if ! command -v shellcheck >/dev/null; then
  echo 'skipped: needs shellcheck (scripts/setup installs it)'
  exit 77
fi
git ls-files -z --cached --others --exclude-standard | while IFS= read -r -d '' file; do
  [[ -f $file ]] || continue
  if [[ $file == *.sh ]] || head -c 64 "$file" | head -n 1 | tr -d '\0' | grep -q '^#!.*\bbash'; then
    printf '%s\0' "$file"
  fi
done | xargs -0 shellcheck -x
