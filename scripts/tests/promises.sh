#!/usr/bin/env bash
# What docs/security.md promises is shown by tests and attacks that exist: each name in quotes, each
# file and each attack in the table of promises.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

table=$(sed -n '/^## Guarantees/,/^## Layers/p' docs/security.md | grep '^|' | tail -n +3)
shown=$(awk -F '|' '{print $(NF - 1)}' <<<"$table")
missing=0
miss() {
  echo "docs/security.md: $1"
  missing=$((missing + 1))
}
while read -r row; do
  [[ $row == *'"'* || $row == *'`'* ]] || miss "a promise that nothing shows: $row"
done <<<"$shown"
names=$(grep -o '"[^"]*"' <<<"$shown" | tr -d '"')
# Names in the sources are cut into lines; those of scripts' tests stand in CMake files.
mapfile -t files < <(git ls-files '*_test.cpp' '*CMakeLists.txt')
sources=$(tr '\n' ' ' < <(cat "${files[@]}") | sed 's/"  *"//g')
while read -r name; do
  [[ $sources == *"$name"* ]] || miss "no test is called \"$name\""
done <<<"$names"
# shellcheck disable=SC2016  # backquotes as such
words=$(grep -o '`[^`]*`' <<<"$shown" | tr -d '`')
while read -r word; do
  if [[ $word == */* ]]; then
    [[ -e $word ]] || miss "there is no file $word"
  else
    [[ -e grader/tests/attacks/$word.cu || -e grader/tests/attacks/outputs/$word.cu ]] || miss "there is no attack $word"
  fi
done <<<"$words"
promises=$(wc -l <<<"$table")
echo "$promises promises, $missing missing"
((promises >= 10 && missing == 0))
