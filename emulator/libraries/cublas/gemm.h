#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "emulator/libraries/cublas/request.h"
#include "emulator/libraries/cublas/routines.h"

// C = alpha op(A) op(B) + beta C, for one matrix each or many, of any types.

namespace warpsim::cublas {

/// C has m x n elements, op(A) m x k and op(B) k x n.
struct GemmSizes {
  Operation transa = Operation::none, transb = Operation::none;
  std::int64_t m = 0, n = 0, k = 0;
  std::int64_t lda = 0, ldb = 0, ldc = 0;

  /// As they are stored.
  [[nodiscard]] MatrixShape a() const;
  [[nodiscard]] MatrixShape b() const;
  [[nodiscard]] MatrixShape c() const { return {.rows = m, .columns = n, .leading = ldc}; }
  [[nodiscard]] double operations() const;
};

/// The matrices in device memory; of a batch they lie at equal distances, in elements.
struct GemmOperands {
  const void* a = nullptr;
  const void* b = nullptr;
  void* c = nullptr;
  std::size_t a_bytes = 0, b_bytes = 0, c_bytes = 0;  // of an element
  std::int64_t stride_a = 0, stride_b = 0, stride_c = 0;
  std::int64_t batch = 1;
};

/// What depends on the types, by closures, which a graph may keep.
struct GemmWork {
  std::function<bool(const Arguments&parameters)> alpha_is_zero, beta_is_zero;
  /// One product.
  std::function<void(const Arguments& parameters, const GemmSizes& sizes, const std::byte* a,
                     const std::byte* b, std::byte* c)>
      multiply;
};

/// One product of matrices of one type. A and B may be null if the factor is 0.
template <class T>
void multiply(const GemmSizes& sizes, const T& factor, const T& kept, const std::byte* a,
              const std::byte* b, std::byte* c) {
  const int k = factor == T{} ? 0 : as_int(sizes.k);
  Blas<T>::gemm(CblasColMajor, cblas(sizes.transa), cblas(sizes.transb), as_int(sizes.m),
                as_int(sizes.n), k, pass(factor), reinterpret_cast<const T*>(a), as_int(sizes.lda),
                reinterpret_cast<const T*>(b), as_int(sizes.ldb), pass(kept),
                reinterpret_cast<T*>(c), as_int(sizes.ldc));
}

/// Checks the sizes, and runs the products.
Status gemm(Request& request, const GemmSizes& sizes, const GemmOperands& operands,
            const GemmWork& work);
/// The same with arrays of pointers, which lie in device memory: a, b and c of the operands.
Status gemm_of_pointers(Request& request, const GemmSizes& sizes, const GemmOperands& operands,
                        const GemmWork& work);

}  // namespace warpsim::cublas
