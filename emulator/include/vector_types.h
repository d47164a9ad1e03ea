#pragma once

#include "host_defines.h"

// The vector types of CUDA C++ (Programming Guide, "Built-in Vector Types"): structures with the
// members x, y, z, w. Those of two and four elements are aligned to their size, at most 16 bytes.

#define WARPGRADE_VECTORS(name, type, align2, align4) \
  struct name##1 {                                    \
    type x;                                           \
  };                                                  \
  struct __attribute__((aligned(align2))) name##2 {   \
    type x, y;                                        \
  };                                                  \
  struct name##3 {                                    \
    type x, y, z;                                     \
  };                                                  \
  struct __attribute__((aligned(align4))) name##4 {   \
    type x, y, z, w;                                  \
  };

WARPGRADE_VECTORS(char, signed char, 2, 4)
WARPGRADE_VECTORS(uchar, unsigned char, 2, 4)
WARPGRADE_VECTORS(short, short, 4, 8)
WARPGRADE_VECTORS(ushort, unsigned short, 4, 8)
WARPGRADE_VECTORS(int, int, 8, 16)
WARPGRADE_VECTORS(uint, unsigned int, 8, 16)
WARPGRADE_VECTORS(long, long int, 16, 16)
WARPGRADE_VECTORS(ulong, unsigned long int, 16, 16)
WARPGRADE_VECTORS(longlong, long long int, 16, 16)
WARPGRADE_VECTORS(ulonglong, unsigned long long int, 16, 16)
WARPGRADE_VECTORS(float, float, 8, 16)
WARPGRADE_VECTORS(double, double, 16, 16)
#undef WARPGRADE_VECTORS

// CUDA 13 names the alignment of the four 64-bit elements.
#define WARPGRADE_ALIGNED_FOUR(name, type)          \
  struct __attribute__((aligned(16))) name##4_16a { \
    type x, y, z, w;                                \
  };                                                \
  struct __attribute__((aligned(32))) name##4_32a { \
    type x, y, z, w;                                \
  };
WARPGRADE_ALIGNED_FOUR(long, long int)
WARPGRADE_ALIGNED_FOUR(ulong, unsigned long int)
WARPGRADE_ALIGNED_FOUR(longlong, long long int)
WARPGRADE_ALIGNED_FOUR(ulonglong, unsigned long long int)
WARPGRADE_ALIGNED_FOUR(double, double)
#undef WARPGRADE_ALIGNED_FOUR

/// Extents of a grid or block; missing ones are 1.
struct dim3 {
  unsigned int x, y, z;
  WARPGRADE_HD_MEMBER constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
      : x(vx), y(vy), z(vz) {}
  WARPGRADE_HD_MEMBER constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  WARPGRADE_HD_MEMBER constexpr operator uint3() const { return uint3{x, y, z}; }
};
