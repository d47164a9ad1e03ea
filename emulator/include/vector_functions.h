#pragma once

#include "vector_types.h"

// make_float4(x, y, z, w) and the like, for host and device.

#define WARPGRADE_MAKE(name, type)                                               \
  WARPGRADE_HOST_DEVICE name##1 make_##name##1(type x) {                         \
    return name##1 {x};                                                          \
  }                                                                              \
  WARPGRADE_HOST_DEVICE name##2 make_##name##2(type x, type y) {                 \
    return name##2 {x, y};                                                       \
  }                                                                              \
  WARPGRADE_HOST_DEVICE name##3 make_##name##3(type x, type y, type z) {         \
    return name##3 {x, y, z};                                                    \
  }                                                                              \
  WARPGRADE_HOST_DEVICE name##4 make_##name##4(type x, type y, type z, type w) { \
    return name##4 {x, y, z, w};                                                 \
  }

WARPGRADE_MAKE(char, signed char)
WARPGRADE_MAKE(uchar, unsigned char)
WARPGRADE_MAKE(short, short)
WARPGRADE_MAKE(ushort, unsigned short)
WARPGRADE_MAKE(int, int)
WARPGRADE_MAKE(uint, unsigned int)
WARPGRADE_MAKE(long, long int)
WARPGRADE_MAKE(ulong, unsigned long int)
WARPGRADE_MAKE(longlong, long long int)
WARPGRADE_MAKE(ulonglong, unsigned long long int)
WARPGRADE_MAKE(float, float)
WARPGRADE_MAKE(double, double)
#undef WARPGRADE_MAKE
