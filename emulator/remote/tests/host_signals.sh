#!/usr/bin/env bash
# Kernels that wait for host code, with the device in a process of its own.
# usage: host_signals.sh <warpsim> <host_signals>
set -euo pipefail
warpsim=$1
program=$2
failed=0
expect() {  # <mode> <what it prints>
  local printed
  printed=$(timeout 60 "$warpsim" --separate --quiet --error-exitcode 0 -- "$program" "$1" 2>&1) || true
  if [[ $printed != "$2" ]]; then
    printf '%s: wanted %s, got %s\n' "$1" "$2" "$printed"
    failed=$((failed + 1))
  fi
}
expect flag 42
expect exchange 20
expect never cudaErrorLaunchTimeout
echo "$failed of 3 failed"
((failed == 0))
