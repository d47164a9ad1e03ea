#!/usr/bin/env bash
# Grades a class in which every fourth submission is an attack of grader/tests/attacks, with a hostile
# name, and the same class without them. The honest grades must be equal byte for byte except for
# times, and every student must have one. Exit code 77: skipped.
# usage: hostile_class.sh <warpgrade> <source folder> [students, default 16]
set -euo pipefail
program=$1 source=$2 students=${3:-${WARPGRADE_HOSTILE_CLASS:-16}}
# shellcheck source=grader/tests/grades.sh
source "$source/grader/tests/grades.sh"
need_sandbox
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir "$dir/tmp"
export TMPDIR=$dir/tmp LC_ALL=C.UTF-8

fail() {
  echo "FAILED: $1" >&2
  exit 1
}

hostile=$((students / 4)) honest=$((students - students / 4))
WARPGRADE=$program "$source/scripts/make_class" "$dir/honest" "$honest" --lab vecadd
cp -r "$dir/honest" "$dir/mixed"

# Attacks on the class come first, then all others in reverse alphabetical order.
attacks=(padded_object forged_fault unknown_instruction signal_after_record forged_fault_later)
mapfile -t others < <(cd "$source/grader/tests/attacks" && printf '%s\n' *.cu | sed 's/\.cu$//' | sort -r)
for name in "${others[@]}"; do
  [[ " ${attacks[*]} " == *" $name "* ]] || attacks+=("$name")
done
# These names sort before, between and after the honest ones, and resemble files of a results
# folder.
names=(grades.json s0001x $'s0002\n[1] s0001 vecadd: 0' -rf index.html S0001 $'zz\tvecadd' grades.csv
  submissions.json)
for ((i = 0; i < hostile; ++i)); do
  name=${names[i]:-s$(printf '%04d' "$i")-hostile}
  attack=${attacks[i % ${#attacks[@]}]}
  mkdir "$dir/mixed/$name"
  cp "$source/grader/tests/attacks/$attack.cu" "$dir/mixed/$name/vecadd.cu"
  cp "$source/grader/tests/attacks/right.cuh" "$dir/mixed/$name/"
done

echo 'of the course' >"$dir/secret"
for run in honest mixed; do
  started=$(date +%s%N)
  code=0
  "$program" grade "$dir/$run" --out "$dir/out-$run" --lab vecadd --device emulator --jobs 2 \
    --cache none --secret-file "$dir/secret" >"$dir/log" 2>&1 || code=$?
  # 70 would mean that a submission caused an internal error.
  ((code == 0)) || { cat "$dir/log"; fail "exit code $code of the $run class"; }
  echo "$run: $(grep -c '"student":' "$dir/out-$run/grades.json") grades in $((($(date +%s%N) - started) / 1000000)) ms"
done
(($(grep -c '"student":' "$dir/out-mixed/grades.json") == students)) || fail "not $students grades"
(($(grep -c '"student":' "$dir/out-honest/grades.json") == honest)) || fail "not $honest honest grades"

# Compares the honest grades in the mixed class, file by file.
while IFS= read -r file; do
  [[ -f $dir/out-mixed/$file ]] || fail "$file is lost"
  for run in honest mixed; do
    grep -vE '^ *"(started|seconds)": ' "$dir/out-$run/$file" >"$dir/$run.one"
  done
  cmp "$dir/honest.one" "$dir/mixed.one" || { diff "$dir/honest.one" "$dir/mixed.one" | head -20; fail "$file differs"; }
done < <(cd "$dir/out-honest" && find . -name grade.json | sort)
[[ -z $(find "$dir/tmp" -mindepth 1 -maxdepth 1) ]] || fail "left behind: $(ls "$dir/tmp")"
echo "$honest honest grades are the same with $hostile hostile submissions among them"
