#!/usr/bin/env bash
# Kernels that wait for host code, and for work of other streams: in the program's process, and with
# the device in a process of its own.
# usage: host_signals.sh <warpsim> <host_signals>
set -euo pipefail
warpsim=$1
program=$2
number=0
failed=0
expect() {  # <mode> <what it prints> [warpsim's options]
  local printed
  number=$((number + 1))
  printed=$(timeout 60 "$warpsim" "${@:3}" --quiet --error-exitcode 0 -- "$program" "$1" 2>&1) || true
  if [[ $printed != "$2" ]]; then
    printf '%s: wanted %s, got %s\n' "$*" "$2" "$printed"
    failed=$((failed + 1))
  fi
}
for options in "" --separate; do
  expect flag 42 $options
  expect exchange 20 $options
  expect never cudaErrorLaunchTimeout $options
  expect host_function 40 $options
  expect same_stream cudaErrorLaunchTimeout $options
  expect default_stream cudaErrorLaunchTimeout $options
  expect end_of_program ends $options
done
expect memset_beside 40
expect copy_beside 40
expect kernel_beside 42
expect kernels 200
expect no_kernel_begins cudaErrorLaunchTimeout
expect thread 40
expect queries $'cudaErrorNotReady cudaSuccess\n42'
echo "$failed of $number failed"
((failed == 0))
