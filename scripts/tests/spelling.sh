#!/usr/bin/env bash
# Known misspellings in sources and documents.
set -euo pipefail

if ! command -v codespell >/dev/null; then
  echo 'skipped: needs codespell (scripts/setup installs it)'
  exit 77
fi
# Words of the subject that look like slips. Tests misspell on purpose and are left out, as are the texts of CUDA's
# errors, which are the toolkit's.
words=coo,inout,ist,nd,sord,fo,mis,ans,parm,statics,upto,lod,ges,autor,dout,copie,mata,matc
git ls-files -z --cached --others --exclude-standard -- '*.cpp' '*.h' '*.cu' '*.md' '*.toml' \
  '*.cmake' '*CMakeLists.txt' scripts .ci ':!:grader/tests/samples' ':!:*_test.cpp' \
  ':!:emulator/cudart/error_table.cpp' |
  while IFS= read -r -d '' file; do [[ -f $file ]] && printf '%s\0' "$file"; done |
  xargs -0 codespell --ignore-words-list "$words"
