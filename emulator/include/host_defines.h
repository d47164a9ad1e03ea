#pragma once

// The keywords that CUDA C++ adds to the language (CUDA C++ Programming Guide, "C++ Language
// Extensions"), as clang's attributes. Without -x cuda they expand to nothing, so that a plain C++
// source may include the runtime's headers.

#if defined(__CUDA__)

#ifndef __CUDACC__
#define __CUDACC__ 1
#endif
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 0
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#if __clang_major__ < 15
// clang 14 assumes that one in an unnamed namespace is never set.
#define __constant__ __attribute__((constant, used))
#else
#define __constant__ __attribute__((constant))
#endif
// clang supports neither managed variables nor clusters of fixed size.
#define __managed__ \
  __attribute__((unavailable("__managed__ variables need nvcc; use cudaMallocManaged() instead")))
#define __cluster_dims__(...) \
  __attribute__((unavailable("__cluster_dims__ needs nvcc; clang has no clusters")))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __grid_constant__

#else

#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __grid_constant__

#endif

#define __forceinline__ __inline__ __attribute__((always_inline))
// From clang 15 on it is a keyword. libstdc++ writes __attribute__((__noinline__)): see
// bits/shared_ptr_base.h beside this file.
#if defined(__CUDA__) && __clang_major__ < 15
#define __noinline__ __attribute__((noinline))
#endif
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
#define CUDARTAPI
#define CUDART_CB

/// Functions of these headers: inlined, and their instructions belong to the line that calls them.
/// The last two are for members of structures.
#if defined(__CUDA__)
#define WARPGRADE_INLINE __inline__ __attribute__((always_inline, nodebug))
#else
#define WARPGRADE_INLINE __inline__
#endif
#define WARPGRADE_DEVICE static __device__ WARPGRADE_INLINE
#define WARPGRADE_HOST_DEVICE static __host__ __device__ WARPGRADE_INLINE
#define WARPGRADE_MEMBER __device__ WARPGRADE_INLINE
#define WARPGRADE_HD_MEMBER __host__ __device__ WARPGRADE_INLINE
