#!/usr/bin/env bash
# The checks of .clang-tidy hold. usage: tidy.sh <build folder with compile_commands.json>
# Handlers (one body an opcode, three times compiled) and tests are left out: the time goes to the
# code whose mistakes would be silent.
set -euo pipefail

build=$1
tool=$(command -v clang-tidy || true)
if [[ -z $tool || ! -f $build/compile_commands.json ]]; then
  echo 'skipped: needs clang-tidy (scripts/setup installs it) and a configured build'
  exit 77
fi

# A file whose contents, headers and rules are what they were when it passed is not looked at again.
stamps=$build/tidy
mkdir -p "$stamps"
headers=$(git ls-files -z --cached --others --exclude-standard -- '*.h' .clang-tidy |
  while IFS= read -r -d '' file; do [[ -f $file ]] && printf '%s\0' "$file"; done |
  xargs -0 cat | sha256sum | cut -c 1-16)
export build tool stamps headers

check_one() {
  local file=$1 stamp log
  stamp=$stamps/$headers-$(sha256sum <"$file" | cut -c 1-16)-${file//\//_}
  [[ -e $stamp ]] && return 0
  if log=$("$tool" -p "$build" --quiet --extra-arg=-Wno-unknown-warning-option \
    --extra-arg=-Wno-error "$file" 2>/dev/null); then
    : >"$stamp"
  else
    printf '%s\n' "$log"
    return 1
  fi
}
export -f check_one

# shellcheck disable=SC2016  # the inner shell expands it
git ls-files -z --cached --others --exclude-standard -- 'emulator/*.cpp' 'harness/*.cpp' \
  'grader/*.cpp' ':!:emulator/isa/handlers' ':!:*_test.cpp' ':!:*/tests/*' ':!:grader/samples' |
  while IFS= read -r -d '' file; do
    grep -qF "/$file\"" "$build/compile_commands.json" && printf '%s\0' "$file"
  done |
  xargs -0 -P 2 -I {} bash -c 'check_one "$1"' _ {}
