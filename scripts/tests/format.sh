#!/usr/bin/env bash
# Every C++ and CUDA source is formatted as .clang-format says. What students hand in is theirs.
set -euo pipefail

# Other versions break lines differently, so only this one can judge.
tool=$(command -v clang-format-14 || true)
if [[ -z $tool ]]; then
  echo 'skipped: needs clang-format-14 (scripts/setup installs it)'
  exit 77
fi
differs=$(git ls-files -z --cached --others --exclude-standard -- '*.cpp' '*.h' '*.cu' '*.cuh' \
  ':!:grader/tests/samples' ':!:grader/tests/attempts' ':!:reference/*/wrong' |
  while IFS= read -r -d '' file; do [[ -f $file ]] && printf '%s\0' "$file"; done |
  { xargs -0 -n 20 "$tool" --dry-run -Werror 2>&1 || true; } |
  sed -n 's/^\([^ :]*\):[0-9].*error:.*/\1/p' | sort -u)
if [[ -n $differs ]]; then
  printf 'not formatted as .clang-format says:\n%s\n' "$differs"
  printf 'to repair: %s -i <these files>\n' "${tool##*/}"
  exit 1
fi
