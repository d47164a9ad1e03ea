#pragma once

#include "emulator/libraries/numbers.h"
#include "emulator/libraries/pointer_mode.h"

// The constants of cuSPARSE's interface that this library knows. The toolkit's header is not needed
// to build it; the tests hold these against that header. A program may pass any number.

namespace warpsim::cusparse {

using libraries::DataType;
using libraries::PointerMode;

enum class Status : int {
  success = 0,
  not_initialized = 1,
  alloc_failed = 2,
  invalid_value = 3,
  arch_mismatch = 4,
  mapping_error = 5,
  execution_failed = 6,
  internal_error = 7,
  matrix_type_not_supported = 8,
  zero_pivot = 9,
  not_supported = 10,
  insufficient_resources = 11,
};

enum class Operation : int { none = 0, transpose = 1, conjugate_transpose = 2 };
enum class Fill : int { lower = 0, upper = 1 };
enum class Diagonal : int { non_unit = 0, unit = 1 };
enum class IndexBase : int { zero = 0, one = 1 };
enum class IndexType : int { u16 = 1, i32 = 2, i64 = 3 };
enum class Order : int { column = 1, row = 2 };
enum class Format : int { csr = 1, csc = 2, coo = 3, blocked_ell = 5, bsr = 6, sliced_ell = 7 };
/// cusparseSpMatAttribute_t
enum class Attribute : int { fill = 0, diagonal = 1 };
/// cusparseSpMVAlg_t
enum class MvAlgorithm : int { standard = 0, coo1 = 1, csr1 = 2, csr2 = 3, coo2 = 4, bsr1 = 6 };
/// cusparseSpSVUpdate_t and cusparseSpSMUpdate_t
enum class Update : int { general = 0, diagonal = 1 };
/// cusparseAction_t
enum class Action : int { symbolic = 0, numeric = 1 };

/// The version of the library: cuSPARSE 12.6, of CUDA 13.0.
inline constexpr int kVersion = 12603;

}  // namespace warpsim::cusparse
