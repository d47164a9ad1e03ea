#!/usr/bin/env bash
# Writes the page of each scene into a folder: pages.sh <warpsim> <scenes> <folder>
set -euo pipefail
warpsim=$1 scenes=$2 folder=$3
for scene in reduce reverse strided transpose outside uninitialized branches barrier lost streams; do
  "$warpsim" --quiet --error-exitcode 0 --record "$folder/$scene.html" -- "$scenes" "$scene" >/dev/null
done
echo '{}'
