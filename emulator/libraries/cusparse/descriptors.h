#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <optional>

#include "emulator/libraries/cusparse/types.h"

// What the program's handles and descriptors hold. Sizes are in elements.

namespace warpsim::cusparse {

/// cusparseHandle_t
struct Handle {
  cudaStream_t stream = nullptr;
  PointerMode pointer_mode = PointerMode::host;
};

/// cusparseDnVecDescr_t
struct DenseVector {
  std::int64_t size = 0;
  void* values = nullptr;
  DataType type = DataType::f32;
};

/// cusparseSpVecDescr_t
struct SparseVector {
  std::int64_t size = 0, entries = 0;
  void* indices = nullptr;
  void* values = nullptr;
  IndexType index_type = IndexType::i32;
  IndexBase base = IndexBase::zero;
  DataType type = DataType::f32;
};

/// cusparseDnMatDescr_t
struct DenseMatrix {
  std::int64_t rows = 0, columns = 0, leading = 0;
  void* values = nullptr;
  DataType type = DataType::f32;
  Order order = Order::column;
  int batch = 1;
  std::int64_t stride = 0;  // from one matrix of the batch to the next

  /// Where an element of the first matrix is.
  [[nodiscard]] std::size_t at(std::int64_t row, std::int64_t column) const {
    return static_cast<std::size_t>(order == Order::row ? row * leading + column
                                                        : column * leading + row);
  }
};

/// cusparseSpMatDescr_t
struct SparseMatrix {
  Format format = Format::csr;
  std::int64_t rows = 0, columns = 0;
  std::int64_t entries = 0;  // of BSR: blocks
  void* offsets = nullptr;  // of COO: the rows of the entries; of Blocked-ELL: none
  void* indices = nullptr;
  void* values = nullptr;
  IndexType offset_type = IndexType::i32, index_type = IndexType::i32;
  IndexBase base = IndexBase::zero;
  DataType type = DataType::f32;
  // Of blocks: BSR and Blocked-ELL.
  std::int64_t block_rows = 1, block_columns = 1;
  Order block_order = Order::row;
  std::int64_t ell_columns = 0;  // of values in each row
  std::optional<Fill> fill = {};
  std::optional<Diagonal> diagonal = {};
  int batch = 1;
  std::int64_t offsets_stride = 0, indices_stride = 0, values_stride = 0;

  /// Rows of blocks, or columns in CSC: what the offsets count.
  [[nodiscard]] std::int64_t lines() const {
    return format == Format::csc ? columns : rows / block_rows;
  }
  [[nodiscard]] std::int64_t offset_count() const;
  [[nodiscard]] std::int64_t index_count() const;
  [[nodiscard]] std::int64_t value_count() const;
};

/// cusparseMatDescr_t, of functions without the descriptors above. Only the base changes what they
/// do.
struct LegacyDescriptor {
  int type = 0;
  Fill fill = Fill::lower;
  Diagonal diagonal = Diagonal::non_unit;
  IndexBase base = IndexBase::zero;
};

}  // namespace warpsim::cusparse
