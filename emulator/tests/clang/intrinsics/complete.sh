#!/usr/bin/env bash
# Each intrinsic of the headers for clang, a function whose name begins with two underscores, stands in a recorded
# file of this folder, or in elsewhere.txt with the test that has it.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
include=$(cd "$here/../../../include" && pwd)
clang=${WARPGRADE_CLANG:-$(command -v clang++ || true)}
[[ -n $clang ]] || exit 77
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
printf '#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n' >"$scratch/all.cu"
"$clang" "@$include/warpgrade/clang/both.options" --cuda-gpu-arch=sm_80 -I "$include" \
  -include "$include/cuda_runtime.h" -std=c++17 --cuda-device-only -E -P "$scratch/all.cu" |
  tr '\n' ' ' |
  grep -oE 'nodebug\)\)( constexpr)? [A-Za-z_0-9: ]+[*&]? ?__[a-zA-Z_0-9]+\(' |
  sed -E 's/\($//; s/.*[ *&]//' | LC_ALL=C sort -u >"$scratch/declared"
if (($(wc -l <"$scratch/declared") < 450)); then
  echo "only $(wc -l <"$scratch/declared") intrinsics were found in the headers"
  exit 1
fi
cut -d ' ' -f 1 "$here"/*.txt | LC_ALL=C sort -u >"$scratch/tested"
missing=$(LC_ALL=C comm -23 "$scratch/declared" "$scratch/tested")
[[ -z $missing ]] && exit 0
echo "without a test over special values, and not in elsewhere.txt:"
echo "$missing"
exit 1
