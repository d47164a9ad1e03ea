#!/usr/bin/env bash
# Checks a lab: what differs from reference/<lab>/checked.json, and a quarter of the rest, which the
# commit selects. Nothing is taken from the user's cache.
# usage: lab_check.sh WARPGRADE LAB
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
seed=$(git rev-parse HEAD 2>/dev/null || echo "no commit")
echo "warpgrade lab check $2 --changed --cache none --seed '$seed'"
exec "$1" lab check "$2" --changed --cache none --seed "$seed"
