#!/usr/bin/env bash
# What scripts/clang_cuda says about a compiler or a program that it cannot use: one clear error each,
# and none where nothing is wrong.
set -euo pipefail
compiler=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../../scripts" && pwd)/clang_cuda
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
failures=0

# expect <exit status> <part of the output, or '' for none> <clang_cuda's arguments>
expect() {
  local status=0 want=$2 wanted_status=$1
  shift 2
  "$compiler" -c -o program.o "$@" >log 2>&1 || status=$?
  if ((status == wanted_status)) && if [[ -n $want ]]; then grep -qF -- "$want" log; else [[ ! -s log ]]; fi; then
    return 0
  fi
  echo "clang_cuda $*: exit status $status, want $wanted_status and: ${want:-nothing}"
  cat log
  failures=$((failures + 1))
}

echo '__global__ void kernel(int* p) { *p = 1; }' >good.cu
status=0
"$compiler" -c -o program.o good.cu >log 2>&1 || status=$?
if ((status == 3)); then exit 77; fi
expect 0 '' good.cu

# The compiler.
WARPGRADE_CLANG=$scratch/none expect 3 'was not found; install clang 14 or newer' good.cu
WARPGRADE_CLANG=g++ expect 3 'g++ is not clang' good.cu
if command -v clang++-13 >/dev/null; then
  WARPGRADE_CLANG=clang++-13 expect 3 'is too old; install clang 14 or newer' good.cu
fi
cat >no_nvptx <<'END'
#!/bin/sh
echo "error: unable to create target: 'No available targets are compatible with triple \"nvptx64-nvidia-cuda\"'" >&2
exit 1
END
chmod +x no_nvptx
WARPGRADE_CLANG=$scratch/no_nvptx expect 3 'was built without the NVPTX target' good.cu
expect 3 'does not know sm_999' -arch=sm_999 good.cu

# The program.
echo 'int main() { return nothing; }' >wrong.cu
expect 1 'use of undeclared identifier' wrong.cu
if grep -q '^note: .*header' log; then
  echo 'an ordinary error is explained by headers'
  failures=$((failures + 1))
fi
for header in thrust/tuple.h cub/util_type.cuh cuda/annotated_ptr cublasXt.h; do
  echo "#include <$header>" >missing.cu
  expect 1 "note: $header is not among the headers for clang" missing.cu
done
echo '#include "own_helper.h"' >missing.cu
expect 1 "'own_helper.h' file not found" missing.cu
if grep -q 'compile with nvcc' log; then
  echo "a student's own missing header is taken for one of the toolkit's"
  failures=$((failures + 1))
fi
# Both passes say the same: it is printed once.
echo '__global__ void kernel(int* p) { int unused; *p = 1; }' >warned.cu
expect 0 'unused variable' -Wall warned.cu
if (($(grep -c 'unused variable' log) != 1)); then
  echo 'a warning is printed twice'
  failures=$((failures + 1))
fi

# What has no instruction in device code. The compiler's built-in functions that have one are compiled.
kernel() {  # <statement> ...
  echo "__global__ void kernel(float* f, int* n, void** p) {" "$@" '}' >built_in.cu
}
kernel 'n[0] = __builtin_popcount(n[1]) + __builtin_clz(n[2]) + __builtin_ffs(n[3]) + __builtin_bswap32(n[4]);' \
  'f[0] = __builtin_sqrtf(f[1]) + __builtin_fmaf(f[1], f[2], f[3]) + __builtin_floorf(f[4]) + __builtin_nanf("");'
expect 0 '' built_in.cu
kernel 'f[0] = sinf(f[1]);'
expect 0 '' built_in.cu
kernel 'f[0] = __builtin_sinf(f[1]);'
expect 1 'built_in.cu:1:61: error: a built-in function of the compiler (__builtin_sin, __builtin_sinf) has no instruction in device code: call sin() or sinf()' built_in.cu
if (($(wc -l <log) != 1)); then
  echo 'the back end says more than one line'
  cat log
  failures=$((failures + 1))
fi
kernel 'n[0] = __builtin_lrintf(f[1]);'
expect 1 "error: device code calls the host's lrintf(), as the compiler's __builtin_lrintf does" built_in.cu
kernel 'p[0] = __builtin_alloca(n[0]);'
expect 1 'error: an array of variable length, or alloca, in device code has no instruction' built_in.cu
kernel 'n[0] = __atomic_load_n(n + 1, __ATOMIC_SEQ_CST);'
expect 1 'error: an atomic operation of the compiler' built_in.cu
kernel 'n[0] = __builtin_cpu_supports("sse2");'
expect 1 "__builtin_cpu_supports is a function for the host's processor" built_in.cu
# A variable that may be undefined is not an error, and the only warnings are those asked for.
kernel 'int i; if (n[0] > 0) i = n[1]; n[2] = i;'
expect 0 '' built_in.cu

# A file of the student's that is named as one of ours.
mkdir own
echo 'this is not C++' >own/cuda_runtime.h
cp good.cu own/good.cu
(cd own && "$compiler" -c -o program.o good.cu) || failures=$((failures + 1))
expect 0 '' -I own good.cu
echo '#include "cuda_runtime.h"' | cat - good.cu >own/shadowed.cu
expect 1 'own/cuda_runtime.h has the name of a CUDA header' own/shadowed.cu

exit "$((failures > 0))"
