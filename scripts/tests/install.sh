#!/usr/bin/env bash
# An installed copy works where neither the sources nor the build folder are.
# usage: install.sh <the build folder>
set -euo pipefail

build=$(realpath "$1")
source=$PWD
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
if ! bwrap --dev-bind / / true 2>/dev/null; then
  echo 'skipped: bubblewrap cannot hide the sources here'
  exit 77
fi

cmake --install "$build" --prefix "$folder/prefix" >"$folder/log"
cp reference/vecadd/solution.cu "$folder/vecadd.cu"
hide=(--dev-bind / / --tmpfs "$source" --tmpfs "$build" --bind "$folder" "$folder")

XDG_CACHE_HOME=$folder/cache bwrap "${hide[@]}" --chdir "$folder" \
  "$folder/prefix/bin/warpgrade" check vecadd vecadd.cu --sandbox none --device emulator >"$folder/out" ||
  { cat "$folder/out"; echo 'the installed warpgrade does not grade the reference'; exit 1; }
# A lab of one's own needs no build tree: its golden.cpp is compiled when it is used.
mkdir -p "$folder/own/labs"
cp -r docs "$folder/own/docs"
installed() {
  WARPGRADE_ROOT=$folder/own XDG_CACHE_HOME=$folder/cache bwrap "${hide[@]}" --chdir "$folder" \
    "$folder/prefix/bin/warpgrade" "$@"
}
installed lab new blur >"$folder/out"
installed check blur "$folder/own/reference/blur/solution.cu" --sandbox none --device emulator \
  >"$folder/out" ||
  { cat "$folder/out"; echo 'the installed warpgrade does not grade a new lab'; exit 1; }
bwrap "${hide[@]}" --chdir "$folder" "$folder/prefix/bin/warpsim" -- /bin/true ||
  { echo 'the installed warpsim does not start a program'; exit 1; }
