# What the tests of whole runs share; source it.
# shellcheck shell=bash

# without_times <run>: its grades without what differs between any two runs.
without_times() {
  local file
  (cd "$1" && find . -name grade.json | sort) | while IFS= read -r file; do
    echo "== $file"
    grep -vE '^ *"(started|seconds)": ' "$1/$file"
  done
}
