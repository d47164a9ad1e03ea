#!/usr/bin/env bash
# Grades a small class through a real Slurm that runs only for this test: munged, slurmctld and
# slurmd on the loopback device, as root, with all files in one temporary folder. Exit code 77:
# skipped.
# usage: slurm.sh <warpgrade> <source folder>
set -euo pipefail
program=$1 source=$2
# shellcheck source=grader/tests/grades.sh
source "$source/grader/tests/grades.sh"

skip() {
  echo "skipped: $1"
  exit 77
}
((EUID == 0)) || skip 'starting slurmd needs root'
need_sandbox
any_compiler slurm
PATH=$PATH:/usr/sbin:/sbin
for tool in munged slurmctld slurmd sbatch squeue scancel scontrol; do
  command -v "$tool" >/dev/null || skip "there is no $tool (scripts/setup installs slurm-wlm and munge)"
done

dir=$(mktemp -d)
pids=()
cleanup() {
  local pid
  SLURM_CONF=$dir/slurm.conf timeout 20 scancel --name=warpgrade 2>/dev/null || true
  for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
  wait || true
  rm -rf "$dir"
}
trap cleanup EXIT

show_logs() {
  tail -n 20 "$dir"/*.log 2>/dev/null || true
}
fail() {
  echo "FAILED: $1" >&2
  show_logs >&2
  exit 1
}

free_port() {
  local port
  for port in $(shuf -i 20000-30000 -n 50); do
    if ! (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
      echo "$port"
      return
    fi
  done
}

host=$(hostname -s)
mkdir -p "$dir/state" "$dir/spool" "$dir/munge"
chmod 755 "$dir" && chmod 700 "$dir/munge"
head -c 1024 /dev/urandom >"$dir/munge/key"
chmod 400 "$dir/munge/key"
# The socket's folder must be accessible to all, the key's folder to none.
mkdir -m 755 "$dir/socket"
munged --foreground --force --socket="$dir/socket/munge" --key-file="$dir/munge/key" \
  --pid-file="$dir/munge/pid" --log-file="$dir/munge/log" --seed-file="$dir/munge/seed" \
  >"$dir/munged.log" 2>&1 &
pids+=($!)

cat >"$dir/slurm.conf" <<EOF
ClusterName=warpgrade
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
AuthType=auth/munge
AuthInfo=socket=$dir/socket/munge
CredType=cred/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
ReturnToService=2
JobRequeue=0
KillWait=5
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
SchedulerParameters=sched_interval=2,batch_sched_delay=0
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=class Nodes=$host Default=YES MaxTime=60 State=UP
EOF
export SLURM_CONF=$dir/slurm.conf

for ((i = 0; i < 50; ++i)); do
  [[ -S $dir/socket/munge ]] && break
  sleep 0.2
done
[[ -S $dir/socket/munge ]] || { cat "$dir"/munge*; skip 'munged does not start here'; }
slurmctld -D -f "$SLURM_CONF" >"$dir/slurmctld.log" 2>&1 &
pids+=($!)
slurmd -D -f "$SLURM_CONF" -N "$host" >"$dir/slurmd.log" 2>&1 &
pids+=($!)
for ((i = 0; i < 100; ++i)); do
  sinfo --noheader --format=%T 2>/dev/null | grep -q idle && break
  sleep 0.5
done
sinfo --noheader --format=%T 2>/dev/null | grep -q idle || { show_logs; skip 'slurmd does not start here'; }
echo "Slurm $(sinfo --version | cut -d' ' -f2) is up, $(nproc) processors"

same_grades() {
  without_times "$1" >"$dir/got"
  diff "$dir/want" "$dir/got" | head -n 20
  cmp -s "$dir/want" "$dir/got" || fail "$2: other grades than on this machine"
  echo "$2: the same grades as on this machine"
}
wait_for_job() {
  local i
  for ((i = 0; i < 300; ++i)); do
    squeue --noheader --format=%T | grep -q RUNNING && return
    sleep 0.1
  done
  fail 'no job ever ran'
}
no_job_runs() {
  local i
  for ((i = 0; i < 100; ++i)); do
    [[ -z $(squeue --noheader) ]] && return
    sleep 0.3
  done
  squeue >&2
  fail "$1: a job is still there"
}

cd "$dir"
WARPGRADE=$program "$source/scripts/make_class" class 6 --lab vecadd
local_run=("$program" grade class --device emulator --jobs 2 --cache none)
on_slurm=("$program" grade class --device emulator --executor slurm --slurm-partition class
  --slurm-time 10 --slurm-part 2)
"${local_run[@]}" --out local >local.txt 2>&1 || fail 'grading on this machine'
without_times local >want

"${on_slurm[@]}" --out plain --cache "$dir/cache" >plain.txt 2>&1 || { cat plain.txt; fail 'a job array'; }
grep -q '3 parts submitted' plain.txt || { cat plain.txt; fail 'not three parts'; }
[[ -f plain/index.html && ! -e plain/.warpgrade/slurm ]] || fail 'no class page, or parts left'
same_grades plain 'a job array'

"${on_slurm[@]}" --out plain --resume --cache "$dir/cache" >again.txt 2>&1 || fail 'a second run'
! grep -qE 'parts? submitted' again.txt || fail 'a second run submitted a job with nothing to do'

# The cluster loses the job, which is submitted again.
"${on_slurm[@]}" --out lost --cache none >lost.txt 2>&1 &
pid=$!
wait_for_job
scancel --name=warpgrade
wait "$pid" || { cat lost.txt; fail 'a job that was lost'; }
grep -q 'resubmitted' lost.txt || { cat lost.txt; fail 'a lost job was not submitted again'; }
same_grades lost 'a job that was lost'

# Ctrl-C cancels the job, and --resume does the rest.
"${on_slurm[@]}" --out stopped --cache none >stopped.txt 2>&1 &
pid=$!
wait_for_job
kill -INT "$pid"
code=0
wait "$pid" || code=$?
((code == 130)) || { cat stopped.txt; fail "ctrl-C: exit code $code"; }
no_job_runs 'ctrl-C'
"${on_slurm[@]}" --out stopped --cache none --resume >resumed.txt 2>&1 || { cat resumed.txt; fail 'resuming'; }
same_grades stopped 'ctrl-C and --resume'

# A killed grader leaves its job, which the next one finds.
"${on_slurm[@]}" --out killed --cache none >killed.txt 2>&1 &
pid=$!
wait_for_job
kill -KILL "$pid"
wait "$pid" || true
"${on_slurm[@]}" --out killed --cache none --resume >found.txt 2>&1 || { cat found.txt; fail 'resuming after a kill'; }
grep -q 'of an earlier run was still active and has been cancelled' found.txt || { cat found.txt; fail 'the left job'; }
same_grades killed 'a killed grader and --resume'

# An error of the cluster must not become a zero.
code=0
"${on_slurm[@]}" --out broken --cache none --slurm-option=--chdir=/ >broken.txt 2>&1 || code=$?
((code == 70)) || { cat broken.txt; fail "a broken cluster: exit code $code"; }
[[ $(grep -l '"failure": "environment"' broken/*/vecadd/grade.json | wc -l) == 6 ]] || fail 'not six faults of the environment'
[[ $(grep -c ',vecadd,1,error,,' broken/grades.csv) == 6 ]] || { cat broken/grades.csv; fail 'an error has a score'; }
echo 'a broken cluster: six errors, no zero'

code=0
"$program" grade class --device emulator --executor slurm --slurm-partition nowhere --out refused \
  --cache none >refused.txt 2>&1 || code=$?
((code == 3)) || { cat refused.txt; fail "a wrong partition: exit code $code"; }
grep -q 'sbatch rejected the job: .*see --slurm-partition' refused.txt || { cat refused.txt; fail 'what sbatch says'; }
echo 'a wrong partition: exit code 3 with what sbatch says'
