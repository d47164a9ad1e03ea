#pragma once

#include "../cooperative_groups.h"

#if defined(__CUDA__)

// The function objects of reductions and scans.

namespace cooperative_groups {

#define WARPGRADE_OPERATION(name, expression)                                          \
  template <class T>                                                                   \
  struct name {                                                                        \
    WARPGRADE_MEMBER T operator()(const T& a, const T& b) const { return expression; } \
  };
WARPGRADE_OPERATION(plus, a + b)
WARPGRADE_OPERATION(less, b < a ? b : a)
WARPGRADE_OPERATION(greater, a < b ? b : a)
WARPGRADE_OPERATION(bit_and, a& b)
WARPGRADE_OPERATION(bit_or, a | b)
WARPGRADE_OPERATION(bit_xor, a ^ b)
#undef WARPGRADE_OPERATION

}  // namespace cooperative_groups

#endif
