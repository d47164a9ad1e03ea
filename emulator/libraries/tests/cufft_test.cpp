#include <cuda_runtime.h>
#include <cufft.h>
#include <cufftXt.h>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <complex>
#include <cstdint>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "emulator/libraries/cufft/types.h"
#include "emulator/libraries/tests/device_array.h"

// The drop-in libcufft: its numbers, held against sums by the definition, and its interface, whose
// statuses are those of cuFFT 12.0 on a card.

namespace {

namespace own = warpsim::cufft;

static_assert(static_cast<int>(own::Status::invalid_plan) == CUFFT_INVALID_PLAN);
static_assert(static_cast<int>(own::Status::alloc_failed) == CUFFT_ALLOC_FAILED);
static_assert(static_cast<int>(own::Status::invalid_type) == CUFFT_INVALID_TYPE);
static_assert(static_cast<int>(own::Status::invalid_value) == CUFFT_INVALID_VALUE);
static_assert(static_cast<int>(own::Status::internal_error) == CUFFT_INTERNAL_ERROR);
static_assert(static_cast<int>(own::Status::exec_failed) == CUFFT_EXEC_FAILED);
static_assert(static_cast<int>(own::Status::setup_failed) == CUFFT_SETUP_FAILED);
static_assert(static_cast<int>(own::Status::invalid_size) == CUFFT_INVALID_SIZE);
static_assert(static_cast<int>(own::Status::not_implemented) == CUFFT_NOT_IMPLEMENTED);
static_assert(static_cast<int>(own::Type::c2c) == CUFFT_C2C);
static_assert(static_cast<int>(own::Type::r2c) == CUFFT_R2C);
static_assert(static_cast<int>(own::Type::c2r) == CUFFT_C2R);
static_assert(static_cast<int>(own::Type::z2z) == CUFFT_Z2Z);
static_assert(static_cast<int>(own::Type::d2z) == CUFFT_D2Z);
static_assert(static_cast<int>(own::Type::z2d) == CUFFT_Z2D);
static_assert(own::kForward == CUFFT_FORWARD && own::kInverse == CUFFT_INVERSE);
static_assert(own::kNoPlan == CUFFT_PLAN_NULL);
static_assert(own::kVersion == CUFFT_VERSION);

using Sizes = std::vector<int>;
using Spectrum = std::vector<std::complex<double>>;

/// Types of numbers, and the functions for them.
struct Single {
  using Real = float;
  static constexpr cufftType kComplex = CUFFT_C2C, kFromReal = CUFFT_R2C, kToReal = CUFFT_C2R;
  static cufftResult run(cufftHandle p, void* a, void* b, int direction) {
    return cufftExecC2C(p, static_cast<cufftComplex*>(a), static_cast<cufftComplex*>(b), direction);
  }
  static cufftResult from_real(cufftHandle p, void* a, void* b) {
    return cufftExecR2C(p, static_cast<float*>(a), static_cast<cufftComplex*>(b));
  }
  static cufftResult to_real(cufftHandle p, void* a, void* b) {
    return cufftExecC2R(p, static_cast<cufftComplex*>(a), static_cast<float*>(b));
  }
};
struct Double {
  using Real = double;
  static constexpr cufftType kComplex = CUFFT_Z2Z, kFromReal = CUFFT_D2Z, kToReal = CUFFT_Z2D;
  static cufftResult run(cufftHandle p, void* a, void* b, int direction) {
    return cufftExecZ2Z(p, static_cast<cufftDoubleComplex*>(a), static_cast<cufftDoubleComplex*>(b),
                        direction);
  }
  static cufftResult from_real(cufftHandle p, void* a, void* b) {
    return cufftExecD2Z(p, static_cast<double*>(a), static_cast<cufftDoubleComplex*>(b));
  }
  static cufftResult to_real(cufftHandle p, void* a, void* b) {
    return cufftExecZ2D(p, static_cast<cufftDoubleComplex*>(a), static_cast<double*>(b));
  }
};

struct Plan {
  cufftHandle handle = CUFFT_PLAN_NULL;
  Plan(Sizes sizes, cufftType type, int batch = 1) {
    REQUIRE(cufftPlanMany(&handle, static_cast<int>(sizes.size()), sizes.data(), nullptr, 1, 0,
                          nullptr, 1, 0, type, batch) == CUFFT_SUCCESS);
  }
  ~Plan() { cufftDestroy(handle); }
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;
};

std::size_t product(const Sizes& sizes) {
  std::size_t all = 1;
  for (const int size : sizes) all *= static_cast<std::size_t>(size);
  return all;
}

/// By the definition, one dimension after the other. @param sign  of the exponent
Spectrum transformed(Spectrum values, const Sizes& sizes, int sign) {
  std::size_t inner = 1;
  for (std::size_t d = sizes.size(); d-- > 0;) {
    const auto n = static_cast<std::size_t>(sizes[d]);
    for (std::size_t start = 0; start < values.size(); ++start) {
      if (start / inner % n != 0) continue;
      Spectrum line(n);
      for (std::size_t k = 0; k < n; ++k) {
        for (std::size_t i = 0; i < n; ++i) {
          const double turns = static_cast<double>(k * i % n) / static_cast<double>(n);
          line[k] +=
              values[start + i * inner] * std::polar(1.0, sign * 2 * std::numbers::pi * turns);
        }
      }
      for (std::size_t k = 0; k < n; ++k) values[start + k * inner] = line[k];
    }
    inner *= n;
  }
  return values;
}

Spectrum random_values(std::size_t count, bool real) {
  std::mt19937 engine(static_cast<unsigned>(count));
  const auto draw = [&] { return static_cast<double>(engine()) / 2147483648.0 - 1; };
  Spectrum values(count);
  for (auto& value : values) value = {draw(), real ? 0 : draw()};
  return values;
}

template <class Real>
std::vector<std::complex<Real>> rounded(const Spectrum& values) {
  return {values.begin(), values.end()};
}

/// The difference of two vectors in units of the rounding of Real, relative to their length.
template <class Real, class A>
double distance(const std::vector<A>& got, const Spectrum& want) {
  REQUIRE(got.size() == want.size());
  double difference = 0, length = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    difference += std::norm(std::complex<double>(got[i]) - want[i]);
    length += std::norm(want[i]);
  }
  return std::sqrt(difference / length) / std::numeric_limits<Real>::epsilon();
}

/// The part of a spectrum of real numbers that is stored: the rest are its conjugates.
Spectrum half(const Spectrum& whole, const Sizes& sizes) {
  const auto row = static_cast<std::size_t>(sizes.back());
  Spectrum kept;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    if (i % row <= row / 2) kept.push_back(whole[i]);
  }
  return kept;
}

const std::vector<Sizes> kShapes = {{1},   {2},    {7},    {8},      {12},   {97},      {128},
                                    {100}, {4, 4}, {3, 5}, {16, 10}, {1, 9}, {3, 5, 7}, {4, 6, 8}};
constexpr double kRoundings = 4;  // measured: 1.2 at most

}  // namespace

TEMPLATE_TEST_CASE("complex transforms are sums by the definition", "[libraries][cufft]", Single,
                   Double) {
  using Real = typename TestType::Real;
  for (const Sizes& sizes : kShapes) {
    for (const int direction : {CUFFT_FORWARD, CUFFT_INVERSE}) {
      const Spectrum input = random_values(product(sizes), false);
      const Spectrum want = transformed(input, sizes, direction);
      const Plan plan(sizes, TestType::kComplex);
      DeviceArray<std::complex<Real>> from(rounded<Real>(input)), to(input.size());
      REQUIRE(TestType::run(plan.handle, from.get(), to.get(), direction) == CUFFT_SUCCESS);
      CHECK(distance<Real>(to.values(), want) < kRoundings);
      CHECK(distance<Real>(from.values(), input) < 1);
      REQUIRE(TestType::run(plan.handle, from.get(), from.get(), direction) == CUFFT_SUCCESS);
      CHECK(distance<Real>(from.values(), want) < kRoundings);
    }
  }
}

TEMPLATE_TEST_CASE(
    "transforms of real numbers store half of the spectrum, and in place padded rows",
    "[libraries][cufft]", Single, Double) {
  using Real = typename TestType::Real;
  for (const Sizes& sizes : kShapes) {
    const Spectrum input = random_values(product(sizes), true);
    const Spectrum want = half(transformed(input, sizes, -1), sizes);
    std::vector<Real> reals;
    for (const auto& value : input) reals.push_back(static_cast<Real>(value.real()));
    const Plan plan(sizes, TestType::kFromReal);
    DeviceArray<Real> from(reals);
    DeviceArray<std::complex<Real>> to(want.size());
    REQUIRE(TestType::from_real(plan.handle, from.get(), to.get()) == CUFFT_SUCCESS);
    CHECK(distance<Real>(to.values(), want) < kRoundings);

    const auto row = static_cast<std::size_t>(sizes.back()), padded = 2 * (row / 2 + 1);
    std::vector<Real> rows(reals.size() / row * padded);
    for (std::size_t i = 0; i < reals.size(); ++i) rows[i / row * padded + i % row] = reals[i];
    DeviceArray<Real> in_place(rows);
    REQUIRE(TestType::from_real(plan.handle, in_place.get(), in_place.get()) == CUFFT_SUCCESS);
    const std::vector<Real> words = in_place.values();
    std::vector<std::complex<Real>> spectrum;
    for (std::size_t i = 0; i < words.size(); i += 2) spectrum.emplace_back(words[i], words[i + 1]);
    CHECK(distance<Real>(spectrum, want) < kRoundings);
  }
}

TEMPLATE_TEST_CASE("transforms to real numbers are inverse without a factor", "[libraries][cufft]",
                   Single, Double) {
  using Real = typename TestType::Real;
  for (const Sizes& sizes : kShapes) {
    Spectrum want = random_values(product(sizes), true);
    const Spectrum spectrum = half(transformed(want, sizes, -1), sizes);
    for (auto& value : want) value *= static_cast<double>(want.size());
    const Plan plan(sizes, TestType::kToReal);
    DeviceArray<std::complex<Real>> from(rounded<Real>(spectrum));
    DeviceArray<Real> to(want.size());
    REQUIRE(TestType::to_real(plan.handle, from.get(), to.get()) == CUFFT_SUCCESS);
    CHECK(distance<Real>(to.values(), want) < kRoundings);
    // cuFFT works in the input of more than one dimension.
    const bool is_lost = sizes.size() > 1 && sizes[0] > 1;
    CHECK(std::isnan(from.values()[0].real()) == is_lost);
  }
}

TEST_CASE("a batch and the strides of an advanced layout say where elements are",
          "[libraries][cufft]") {
  // Columns of a matrix of 6 rows: 4 transforms of 6 elements, of 5 columns.
  int size = 6, rows = 6;
  cufftHandle plan = CUFFT_PLAN_NULL;
  REQUIRE(cufftPlanMany(&plan, 1, &size, &rows, 5, 1, &rows, 1, 7, CUFFT_Z2Z, 4) == CUFFT_SUCCESS);
  const Spectrum matrix = random_values(30, false);
  DeviceArray<std::complex<double>> from(matrix), to(Spectrum(28));
  REQUIRE(Double::run(plan, from.get(), to.get(), CUFFT_FORWARD) == CUFFT_SUCCESS);
  const Spectrum results = to.values();
  for (std::size_t column = 0; column < 4; ++column) {
    Spectrum line(6);
    for (std::size_t i = 0; i < 6; ++i) line[i] = matrix[i * 5 + column];
    const auto begin = results.begin() + static_cast<std::ptrdiff_t>(column * 7);
    CHECK(distance<double>(Spectrum(begin, begin + 6), transformed(line, {6}, -1)) < kRoundings);
    CHECK(results[column * 7 + 6] == 0.0);
  }
  cufftDestroy(plan);
}

TEST_CASE("what cuFFT refuses has its status", "[libraries][cufft]") {
  cufftHandle plan = CUFFT_PLAN_NULL;
  const auto made = [&](int size, cufftType type, int batch) {
    const cufftResult status = cufftPlan1d(&plan, size, type, batch);
    if (status == CUFFT_SUCCESS) cufftDestroy(plan);
    return status;
  };
  CHECK(made(16, CUFFT_C2C, 1) == CUFFT_SUCCESS);
  CHECK(made(0, CUFFT_C2C, 1) == CUFFT_INVALID_SIZE);
  CHECK(made(16, CUFFT_C2C, 0) == CUFFT_INVALID_SIZE);
  CHECK(made(16, static_cast<cufftType>(0), 1) == CUFFT_INVALID_TYPE);
  int size = 16;
  const auto many = [&](int rank, int* in, int stride, int distance, int* out) {
    const cufftResult status =
        cufftPlanMany(&plan, rank, &size, in, stride, distance, out, 1, 16, CUFFT_C2C, 2);
    if (status == CUFFT_SUCCESS) cufftDestroy(plan);
    return status;
  };
  CHECK(many(1, &size, 1, 16, &size) == CUFFT_SUCCESS);
  CHECK(many(1, nullptr, 0, 0, nullptr) == CUFFT_SUCCESS);
  CHECK(many(1, &size, 1, 16, nullptr) == CUFFT_INVALID_VALUE);
  CHECK(many(1, &size, 0, 16, &size) == CUFFT_INVALID_VALUE);
  CHECK(many(1, &size, 1, 0, &size) == CUFFT_INVALID_VALUE);
  CHECK(many(0, nullptr, 1, 0, nullptr) == CUFFT_INVALID_VALUE);
  CHECK(many(4, nullptr, 1, 0, nullptr) == CUFFT_INVALID_VALUE);
  CHECK(cufftPlan1d(nullptr, 16, CUFFT_C2C, 1) == CUFFT_INVALID_VALUE);
  CHECK(cufftDestroy(CUFFT_PLAN_NULL) == CUFFT_SUCCESS);
  CHECK(cufftDestroy(4711) == CUFFT_INVALID_PLAN);
}

TEST_CASE("a plan is created, made and then run", "[libraries][cufft]") {
  cufftHandle plan = CUFFT_PLAN_NULL;
  std::size_t bytes = 0;
  const DeviceArray<cufftComplex> data(std::vector<cufftComplex>(16));
  REQUIRE(cufftCreate(&plan) == CUFFT_SUCCESS);
  CHECK(cufftExecC2C(plan, data.get(), data.get(), CUFFT_FORWARD) == CUFFT_INVALID_PLAN);
  CHECK(cufftGetSize(plan, &bytes) == CUFFT_INVALID_PLAN);
  CHECK(cufftMakePlan1d(plan, 16, CUFFT_C2C, 1, nullptr) == CUFFT_INVALID_VALUE);
  REQUIRE(cufftMakePlan1d(plan, 16, CUFFT_C2C, 1, &bytes) == CUFFT_SUCCESS);
  CHECK(cufftMakePlan1d(plan, 16, CUFFT_C2C, 1, &bytes) == CUFFT_INVALID_PLAN);
  CHECK(cufftExecC2C(plan, data.get(), data.get(), 0) == CUFFT_INVALID_VALUE);
  CHECK(cufftExecC2C(plan, data.get(), nullptr, CUFFT_FORWARD) == CUFFT_EXEC_FAILED);
  auto* const odd =
      reinterpret_cast<cufftComplex*>(reinterpret_cast<std::uintptr_t>(data.get()) + 4);
  CHECK(cufftExecC2C(plan, odd, data.get(), CUFFT_FORWARD) == CUFFT_INVALID_VALUE);
  CHECK(cufftXtExec(plan, data.get(), data.get(), CUFFT_INVERSE) == CUFFT_SUCCESS);
  CHECK(cufftDestroy(plan) == CUFFT_SUCCESS);
  CHECK(cufftDestroy(plan) == CUFFT_INVALID_PLAN);
  CHECK(cufftSetStream(plan, nullptr) == CUFFT_INVALID_PLAN);
}

TEST_CASE("cuFFT says its version", "[libraries][cufft]") {
  int version = 0, major = 0;
  CHECK(cufftGetVersion(&version) == CUFFT_SUCCESS);
  CHECK(version == CUFFT_VERSION);
  CHECK(cufftGetProperty(MAJOR_VERSION, &major) == CUFFT_SUCCESS);
  CHECK(major == CUFFT_VER_MAJOR);
}
