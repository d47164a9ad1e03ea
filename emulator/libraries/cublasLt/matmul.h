#pragma once

#include <complex>
#include <cstddef>

#include "emulator/libraries/cublas/product_types.h"
#include "emulator/libraries/cublasLt/descriptors.h"

// D = epilogue(alpha op(A) op(B) + beta C), for one matrix each or many.

namespace warpsim::cublas_lt {

using libraries::Arguments;
using libraries::LibraryArgument;
using libraries::Use;

/// A product that check_matmul() has found to be right.
struct Product {
  MatmulDescriptor descriptor;
  Layout a, b, c, d;
  DataType scalar = DataType::f32;  // of alpha and beta

  [[nodiscard]] std::int64_t rows() const { return static_cast<std::int64_t>(d.rows); }
  [[nodiscard]] std::int64_t columns() const { return static_cast<std::int64_t>(d.columns); }
  [[nodiscard]] std::int64_t inner() const {
    return static_cast<std::int64_t>(descriptor.transa == Operation::none ? a.columns : a.rows);
  }
  [[nodiscard]] bool has(std::uint32_t part) const { return (descriptor.epilogue & part) != 0; }
  [[nodiscard]] DataType bias_type() const;
  [[nodiscard]] DataType auxiliary_type() const;
};

/// The descriptors of a product; reports the first that is refused.
Product check_matmul(Request& request, const void* handle, const MatmulDescriptor* descriptor,
                     const Layout* a, const Layout* b, const Layout* c, const Layout* d);
/// What a call needs beyond that: pointers.
void check_epilogue(Request& request, const Product& product);

/// The arrays of a call.
struct Operands {
  const void* a = nullptr;
  const void* b = nullptr;
  const void* c = nullptr;
  void* d = nullptr;
};

/// The arguments A, B, C, D, and those of the epilogue: bias, auxiliary.
[[nodiscard]] Arguments arguments_of(const Product& product, const Operands& operands, Use inputs,
                                     bool reads_c);

/// One product of a batch, on `host` of the arguments.
/// @tparam T  of the sums; alpha and beta in it
template <class T>
void multiply_one(const Product& product, T alpha, T beta, const Arguments& arguments,
                  std::int64_t number);

}  // namespace warpsim::cublas_lt
