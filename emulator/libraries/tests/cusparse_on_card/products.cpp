#include "emulator/libraries/tests/cusparse_on_card/calls.h"

namespace cusparse_on_card {
namespace {

/// |alpha| |op(A)| |op(B)| + |beta| |C|
template <class T, class S>
Dense<double> bound_of(S alpha, const Dense<T>& a, const Dense<T>& b, S beta,
                       const Dense<double>& c) {
  return sum(on_card::modulus(alpha), product(moduli(a), moduli(b)), on_card::modulus(beta), c);
}

/// @tparam S, Y  of sums and of the result
template <class T, class S, class Y, class Index>
void spmv(cusparseHandle_t handle) {
  const auto a = randoms<T>(37, 29, 8);
  for (const auto format : kFormats) {
    for (const auto op : kOperations) {
      for (const int base : {0, 1}) {
        for (const bool zero : {false, true}) {
          const S alpha = on_card::random_value<S>();
          const S beta = zero ? S{} : on_card::random_value<S>();
          const Sparse<T, Index> matrix(a, format, base);
          const auto left = a.after(op);
          const auto x = randoms<T>(left.columns, 1);
          const auto y = randoms<Y>(left.rows, 1);
          const Vector<T> on_x(x.values);
          const Vector<Y> on_y(y.values);
          std::size_t bytes = 0;
          int status =
              cusparseSpMV_bufferSize(handle, op, &alpha, matrix.descriptor, on_x.descriptor, &beta,
                                      on_y.descriptor, kType<S>, CUSPARSE_SPMV_ALG_DEFAULT, &bytes);
          const Buffer buffer(bytes + 16);
          if (status == 0) {
            status =
                cusparseSpMV(handle, op, &alpha, matrix.descriptor, on_x.descriptor, &beta,
                             on_y.descriptor, kType<S>, CUSPARSE_SPMV_ALG_DEFAULT, buffer.get());
          }
          const auto bound = bound_of(alpha, left, x, beta, moduli(y));
          on_card::line<S>(
              name_of("SpMV", format, op, base, zero, kType<T>, kType<Y>, sizeof(Index)), status,
              on_y.values.values(), bound.values, left.columns + 2);
        }
      }
    }
  }
}

template <class T, class S, class Y>
void spmm(cusparseHandle_t handle) {
  const auto a = randoms<T>(19, 23, 8);
  for (const auto format : kFormats) {
    for (const auto op_a : kOperations) {
      for (const auto op_b : kOperations) {
        for (const auto order : kOrders) {
          const S alpha = on_card::random_value<S>(), beta = on_card::random_value<S>();
          const Sparse<T> matrix(a, format);
          const auto left = a.after(op_a);
          const bool plain = op_b == kPlain;
          const auto b = randoms<T>(plain ? left.columns : 5, plain ? 5 : left.columns);
          const auto c = randoms<Y>(left.rows, 5);
          const OnDevice<T> on_b(b, order);
          const OnDevice<Y> on_c(c, order);
          std::size_t bytes = 0;
          int status = cusparseSpMM_bufferSize(handle, op_a, op_b, &alpha, matrix.descriptor,
                                               on_b.descriptor, &beta, on_c.descriptor, kType<S>,
                                               CUSPARSE_SPMM_ALG_DEFAULT, &bytes);
          const Buffer buffer(bytes + 16);
          if (status == 0) {
            status =
                cusparseSpMM(handle, op_a, op_b, &alpha, matrix.descriptor, on_b.descriptor, &beta,
                             on_c.descriptor, kType<S>, CUSPARSE_SPMM_ALG_DEFAULT, buffer.get());
          }
          const auto bound = bound_of(alpha, left, b.after(op_b), beta, moduli(c));
          on_card::line<S>(name_of("SpMM", format, op_a, op_b, order, kType<T>, kType<Y>), status,
                           on_c.get().values, bound.values, left.columns + 2);
        }
      }
    }
  }
}

template <class T>
void sddmm(cusparseHandle_t handle) {
  for (const auto op_a : kOperations) {
    for (const auto op_b : kOperations) {
      for (const auto order : kOrders) {
        const T alpha = on_card::random_value<T>(), beta = on_card::random_value<T>();
        const auto a = op_a == kPlain ? randoms<T>(13, 7) : randoms<T>(7, 13);
        const auto b = op_b == kPlain ? randoms<T>(7, 11) : randoms<T>(11, 7);
        const auto c = randoms<T>(13, 11, 6);
        const OnDevice<T> on_a(a, order), on_b(b, order);
        const Sparse<T> on_c(c, CUSPARSE_FORMAT_CSR);
        std::size_t bytes = 0;
        int status = cusparseSDDMM_bufferSize(handle, op_a, op_b, &alpha, on_a.descriptor,
                                              on_b.descriptor, &beta, on_c.descriptor, kType<T>,
                                              CUSPARSE_SDDMM_ALG_DEFAULT, &bytes);
        const Buffer buffer(bytes + 16);
        if (status == 0) {
          status =
              cusparseSDDMM(handle, op_a, op_b, &alpha, on_a.descriptor, on_b.descriptor, &beta,
                            on_c.descriptor, kType<T>, CUSPARSE_SDDMM_ALG_DEFAULT, buffer.get());
        }
        const auto full = bound_of(alpha, a.after(op_a), b.after(op_b), beta, moduli(c));
        std::vector<double> bound;
        for (std::size_t i = 0; i < c.values.size(); ++i) {
          if (c.values[i] != T{}) bound.push_back(full.values[i]);
        }
        on_card::line<T>(name_of("SDDMM", op_a, op_b, order, kType<T>), status,
                         on_c.values.values(), bound, 9);
      }
    }
  }
}

/// BSR of 2 x 2 blocks, of which three are there.
void bsr(cusparseHandle_t handle) {
  const float one = 1, zero = 0;
  for (const auto order : kOrders) {
    const DeviceArray<int> offsets(std::vector<int>{0, 2, 3}), indices(std::vector<int>{0, 1, 1});
    const DeviceArray<float> values(randoms<float>(12, 1).values);
    cusparseSpMatDescr_t matrix = nullptr;
    cusparseCreateBsr(&matrix, 2, 2, 3, 2, 2, offsets.get(), indices.get(), values.get(),
                      CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F,
                      order);
    const Buffer buffer(4096);
    const Vector<float> x(randoms<float>(4, 1).values), y(randoms<float>(4, 1).values);
    int status = cusparseSpMV(handle, kPlain, &one, matrix, x.descriptor, &zero, y.descriptor,
                              CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, buffer.get());
    on_card::line<float>(name_of("BSR SpMV", order), status, y.values.values(), {4}, 6);
    const OnDevice<float> b(randoms<float>(4, 4)), c(randoms<float>(4, 4));
    status = cusparseSpMM(handle, kPlain, kPlain, &one, matrix, b.descriptor, &zero, c.descriptor,
                          CUDA_R_32F, CUSPARSE_SPMM_ALG_DEFAULT, buffer.get());
    on_card::line<float>(name_of("BSR SpMM", order), status, c.get().values, {4}, 6);
    const OnDevice<float> dense(randoms<float>(4, 4));
    status = cusparseSparseToDense(handle, matrix, dense.descriptor,
                                   CUSPARSE_SPARSETODENSE_ALG_DEFAULT, buffer.get());
    on_card::line<float>(name_of("BSR to dense", order), status, dense.get().values, {0}, 0);
    cusparseDestroySpMat(matrix);
  }
}

/// Blocked-ELL of 2 x 2 blocks, two in each row. @param missing  the last one is not there
void blocked_ell(cusparseHandle_t handle, bool missing) {
  const float one = 1, zero = 0;
  const DeviceArray<int> indices(std::vector<int>{1, 2, 0, missing ? -1 : 1});
  auto all = randoms<__half>(4, 4);
  if (missing) all.at(2, 2) = all.at(2, 3) = all.at(3, 2) = all.at(3, 3) = 0.0F;
  const DeviceArray<__half> values(all.values);
  cusparseSpMatDescr_t matrix = nullptr;
  cusparseCreateBlockedEll(&matrix, 4, 6, 2, 4, indices.get(), values.get(), CUSPARSE_INDEX_32I,
                           CUSPARSE_INDEX_BASE_ZERO, CUDA_R_16F);
  const OnDevice<__half> b(randoms<__half>(6, 4)), c(randoms<__half>(4, 4));
  const Buffer buffer(4096);
  const int status =
      cusparseSpMM(handle, kPlain, kPlain, &one, matrix, b.descriptor, &zero, c.descriptor,
                   CUDA_R_32F, CUSPARSE_SPMM_ALG_DEFAULT, buffer.get());
  on_card::line<float>(name_of("BlockedEll", missing), status, c.get().values, {4}, 8);
  cusparseDestroySpMat(matrix);
}

/// Entries that are not sorted, and two for one element.
void unsorted(cusparseHandle_t handle) {
  const float one = 1, zero = 0;
  for (const auto format : kFormats) {
    for (const auto op : {kPlain, CUSPARSE_OPERATION_TRANSPOSE}) {
      Arrays<float, int> arrays(Dense<float>(3, 3), format, 0);
      const bool is_coo = format == CUSPARSE_FORMAT_COO;
      arrays.offsets = is_coo ? std::vector<int>{0, 0, 0, 2} : std::vector<int>{0, 3, 3, 4};
      arrays.indices = {2, 0, 2, 1};
      arrays.values = {1, 2, 4, 8};
      const Sparse<float> matrix(3, 3, arrays, format, 0);
      const Vector<float> x({1, 10, 100}), y({0, 0, 0});
      const Buffer buffer(4096);
      const int status =
          cusparseSpMV(handle, op, &one, matrix.descriptor, x.descriptor, &zero, y.descriptor,
                       CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, buffer.get());
      on_card::line<float>(name_of("SpMV unsorted", format, op), status, y.values.values(), {0}, 0);
    }
  }
}

}  // namespace

void record_products(cusparseHandle_t handle) {
  spmv<float, float, float, int>(handle);
  spmv<double, double, double, int>(handle);
  spmv<std::complex<float>, std::complex<float>, std::complex<float>, int>(handle);
  spmv<std::complex<double>, std::complex<double>, std::complex<double>, int>(handle);
  spmv<float, float, float, std::int64_t>(handle);
  spmv<__half, float, __half, int>(handle);
  spmv<__half, float, float, int>(handle);
  spmv<__nv_bfloat16, float, __nv_bfloat16, int>(handle);
  spmv<__nv_bfloat16, float, float, int>(handle);
  spmm<float, float, float>(handle);
  spmm<double, double, double>(handle);
  spmm<std::complex<float>, std::complex<float>, std::complex<float>>(handle);
  spmm<std::complex<double>, std::complex<double>, std::complex<double>>(handle);
  spmm<__half, float, __half>(handle);
  spmm<__half, float, float>(handle);
  spmm<__nv_bfloat16, float, float>(handle);
  sddmm<float>(handle);
  sddmm<double>(handle);
  sddmm<std::complex<float>>(handle);
  bsr(handle);
  blocked_ell(handle, false);
  blocked_ell(handle, true);
  unsorted(handle);
}

}  // namespace cusparse_on_card
