#pragma once

#include "emulator/libraries/numbers.h"

// The constants of cuFFT's interface that this library knows. The toolkit's header is not needed to
// build it; the tests hold these against that header. A program may pass any number.

namespace warpsim::cufft {

enum class Status : int {
  success = 0,
  invalid_plan = 1,
  alloc_failed = 2,
  invalid_type = 3,
  invalid_value = 4,
  internal_error = 5,
  exec_failed = 6,
  setup_failed = 7,
  invalid_size = 8,
  not_implemented = 14,
  not_supported = 16,
};

/// cufftType
enum class Type : int {
  c2c = 0x29,
  r2c = 0x2a,
  c2r = 0x2c,
  z2z = 0x69,
  d2z = 0x6a,
  z2d = 0x6c,
};

/// The direction of a transform, and the sign of its exponent.
inline constexpr int kForward = -1;
inline constexpr int kInverse = 1;

/// CUFFT_PLAN_NULL, which may be destroyed
inline constexpr int kNoPlan = -1;

using libraries::DataType;

/// The version of the library: cuFFT 12.0, of CUDA 13.0.
inline constexpr int kVersion = 12000;

}  // namespace warpsim::cufft
