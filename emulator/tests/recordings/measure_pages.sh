#!/usr/bin/env bash
# Measures in headless Chromium the page of a block of 1,024 threads with 100,000 recorded instructions:
# measure_pages.sh [folder of the build, by default build]. docs/recordings.md has the figures.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
build=$(realpath "${1:-build}")
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
page=$(mktemp --suffix=.html)
trap 'rm -f "$page"' EXIT
"$build/bin/warpsim" --quiet --record "$page" --record-what block=0,bytes=2000000 -- \
  "$build/emulator/tests/recordings/recordings_scenes" busy >/dev/null
PAGE=$page CHROMIUM=$browser node grader/show/report/browser/measure.mjs
