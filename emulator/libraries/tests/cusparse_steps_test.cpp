#include <catch2/catch_test_macros.hpp>
#include <complex>
#include <vector>

#include "emulator/libraries/tests/cusparse_matrices.h"

// Results of cuSPARSE's functions that work in several steps, against sums written out here.

namespace {

using namespace cusparse_matrices;
using Complex = std::complex<float>;

}  // namespace

TEST_CASE("cuSPARSE multiplies two sparse matrices", "[libraries][cusparse]") {
  const Cusparse cusparse;
  const auto algorithm = CUSPARSE_SPGEMM_DEFAULT;
  const auto a = numbers<double>(5, 4, 1, 5), b = numbers<double>(4, 6, 2, 5);
  const double alpha = 2, beta = 0;
  const Sparse<double> on_a(a, CUSPARSE_FORMAT_CSR), on_b(b, CUSPARSE_FORMAT_CSR, 1);
  const Arrays<double, int> want(sum(2.0, product(a, b), 0.0, product(a, b)), CUSPARSE_FORMAT_CSR,
                                 0);
  cusparseSpMatDescr_t c = nullptr;
  cusparseCreateCsr(&c, 5, 6, 0, nullptr, nullptr, nullptr, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                    CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F);
  cusparseSpGEMMDescr_t descriptor = nullptr;
  REQUIRE(cusparseSpGEMM_createDescr(&descriptor) == CUSPARSE_STATUS_SUCCESS);
  const auto estimate = [&](std::size_t* bytes, void* buffer) {
    return cusparseSpGEMM_workEstimation(cusparse.handle, kPlain, kPlain, &alpha, on_a.descriptor,
                                         on_b.descriptor, &beta, c, CUDA_R_64F, algorithm,
                                         descriptor, bytes, buffer);
  };
  const auto compute = [&](std::size_t* bytes, void* buffer) {
    return cusparseSpGEMM_compute(cusparse.handle, kPlain, kPlain, &alpha, on_a.descriptor,
                                  on_b.descriptor, &beta, c, CUDA_R_64F, algorithm, descriptor,
                                  bytes, buffer);
  };
  std::size_t bytes = 0;
  REQUIRE(estimate(&bytes, nullptr) == CUSPARSE_STATUS_SUCCESS);
  const Buffer first(bytes);
  REQUIRE(estimate(&bytes, first.get()) == CUSPARSE_STATUS_SUCCESS);
  std::int64_t products = 0, want_products = 0;
  REQUIRE(cusparseSpGEMM_getNumProducts(descriptor, &products) == CUSPARSE_STATUS_SUCCESS);
  for (int k = 0; k < 4; ++k) {
    std::int64_t left = 0, right = 0;
    for (int i = 0; i < 5; ++i) left += a.at(i, k) != 0 ? 1 : 0;
    for (int j = 0; j < 6; ++j) right += b.at(k, j) != 0 ? 1 : 0;
    want_products += left * right;
  }
  CHECK(products == want_products);
  REQUIRE(compute(&bytes, nullptr) == CUSPARSE_STATUS_SUCCESS);
  const Buffer second(bytes);
  REQUIRE(compute(&bytes, second.get()) == CUSPARSE_STATUS_SUCCESS);
  std::int64_t rows = 0, columns = 0, entries = 0;
  cusparseSpMatGetSize(c, &rows, &columns, &entries);
  REQUIRE(entries == static_cast<std::int64_t>(want.values.size()));
  const DeviceArray<int> offsets(6), indices(want.values.size());
  const DeviceArray<double> values(want.values.size());
  cusparseCsrSetPointers(c, offsets.get(), indices.get(), values.get());
  REQUIRE(cusparseSpGEMM_copy(cusparse.handle, kPlain, kPlain, &alpha, on_a.descriptor,
                              on_b.descriptor, &beta, c, CUDA_R_64F, algorithm,
                              descriptor) == CUSPARSE_STATUS_SUCCESS);
  CHECK(offsets.values() == want.offsets);
  CHECK(indices.values() == want.indices);
  CHECK(values.values() == want.values);
  cusparseSpGEMM_destroyDescr(descriptor);
  cusparseDestroySpMat(c);
}

TEST_CASE("cuSPARSE multiplies dense matrices where a sparse one has entries",
          "[libraries][cusparse]") {
  const Cusparse cusparse;
  const float alpha = 2, beta = 3;
  for (const auto op_a : {kPlain, CUSPARSE_OPERATION_TRANSPOSE}) {
    for (const auto op_b : {kPlain, CUSPARSE_OPERATION_TRANSPOSE}) {
      const auto a = numbers<float>(op_a == kPlain ? 4 : 3, op_a == kPlain ? 3 : 4, 1);
      const auto b = numbers<float>(op_b == kPlain ? 3 : 5, op_b == kPlain ? 5 : 3, 2);
      const auto c = numbers<float>(4, 5, 3, 5);
      const OnDevice<float> on_a(a), on_b(b, CUSPARSE_ORDER_ROW);
      const Sparse<float> on_c(c, CUSPARSE_FORMAT_CSR);
      const Buffer buffer(16);
      REQUIRE(cusparseSDDMM(cusparse.handle, op_a, op_b, &alpha, on_a.descriptor, on_b.descriptor,
                            &beta, on_c.descriptor, CUDA_R_32F, CUSPARSE_SDDMM_ALG_DEFAULT,
                            buffer.get()) == CUSPARSE_STATUS_SUCCESS);
      const auto full = sum(alpha, product(a.after(op_a), b.after(op_b)), beta, c);
      std::vector<float> want;
      for (std::size_t i = 0; i < c.values.size(); ++i) {
        if (c.values[i] != 0) want.push_back(full.values[i]);
      }
      CHECK(on_c.values.values() == want);
    }
  }
}

namespace {

/// A matrix whose triangles both have a diagonal of powers of two, so that solves are exact.
template <class T>
Dense<T> solvable(int order) {
  auto a = numbers<T>(order, order, 1, 5);
  for (int i = 0; i < order; ++i) a.at(i, i) = T(i % 2 == 0 ? 2.0F : 0.5F);
  return a;
}

/// The triangle of the matrix that a solve uses.
template <class T>
Dense<T> triangle(Dense<T> a, cusparseFillMode_t fill, cusparseDiagType_t diagonal) {
  for (int row = 0; row < a.rows; ++row) {
    for (int column = 0; column < a.columns; ++column) {
      if (fill == CUSPARSE_FILL_MODE_LOWER ? column > row : column < row) a.at(row, column) = T{};
    }
    if (diagonal == CUSPARSE_DIAG_TYPE_UNIT) a.at(row, row) = T(1);
  }
  return a;
}

template <class T>
void check_solves() {
  const Cusparse cusparse;
  const T alpha = 2;
  const auto a = solvable<T>(4);
  for (auto fill : {CUSPARSE_FILL_MODE_LOWER, CUSPARSE_FILL_MODE_UPPER}) {
    for (auto diagonal : {CUSPARSE_DIAG_TYPE_NON_UNIT, CUSPARSE_DIAG_TYPE_UNIT}) {
      for (const auto format : {CUSPARSE_FORMAT_CSR, CUSPARSE_FORMAT_COO}) {
        for (const auto op : operations<T>()) {
          const Sparse<T> matrix(a, format);
          cusparseSpMatSetAttribute(matrix.descriptor, CUSPARSE_SPMAT_FILL_MODE, &fill,
                                    sizeof(fill));
          cusparseSpMatSetAttribute(matrix.descriptor, CUSPARSE_SPMAT_DIAG_TYPE, &diagonal,
                                    sizeof(diagonal));
          const auto x = numbers<T>(4, 3, 7);
          const auto left = triangle(a, fill, diagonal).after(op);
          const auto b = product(left, x);

          const OnDevice<T> on_b(b.after(CUSPARSE_OPERATION_TRANSPOSE), CUSPARSE_ORDER_ROW);
          const OnDevice<T> on_c(x);
          cusparseSpSMDescr_t sm = nullptr;
          cusparseSpSM_createDescr(&sm);
          std::size_t bytes = 0;
          REQUIRE(cusparseSpSM_bufferSize(cusparse.handle, op, CUSPARSE_OPERATION_TRANSPOSE, &alpha,
                                          matrix.descriptor, on_b.descriptor, on_c.descriptor,
                                          kType<T>, CUSPARSE_SPSM_ALG_DEFAULT, sm,
                                          &bytes) == CUSPARSE_STATUS_SUCCESS);
          const Buffer for_matrix(bytes);
          REQUIRE(cusparseSpSM_analysis(cusparse.handle, op, CUSPARSE_OPERATION_TRANSPOSE, &alpha,
                                        matrix.descriptor, on_b.descriptor, on_c.descriptor,
                                        kType<T>, CUSPARSE_SPSM_ALG_DEFAULT, sm,
                                        for_matrix.get()) == CUSPARSE_STATUS_SUCCESS);
          REQUIRE(cusparseSpSM_solve(cusparse.handle, op, CUSPARSE_OPERATION_TRANSPOSE, &alpha,
                                     matrix.descriptor, on_b.descriptor, on_c.descriptor, kType<T>,
                                     CUSPARSE_SPSM_ALG_DEFAULT, sm) == CUSPARSE_STATUS_SUCCESS);
          CHECK(on_c.get() == sum(T(2), x, T(0), x));
          cusparseSpSM_destroyDescr(sm);

          std::vector<T> right, want;
          for (int row = 0; row < 4; ++row) {
            right.push_back(b.at(row, 0));
            want.push_back(T(2) * x.at(row, 0));
          }
          const Vector<T> on_x(right), on_y(want);
          cusparseSpSVDescr_t sv = nullptr;
          cusparseSpSV_createDescr(&sv);
          REQUIRE(cusparseSpSV_bufferSize(cusparse.handle, op, &alpha, matrix.descriptor,
                                          on_x.descriptor, on_y.descriptor, kType<T>,
                                          CUSPARSE_SPSV_ALG_DEFAULT, sv,
                                          &bytes) == CUSPARSE_STATUS_SUCCESS);
          const Buffer for_vector(bytes);
          REQUIRE(cusparseSpSV_analysis(cusparse.handle, op, &alpha, matrix.descriptor,
                                        on_x.descriptor, on_y.descriptor, kType<T>,
                                        CUSPARSE_SPSV_ALG_DEFAULT, sv,
                                        for_vector.get()) == CUSPARSE_STATUS_SUCCESS);
          REQUIRE(cusparseSpSV_solve(cusparse.handle, op, &alpha, matrix.descriptor,
                                     on_x.descriptor, on_y.descriptor, kType<T>,
                                     CUSPARSE_SPSV_ALG_DEFAULT, sv) == CUSPARSE_STATUS_SUCCESS);
          CHECK(on_y.values.values() == want);
          cusparseSpSV_destroyDescr(sv);
        }
      }
    }
  }
}

}  // namespace

TEST_CASE("cuSPARSE solves triangular systems", "[libraries][cusparse]") {
  check_solves<float>();
  check_solves<double>();
  check_solves<Complex>();
}

TEST_CASE("a solve uses the values that the analysis or an update had", "[libraries][cusparse]") {
  const Cusparse cusparse;
  const float one = 1;
  Dense<float> a(2, 2);
  a.values = {2, 0, 1, 4};
  const Sparse<float> matrix(a, CUSPARSE_FORMAT_CSR);
  const Vector<float> x({2, 5}), y({0, 0});
  cusparseSpSVDescr_t sv = nullptr;
  cusparseSpSV_createDescr(&sv);
  std::size_t bytes = 0;
  cusparseSpSV_bufferSize(cusparse.handle, kPlain, &one, matrix.descriptor, x.descriptor,
                          y.descriptor, CUDA_R_32F, CUSPARSE_SPSV_ALG_DEFAULT, sv, &bytes);
  const Buffer buffer(bytes);
  const auto solve = [&] {
    REQUIRE(cusparseSpSV_solve(cusparse.handle, kPlain, &one, matrix.descriptor, x.descriptor,
                               y.descriptor, CUDA_R_32F, CUSPARSE_SPSV_ALG_DEFAULT,
                               sv) == CUSPARSE_STATUS_SUCCESS);
    return y.values.values();
  };
  cusparseSpSV_analysis(cusparse.handle, kPlain, &one, matrix.descriptor, x.descriptor,
                        y.descriptor, CUDA_R_32F, CUSPARSE_SPSV_ALG_DEFAULT, sv, buffer.get());
  const DeviceArray<float> changed(std::vector<float>{1, 10, 2});
  cudaMemcpy(matrix.values.get(), changed.get(), 12, cudaMemcpyDeviceToDevice);
  // These three were the same on an H200.
  CHECK(solve() == std::vector<float>{1, 1});
  cusparseSpSV_updateMatrix(cusparse.handle, sv, changed.get(), CUSPARSE_SPSV_UPDATE_GENERAL);
  CHECK(solve() == std::vector<float>{2, -7.5F});
  cusparseSpSV_updateMatrix(cusparse.handle, sv, x.values.get(), CUSPARSE_SPSV_UPDATE_DIAGONAL);
  CHECK(solve() == std::vector<float>{1, -1});
  cusparseSpSV_destroyDescr(sv);
}
