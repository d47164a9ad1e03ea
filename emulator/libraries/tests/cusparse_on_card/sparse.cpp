#include <algorithm>

#include "emulator/libraries/tests/cusparse_on_card/calls.h"

namespace cusparse_on_card {
namespace {

template <class T>
void spgemm(cusparseHandle_t handle) {
  const T alpha = on_card::random_value<T>(), beta = {};
  const auto a = randoms<T>(17, 13, 7), b = randoms<T>(13, 19, 7);
  const Sparse<T> on_a(a, CUSPARSE_FORMAT_CSR), on_b(b, CUSPARSE_FORMAT_CSR);
  cusparseSpMatDescr_t c = nullptr;
  cusparseCreateCsr(&c, 17, 19, 0, nullptr, nullptr, nullptr, CUSPARSE_INDEX_32I,
                    CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, kType<T>);
  cusparseSpGEMMDescr_t descriptor = nullptr;
  cusparseSpGEMM_createDescr(&descriptor);
  const auto algorithm = CUSPARSE_SPGEMM_DEFAULT;
  std::size_t bytes = 0;
  const auto estimate = [&](void* buffer) {
    return cusparseSpGEMM_workEstimation(handle, kPlain, kPlain, &alpha, on_a.descriptor,
                                         on_b.descriptor, &beta, c, kType<T>, algorithm, descriptor,
                                         &bytes, buffer);
  };
  const auto compute = [&](void* buffer) {
    return cusparseSpGEMM_compute(handle, kPlain, kPlain, &alpha, on_a.descriptor, on_b.descriptor,
                                  &beta, c, kType<T>, algorithm, descriptor, &bytes, buffer);
  };
  on_card::line(name_of("SpGEMM estimate size", kType<T>), estimate(nullptr));
  const Buffer first(bytes + 16);
  on_card::line(name_of("SpGEMM estimate", kType<T>), estimate(first.get()));
  std::int64_t count = 0, rows = 0, columns = 0;
  int status = cusparseSpGEMM_getNumProducts(descriptor, &count);
  on_card::line<T>(name_of("SpGEMM products", kType<T>), status, std::vector<std::int64_t>{count},
                   {0}, 0);
  on_card::line(name_of("SpGEMM compute size", kType<T>), compute(nullptr));
  const Buffer second(bytes + 16);
  on_card::line(name_of("SpGEMM compute", kType<T>), compute(second.get()));
  cusparseSpMatGetSize(c, &rows, &columns, &count);
  const DeviceArray<int> offsets(18), indices(static_cast<std::size_t>(count));
  const DeviceArray<T> values(static_cast<std::size_t>(count));
  cusparseCsrSetPointers(c, offsets.get(), indices.get(), values.get());
  status = cusparseSpGEMM_copy(handle, kPlain, kPlain, &alpha, on_a.descriptor, on_b.descriptor,
                               &beta, c, kType<T>, algorithm, descriptor);
  on_card::line<T>(name_of("SpGEMM offsets", kType<T>), status, offsets.values(), {0}, 0);
  on_card::line<T>(name_of("SpGEMM columns", kType<T>), status, indices.values(), {0}, 0);
  on_card::line<T>(name_of("SpGEMM values", kType<T>), status, values.values(),
                   {13 * on_card::modulus(alpha)}, 15);
  cusparseSpGEMM_destroyDescr(descriptor);
  cusparseDestroySpMat(c);
}

template <class T>
void solves(cusparseHandle_t handle) {
  constexpr int kOrder = 9;
  auto a = randoms<T>(kOrder, kOrder, 5);
  for (T& value : a.values) value = value / static_cast<T>(4.0 * kOrder);
  for (int i = 0; i < kOrder; ++i) {
    a.at(i, i) = on_card::random_value<T>() + static_cast<T>(i % 2 == 0 ? 2 : -2);
  }
  for (auto fill : {CUSPARSE_FILL_MODE_LOWER, CUSPARSE_FILL_MODE_UPPER}) {
    for (auto diagonal : {CUSPARSE_DIAG_TYPE_NON_UNIT, CUSPARSE_DIAG_TYPE_UNIT}) {
      for (const auto format : {CUSPARSE_FORMAT_CSR, CUSPARSE_FORMAT_COO}) {
        for (const auto op : kOperations) {
          const Sparse<T> matrix(a, format);
          cusparseSpMatSetAttribute(matrix.descriptor, CUSPARSE_SPMAT_FILL_MODE, &fill,
                                    sizeof(fill));
          cusparseSpMatSetAttribute(matrix.descriptor, CUSPARSE_SPMAT_DIAG_TYPE, &diagonal,
                                    sizeof(diagonal));
          const T alpha = on_card::random_value<T>();
          const std::string name = name_of(fill, diagonal, format, op, kType<T>);
          {
            const Vector<T> x(randoms<T>(kOrder, 1).values), y(randoms<T>(kOrder, 1).values);
            cusparseSpSVDescr_t descriptor = nullptr;
            cusparseSpSV_createDescr(&descriptor);
            std::size_t bytes = 0;
            int status = cusparseSpSV_bufferSize(handle, op, &alpha, matrix.descriptor,
                                                 x.descriptor, y.descriptor, kType<T>,
                                                 CUSPARSE_SPSV_ALG_DEFAULT, descriptor, &bytes);
            const Buffer buffer(bytes + 16);
            if (status == 0) {
              status = cusparseSpSV_analysis(handle, op, &alpha, matrix.descriptor, x.descriptor,
                                             y.descriptor, kType<T>, CUSPARSE_SPSV_ALG_DEFAULT,
                                             descriptor, buffer.get());
            }
            if (status == 0) {
              status =
                  cusparseSpSV_solve(handle, op, &alpha, matrix.descriptor, x.descriptor,
                                     y.descriptor, kType<T>, CUSPARSE_SPSV_ALG_DEFAULT, descriptor);
            }
            on_card::line<T>("SpSV " + name, status, y.values.values(),
                             {3 * on_card::modulus(alpha)}, kOrder + 3);
            cusparseSpSV_destroyDescr(descriptor);
          }
          for (const auto op_b : {kPlain, CUSPARSE_OPERATION_TRANSPOSE}) {
            const OnDevice<T> b(op_b == kPlain ? randoms<T>(kOrder, 3) : randoms<T>(3, kOrder));
            const OnDevice<T> c(randoms<T>(kOrder, 3));
            cusparseSpSMDescr_t descriptor = nullptr;
            cusparseSpSM_createDescr(&descriptor);
            std::size_t bytes = 0;
            int status = cusparseSpSM_bufferSize(handle, op, op_b, &alpha, matrix.descriptor,
                                                 b.descriptor, c.descriptor, kType<T>,
                                                 CUSPARSE_SPSM_ALG_DEFAULT, descriptor, &bytes);
            const Buffer buffer(bytes + 16);
            if (status == 0) {
              status = cusparseSpSM_analysis(handle, op, op_b, &alpha, matrix.descriptor,
                                             b.descriptor, c.descriptor, kType<T>,
                                             CUSPARSE_SPSM_ALG_DEFAULT, descriptor, buffer.get());
            }
            if (status == 0) {
              status =
                  cusparseSpSM_solve(handle, op, op_b, &alpha, matrix.descriptor, b.descriptor,
                                     c.descriptor, kType<T>, CUSPARSE_SPSM_ALG_DEFAULT, descriptor);
            }
            on_card::line<T>(name_of("SpSM " + name, op_b), status, c.get().values,
                             {3 * on_card::modulus(alpha)}, kOrder + 3);
            cusparseSpSM_destroyDescr(descriptor);
          }
        }
      }
    }
  }
}

template <class T>
void vectors(cusparseHandle_t handle) {
  const DeviceArray<int> indices(std::vector<int>{7, 2, 5});
  const DeviceArray<T> values(randoms<T>(3, 1).values);
  cusparseSpVecDescr_t x = nullptr;
  cusparseCreateSpVec(&x, 8, 3, indices.get(), values.get(), CUSPARSE_INDEX_32I,
                      CUSPARSE_INDEX_BASE_ZERO, kType<T>);
  const Vector<T> y(randoms<T>(8, 1).values);
  for (const auto op : {kPlain, CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE}) {
    T result = {};
    std::size_t bytes = 0;
    int status = cusparseSpVV_bufferSize(handle, op, x, y.descriptor, &result, kType<T>, &bytes);
    const Buffer buffer(bytes + 16);
    if (status == 0) {
      status = cusparseSpVV(handle, op, x, y.descriptor, &result, kType<T>, buffer.get());
    }
    on_card::line<T>(name_of("SpVV", op, kType<T>), status, std::vector<T>{result}, {3}, 4);
  }
  for (const bool zero : {false, true}) {
    const T alpha = on_card::random_value<T>(), beta = zero ? T{} : on_card::random_value<T>();
    const int status = cusparseAxpby(handle, &alpha, x, &beta, y.descriptor);
    on_card::line<T>(name_of("Axpby", zero, kType<T>), status, y.values.values(), {2}, 3);
  }
  const Vector<T> z(randoms<T>(8, 1).values);
  int status = cusparseGather(handle, z.descriptor, x);
  on_card::line<T>(name_of("Gather", kType<T>), status, values.values(), {0}, 0);
  const T c = on_card::random_value<T>(), s = on_card::random_value<T>();
  status = cusparseRot(handle, &c, &s, x, z.descriptor);
  on_card::line<T>(name_of("Rot of x", kType<T>), status, values.values(), {2}, 3);
  on_card::line<T>(name_of("Rot of y", kType<T>), status, z.values.values(), {2}, 3);
  status = cusparseScatter(handle, x, y.descriptor);
  on_card::line<T>(name_of("Scatter", kType<T>), status, y.values.values(), {4}, 4);
  cusparseDestroySpVec(x);
}

}  // namespace

void record_sparse(cusparseHandle_t handle) {
  spgemm<float>(handle);
  spgemm<double>(handle);
  spgemm<std::complex<float>>(handle);
  solves<float>(handle);
  solves<double>(handle);
  solves<std::complex<float>>(handle);
  solves<std::complex<double>>(handle);
  vectors<float>(handle);
  vectors<double>(handle);
  vectors<std::complex<float>>(handle);
  vectors<std::complex<double>>(handle);
}

}  // namespace cusparse_on_card
