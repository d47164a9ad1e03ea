#!/usr/bin/env bash
# The project builds, and grades a class, where no CUDA toolkit is visible: in a namespace in which its
# folders are empty and nvcc is not in PATH. The compiler cache has most of it already.
# usage: without_toolkit.sh; exit code 77: not possible here
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=scripts/common.sh
source scripts/common.sh
# Beside the other build folders: from another depth the compiler cache would find nothing.
build=$PWD/build-without-toolkit

if [[ -z ${WITHOUT_TOOLKIT:-} ]]; then
  hide=()
  for folder in /usr/local/cuda "${CUDA_HOME:-}" "${CUDA_PATH:-}" \
    "$(dirname "$(dirname "$(realpath "$(find_nvcc || echo /none/bin/nvcc)")")")"; do
    if [[ -n $folder && -d $folder ]]; then hide+=(--tmpfs "$(realpath "$folder")"); fi
  done
  path=''
  while IFS= read -r -d : folder; do
    [[ -x $folder/nvcc ]] || path+=${path:+:}$folder
  done <<<"$PATH:"
  if [[ ${hide[*]} =~ ' /usr'$|' /usr ' ]]; then
    echo 'skipped: nvcc is among the programs of the system and cannot be hidden'
    exit 77
  fi
  if ! bwrap --dev-bind / / true 2>/dev/null; then
    echo 'skipped: bubblewrap cannot hide the toolkit here'
    exit 77
  fi
  if ! command -v clang++ >/dev/null; then
    echo 'skipped: needs clang (scripts/setup installs it)'
    exit 77
  fi
  exec bwrap --dev-bind / / "${hide[@]}" --setenv PATH "$path" --unsetenv CUDA_HOME \
    --unsetenv CUDA_PATH --setenv WITHOUT_TOOLKIT 1 scripts/tests/without_toolkit.sh
fi

if nvcc=$(find_nvcc); then
  echo "$nvcc is visible: this test shows nothing"
  exit 1
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
if ! { cmake --preset release -B "$build" &&
  cmake --build "$build" --target product worker_probe harness_test -j "$(jobs_here)"; } \
  >"$scratch/log" 2>&1; then
  tail -40 "$scratch/log"
  echo 'the project does not build without the toolkit'
  exit 1
fi
# A program compiled by clang under the worker: the whole way but for the grader.
ctest --test-dir "$build" -R 'a right function passes with device and host buffers' \
  --no-tests=error --output-on-failure >"$scratch/log" 2>&1 || {
  cat "$scratch/log"
  exit 1
}
warpgrade=$build/bin/warpgrade
WARPGRADE=$warpgrade scripts/make_class "$scratch/class" 3 --lab vecadd --lab reduction
cp -r grader/tests/samples/s07-does-not-compile "$scratch/class/"
XDG_CACHE_HOME=$scratch/cache "$warpgrade" grade "$scratch/class" --out "$scratch/out" --device emulator ||
  { echo 'the class could not be graded without the toolkit'; exit 1; }
# The first student of a class hands in the solutions; the last one's file does not compile.
python3 - "$scratch/out" <<'CHECK'
import json, pathlib, sys
grades = {path.parent: json.loads(path.read_text())
          for path in pathlib.Path(sys.argv[1]).glob("*/*/grade.json")}
assert len(grades) == 7, f"7 grades were expected, there are {len(grades)}"
for path, grade in grades.items():
    assert grade["status"] != "error", f"{path}: {grade}"
for lab in "vecadd", "reduction":
    grade = grades[pathlib.Path(sys.argv[1]) / "s0001" / lab]
    assert grade["score"] == grade["max_score"], f"{lab}: the solution has {grade['score']} points"
failed = grades[pathlib.Path(sys.argv[1]) / "s07-does-not-compile" / "vecadd"]
assert failed["score"] == 0, "a file that does not compile has points"
CHECK
