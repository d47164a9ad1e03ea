#!/usr/bin/env bash
# Writes the page of each scene into a folder: pages.sh <warpsim> <scenes> <variables> <folder>
set -euo pipefail
warpsim=$1 scenes=$2 variables=$3 folder=$4
for scene in reduce reverse strided transpose outside uninitialized branches barrier lost streams; do
  "$warpsim" --quiet --error-exitcode 0 --record "$folder/$scene.html" -- "$scenes" "$scene" >/dev/null
done
"$warpsim" --quiet --record "$folder/variables.html" --record-what block=1 -- "$variables" >/dev/null
echo '{}'
