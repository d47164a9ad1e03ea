#!/usr/bin/env bash
# The project on 64-bit Arm: cross-compiled, and run under qemu in a Debian root for arm64. Unit tests,
# goldens, and the check of each lab's reference, whose grade is the same as on this machine: points,
# findings, errors of the results and every counter. Programs are compiled there by clang for arm64.
# Exit code 77: not possible here.
# usage: scripts/tests/arm64.sh <the build folder for this machine>    (`ctest --preset arm64` runs it)
#   LABS  only these, separated by spaces
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=scripts/common.sh
source scripts/common.sh
# shellcheck source=scripts/debian_root.sh
source scripts/debian_root.sh
skip_unless_asked
native=${1:?usage: arm64.sh <the build folder for this machine>}
why=$(why_no_debian_root)
for program in aarch64-linux-gnu-g++ qemu-aarch64-static arch-test clang++; do
  [[ -n $why ]] || command -v "$program" >/dev/null || why="needs $program (scripts/setup --arm64)"
done
if [[ -n $why ]]; then
  echo "skipped: $why"
  exit 77
fi
scratch=$PWD/out/arm64/test
rm -rf "$scratch"
mkdir -p "$scratch"
failed=0

tests=(emulator_test golden_test harness_test grader_test)
start=$SECONDS
scripts/cross_arm64 build product "${tests[@]}"
note "built in $((SECONDS - start)) s"

# The kernel's memory is worth more than a test.
echo 1000 >/proc/$$/oom_score_adj
left_out='~[sandbox]~[lockdown]'
note 'left out, because qemu-user has neither seccomp nor namespaces: tests tagged [sandbox], [lockdown]'
note 'left out: the programs of the labels cuda, checkers, differential and clang, and the class'
for program in "${tests[@]}"; do
  start=$SECONDS
  scripts/cross_arm64 run "build-arm64/bin/$program" "$left_out" >"$scratch/$program.log" 2>&1 || {
    grep -E 'FAILED|^  |\.cpp:' "$scratch/$program.log" | head -40
    failed=1
  }
  note "$((SECONDS - start)) s: $program: $(tail -n 2 "$scratch/$program.log" | tr '\n' ' ')"
done

# A plain char is signed there too.
cat >"$scratch/char.cu" <<'SOURCE'
#include <cstdio>
__global__ void widen(const char* letter, int* number) { *number = *letter; }
int main() {
  char* letter;
  int* number;
  cudaMallocManaged(&letter, 1);
  cudaMallocManaged(&number, 4);
  *letter = static_cast<char>(200);
  widen<<<1, 1>>>(letter, number);
  cudaDeviceSynchronize();
  std::printf("%d %d\n", *letter, *number);
  cudaFree(letter);
  cudaFree(number);
}
SOURCE
printed=$(scripts/cross_arm64 run sh -c "
  WARPGRADE_CUDART=build-arm64/lib/warpsim/libcudart.so.13 \
    scripts/clang_cuda -o out/arm64/test/char out/arm64/test/char.cu &&
  build-arm64/bin/warpsim -- out/arm64/test/char") || true
[[ $printed == '-56 -56' ]] || { echo "a char of 200 is: $printed"; failed=1; }

read -ra labs <<<"${LABS:-$(basename -a labs/*/ | tr '\n' ' ')}"
for lab in "${labs[@]}"; do
  [[ -e reference/$lab/solution.cu ]] || continue  # a lab of questions
  arguments=(check "$lab" "reference/$lab/solution.cu" --compiler clang --device emulator --sandbox none)
  start=$SECONDS
  XDG_CACHE_HOME=$scratch/cache "$native/bin/warpgrade" "${arguments[@]}" \
    --json "$scratch/$lab.native.json" >/dev/null
  here=$((SECONDS - start))
  start=$SECONDS
  scripts/cross_arm64 run build-arm64/bin/warpgrade "${arguments[@]}" \
    --json "$scratch/$lab.arm64.json" >"$scratch/$lab.log" 2>&1 || {
    tail -20 "$scratch/$lab.log"
    failed=1
    continue
  }
  scripts/tests/same_grade.py "$scratch/$lab.native.json" "$scratch/$lab.arm64.json" || failed=1
  note "$((SECONDS - start)) s ($here s on this machine): check of $lab"
done
exit "$failed"
