#pragma once

#include <cstdint>

#include "emulator/libraries/cublas/types.h"

// The constants of cublasLt's interface that this library knows, and what its descriptors hold. The
// toolkit's header is not needed to build it; the tests hold these against that header.

namespace warpsim::cublas_lt {

using cublas::Compute;
using cublas::DataType;
using cublas::Operation;

/// cublasLtOrder_t
enum class Order : int { column = 0, row = 1 };
/// cublasLtPointerMode_t, of which those with vectors are not covered
inline constexpr int kPointerModes = 5;

/// cublasLtEpilogue_t, as bits
inline constexpr std::uint32_t kDefault = 1;
inline constexpr std::uint32_t kRelu = 2;
inline constexpr std::uint32_t kBias = 4;
inline constexpr std::uint32_t kGelu = 32;
inline constexpr std::uint32_t kAuxiliary = 128;

/// cublasLtMatrixLayout_t: a matrix as it is stored.
struct Layout {
  static constexpr std::uint32_t kMagic = 0x4c61796f;
  std::uint32_t magic = kMagic;
  DataType type = DataType::f32;
  Order order = Order::column;
  std::int32_t batch = 1;
  std::uint64_t rows = 0, columns = 0;
  std::int64_t leading = 0;
  std::int64_t stride = 0;  // elements from one matrix of the batch to the next
};

/// cublasLtMatmulDesc_t
struct MatmulDescriptor {
  static constexpr std::uint32_t kMagic = 0x4d756c44;
  std::uint32_t magic = kMagic;
  Compute compute = Compute::f32;
  DataType scale = DataType::f32;
  std::int32_t pointer_mode = 0;
  Operation transa = Operation::none, transb = Operation::none, transc = Operation::none;
  std::uint32_t epilogue = kDefault;
  const void* bias = nullptr;
  std::int64_t bias_stride = 0;
  void* auxiliary = nullptr;
  std::int64_t auxiliary_leading = 0, auxiliary_stride = 0;
  std::int32_t bias_type = -1, auxiliary_type = -1;  // -1: that of D
  std::int32_t multiprocessors = 0;
  std::int8_t fast_accumulation = 0;
};

/// cublasLtMatmulPreference_t: accepted, and changes nothing.
struct Preference {
  static constexpr std::uint32_t kMagic = 0x50726566;
  std::uint32_t magic = kMagic;
  std::uint32_t search_mode = 0, reductions = 7;
  std::uint32_t alignments[4] = {256, 256, 256, 256};
  float waves = 0;
  std::uint64_t workspace_bytes = 0, implementations = ~std::uint64_t{0};
};

/// cublasLtMatmulAlgo_t: there is one.
struct Algorithm {
  static constexpr std::uint64_t kMagic = 0x416c676f;
  std::uint64_t magic = kMagic;
  std::uint64_t unused[7] = {};
};
static_assert(sizeof(Algorithm) == 8 * sizeof(std::uint64_t));

/// cublasLtMatmulHeuristicResult_t
struct HeuristicResult {
  Algorithm algorithm;
  std::size_t workspace_bytes = 0;
  cublas::Status state = cublas::Status::success;
  float waves = 1;
  int reserved[4] = {};
};

}  // namespace warpsim::cublas_lt
