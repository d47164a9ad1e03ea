#!/usr/bin/env bash
# Kills the grader at random moments of a run of 60 submissions and resumes it: the grades must be
# those of a run that nobody disturbed, byte for byte but for times, none lost and none twice. Exit
# code 77: not here.
# usage: kill_and_resume.sh <warpgrade> <source folder> [moments, default 3]
set -euo pipefail
program=$1 source=$2 moments=${3:-3}
# shellcheck source=grader/tests/grades.sh
source "$source/grader/tests/grades.sh"
need_sandbox
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir "$dir/tmp"
export TMPDIR=$dir/tmp

fail() {
  echo "FAILED: $1" >&2
  exit 1
}

"$source/scripts/make_class" "$dir/class" 60 --distinct 6 --lab vecadd
grade=("$program" grade "$dir/class" --lab vecadd --device emulator --jobs 2)

started=$(date +%s%N)
"${grade[@]}" --out "$dir/calm" --cache "$dir/cache" >"$dir/log" 2>&1 || { cat "$dir/log"; fail 'the undisturbed run'; }
length=$((($(date +%s%N) - started) / 1000000))
without_times "$dir/calm" >"$dir/want"
[[ $(grep -c '^== ' "$dir/want") == 60 ]] || fail 'the undisturbed run has not 60 grades'
rm -rf "$dir/cache"

landed=0
for ((i = 1; i <= moments; ++i)); do
  # Every other run starts with the grades known, so that the kill falls among the writes.
  out=$dir/out$i cache=$dir/cache$i
  limit=$length
  if ((i % 2 == 0)); then
    cp -r "$dir/cache1.kept" "$cache"
    limit=1500
  fi
  "${grade[@]}" --out "$out" --cache "$cache" >"$dir/log" 2>&1 &
  pid=$!
  pause=$(shuf -i "50-$((limit > 100 ? limit : 100))" -n 1)
  sleep "$((pause / 1000)).$(printf '%03d' $((pause % 1000)))"
  kill -KILL "$pid" 2>/dev/null || true
  wait "$pid" 2>/dev/null || true
  there=$(find "$out" -name grade.json 2>/dev/null | wc -l)
  [[ -e $out/index.html ]] || ((++landed))
  "${grade[@]}" --out "$out" --cache "$cache" --resume >"$dir/log" 2>&1 || { cat "$dir/log"; fail "resuming after kill $i"; }
  without_times "$out" >"$dir/got"
  cmp "$dir/want" "$dir/got" || { diff "$dir/want" "$dir/got" | head -20; fail "grades differ after kill $i at $pause ms"; }
  rows=$(grep -c '"student":' "$out/grades.json")
  [[ $rows == 60 ]] || fail "$rows rows after kill $i"
  [[ -z $(grep '"student":' "$out/grades.json" | sort | uniq -d) ]] || fail "a grade twice after kill $i"
  [[ -z $(find "$out" -name "*.tmp") ]] || fail "half a file left after kill $i"
  echo "kill $i at $pause ms with $there of 60 grades written: the same after --resume"
  if [[ ! -d $dir/cache1.kept ]]; then cp -r "$cache" "$dir/cache1.kept"; fi
  rm -rf "$out" "$cache"
done
echo "$moments kills, $landed before the end of the run"
