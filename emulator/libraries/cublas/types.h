#pragma once

#include <cuda_runtime_api.h>

#include "emulator/libraries/numbers.h"
#include "emulator/libraries/pointer_mode.h"

// The constants of cuBLAS's interface that this library knows. The toolkit's header is not needed
// to build it; the tests hold these against that header. A program may pass any number.

namespace warpsim::cublas {

enum class Status : int {
  success = 0,
  not_initialized = 1,
  alloc_failed = 3,
  invalid_value = 7,
  arch_mismatch = 8,
  mapping_error = 11,
  execution_failed = 13,
  internal_error = 14,
  not_supported = 15,
  license_error = 16,
};

enum class Operation : int { none = 0, transpose = 1, conjugate_transpose = 2 };
enum class Fill : int { lower = 0, upper = 1 };
enum class Diagonal : int { non_unit = 0, unit = 1 };
enum class MatrixSide : int { left = 0, right = 1 };

using libraries::DataType;
using libraries::PointerMode;
/// cublasComputeType_t
enum class Compute : int {
  f16 = 64,
  f16_pedantic = 65,
  f32 = 68,
  f32_pedantic = 69,
  f64 = 70,
  f64_pedantic = 71,
  f32_fast_f16 = 74,
  f32_fast_bf16 = 75,
  f32_fast_tf32 = 77,
};

/// The version of the interface: cuBLAS 13.1, of CUDA 13.0.
inline constexpr int kVersion = 130100;

}  // namespace warpsim::cublas
