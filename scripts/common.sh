# Shared by the scripts in this folder; source it after `cd`ing to the repository root.
# shellcheck shell=bash

say() { printf '== %s\n' "$*"; }
note() { printf '   %s\n' "$*"; }

# Ends with exit code 3 (environment), as the programs do: not the user's work, not our bug.
cannot() {
  printf 'error: %s\n' "$1" >&2
  shift
  local line
  for line in "$@"; do printf '  next  %s\n' "$line" >&2; done
  exit 3
}

# How many compilers to run at once: one per core, but no more than memory allows.
# GIB_PER_JOB: of memory per compiler, default 1
jobs_here() {
  local cores fit
  cores=$(nproc)
  fit=$(awk -v each="${GIB_PER_JOB:-1}" '/^MemAvailable/ {print int($2 / 1048576 / each)}' /proc/meminfo)
  echo $((fit < 1 ? 1 : fit < cores ? fit : cores))
}

# Prints nvcc's path: PATH, then CUDA_HOME, then the toolkit's usual place.
find_nvcc() {
  local candidate
  for candidate in "$(command -v nvcc || true)" "${CUDA_HOME:+$CUDA_HOME/bin/nvcc}" \
    /usr/local/cuda/bin/nvcc; do
    if [[ -n $candidate && -x $candidate ]]; then
      echo "$candidate"
      return 0
    fi
  done
  return 1
}

# configure <preset> [more arguments for CMake]: shows CMake's output only when it fails.
configure() {
  local log
  log=$(mktemp)
  if ! cmake --preset "$@" >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    cannot "CMake could not configure preset '$1' (its messages are above)" \
      'scripts/setup installs what is missing; a stale build folder can be deleted'
  fi
  rm -f "$log"
}

# With ccache, a fresh clone finds what another checkout has compiled.
export CCACHE_BASEDIR=${CCACHE_BASEDIR:-$PWD} CCACHE_NOHASHDIR=${CCACHE_NOHASHDIR:-1}
export CCACHE_SLOPPINESS=${CCACHE_SLOPPINESS:-locale} # messages are English for everybody

# Ends a test that takes minutes, unless it was asked for: exit code 77, which CTest shows as skipped.
skip_unless_asked() {
  [[ -n ${WARPGRADE_LONG_TESTS:-} ]] && return 0
  echo "skipped: takes minutes; run it with \`ctest --preset $(basename "$0" .sh)\`"
  exit 77
}
