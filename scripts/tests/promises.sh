#!/usr/bin/env bash
# What docs/security.md and docs/serve.md promise is shown by tests and attacks that exist: each name in quotes, each
# file and each attack in the tables of promises.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

rows_of() { sed -n "/^## $2/,/^## $3/p" "docs/$1" | grep '^|' | grep -v -e '^| promise ' -e '^|---'; }
table=$(rows_of security.md Guarantees Layers; rows_of serve.md 'What is promised' 'end of file')
shown=$(awk -F '|' '{print $(NF - 1)}' <<<"$table")
missing=0
miss() {
  echo "docs/security.md, docs/serve.md: $1"
  missing=$((missing + 1))
}
while read -r row; do
  [[ $row == *'"'* || $row == *'`'* || $row == *'(security.md)'* ]] || miss "a promise that nothing shows: $row"
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
