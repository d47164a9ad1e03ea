#!/usr/bin/env bash
# Kills a grader of 60 submissions, or processes that it started, at random moments, and resumes it:
# the grades must equal those of an undisturbed run, byte for byte except for times, none lost and
# none twice, and no process may be left. The moments come from a fixed seed. If run by root, half
# of the kills are in a run as an ordinary user. Exit code 77: skipped.
# usage: kill_and_resume.sh <warpgrade> <source folder> [kills, default 8]
set -euo pipefail
program=$1 source=$2 kills=${3:-${WARPGRADE_KILLS:-8}}
# shellcheck source=grader/tests/grades.sh
source "$source/grader/tests/grades.sh"
need_sandbox
any_compiler kill_and_resume
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir "$dir/tmp"
chmod 755 "$dir"
chmod 1777 "$dir/tmp"
export TMPDIR=$dir/tmp
RANDOM=20261123

fail() {
  echo "FAILED: $1" >&2
  exit 1
}

# between A B: a random number.
between() {
  echo $(($1 + (RANDOM * 32768 + RANDOM) % ($2 - $1 + 1)))
}

# descendants PID: the process and its descendants, one per line as "pid start time"; the start time
# distinguishes it from a later process with the same number.
descendants() {
  local pid=$1 stat child children
  stat=$(cat "/proc/$pid/stat" 2>/dev/null) || return 0
  stat=${stat##*) }
  # shellcheck disable=SC2086
  set -- $stat
  echo "$pid ${20}"
  read -ra children < <(cat "/proc/$pid"/task/*/children 2>/dev/null | tr '\n' ' ') || true
  for child in "${children[@]}"; do
    descendants "$child"
  done
}

# left_of FILE: the processes listed there that are still alive, and any whose command line names
# our folder.
left_of() {
  local pid start stat
  while read -r pid start; do
    stat=$(cat "/proc/$pid/stat" 2>/dev/null) || continue
    stat=${stat##*) }
    # shellcheck disable=SC2086
    set -- $stat
    [[ $1 == Z || ${20} != "$start" ]] || echo "$pid $(tr '\0' ' ' <"/proc/$pid/cmdline" | cut -c 1-200)"
  done <"$1"
  pgrep -af -- "$dir/(out|tmp|cache)" || true
}

# end_waiting_bwraps: ends a bubblewrap whose parent was killed directly after cloning it: it waits
# forever for its parent, before any program has started in it (bubblewrap 0.8; see
# docs/security.md). Ends nothing else.
waiting_bwraps=0
end_waiting_bwraps() {
  local pid
  for pid in $(pgrep -x bwrap); do
    grep -q -- "$dir/" <(tr '\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null) || continue
    # It reads an eventfd; the name of the kernel function depends on the kernel's build.
    [[ $(cat "/proc/$pid/wchan" 2>/dev/null) =~ ^(eventfd_read|do_wait_intr_irq)$ ]] || continue
    kill -KILL "$pid" && waiting_bwraps=$((waiting_bwraps + 1))
  done
}

WARPGRADE=$program "$source/scripts/make_class" "$dir/class" 60 --distinct 6 --lab vecadd
grade=("$program" grade "$dir/class" --lab vecadd --device emulator --jobs 2)

# run_as USER COMMAND...: as "self", or as an unprivileged user.
run_as() {
  local user=$1
  shift
  if [[ $user == self ]]; then
    exec "$@"
  fi
  HOME=$dir/home exec setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
}
users=(self)
if [[ $(id -u) == 0 ]] && (run_as other bwrap --unshare-all --dev-bind / / "$program" labs >/dev/null 2>&1); then
  users+=(other)
fi

started=$(date +%s%N)
"${grade[@]}" --out "$dir/calm" --cache "$dir/cache" >"$dir/log" 2>&1 || { cat "$dir/log"; fail 'the undisturbed run'; }
length=$((($(date +%s%N) - started) / 1000000))
without_times "$dir/calm" >"$dir/want"
[[ $(grep -c '^== ' "$dir/want") == 60 ]] || fail 'the undisturbed run has not 60 grades'
chmod -R a+rX "$dir/cache" "$dir/class"

landed=0
declare -A killed=()
for ((i = 1; i <= kills; ++i)); do
  user=${users[i % ${#users[@]}]}
  out=$dir/out$i cache=$dir/cache$i
  mkdir "$out" "$cache"
  limit=$length
  # One in three runs starts with cached evidence, so that the kill happens during the writes.
  if ((i % 3 == 0)); then
    cp -r "$dir/cache/." "$cache"
    limit=1500
  fi
  [[ $user == self ]] || chown -R 65534:65534 "$out" "$cache"
  (run_as "$user" "${grade[@]}" --out "$out" --cache "$cache") >"$dir/log" 2>&1 &
  pid=$!
  pause=$(between 50 "$((limit > 100 ? limit : 100))")
  sleep "$((pause / 1000)).$(printf '%03d' $((pause % 1000)))"
  # Kills any of them; the grader itself every other time. Most are short-lived.
  for ((try = 0; try < 50; ++try)); do
    descendants "$pid" >"$dir/processes"
    number=$(wc -l <"$dir/processes")
    chosen=1
    if ((number > 1 && i % 2 == 0)); then chosen=$(between 2 "$number"); fi
    read -r victim _ < <(sed -n "${chosen}p" "$dir/processes") || victim=
    name=$(cat "/proc/$victim/comm" 2>/dev/null) && break
    name=nobody
  done
  if [[ -n $victim ]]; then kill -KILL "$victim" 2>/dev/null || true; fi
  killed[$name]=$((${killed[$name]:-0} + 1))
  code=0
  wait "$pid" 2>/dev/null || code=$?
  for ((wait = 0; wait < 50; ++wait)); do
    left=$(left_of "$dir/processes")
    [[ -n $left ]] || break
    sleep 0.1
  done
  if [[ -n $left ]]; then
    end_waiting_bwraps
    sleep 0.5
    left=$(left_of "$dir/processes")
  fi
  [[ -z $left ]] || fail "processes left after kill $i of $name at $pause ms: $left"
  there=$(find "$out" -name grade.json 2>/dev/null | wc -l)
  [[ -e $out/index.html ]] || ((++landed))
  (run_as "$user" "${grade[@]}" --out "$out" --cache "$cache" --resume) >"$dir/log" 2>&1 || {
    cat "$dir/log"
    fail "resuming after kill $i of $name at $pause ms"
  }
  without_times "$out" >"$dir/got"
  cmp "$dir/want" "$dir/got" || { diff "$dir/want" "$dir/got" | head -20; fail "grades differ after kill $i of $name at $pause ms"; }
  rows=$(grep -c '"student":' "$out/grades.json")
  [[ $rows == 60 ]] || fail "$rows rows after kill $i"
  [[ -z $(grep '"student":' "$out/grades.json" | sort | uniq -d) ]] || fail "a grade twice after kill $i"
  [[ -z $(find "$out" -name "*.tmp") ]] || fail "half a file left after kill $i"
  echo "kill $i ($user) of $name at $pause ms: exit code $code, $there of 60 grades written; the same after --resume"
  rm -rf "$out" "$cache"
done
((waiting_bwraps == 0)) || echo "$waiting_bwraps times bubblewrap was left waiting for a parent that was killed"
echo "$kills kills, $landed before the end of the run; as ${users[*]};$(for name in "${!killed[@]}"; do printf ' %s %s' "$name" "${killed[$name]}"; done)"
