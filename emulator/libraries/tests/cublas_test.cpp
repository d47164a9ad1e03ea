#include <cublas_v2.h>
#include <cuda_fp16.h>

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <complex>
#include <cstring>
#include <vector>

#include "emulator/libraries/cublas/types.h"
#include "emulator/libraries/tests/device_array.h"

// Results of cuBLAS's functions, against sums written out here. The numbers are small integers, so
// that every order of a sum gives the same.

namespace {

using Catch::Approx;
using Complex = std::complex<float>;
namespace own = warpsim::cublas;

static_assert(static_cast<int>(own::Status::not_supported) == CUBLAS_STATUS_NOT_SUPPORTED);
static_assert(static_cast<int>(own::Status::invalid_value) == CUBLAS_STATUS_INVALID_VALUE);
static_assert(static_cast<int>(own::Status::execution_failed) == CUBLAS_STATUS_EXECUTION_FAILED);
static_assert(static_cast<int>(own::Status::not_initialized) == CUBLAS_STATUS_NOT_INITIALIZED);
static_assert(static_cast<int>(own::Status::mapping_error) == CUBLAS_STATUS_MAPPING_ERROR);
static_assert(static_cast<int>(own::Operation::conjugate_transpose) == CUBLAS_OP_C);
static_assert(static_cast<int>(own::Operation::transpose) == CUBLAS_OP_T);
static_assert(static_cast<int>(own::Fill::upper) == CUBLAS_FILL_MODE_UPPER);
static_assert(static_cast<int>(own::Diagonal::unit) == CUBLAS_DIAG_UNIT);
static_assert(static_cast<int>(own::MatrixSide::right) == CUBLAS_SIDE_RIGHT);
static_assert(static_cast<int>(own::PointerMode::device) == CUBLAS_POINTER_MODE_DEVICE);
static_assert(static_cast<int>(own::DataType::f16) == CUDA_R_16F);
static_assert(static_cast<int>(own::DataType::bf16) == CUDA_R_16BF);
static_assert(static_cast<int>(own::DataType::c32) == CUDA_C_32F);
static_assert(static_cast<int>(own::DataType::c64) == CUDA_C_64F);
static_assert(static_cast<int>(own::DataType::f64) == CUDA_R_64F);
static_assert(static_cast<int>(own::Compute::f16) == CUBLAS_COMPUTE_16F);
static_assert(static_cast<int>(own::Compute::f32) == CUBLAS_COMPUTE_32F);
static_assert(static_cast<int>(own::Compute::f32_fast_tf32) == CUBLAS_COMPUTE_32F_FAST_TF32);
static_assert(static_cast<int>(own::Compute::f64) == CUBLAS_COMPUTE_64F);

struct Cublas {
  cublasHandle_t handle = nullptr;
  Cublas() { REQUIRE(cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS); }
  ~Cublas() { cublasDestroy(handle); }
  Cublas(const Cublas&) = delete;
  Cublas& operator=(const Cublas&) = delete;
};

template <class T>
std::vector<T> numbers(std::size_t count, int seed) {
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    const int real = static_cast<int>((i * 7 + static_cast<std::size_t>(seed)) % 11) - 5;
    if constexpr (std::is_same_v<T, Complex>) {
      values[i] = {static_cast<float>(real), static_cast<float>((real * 3 + seed) % 5)};
    } else {
      values[i] = static_cast<T>(real);
    }
  }
  return values;
}

Complex conjugated(const Complex& value) {
  return std::conj(value);
}
float conjugated(float value) {
  return value;
}
double conjugated(double value) {
  return value;
}

/// The element of op(A).
template <class T>
T at(const std::vector<T>& a, cublasOperation_t operation, int leading, int row, int column) {
  const auto index = [=](int r, int c) { return static_cast<std::size_t>(c * leading + r); };
  if (operation == CUBLAS_OP_N) return a[index(row, column)];
  const T value = a[index(column, row)];
  return operation == CUBLAS_OP_C ? conjugated(value) : value;
}

template <class T>
std::vector<T> product(cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, T alpha,
                       const std::vector<T>& a, int lda, const std::vector<T>& b, int ldb, T beta,
                       std::vector<T> c, int ldc) {
  for (int column = 0; column < n; ++column) {
    for (int row = 0; row < m; ++row) {
      T sum = {};
      for (int i = 0; i < k; ++i) sum += at(a, ta, lda, row, i) * at(b, tb, ldb, i, column);
      T& result = c[static_cast<std::size_t>(column * ldc + row)];
      result = alpha * sum + beta * result;
    }
  }
  return c;
}

template <class T, class Function>
void check_gemm(Function function) {
  const Cublas cublas;
  const int m = 4, n = 3, k = 5, ld = 7;
  const auto a = numbers<T>(49, 1), b = numbers<T>(49, 2), c = numbers<T>(49, 3);
  const DeviceArray<T> on_a(a), on_b(b);
  const T alpha = 2, beta = 3;
  for (const auto ta : {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C}) {
    for (const auto tb : {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C}) {
      const DeviceArray<T> on_c(c);
      REQUIRE(function(cublas.handle, ta, tb, m, n, k, alpha, on_a.get(), ld, on_b.get(), ld, beta,
                       on_c.get(), ld) == CUBLAS_STATUS_SUCCESS);
      CHECK(on_c.values() == product(ta, tb, m, n, k, alpha, a, ld, b, ld, beta, c, ld));
    }
  }
}

cuComplex* raw(Complex* pointer) {
  return reinterpret_cast<cuComplex*>(pointer);
}
const cuComplex* raw(const Complex* pointer) {
  return reinterpret_cast<const cuComplex*>(pointer);
}

}  // namespace

TEST_CASE("gemm multiplies float, double and complex matrices in all nine forms",
          "[libraries][cublas]") {
  check_gemm<float>([](auto handle, auto ta, auto tb, int m, int n, int k, float alpha,
                       const float* a, int lda, const float* b, int ldb, float beta, float* c,
                       int ldc) {
    return cublasSgemm(handle, ta, tb, m, n, k, &alpha, a, lda, b, ldb, &beta, c, ldc);
  });
  check_gemm<double>([](auto handle, auto ta, auto tb, int m, int n, int k, double alpha,
                        const double* a, int lda, const double* b, int ldb, double beta, double* c,
                        int ldc) {
    return cublasDgemm_64(handle, ta, tb, m, n, k, &alpha, a, lda, b, ldb, &beta, c, ldc);
  });
  check_gemm<Complex>([](auto handle, auto ta, auto tb, int m, int n, int k, Complex alpha,
                         const Complex* a, int lda, const Complex* b, int ldb, Complex beta,
                         Complex* c, int ldc) {
    return cublasCgemm(handle, ta, tb, m, n, k, raw(&alpha), raw(a), lda, raw(b), ldb, raw(&beta),
                       raw(c), ldc);
  });
}

TEST_CASE("vectors are scaled, added, reduced and searched", "[libraries][cublas]") {
  const Cublas cublas;
  const DeviceArray<float> x(std::vector<float>{3, -4, 0, 12}), y(std::vector<float>{1, 1, 1, 1});
  float result = 0;
  CHECK(cublasSnrm2(cublas.handle, 4, x.get(), 1, &result) == CUBLAS_STATUS_SUCCESS);
  CHECK(result == 13);
  cublasSasum(cublas.handle, 4, x.get(), 1, &result);
  CHECK(result == 19);
  cublasSasum(cublas.handle, 2, x.get(), 2, &result);
  CHECK(result == 3);
  cublasSdot(cublas.handle, 4, x.get(), 1, y.get(), 1, &result);
  CHECK(result == 11);
  int index = 0;
  cublasIsamax(cublas.handle, 4, x.get(), 1, &index);
  CHECK(index == 4);  // from 1
  cublasIsamin(cublas.handle, 4, x.get(), 1, &index);
  CHECK(index == 3);
  cublasIsamin(cublas.handle, 0, x.get(), 1, &index);
  CHECK(index == 0);
  const float two = 2;
  cublasSaxpy(cublas.handle, 4, &two, x.get(), 1, y.get(), 1);
  CHECK(y.values() == std::vector<float>{7, -7, 1, 25});
  cublasSscal(cublas.handle, 4, &two, x.get(), 1);
  cublasSswap(cublas.handle, 4, x.get(), 1, y.get(), 1);
  CHECK(x.values() == std::vector<float>{7, -7, 1, 25});
  CHECK(y.values() == std::vector<float>{6, -8, 0, 24});
  cublasScopy(cublas.handle, 4, x.get(), -1, y.get(), 1);
  CHECK(y.values() == std::vector<float>{25, 1, -7, 7});
  const float zero = 0, one = 1;
  cublasSrot(cublas.handle, 4, x.get(), 1, y.get(), 1, &zero, &one);
  CHECK(x.values() == std::vector<float>{25, 1, -7, 7});
  const DeviceArray<Complex> z(std::vector<Complex>{{0, 1}, {2, 0}});
  Complex sum;
  cublasCdotu(cublas.handle, 2, raw(z.get()), 1, raw(z.get()), 1, raw(&sum));
  CHECK(sum == Complex(3, 0));
  cublasCdotc(cublas.handle, 2, raw(z.get()), 1, raw(z.get()), 1, raw(&sum));
  CHECK(sum == Complex(5, 0));
  cublasCsscal(cublas.handle, 2, &two, raw(z.get()), 1);
  CHECK(z.values() == std::vector<Complex>{{0, 2}, {4, 0}});
}

TEST_CASE("the largest and the smallest element are found beside NaN", "[libraries][cublas]") {
  const Cublas cublas;
  const float nan = std::nanf(""), infinity = HUGE_VALF;
  const auto found = [&](const std::vector<float>& values, bool largest) {
    const DeviceArray<float> x(values);
    int index = 0;
    const auto find = largest ? cublasIsamax : cublasIsamin;
    CHECK(find(cublas.handle, static_cast<int>(values.size()), x.get(), 1, &index) ==
          CUBLAS_STATUS_SUCCESS);
    return index;
  };
  CHECK(found({nan, 2, -5, 1}, true) == 3);
  CHECK(found({nan, 2, -5, 1}, false) == 4);
  CHECK(found({2, -5, 1, nan}, true) == 2);
  CHECK(found({nan, -infinity, infinity}, true) == 2);
  CHECK(found({nan, nan}, false) == 1);
  CHECK(found({1, -3, 3, -1}, true) == 2);  // the first of equal ones
  CHECK(found({1, -3, 3, -1}, false) == 1);
}

TEST_CASE("a vector times 0 keeps its NaN", "[libraries][cublas]") {
  const Cublas cublas;
  const DeviceArray<float> x(std::vector<float>{1, std::nanf(""), HUGE_VALF});
  const float zero = 0;
  CHECK(cublasSscal(cublas.handle, 3, &zero, x.get(), 1) == CUBLAS_STATUS_SUCCESS);
  CHECK(x.values()[0] == 0);
  CHECK(std::isnan(x.values()[1]));
  CHECK(std::isnan(x.values()[2]));
  const DeviceArray<Complex> z(std::vector<Complex>{{1, 2}});
  const Complex factor = {3, 4};
  cublasCscal(cublas.handle, 1, raw(&factor), raw(z.get()), 1);
  CHECK(z.values()[0] == Complex(-5, 10));
}

TEST_CASE("rotations are made of large, tiny, infinite and zero numbers", "[libraries][cublas]") {
  const Cublas cublas;
  double a = 1e300, b = -1e300, c = 0, s = 0;
  CHECK(cublasDrotg(cublas.handle, &a, &b, &c, &s) == CUBLAS_STATUS_SUCCESS);
  CHECK(a == Approx(-std::sqrt(2.0) * 1e300));
  CHECK(c == Approx(-std::sqrt(0.5)));
  CHECK(s == Approx(std::sqrt(0.5)));
  a = 1e-300, b = 1e300;
  cublasDrotg(cublas.handle, &a, &b, &c, &s);
  CHECK((a == 1e300 && b == 1 && c == 0 && s == 1));
  a = HUGE_VAL, b = 1;
  cublasDrotg(cublas.handle, &a, &b, &c, &s);
  CHECK((a == HUGE_VAL && std::isnan(c) && std::isnan(s)));
  double d1 = 0, d2 = 2, x1 = 3, param[5] = {9, 9, 9, 9, 9};
  const double y1 = 1;
  CHECK(cublasDrotmg(cublas.handle, &d1, &d2, &x1, &y1, param) == CUBLAS_STATUS_SUCCESS);
  CHECK((d1 == 2 && d2 == 0 && x1 == 1));
  CHECK((param[0] == 1 && param[1] == 0 && param[4] == 3));  // the others are not written
  CHECK((param[2] == 9 && param[3] == 9));
}

TEST_CASE("an increment of 0 scales all rows alike", "[libraries][cublas]") {
  const Cublas cublas;
  const DeviceArray<float> a(std::vector<float>{1, 2, 3, 4}), x(std::vector<float>{3}), c(4);
  CHECK(cublasSdgmm(cublas.handle, CUBLAS_SIDE_LEFT, 2, 2, a.get(), 2, x.get(), 0, c.get(), 2) ==
        CUBLAS_STATUS_SUCCESS);
  CHECK(c.values() == std::vector<float>{3, 6, 9, 12});
}

TEST_CASE("rank updates take both transposing operations for their own", "[libraries][cublas]") {
  const Cublas cublas;
  const DeviceArray<Complex> a(std::vector<Complex>{{1, 2}}), b(std::vector<Complex>{{3, 1}});
  const Complex one = 1, zero = 0;
  const float real_one = 1, real_zero = 0;
  const auto lower = CUBLAS_FILL_MODE_LOWER;
  for (const auto trans : {CUBLAS_OP_T, CUBLAS_OP_C}) {
    const DeviceArray<Complex> c(1);
    CHECK(cublasCsyrk(cublas.handle, lower, trans, 1, 1, raw(&one), raw(a.get()), 1, raw(&zero),
                      raw(c.get()), 1) == CUBLAS_STATUS_SUCCESS);
    CHECK(c.values()[0] == Complex(-3, 4));
    cublasCherk(cublas.handle, lower, trans, 1, 1, &real_one, raw(a.get()), 1, &real_zero,
                raw(c.get()), 1);
    CHECK(c.values()[0] == Complex(5, 0));
    cublasCsyr2k(cublas.handle, lower, trans, 1, 1, raw(&one), raw(a.get()), 1, raw(b.get()), 1,
                 raw(&zero), raw(c.get()), 1);
    CHECK(c.values()[0] == Complex(2, 14));
    cublasCher2k(cublas.handle, lower, trans, 1, 1, raw(&one), raw(a.get()), 1, raw(b.get()), 1,
                 &real_zero, raw(c.get()), 1);
    CHECK(c.values()[0] == Complex(10, 0));
  }
}

TEST_CASE("scalars and results may lie in device memory", "[libraries][cublas]") {
  const Cublas cublas;
  cublasSetPointerMode(cublas.handle, CUBLAS_POINTER_MODE_DEVICE);
  const DeviceArray<float> x(std::vector<float>{1, 2, 3}), alpha(std::vector<float>{4}), result(1);
  CHECK(cublasSscal(cublas.handle, 3, alpha.get(), x.get(), 1) == CUBLAS_STATUS_SUCCESS);
  CHECK(cublasSdot(cublas.handle, 3, x.get(), 1, x.get(), 1, result.get()) ==
        CUBLAS_STATUS_SUCCESS);
  CHECK(result.values() == std::vector<float>{16 * 14});
}

TEST_CASE("a product with beta of 0 does not read the result, even if it is NaN",
          "[libraries][cublas]") {
  const Cublas cublas;
  const DeviceArray<float> a(std::vector<float>{2}), c(std::vector<float>{NAN});
  const float one = 1, zero = 0;
  cublasSgemm(cublas.handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, a.get(), 1, a.get(), 1, &zero,
              c.get(), 1);
  CHECK(c.values() == std::vector<float>{4});
}

TEST_CASE("inputs with a factor of 0 are not read, and may be null", "[libraries][cublas]") {
  const Cublas cublas;
  const DeviceArray<float> c(std::vector<float>{1, 2, 3, 4});
  const float two = 2, zero = 0;
  REQUIRE(cublasSgemm(cublas.handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &zero, nullptr, 2, nullptr,
                      2, &two, c.get(), 2) == CUBLAS_STATUS_SUCCESS);
  CHECK(c.values() == std::vector<float>{2, 4, 6, 8});
  REQUIRE(cublasSgemm(cublas.handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 0, &two, nullptr, 2, nullptr,
                      1, &two, c.get(), 2) == CUBLAS_STATUS_SUCCESS);
  CHECK(c.values() == std::vector<float>{4, 8, 12, 16});
  cublasSsyrk(cublas.handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, 2, 2, &zero, nullptr, 2, &two,
              c.get(), 2);
  CHECK(c.values() == std::vector<float>{8, 16, 12, 32});
  cublasSsymm(cublas.handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, 2, 2, &zero, nullptr, 2,
              nullptr, 2, &two, c.get(), 2);
  CHECK(c.values() == std::vector<float>{16, 32, 24, 64});
  cublasSgemv(cublas.handle, CUBLAS_OP_N, 2, 2, &zero, nullptr, 2, nullptr, 1, &two, c.get(), 1);
  cublasSaxpy(cublas.handle, 4, &zero, nullptr, 1, c.get(), 1);
  CHECK(c.values() == std::vector<float>{32, 64, 24, 64});
  cublasSgeam(cublas.handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, &zero, nullptr, 2, &two, c.get(), 2,
              c.get(), 2);
  CHECK(c.values() == std::vector<float>{64, 128, 48, 128});
  cublasStrsm(cublas.handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N,
              CUBLAS_DIAG_UNIT, 2, 2, &zero, nullptr, 2, c.get(), 2);
  CHECK(c.values() == std::vector<float>{0, 0, 0, 0});
  cublasStrmm(cublas.handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N,
              CUBLAS_DIAG_UNIT, 2, 2, &zero, nullptr, 2, nullptr, 2, c.get(), 2);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
}

TEST_CASE("a matrix multiplies a vector, and a triangle is solved", "[libraries][cublas]") {
  const Cublas cublas;
  const DeviceArray<double> a(std::vector<double>{1, 2, 3, 4, 5, 6});  // 2 x 3
  const DeviceArray<double> x(std::vector<double>{1, 10, 100}), y(std::vector<double>{1, 1, 1});
  const double one = 1, two = 2;
  cublasDgemv(cublas.handle, CUBLAS_OP_N, 2, 3, &one, a.get(), 2, x.get(), 1, &two, y.get(), 1);
  CHECK(y.values() == std::vector<double>{533, 644, 1});
  cublasDgemv(cublas.handle, CUBLAS_OP_T, 2, 3, &one, a.get(), 2, x.get(), 1, &two, y.get(), 1);
  CHECK(y.values() == std::vector<double>{21 + 1066, 43 + 1288, 65 + 2});
  const DeviceArray<double> t(std::vector<double>{2, 1, 0, 4});  // lower
  const DeviceArray<double> b(std::vector<double>{4, 10});
  cublasDtrsv(cublas.handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, 2, t.get(),
              2, b.get(), 1);
  CHECK(b.values() == std::vector<double>{2, 2});
  cublasDtrmv(cublas.handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, 2, t.get(),
              2, b.get(), 1);
  CHECK(b.values() == std::vector<double>{4, 10});
  cublasDger(cublas.handle, 2, 2, &one, b.get(), 1, b.get(), 1, t.get(), 2);
  CHECK(t.values() == std::vector<double>{18, 41, 40, 104});
  cublasDsymv(cublas.handle, CUBLAS_FILL_MODE_LOWER, 2, &one, t.get(), 2, b.get(), 1, &two, y.get(),
              1);
  CHECK(y.values()[0] == 18 * 4 + 41 * 10 + 2 * 1087);
  cublasDsyr(cublas.handle, CUBLAS_FILL_MODE_UPPER, 2, &one, b.get(), 1, t.get(), 2);
  CHECK(t.values() == std::vector<double>{34, 41, 80, 204});
}

TEST_CASE("level 3: triangles and symmetric matrices, sums and diagonals", "[libraries][cublas]") {
  const Cublas cublas;
  const DeviceArray<float> t(std::vector<float>{2, 1, 7, 4}), b(std::vector<float>{1, 2, 3, 4});
  const DeviceArray<float> c(4);
  const float one = 1, two = 2, zero = 0;
  cublasStrmm(cublas.handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N,
              CUBLAS_DIAG_NON_UNIT, 2, 2, &two, t.get(), 2, b.get(), 2, c.get(), 2);
  CHECK(c.values() == std::vector<float>{4, 18, 12, 38});
  CHECK(b.values() == std::vector<float>{1, 2, 3, 4});
  cublasStrsm(cublas.handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N,
              CUBLAS_DIAG_NON_UNIT, 2, 2, &one, t.get(), 2, c.get(), 2);
  CHECK(c.values() == std::vector<float>{2, 4, 6, 8});
  cublasSsymm(cublas.handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, 2, 2, &one, t.get(), 2,
              b.get(), 2, &zero, c.get(), 2);
  CHECK(c.values() == std::vector<float>{4, 9, 10, 19});
  cublasSsyrk(cublas.handle, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, 2, 2, &one, b.get(), 2, &zero,
              c.get(), 2);
  CHECK(c.values() == std::vector<float>{10, 9, 14, 20});
  cublasSsyr2k(cublas.handle, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, 2, 2, &one, b.get(), 2, b.get(),
               2, &zero, c.get(), 2);
  CHECK(c.values() == std::vector<float>{20, 9, 28, 40});
  cublasSgeam(cublas.handle, CUBLAS_OP_T, CUBLAS_OP_N, 2, 2, &one, b.get(), 2, &two, t.get(), 2,
              c.get(), 2);
  CHECK(c.values() == std::vector<float>{5, 5, 16, 12});
  cublasSdgmm(cublas.handle, CUBLAS_SIDE_RIGHT, 2, 2, b.get(), 2, t.get(), 1, c.get(), 2);
  CHECK(c.values() == std::vector<float>{2, 4, 3, 4});
  const DeviceArray<Complex> h(std::vector<Complex>{{0, 1}, {2, 0}}), r(1);
  cublasCherk(cublas.handle, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_C, 1, 2, &one, raw(h.get()), 2,
              &zero, raw(r.get()), 1);
  CHECK(r.values() == std::vector<Complex>{{5, 0}});
}

TEST_CASE("banded and packed matrices, of which the unused corners need no values",
          "[libraries][cublas]") {
  const Cublas cublas;
  const double one = 1, zero = 0, unused = NAN;
  // 1 4 0 / 2 5 7 / 0 3 6: one diagonal below the main one, and one above.
  const DeviceArray<double> band(std::vector<double>{unused, 1, 2, 4, 5, 3, 7, 6, unused});
  const DeviceArray<double> x(std::vector<double>{1, 10, 100}), y(3);
  cublasDgbmv(cublas.handle, CUBLAS_OP_N, 3, 3, 1, 1, &one, band.get(), 3, x.get(), 1, &zero,
              y.get(), 1);
  CHECK(y.values() == std::vector<double>{41, 752, 630});
  // 2 1 0 / 1 2 1 / 0 1 2
  const DeviceArray<double> lower(std::vector<double>{2, 1, 2, 1, 2, unused});
  cublasDsbmv(cublas.handle, CUBLAS_FILL_MODE_LOWER, 3, 1, &one, lower.get(), 2, x.get(), 1, &zero,
              y.get(), 1);
  CHECK(y.values() == std::vector<double>{12, 121, 210});
  cublasDtbmv(cublas.handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, 3, 1,
              lower.get(), 2, x.get(), 1);
  CHECK(x.values() == std::vector<double>{2, 21, 210});
  cublasDtbsv(cublas.handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, 3, 1,
              lower.get(), 2, x.get(), 1);
  CHECK(x.values() == std::vector<double>{1, 10, 100});

  const DeviceArray<double> packed(std::vector<double>{2, 1, 4});  // 2 1 / 1 4
  cublasDspmv(cublas.handle, CUBLAS_FILL_MODE_UPPER, 2, &one, packed.get(), x.get(), 1, &zero,
              y.get(), 1);
  CHECK(y.values()[1] == 41);
  cublasDtpmv(cublas.handle, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, CUBLAS_DIAG_UNIT, 2, packed.get(),
              x.get(), 1);
  CHECK(x.values() == std::vector<double>{11, 10, 100});
  cublasDtpsv(cublas.handle, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, 2,
              packed.get(), x.get(), 1);
  CHECK(x.values() == std::vector<double>{4.25, 2.5, 100});
  cublasDspr(cublas.handle, CUBLAS_FILL_MODE_UPPER, 2, &one, y.get(), 1, packed.get());
  CHECK(packed.values() == std::vector<double>{2 + 144, 1 + 12 * 41, 4 + 41 * 41});
  cublasDspr2(cublas.handle, CUBLAS_FILL_MODE_UPPER, 2, &one, x.get(), 1, x.get(), 1, packed.get());
  CHECK(packed.values()[2] == 4 + 41 * 41 + 2 * 2.5 * 2.5);
}

TEST_CASE("rotations are made and applied, with scalars on either side", "[libraries][cublas]") {
  const Cublas cublas;
  float a = 3, b = 4, c = 0, s = 0;
  CHECK(cublasSrotg(cublas.handle, &a, &b, &c, &s) == CUBLAS_STATUS_SUCCESS);
  CHECK(a == Approx(5));
  CHECK(c == Approx(0.6));
  float d1 = 1, d2 = 1, x1 = 1, param[5] = {};
  const float y1 = 1;
  CHECK(cublasSrotmg(cublas.handle, &d1, &d2, &x1, &y1, param) == CUBLAS_STATUS_SUCCESS);
  const DeviceArray<float> x(std::vector<float>{1}), y(std::vector<float>{1});
  const float swap[5] = {1, 0, 0, 0, 0};  // x, y = y, -x
  cublasSrotm(cublas.handle, 1, x.get(), 1, y.get(), 1, param);
  CHECK(y.values()[0] == Approx(0).margin(1e-6));
  cublasSetPointerMode(cublas.handle, CUBLAS_POINTER_MODE_DEVICE);
  const DeviceArray<float> parameters(std::vector<float>(swap, swap + 5));
  const float before = x.values()[0];
  cublasSrotm(cublas.handle, 1, x.get(), 1, y.get(), 1, parameters.get());
  CHECK(y.values()[0] == Approx(-before));
  const DeviceArray<float> scalars(std::vector<float>{3, 4, 0, 0});
  cublasSrotg(cublas.handle, scalars.get(), scalars.get() + 1, scalars.get() + 2,
              scalars.get() + 3);
  CHECK(scalars.values()[3] == Approx(0.8));
}

TEST_CASE("a batch lies at equal distances, or at an array of pointers", "[libraries][cublas]") {
  const Cublas cublas;
  const auto a = numbers<float>(12, 1), b = numbers<float>(12, 2);
  const DeviceArray<float> on_a(a), on_b(b), c(12), d(12);
  const float one = 1, zero = 0;
  REQUIRE(cublasSgemmStridedBatched(cublas.handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one,
                                    on_a.get(), 2, 4, on_b.get(), 2, 0, &zero, c.get(), 2, 4,
                                    3) == CUBLAS_STATUS_SUCCESS);
  std::vector<const float*> as, bs;
  std::vector<float*> ds;
  for (int i = 0; i < 3; ++i) {
    as.push_back(on_a.get() + 4 * i);
    bs.push_back(on_b.get());
    ds.push_back(d.get() + 4 * i);
  }
  const DeviceArray<const float*> pa(as), pb(bs);
  const DeviceArray<float*> pd(ds);
  REQUIRE(cublasSgemmBatched(cublas.handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, pa.get(), 2,
                             pb.get(), 2, &zero, pd.get(), 2, 3) == CUBLAS_STATUS_SUCCESS);
  CHECK(c.values() == d.values());
  const std::vector<float> last(a.begin() + 8, a.end());
  const auto expected = product<float>(CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, 1, last, 2, b, 2, 0,
                                       std::vector<float>(4), 2);
  const auto all = c.values();
  CHECK(std::vector<float>(all.begin() + 8, all.end()) == expected);
}

TEST_CASE("halves are multiplied with sums in float and rounded once", "[libraries][cublas]") {
  const Cublas cublas;
  // 1 + 2^-11 rounds to 1 in a half, but 2048 of them have a sum of 2049.
  const int k = 2048;
  const __half tiny = __float2half(0x1p-11F);
  std::vector<__half> left(k, __float2half(1)), right(k, tiny);
  right[0] = __float2half(2048);
  const DeviceArray<__half> a(left), b(right);
  const DeviceArray<float> in_float(1);
  const DeviceArray<__half> in_half(1);
  const float one = 1, zero = 0;
  REQUIRE(cublasGemmEx(cublas.handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, k, &one, a.get(), CUDA_R_16F,
                       1, b.get(), CUDA_R_16F, k, &zero, in_float.get(), CUDA_R_32F, 1,
                       CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_SUCCESS);
  CHECK(in_float.values()[0] == Approx(2048 + 2047 * 0x1p-11));
  REQUIRE(cublasGemmStridedBatchedEx(cublas.handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, k, &one,
                                     a.get(), CUDA_R_16F, 1, k, b.get(), CUDA_R_16F, k, k, &zero,
                                     in_half.get(), CUDA_R_16F, 1, 1, 1, CUBLAS_COMPUTE_32F,
                                     CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_SUCCESS);
  CHECK(__half2float(in_half.values()[0]) == 2048);
  const __half half_one = __float2half(1), half_zero = __float2half(0);
  REQUIRE(cublasHgemm(cublas.handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 2, &half_one, a.get(), 1,
                      a.get(), 2, &half_zero, in_half.get(), 1) == CUBLAS_STATUS_SUCCESS);
  CHECK(__half2float(in_half.values()[0]) == 2);
}

TEST_CASE("numbers in bf16 are multiplied; other combinations of types are refused",
          "[libraries][cublas]") {
  const Cublas cublas;
  const std::uint16_t three = 0x4040;  // 3 in bf16
  const DeviceArray<std::uint16_t> a(std::vector<std::uint16_t>{three}), c(1);
  const float one = 1, zero = 0;
  const auto run = [&](cudaDataType type, cublasComputeType_t compute) {
    return cublasGemmEx(cublas.handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, a.get(),
                        CUDA_R_16BF, 1, a.get(), CUDA_R_16BF, 1, &zero, c.get(), type, 1, compute,
                        CUBLAS_GEMM_DEFAULT);
  };
  CHECK(run(CUDA_R_16BF, CUBLAS_COMPUTE_32F) == CUBLAS_STATUS_SUCCESS);
  CHECK(c.values()[0] == 0x4110);  // 9
  CHECK(run(CUDA_R_16F, CUBLAS_COMPUTE_32F) == CUBLAS_STATUS_NOT_SUPPORTED);
  CHECK(run(CUDA_R_16BF, CUBLAS_COMPUTE_64F) == CUBLAS_STATUS_NOT_SUPPORTED);
}

TEST_CASE("vectors and matrices are copied with increments and leading dimensions",
          "[libraries][cublas]") {
  const std::vector<float> host = {1, 2, 3, 4, 5, 6};
  const DeviceArray<float> device(std::vector<float>(6, 0));
  CHECK(cublasSetVector(3, sizeof(float), host.data(), 2, device.get(), 1) ==
        CUBLAS_STATUS_SUCCESS);
  CHECK(device.values() == std::vector<float>{1, 3, 5, 0, 0, 0});
  CHECK(cublasSetMatrix(2, 2, sizeof(float), host.data(), 3, device.get(), 2) ==
        CUBLAS_STATUS_SUCCESS);
  CHECK(device.values() == std::vector<float>{1, 2, 4, 5, 0, 0});
  std::vector<float> back(4, 0);
  CHECK(cublasGetMatrix(2, 2, sizeof(float), device.get(), 2, back.data(), 2) ==
        CUBLAS_STATUS_SUCCESS);
  CHECK(back == std::vector<float>{1, 2, 4, 5});
  CHECK(cublasGetVectorAsync(2, sizeof(float), device.get(), 2, back.data(), 1, nullptr) ==
        CUBLAS_STATUS_SUCCESS);
  CHECK(back[1] == 4);
  CHECK(cublasSetVector(3, 0, host.data(), 1, device.get(), 1) == CUBLAS_STATUS_INVALID_VALUE);
}

TEST_CASE("work is captured into a graph and runs when that is launched", "[libraries][cublas]") {
  const Cublas cublas;
  const DeviceArray<float> x(std::vector<float>{1, 2});
  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  cublasSetStream(cublas.handle, stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  {
    const float two = 2;
    cublasSscal(cublas.handle, 2, &two, x.get(), 1);
  }
  cudaGraph_t graph = nullptr;
  REQUIRE(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
  CHECK(x.values() == std::vector<float>{1, 2});
  cudaGraphExec_t executable = nullptr;
  REQUIRE(cudaGraphInstantiate(&executable, graph, 0) == cudaSuccess);
  cudaGraphLaunch(executable, stream);
  cudaGraphLaunch(executable, stream);
  cudaStreamSynchronize(stream);
  CHECK(x.values() == std::vector<float>{4, 8});
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
}

TEST_CASE("a handle keeps its modes, and statuses have names and texts", "[libraries][cublas]") {
  const Cublas cublas;
  CHECK(cublasSetMathMode(cublas.handle, CUBLAS_TF32_TENSOR_OP_MATH) == CUBLAS_STATUS_SUCCESS);
  cublasMath_t mode = CUBLAS_DEFAULT_MATH;
  cublasGetMathMode(cublas.handle, &mode);
  CHECK(mode == CUBLAS_TF32_TENSOR_OP_MATH);
  int version = 0;
  cublasGetVersion(cublas.handle, &version);
  CHECK(version == own::kVersion);
  CHECK(std::strcmp(cublasGetStatusName(CUBLAS_STATUS_INVALID_VALUE),
                    "CUBLAS_STATUS_INVALID_VALUE") == 0);
  CHECK(std::strlen(cublasGetStatusString(CUBLAS_STATUS_INVALID_VALUE)) > 0);
  cublasHandle_t gone = nullptr;
  cublasCreate(&gone);
  CHECK(cublasDestroy(gone) == CUBLAS_STATUS_SUCCESS);
  CHECK(cublasDestroy(gone) == CUBLAS_STATUS_NOT_INITIALIZED);
}
