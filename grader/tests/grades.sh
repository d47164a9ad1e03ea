# Shared by tests of whole runs; source it.
# shellcheck shell=bash

# need_sandbox: skips the test if bubblewrap does not work.
need_sandbox() {
  bwrap --unshare-all --dev-bind / / true 2>/dev/null && return
  echo 'skipped: bubblewrap does not work here'
  exit 77
}

# without_times <run>: its grades without values that differ between any two runs.
without_times() {
  local file
  (cd "$1" && find . -name grade.json | sort) | while IFS= read -r file; do
    echo "== $file"
    grep -vE '^ *"(started|seconds)": ' "$1/$file"
  done
}
