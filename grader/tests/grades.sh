# Shared by tests of whole runs; source it.
# shellcheck shell=bash

# need_sandbox: skips the test if bubblewrap does not work.
need_sandbox() {
  bwrap --unshare-all --dev-bind / / true 2>/dev/null && return
  echo 'skipped: bubblewrap does not work here'
  exit 77
}

# any_compiler <name>: for a test that looks at what does not depend on the compiler of the submissions. Where
# clang is installed it compiles them, and in one commit of four nvcc does (any_compiler.cpp). Needs $source.
any_compiler() {
  command -v clang++ >/dev/null || return 0
  # shellcheck disable=SC2154
  "$source/scripts/tests/in_turn.py" "compiler of $1" 0/4 true >/dev/null || export WARPGRADE_COMPILER=clang
}

# without_times <run>: its grades without values that differ between any two runs.
without_times() {
  local file
  (cd "$1" && find . -name grade.json | sort) | while IFS= read -r file; do
    echo "== $file"
    grep -vE '^ *"(started|seconds)": ' "$1/$file"
  done
}
