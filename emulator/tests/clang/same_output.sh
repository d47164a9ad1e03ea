#!/usr/bin/env bash
# Two programs must print the same, and something: same_output.sh <one> <other>
set -euo pipefail
one=$("$1")
if (($(wc -l <<<"$one") < 100)); then
  echo "$1 printed too little"
  exit 1
fi
diff <(echo "$one") <("$2")
