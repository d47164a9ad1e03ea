#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cusparse.h>

#include <complex>
#include <cstdint>
#include <memory>
#include <vector>

#include "emulator/libraries/tests/device_array.h"

// Small matrices in every format, in device memory, for tests of cuSPARSE.

namespace cusparse_matrices {

template <class T>
inline constexpr bool kIsComplex = false;
template <class T>
inline constexpr bool kIsComplex<std::complex<T>> = true;

template <class T>
inline constexpr cudaDataType kType = CUDA_R_32F;
template <>
inline constexpr cudaDataType kType<double> = CUDA_R_64F;
template <>
inline constexpr cudaDataType kType<std::complex<float>> = CUDA_C_32F;
template <>
inline constexpr cudaDataType kType<std::complex<double>> = CUDA_C_64F;
template <>
inline constexpr cudaDataType kType<__half> = CUDA_R_16F;
template <>
inline constexpr cudaDataType kType<__nv_bfloat16> = CUDA_R_16BF;
template <class Index>
inline constexpr cusparseIndexType_t kIndex = sizeof(Index) == 8 ? CUSPARSE_INDEX_64I
                                                                 : CUSPARSE_INDEX_32I;

inline constexpr auto kPlain = CUSPARSE_OPERATION_NON_TRANSPOSE;
inline constexpr auto kFormats = {CUSPARSE_FORMAT_CSR, CUSPARSE_FORMAT_CSC, CUSPARSE_FORMAT_COO};
inline constexpr auto kOrders = {CUSPARSE_ORDER_COL, CUSPARSE_ORDER_ROW};
/// Real numbers are not conjugated.
template <class T>
std::vector<cusparseOperation_t> operations() {
  std::vector<cusparseOperation_t> all = {CUSPARSE_OPERATION_NON_TRANSPOSE,
                                          CUSPARSE_OPERATION_TRANSPOSE};
  if (kIsComplex<T>) all.push_back(CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE);
  return all;
}

/// A dense matrix in host memory, by rows.
template <class T>
struct Dense {
  int rows = 0, columns = 0;
  std::vector<T> values;

  Dense(int r, int c) : rows(r), columns(c), values(static_cast<std::size_t>(r * c)) {}
  T& at(int row, int column) { return values[static_cast<std::size_t>(row * columns + column)]; }
  const T& at(int row, int column) const {
    return values[static_cast<std::size_t>(row * columns + column)];
  }
  bool operator==(const Dense&) const = default;

  /// op(this)
  [[nodiscard]] Dense after(cusparseOperation_t operation) const {
    if (operation == CUSPARSE_OPERATION_NON_TRANSPOSE) return *this;
    Dense made(columns, rows);
    for (int row = 0; row < rows; ++row) {
      for (int column = 0; column < columns; ++column) {
        T value = at(row, column);
        if constexpr (kIsComplex<T>) {
          if (operation == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE) value = std::conj(value);
        }
        made.at(column, row) = value;
      }
    }
    return made;
  }
};

/// Small integers, so that every order of a sum gives the same. @param part  of the elements that
/// are 0, in tenths
template <class T>
Dense<T> numbers(int rows, int columns, int seed, int part = 0) {
  Dense<T> made(rows, columns);
  unsigned state = static_cast<unsigned>(seed) * 2654435761U + 12345U;
  for (T& value : made.values) {
    state = state * 1664525U + 1013904223U;
    if (static_cast<int>(state >> 16 & 1023U) % 10 < part) continue;
    const auto real = static_cast<float>(static_cast<int>(state >> 20 & 7U) + 1);
    if constexpr (!kIsComplex<T>) {
      value = static_cast<T>(real);
    } else {
      value = T(real, static_cast<float>(static_cast<int>(state >> 24 & 7U) - 3));
    }
  }
  return made;
}

template <class T>
Dense<T> product(const Dense<T>& a, const Dense<T>& b) {
  Dense<T> made(a.rows, b.columns);
  for (int i = 0; i < a.rows; ++i) {
    for (int j = 0; j < b.columns; ++j) {
      for (int k = 0; k < a.columns; ++k) made.at(i, j) += a.at(i, k) * b.at(k, j);
    }
  }
  return made;
}

/// x A + y B
template <class T>
Dense<T> sum(T x, const Dense<T>& a, T y, const Dense<T>& b) {
  Dense<T> made = a;
  for (std::size_t i = 0; i < made.values.size(); ++i) {
    made.values[i] = x * a.values[i] + y * b.values[i];
  }
  return made;
}

struct Cusparse {
  cusparseHandle_t handle = nullptr;
  Cusparse() { cusparseCreate(&handle); }
  ~Cusparse() { cusparseDestroy(handle); }
  Cusparse(const Cusparse&) = delete;
  Cusparse& operator=(const Cusparse&) = delete;
};

/// The arrays of a sparse matrix in the format's order, from its elements that are not 0.
template <class T, class Index>
struct Arrays {
  std::vector<Index> offsets, indices;  // of COO: rows and columns
  std::vector<T> values;

  Arrays(const Dense<T>& a, cusparseFormat_t format, int base) {
    const bool by_columns = format == CUSPARSE_FORMAT_CSC;
    const bool is_coo = format == CUSPARSE_FORMAT_COO;
    for (int line = 0; line < (by_columns ? a.columns : a.rows); ++line) {
      if (!is_coo) offsets.push_back(static_cast<Index>(values.size()) + base);
      for (int i = 0; i < (by_columns ? a.rows : a.columns); ++i) {
        const T value = by_columns ? a.at(i, line) : a.at(line, i);
        if (value == T{}) continue;
        if (is_coo) offsets.push_back(line + base);
        indices.push_back(i + base);
        values.push_back(value);
      }
    }
    if (!is_coo) offsets.push_back(static_cast<Index>(values.size()) + base);
  }
};

/// In device memory, with its descriptor.
template <class T, class Index = int>
class Sparse {
 public:
  Sparse(const Dense<T>& a, cusparseFormat_t format, int base = 0)
      : Sparse(a.rows, a.columns, Arrays<T, Index>(a, format, base), format, base) {}
  Sparse(int rows, int columns, const Arrays<T, Index>& arrays, cusparseFormat_t format, int base)
      : rows_(rows),
        columns_(columns),
        entries_(static_cast<int>(arrays.values.size())),
        offsets(arrays.offsets),
        indices(arrays.indices),
        values(arrays.values) {
    const auto index_base = static_cast<cusparseIndexBase_t>(base);
    if (format == CUSPARSE_FORMAT_COO) {
      cusparseCreateCoo(&descriptor, rows, columns, entries_, offsets.get(), indices.get(),
                        values.get(), kIndex<Index>, index_base, kType<T>);
    } else {
      const auto create = format == CUSPARSE_FORMAT_CSC ? cusparseCreateCsc : cusparseCreateCsr;
      create(&descriptor, rows, columns, entries_, offsets.get(), indices.get(), values.get(),
             kIndex<Index>, kIndex<Index>, index_base, kType<T>);
    }
  }
  ~Sparse() { cusparseDestroySpMat(descriptor); }
  Sparse(const Sparse&) = delete;
  Sparse& operator=(const Sparse&) = delete;

 private:
  int rows_, columns_, entries_;

 public:
  const DeviceArray<Index> offsets, indices;
  const DeviceArray<T> values;
  cusparseSpMatDescr_t descriptor = nullptr;
};

/// A dense matrix in device memory with a gap after each row or column, which holds the first
/// element's value.
template <class T>
class OnDevice {
 public:
  explicit OnDevice(const Dense<T>& a, cusparseOrder_t order = CUSPARSE_ORDER_COL)
      : rows_(a.rows),
        columns_(a.columns),
        order_(order),
        leading_((order == CUSPARSE_ORDER_ROW ? a.columns : a.rows) + 2),
        values(laid_out(a)) {
    cusparseCreateDnMat(&descriptor, a.rows, a.columns, leading_, values.get(), kType<T>, order);
  }
  ~OnDevice() { cusparseDestroyDnMat(descriptor); }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

  [[nodiscard]] Dense<T> get() const {
    const std::vector<T> all = values.values();
    Dense<T> made(rows_, columns_);
    for (int row = 0; row < rows_; ++row) {
      for (int column = 0; column < columns_; ++column) {
        made.at(row, column) = all[place(row, column)];
      }
    }
    return made;
  }

 private:
  [[nodiscard]] std::size_t place(int row, int column) const {
    return static_cast<std::size_t>(order_ == CUSPARSE_ORDER_ROW ? row * leading_ + column
                                                                 : column * leading_ + row);
  }
  [[nodiscard]] std::vector<T> laid_out(const Dense<T>& a) const {
    const int lines = order_ == CUSPARSE_ORDER_ROW ? a.rows : a.columns;
    std::vector<T> all(static_cast<std::size_t>(lines * leading_), a.values[0]);
    for (int row = 0; row < a.rows; ++row) {
      for (int column = 0; column < a.columns; ++column) {
        all[place(row, column)] = a.at(row, column);
      }
    }
    return all;
  }

  int rows_, columns_;
  cusparseOrder_t order_;
  int leading_;

 public:
  const DeviceArray<T> values;
  cusparseDnMatDescr_t descriptor = nullptr;
};

template <class T>
class Vector {
 public:
  explicit Vector(const std::vector<T>& all) : values(all) {
    cusparseCreateDnVec(&descriptor, static_cast<std::int64_t>(all.size()), values.get(), kType<T>);
  }
  ~Vector() { cusparseDestroyDnVec(descriptor); }
  Vector(const Vector&) = delete;
  Vector& operator=(const Vector&) = delete;

  const DeviceArray<T> values;
  cusparseDnVecDescr_t descriptor = nullptr;
};

/// The memory that a function asks for: Buffer(bytes).get()
using Buffer = DeviceArray<char>;

}  // namespace cusparse_matrices
