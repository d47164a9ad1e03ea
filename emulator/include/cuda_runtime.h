#pragma once

// CUDA C++ for clang without the CUDA Toolkit: the language's words, types and functions, and the
// runtime API. docs/cuda-headers.md says how a program is compiled and what is covered. The compile
// command includes this file before the program's first line, as nvcc does with its own.

#include "host_defines.h"

#if defined(__CUDA__)
#if !defined(__clang__)
#error "cuda_runtime.h of warpgrade: CUDA C++ is compiled by clang 14 to 19; nvcc has its own"
#elif __clang_major__ < 14
#error "cuda_runtime.h of warpgrade: this clang is too old; versions 14 to 19 are known to work"
#endif
#include <stddef.h>

#include "vector_functions.h"
#include "warpgrade/builtin_variables.h"
#include "warpgrade/system_functions.h"
// Before the standard library: see the file.
#include "warpgrade/math_functions.h"
#endif

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#if defined(__CUDA__)
#include <new>  // with clang's operators for device code
#include <utility>
#endif

#include "cuda_runtime_api.h"

#if defined(__CUDA__)
#include "warpgrade/atomics.h"
#include "warpgrade/float_functions.h"
#include "warpgrade/host_math.h"
#include "warpgrade/integer_functions.h"
#include "warpgrade/memory_functions.h"
#include "warpgrade/min_max.h"
#include "warpgrade/simd_functions.h"
#include "warpgrade/texture_functions.h"
#include "warpgrade/warp_functions.h"
#endif
#ifdef __cplusplus
#include "warpgrade/runtime_templates.h"
#endif

#if defined(__CUDA__)
// clang takes alignas(n) in front of the other words of a declaration only; programs for nvcc write
// __shared__ alignas(16) float tile[64]. Its own attribute may stand anywhere.
namespace warpgrade_cuda {
template <size_t Alignment>
constexpr size_t alignment() {
  return Alignment;
}
template <class T>
constexpr size_t alignment() {
  return alignof(T);
}
}  // namespace warpgrade_cuda
#define alignas(...) __attribute__((aligned(::warpgrade_cuda::alignment<__VA_ARGS__>())))
#endif
