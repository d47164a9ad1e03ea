#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <complex>
#include <cstring>
#include <numeric>
#include <vector>

#include "emulator/libraries/cusparse/types.h"
#include "emulator/libraries/tests/cusparse_matrices.h"

// Results of cuSPARSE's functions, against sums written out here.

namespace {

using namespace cusparse_matrices;
using Complex = std::complex<float>;
namespace own = warpsim::cusparse;

static_assert(static_cast<int>(own::Status::not_supported) == CUSPARSE_STATUS_NOT_SUPPORTED);
static_assert(static_cast<int>(own::Status::invalid_value) == CUSPARSE_STATUS_INVALID_VALUE);
static_assert(static_cast<int>(own::Status::insufficient_resources) ==
              CUSPARSE_STATUS_INSUFFICIENT_RESOURCES);
static_assert(static_cast<int>(own::Operation::conjugate_transpose) ==
              CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE);
static_assert(static_cast<int>(own::Fill::upper) == CUSPARSE_FILL_MODE_UPPER);
static_assert(static_cast<int>(own::Diagonal::unit) == CUSPARSE_DIAG_TYPE_UNIT);
static_assert(static_cast<int>(own::IndexBase::one) == CUSPARSE_INDEX_BASE_ONE);
static_assert(static_cast<int>(own::IndexType::i64) == CUSPARSE_INDEX_64I);
static_assert(static_cast<int>(own::IndexType::u16) == CUSPARSE_INDEX_16U);
static_assert(static_cast<int>(own::Order::row) == CUSPARSE_ORDER_ROW);
static_assert(static_cast<int>(own::Format::blocked_ell) == CUSPARSE_FORMAT_BLOCKED_ELL);
static_assert(static_cast<int>(own::Format::bsr) == CUSPARSE_FORMAT_BSR);
static_assert(static_cast<int>(own::Format::coo) == CUSPARSE_FORMAT_COO);
static_assert(static_cast<int>(own::Attribute::diagonal) == CUSPARSE_SPMAT_DIAG_TYPE);
static_assert(static_cast<int>(own::MvAlgorithm::coo2) == CUSPARSE_SPMV_COO_ALG2);
static_assert(static_cast<int>(own::MvAlgorithm::csr2) == CUSPARSE_SPMV_CSR_ALG2);
static_assert(static_cast<int>(own::Update::diagonal) == CUSPARSE_SPSV_UPDATE_DIAGONAL);
static_assert(static_cast<int>(own::Action::numeric) == CUSPARSE_ACTION_NUMERIC);
static_assert(own::kVersion == CUSPARSE_VERSION);

/// y = alpha op(A) x + beta y
template <class T>
void spmv(cusparseHandle_t handle, cusparseOperation_t op, const T* alpha,
          cusparseSpMatDescr_t matrix, const Vector<T>& x, const T* beta, const Vector<T>& y) {
  std::size_t bytes = 0;
  REQUIRE(cusparseSpMV_bufferSize(handle, op, alpha, matrix, x.descriptor, beta, y.descriptor,
                                  kType<T>, CUSPARSE_SPMV_ALG_DEFAULT,
                                  &bytes) == CUSPARSE_STATUS_SUCCESS);
  const Buffer buffer(bytes);
  REQUIRE(cusparseSpMV(handle, op, alpha, matrix, x.descriptor, beta, y.descriptor, kType<T>,
                       CUSPARSE_SPMV_ALG_DEFAULT, buffer.get()) == CUSPARSE_STATUS_SUCCESS);
}

template <class T, class Index>
void check_spmv() {
  const Cusparse cusparse;
  const auto a = numbers<T>(7, 5, 1, 6);
  const T alpha = 2, beta = 3;
  for (const auto format : kFormats) {
    for (const auto op : operations<T>()) {
      for (const int base : {0, 1}) {
        const Sparse<T, Index> matrix(a, format, base);
        const auto left = a.after(op);
        const auto x = numbers<T>(left.columns, 1, 2), y = numbers<T>(left.rows, 1, 3);
        const Vector<T> on_x(x.values), on_y(y.values);
        spmv(cusparse.handle, op, &alpha, matrix.descriptor, on_x, &beta, on_y);
        CHECK(on_y.values.values() == sum(alpha, product(left, x), beta, y).values);
      }
    }
  }
}

}  // namespace

TEST_CASE("cuSPARSE multiplies a sparse matrix by a vector", "[libraries][cusparse]") {
  check_spmv<float, int>();
  check_spmv<double, int>();
  check_spmv<Complex, int>();
  check_spmv<std::complex<double>, int>();
  check_spmv<float, std::int64_t>();
}

TEST_CASE("cuSPARSE takes its factors from device memory", "[libraries][cusparse]") {
  const Cusparse cusparse;
  REQUIRE(cusparseSetPointerMode(cusparse.handle, CUSPARSE_POINTER_MODE_DEVICE) ==
          CUSPARSE_STATUS_SUCCESS);
  const auto a = numbers<float>(4, 4, 1, 5), x = numbers<float>(4, 1, 2);
  const Sparse<float> matrix(a, CUSPARSE_FORMAT_CSR);
  const Vector<float> on_x(x.values), on_y(std::vector<float>(4, NAN));
  const DeviceArray<float> factors(std::vector<float>{2, 0});
  spmv<float>(cusparse.handle, kPlain, factors.get(), matrix.descriptor, on_x, factors.get() + 1,
              on_y);
  CHECK(on_y.values.values() == sum(2.0F, product(a, x), 0.0F, x).values);
}

TEST_CASE("with a factor of 0 cuSPARSE does not read what it multiplies", "[libraries][cusparse]") {
  const Cusparse cusparse;
  const Sparse<float> matrix(numbers<float>(2, 2, 1), CUSPARSE_FORMAT_CSR);
  const Vector<float> x({NAN, NAN}), y({1, 2});
  const float zero = 0, three = 3;
  spmv(cusparse.handle, kPlain, &zero, matrix.descriptor, x, &three, y);
  CHECK(y.values.values() == std::vector<float>{3, 6});
}

TEST_CASE("entries of a matrix may be in any order, and several for one element",
          "[libraries][cusparse]") {
  const Cusparse cusparse;
  Arrays<float, int> arrays(Dense<float>(2, 3), CUSPARSE_FORMAT_CSR, 0);
  arrays.offsets = {0, 3, 4};
  arrays.indices = {2, 0, 2, 1};
  arrays.values = {1, 2, 4, 8};
  const Sparse<float> matrix(2, 3, arrays, CUSPARSE_FORMAT_CSR, 0);
  const Vector<float> x({1, 10, 100}), y({0, 0});
  const float one = 1, zero = 0;
  spmv(cusparse.handle, kPlain, &one, matrix.descriptor, x, &zero, y);
  CHECK(y.values.values() == std::vector<float>{502, 80});
}

TEST_CASE("cuSPARSE multiplies f16 and bf16 with sums in float", "[libraries][cusparse]") {
  const Cusparse cusparse;
  const float one = 1, zero = 0;
  const auto check = [&](auto number) {
    using T = decltype(number);
    // The sum of the products, 256 + 1/64, is a float and neither f16 nor bf16.
    const DeviceArray<int> offsets(std::vector<int>{0, 2}), indices(std::vector<int>{0, 1});
    const DeviceArray<T> values(std::vector<T>{T(16.0F), T(0.125F)});
    cusparseSpMatDescr_t matrix = nullptr;
    cusparseCreateCsr(&matrix, 1, 2, 2, offsets.get(), indices.get(), values.get(),
                      CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, kType<T>);
    const Vector<T> x({T(16.0F), T(0.125F)}), narrow({T(0.0F)});
    const Vector<float> wide({0});
    const Buffer buffer(64);
    for (const auto y : {narrow.descriptor, wide.descriptor}) {
      REQUIRE(cusparseSpMV(cusparse.handle, kPlain, &one, matrix, x.descriptor, &zero, y,
                           CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT,
                           buffer.get()) == CUSPARSE_STATUS_SUCCESS);
    }
    CHECK(static_cast<float>(narrow.values.values()[0]) == 256);
    CHECK(wide.values.values() == std::vector<float>{256.015625F});
    cusparseDestroySpMat(matrix);
  };
  check(__half{});
  check(__nv_bfloat16{});
}

TEST_CASE("cuSPARSE multiplies blocks", "[libraries][cusparse]") {
  const Cusparse cusparse;
  const float one = 1, zero = 0;
  // | 0 0 0 1 2 3 |
  // | 0 0 0 4 5 6 |
  for (const auto order : kOrders) {
    const DeviceArray<int> offsets(std::vector<int>{0, 1}), indices(std::vector<int>{1});
    const bool by_rows = order == CUSPARSE_ORDER_ROW;
    const DeviceArray<float> values(by_rows ? std::vector<float>{1, 2, 3, 4, 5, 6}
                                            : std::vector<float>{1, 4, 2, 5, 3, 6});
    cusparseSpMatDescr_t matrix = nullptr;
    REQUIRE(cusparseCreateBsr(&matrix, 1, 2, 1, 2, 3, offsets.get(), indices.get(), values.get(),
                              CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                              CUDA_R_32F, order) == CUSPARSE_STATUS_SUCCESS);
    const Vector<float> x({7, 7, 7, 1, 10, 100}), y({0, 0});
    spmv(cusparse.handle, kPlain, &one, matrix, x, &zero, y);
    CHECK(y.values.values() == std::vector<float>{321, 654});
    cusparseDestroySpMat(matrix);
  }
  // Blocked-ELL: | 0 0 1 2 |  with a second column of blocks that is not there
  //              | 0 0 3 4 |
  const DeviceArray<int> indices(std::vector<int>{1, -1});
  const DeviceArray<float> values(std::vector<float>{1, 2, 0, 0, 3, 4, 0, 0});
  cusparseSpMatDescr_t matrix = nullptr;
  REQUIRE(cusparseCreateBlockedEll(&matrix, 2, 4, 2, 4, indices.get(), values.get(),
                                   CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                                   CUDA_R_32F) == CUSPARSE_STATUS_SUCCESS);
  Dense<float> b(4, 1);
  b.values = {7, 7, 1, 10};
  const OnDevice<float> on_b(b), on_c(Dense<float>(2, 1));
  REQUIRE(cusparseSpMM(cusparse.handle, kPlain, kPlain, &one, matrix, on_b.descriptor, &zero,
                       on_c.descriptor, CUDA_R_32F, CUSPARSE_SPMM_ALG_DEFAULT,
                       nullptr) == CUSPARSE_STATUS_SUCCESS);
  CHECK(on_c.get().values == std::vector<float>{21, 43});
  cusparseDestroySpMat(matrix);
}

namespace {

template <class T>
void check_spmm() {
  const Cusparse cusparse;
  const auto a = numbers<T>(6, 4, 1, 6);
  const T alpha = 2, beta = 3;
  for (const auto format : kFormats) {
    for (const auto op_a : operations<T>()) {
      for (const auto op_b : operations<T>()) {
        for (const auto order : kOrders) {
          const Sparse<T> matrix(a, format);
          const auto left = a.after(op_a);
          const bool plain = op_b == kPlain;
          const auto b = numbers<T>(plain ? left.columns : 3, plain ? 3 : left.columns, 2);
          const auto c = numbers<T>(left.rows, 3, 3);
          const OnDevice<T> on_b(b, order), on_c(c, order);
          std::size_t bytes = 0;
          REQUIRE(cusparseSpMM_bufferSize(cusparse.handle, op_a, op_b, &alpha, matrix.descriptor,
                                          on_b.descriptor, &beta, on_c.descriptor, kType<T>,
                                          CUSPARSE_SPMM_ALG_DEFAULT,
                                          &bytes) == CUSPARSE_STATUS_SUCCESS);
          const Buffer buffer(bytes);
          REQUIRE(cusparseSpMM(cusparse.handle, op_a, op_b, &alpha, matrix.descriptor,
                               on_b.descriptor, &beta, on_c.descriptor, kType<T>,
                               CUSPARSE_SPMM_ALG_DEFAULT, buffer.get()) == CUSPARSE_STATUS_SUCCESS);
          CHECK(on_c.get() == sum(alpha, product(left, b.after(op_b)), beta, c));
        }
      }
    }
  }
}

}  // namespace

TEST_CASE("cuSPARSE multiplies a sparse by a dense matrix", "[libraries][cusparse]") {
  check_spmm<float>();
  check_spmm<double>();
  check_spmm<Complex>();
  check_spmm<std::complex<double>>();
}

TEST_CASE("cuSPARSE multiplies batches", "[libraries][cusparse]") {
  const Cusparse cusparse;
  const float one = 1, zero = 0;
  const Sparse<float> both(
      1, 2,
      [] {
        Arrays<float, int> arrays(Dense<float>(1, 2), CUSPARSE_FORMAT_CSR, 0);
        arrays.offsets = {0, 1, 0, 1};
        arrays.indices = {0, 1};
        arrays.values = {2, 3};
        return arrays;
      }(),
      CUSPARSE_FORMAT_CSR, 0);
  cusparseSpMatDescr_t matrix = nullptr;
  cusparseCreateCsr(&matrix, 1, 2, 1, both.offsets.get(), both.indices.get(), both.values.get(),
                    CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
  REQUIRE(cusparseCsrSetStridedBatch(matrix, 2, 2, 1) == CUSPARSE_STATUS_SUCCESS);
  const DeviceArray<float> b(std::vector<float>{1, 10, 100, 1000}), c(2);
  cusparseDnMatDescr_t on_b = nullptr, on_c = nullptr;
  cusparseCreateDnMat(&on_b, 2, 1, 2, b.get(), CUDA_R_32F, CUSPARSE_ORDER_COL);
  cusparseCreateDnMat(&on_c, 1, 1, 1, c.get(), CUDA_R_32F, CUSPARSE_ORDER_COL);
  REQUIRE(cusparseDnMatSetStridedBatch(on_b, 2, 2) == CUSPARSE_STATUS_SUCCESS);
  REQUIRE(cusparseDnMatSetStridedBatch(on_c, 2, 1) == CUSPARSE_STATUS_SUCCESS);
  REQUIRE(cusparseSpMM(cusparse.handle, kPlain, kPlain, &one, matrix, on_b, &zero, on_c, CUDA_R_32F,
                       CUSPARSE_SPMM_ALG_DEFAULT, nullptr) == CUSPARSE_STATUS_SUCCESS);
  CHECK(c.values() == std::vector<float>{2, 3000});
  cusparseDestroySpMat(matrix);
  cusparseDestroyDnMat(on_b);
  cusparseDestroyDnMat(on_c);
}

TEST_CASE("cuSPARSE works on sparse vectors", "[libraries][cusparse]") {
  const Cusparse cusparse;
  const DeviceArray<int> indices(std::vector<int>{4, 1});
  const DeviceArray<Complex> values(std::vector<Complex>{{1, 1}, {2, 0}});
  cusparseSpVecDescr_t x = nullptr;
  cusparseCreateSpVec(&x, 4, 2, indices.get(), values.get(), CUSPARSE_INDEX_32I,
                      CUSPARSE_INDEX_BASE_ONE, CUDA_C_32F);
  const std::vector<Complex> dense = {{1, 0}, {2, 0}, {3, 0}, {4, 2}};

  const Vector<Complex> y(dense);
  Complex result;
  std::size_t bytes = 0;
  for (const bool conjugated : {false, true}) {
    const auto op = conjugated ? CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE : kPlain;
    REQUIRE(cusparseSpVV_bufferSize(cusparse.handle, op, x, y.descriptor, &result, CUDA_C_32F,
                                    &bytes) == CUSPARSE_STATUS_SUCCESS);
    const Buffer buffer(bytes);
    REQUIRE(cusparseSpVV(cusparse.handle, op, x, y.descriptor, &result, CUDA_C_32F, buffer.get()) ==
            CUSPARSE_STATUS_SUCCESS);
    CHECK(result == (conjugated ? Complex(8, -2) : Complex(4, 6)));
  }

  const Complex alpha = 2, beta = 10;
  REQUIRE(cusparseAxpby(cusparse.handle, &alpha, x, &beta, y.descriptor) ==
          CUSPARSE_STATUS_SUCCESS);
  CHECK(y.values.values() == std::vector<Complex>{{14, 0}, {20, 0}, {30, 0}, {42, 22}});

  const Vector<Complex> source(dense);
  REQUIRE(cusparseGather(cusparse.handle, source.descriptor, x) == CUSPARSE_STATUS_SUCCESS);
  CHECK(values.values() == std::vector<Complex>{{4, 2}, {1, 0}});

  const Vector<Complex> target(std::vector<Complex>(4));
  REQUIRE(cusparseScatter(cusparse.handle, x, target.descriptor) == CUSPARSE_STATUS_SUCCESS);
  CHECK(target.values.values() == std::vector<Complex>{{1, 0}, {0, 0}, {0, 0}, {4, 2}});

  const Complex c = 2, s = 3;
  REQUIRE(cusparseRot(cusparse.handle, &c, &s, x, source.descriptor) == CUSPARSE_STATUS_SUCCESS);
  CHECK(values.values() == std::vector<Complex>{{20, 10}, {5, 0}});
  CHECK(source.values.values() == std::vector<Complex>{{-1, 0}, {2, 0}, {3, 0}, {-4, -2}});
  cusparseDestroySpVec(x);
}

TEST_CASE("cuSPARSE makes a dense matrix of a sparse one", "[libraries][cusparse]") {
  const Cusparse cusparse;
  const auto a = numbers<double>(4, 3, 1, 6);
  for (const auto format : kFormats) {
    for (const auto order : kOrders) {
      const Sparse<double> matrix(a, format, 1);
      const OnDevice<double> dense(numbers<double>(4, 3, 9), order);
      std::size_t bytes = 0;
      REQUIRE(cusparseSparseToDense_bufferSize(cusparse.handle, matrix.descriptor, dense.descriptor,
                                               CUSPARSE_SPARSETODENSE_ALG_DEFAULT,
                                               &bytes) == CUSPARSE_STATUS_SUCCESS);
      const Buffer buffer(bytes);
      REQUIRE(cusparseSparseToDense(cusparse.handle, matrix.descriptor, dense.descriptor,
                                    CUSPARSE_SPARSETODENSE_ALG_DEFAULT,
                                    buffer.get()) == CUSPARSE_STATUS_SUCCESS);
      CHECK(dense.get() == a);
    }
  }
}

TEST_CASE("cuSPARSE makes a sparse matrix of a dense one", "[libraries][cusparse]") {
  const Cusparse cusparse;
  auto a = numbers<float>(4, 3, 1, 6);
  a.at(0, 1) = -0.0F;
  for (const auto format : kFormats) {
    for (const auto order : kOrders) {
      const OnDevice<float> dense(a, order);
      const Arrays<float, int> want(a, format, 1);
      const DeviceArray<int> offsets(want.offsets.size()), indices(12);
      const DeviceArray<float> values(12);
      cusparseSpMatDescr_t matrix = nullptr;
      if (format == CUSPARSE_FORMAT_COO) {
        cusparseCreateCoo(&matrix, 4, 3, 0, nullptr, nullptr, nullptr, CUSPARSE_INDEX_32I,
                          CUSPARSE_INDEX_BASE_ONE, CUDA_R_32F);
      } else {
        const auto create = format == CUSPARSE_FORMAT_CSC ? cusparseCreateCsc : cusparseCreateCsr;
        create(&matrix, 4, 3, 0, offsets.get(), nullptr, nullptr, CUSPARSE_INDEX_32I,
               CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ONE, CUDA_R_32F);
      }
      const auto algorithm = CUSPARSE_DENSETOSPARSE_ALG_DEFAULT;
      std::size_t bytes = 0;
      REQUIRE(cusparseDenseToSparse_bufferSize(cusparse.handle, dense.descriptor, matrix, algorithm,
                                               &bytes) == CUSPARSE_STATUS_SUCCESS);
      const Buffer buffer(bytes);
      REQUIRE(cusparseDenseToSparse_analysis(cusparse.handle, dense.descriptor, matrix, algorithm,
                                             buffer.get()) == CUSPARSE_STATUS_SUCCESS);
      std::int64_t rows = 0, columns = 0, entries = 0;
      cusparseSpMatGetSize(matrix, &rows, &columns, &entries);
      REQUIRE(entries == static_cast<std::int64_t>(want.values.size()));
      if (format == CUSPARSE_FORMAT_COO) {
        cusparseCooSetPointers(matrix, offsets.get(), indices.get(), values.get());
      } else {
        (format == CUSPARSE_FORMAT_CSC ? cusparseCscSetPointers : cusparseCsrSetPointers)(
            matrix, offsets.get(), indices.get(), values.get());
      }
      REQUIRE(cusparseDenseToSparse_convert(cusparse.handle, dense.descriptor, matrix, algorithm,
                                            buffer.get()) == CUSPARSE_STATUS_SUCCESS);
      CHECK(offsets.values() == want.offsets);
      auto found_indices = indices.values();
      auto found_values = values.values();
      found_indices.resize(want.indices.size());
      found_values.resize(want.values.size());
      CHECK(found_indices == want.indices);
      CHECK(found_values == want.values);
      cusparseDestroySpMat(matrix);
    }
  }
}

TEST_CASE("cuSPARSE converts and sorts indices", "[libraries][cusparse]") {
  const Cusparse cusparse;
  const auto base = CUSPARSE_INDEX_BASE_ONE;
  const DeviceArray<int> rows(std::vector<int>{1, 1, 3}), offsets(4), back(3);
  REQUIRE(cusparseXcoo2csr(cusparse.handle, rows.get(), 3, 3, offsets.get(), base) ==
          CUSPARSE_STATUS_SUCCESS);
  CHECK(offsets.values() == std::vector<int>{1, 3, 3, 4});
  REQUIRE(cusparseXcsr2coo(cusparse.handle, offsets.get(), 3, 3, back.get(), base) ==
          CUSPARSE_STATUS_SUCCESS);
  CHECK(back.values() == rows.values());

  const DeviceArray<int> i(std::vector<int>{2, 0, 2, 0}), j(std::vector<int>{1, 3, 0, 2}), p(4);
  REQUIRE(cusparseCreateIdentityPermutation(cusparse.handle, 4, p.get()) ==
          CUSPARSE_STATUS_SUCCESS);
  std::size_t bytes = 0;
  REQUIRE(cusparseXcoosort_bufferSizeExt(cusparse.handle, 3, 4, 4, i.get(), j.get(), &bytes) ==
          CUSPARSE_STATUS_SUCCESS);
  const Buffer buffer(bytes);
  REQUIRE(cusparseXcoosortByRow(cusparse.handle, 3, 4, 4, i.get(), j.get(), p.get(),
                                buffer.get()) == CUSPARSE_STATUS_SUCCESS);
  CHECK(i.values() == std::vector<int>{0, 0, 2, 2});
  CHECK(j.values() == std::vector<int>{2, 3, 0, 1});
  CHECK(p.values() == std::vector<int>{3, 1, 2, 0});
  REQUIRE(cusparseXcoosortByColumn(cusparse.handle, 3, 4, 4, i.get(), j.get(), nullptr,
                                   buffer.get()) == CUSPARSE_STATUS_SUCCESS);
  CHECK(i.values() == std::vector<int>{2, 2, 0, 0});
  CHECK(j.values() == std::vector<int>{0, 1, 2, 3});

  cusparseMatDescr_t descriptor = nullptr;
  cusparseCreateMatDescr(&descriptor);
  cusparseSetMatIndexBase(descriptor, base);
  CHECK(cusparseGetMatIndexBase(descriptor) == base);
  const DeviceArray<int> starts(std::vector<int>{1, 4, 5}), indices(std::vector<int>{3, 1, 2, 1});
  cusparseCreateIdentityPermutation(cusparse.handle, 4, p.get());
  REQUIRE(cusparseXcsrsort(cusparse.handle, 2, 3, 4, descriptor, starts.get(), indices.get(),
                           p.get(), buffer.get()) == CUSPARSE_STATUS_SUCCESS);
  CHECK(indices.values() == std::vector<int>{1, 2, 3, 1});
  CHECK(p.values() == std::vector<int>{1, 2, 0, 3});
  cusparseDestroyMatDescr(descriptor);
}

TEST_CASE("cuSPARSE turns CSR into CSC", "[libraries][cusparse]") {
  const Cusparse cusparse;
  const auto a = numbers<double>(4, 3, 1, 5);
  const Arrays<double, int> from(a, CUSPARSE_FORMAT_CSR, 1), want(a, CUSPARSE_FORMAT_CSC, 1);
  const auto entries = static_cast<int>(from.values.size());
  const DeviceArray<int> offsets(from.offsets), indices(from.indices), to_offsets(4),
      to_indices(from.indices.size());
  const DeviceArray<double> values(from.values), to_values(std::vector<double>(from.values.size()));
  for (const auto action : {CUSPARSE_ACTION_SYMBOLIC, CUSPARSE_ACTION_NUMERIC}) {
    std::size_t bytes = 0;
    REQUIRE(cusparseCsr2cscEx2_bufferSize(
                cusparse.handle, 4, 3, entries, values.get(), offsets.get(), indices.get(),
                to_values.get(), to_offsets.get(), to_indices.get(), CUDA_R_64F, action,
                CUSPARSE_INDEX_BASE_ONE, CUSPARSE_CSR2CSC_ALG1, &bytes) == CUSPARSE_STATUS_SUCCESS);
    const Buffer buffer(bytes);
    REQUIRE(cusparseCsr2cscEx2(cusparse.handle, 4, 3, entries, values.get(), offsets.get(),
                               indices.get(), to_values.get(), to_offsets.get(), to_indices.get(),
                               CUDA_R_64F, action, CUSPARSE_INDEX_BASE_ONE, CUSPARSE_CSR2CSC_ALG1,
                               buffer.get()) == CUSPARSE_STATUS_SUCCESS);
    CHECK(to_offsets.values() == want.offsets);
    CHECK(to_indices.values() == want.indices);
    const bool numeric = action == CUSPARSE_ACTION_NUMERIC;
    CHECK(to_values.values() == (numeric ? want.values : std::vector<double>(want.values.size())));
  }
}

TEST_CASE("descriptors give back what they were made of", "[libraries][cusparse]") {
  int memory[3];
  cusparseSpMatDescr_t matrix = nullptr;
  REQUIRE(cusparseCreateCsr(&matrix, 3, 4, 5, memory, memory + 1, memory + 2, CUSPARSE_INDEX_64I,
                            CUSPARSE_INDEX_64I, CUSPARSE_INDEX_BASE_ONE,
                            CUDA_R_64F) == CUSPARSE_STATUS_SUCCESS);
  std::int64_t rows = 0, columns = 0, entries = 0;
  void *offsets = nullptr, *indices = nullptr, *values = nullptr;
  cusparseIndexType_t offset_type = {}, index_type = {};
  cusparseIndexBase_t base = {};
  cudaDataType type = {};
  REQUIRE(cusparseCsrGet(matrix, &rows, &columns, &entries, &offsets, &indices, &values,
                         &offset_type, &index_type, &base, &type) == CUSPARSE_STATUS_SUCCESS);
  CHECK((rows == 3 && columns == 4 && entries == 5));
  CHECK((offsets == memory && indices == memory + 1 && values == memory + 2));
  CHECK((offset_type == CUSPARSE_INDEX_64I && base == CUSPARSE_INDEX_BASE_ONE));
  CHECK(type == CUDA_R_64F);
  cusparseFormat_t format = {};
  CHECK(cusparseSpMatGetFormat(matrix, &format) == CUSPARSE_STATUS_SUCCESS);
  CHECK(format == CUSPARSE_FORMAT_CSR);
  CHECK(cusparseDestroySpMat(matrix) == CUSPARSE_STATUS_SUCCESS);
  CHECK(cusparseDestroySpMat(matrix) == CUSPARSE_STATUS_INVALID_VALUE);
  CHECK(cusparseCreateCsr(&matrix, -1, 4, 0, nullptr, nullptr, nullptr, CUSPARSE_INDEX_32I,
                          CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                          CUDA_R_32F) == CUSPARSE_STATUS_INVALID_VALUE);
}

TEST_CASE("a product of cuSPARSE is captured into a graph", "[libraries][cusparse]") {
  const Cusparse cusparse;
  const float one = 1;
  const Sparse<float> matrix(numbers<float>(2, 2, 1), CUSPARSE_FORMAT_CSR);
  const Vector<float> x({1, 0}), y({0, 0});
  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  cusparseSetStream(cusparse.handle, stream);
  const Buffer buffer(64);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  CHECK(cusparseSpMV(cusparse.handle, kPlain, &one, matrix.descriptor, x.descriptor, &one,
                     y.descriptor, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT,
                     buffer.get()) == CUSPARSE_STATUS_SUCCESS);
  cudaGraph_t graph = nullptr;
  REQUIRE(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
  CHECK(y.values.values() == std::vector<float>{0, 0});
  cudaGraphExec_t executable = nullptr;
  cudaGraphInstantiate(&executable, graph, 0);
  for (int i = 0; i < 3; ++i) cudaGraphLaunch(executable, stream);
  cudaStreamSynchronize(stream);
  const auto column = matrix.values.values();
  CHECK(y.values.values() == std::vector<float>{3 * column[0], 3 * column[2]});
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
}

TEST_CASE("cuSPARSE names its statuses and versions", "[libraries][cusparse]") {
  const Cusparse cusparse;
  CHECK(std::strcmp(cusparseGetErrorName(CUSPARSE_STATUS_INVALID_VALUE),
                    "CUSPARSE_STATUS_INVALID_VALUE") == 0);
  CHECK(std::strcmp(cusparseGetErrorString(CUSPARSE_STATUS_INVALID_VALUE), "invalid value") == 0);
  CHECK(std::strcmp(cusparseGetErrorName(static_cast<cusparseStatus_t>(12)),
                    "unrecognized error code") == 0);
  int version = 0, minor = 0;
  CHECK(cusparseGetVersion(cusparse.handle, &version) == CUSPARSE_STATUS_SUCCESS);
  CHECK(version == CUSPARSE_VERSION);
  CHECK(cusparseGetProperty(MINOR_VERSION, &minor) == CUSPARSE_STATUS_SUCCESS);
  CHECK(minor == CUSPARSE_VER_MINOR);
}
