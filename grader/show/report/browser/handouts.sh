#!/usr/bin/env bash
# Writes what the tests of the handouts look at: handouts.sh <warpgrade> <folder>. The handout of each lab, as a student
# gets it, and each picture of docs/pictures as a page of its own.
set -euo pipefail
warpgrade=$1
folder=$2
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../../.." && pwd)

for lab in "$repository"/labs/*/lab.toml; do
  id=$(basename "$(dirname "$lab")")
  "$warpgrade" start "$id" "$folder/start/$id" >/dev/null
  cp "$folder/start/$id/handout.html" "$folder/handout-$id.html"
done
for picture in "$repository"/docs/pictures/*.svg; do
  { printf '<!DOCTYPE html><title>picture</title>'; cat "$picture"; } >"$folder/picture-$(basename "$picture" .svg).html"
done
