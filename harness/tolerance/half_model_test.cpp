// The error model of half-precision outputs, on sums that are computed in several ways.

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "harness/data/random.h"
#include "harness/data/small_float.h"
#include "harness/tolerance/error_model.h"

namespace warpgrade {

namespace {

struct Sum {
  double want = 0;
  double condition = 0;
  double in_float = 0;  // one after another, stored once
  double in_pairs = 0;  // as a tree
  double in_type = 0;  // each partial sum rounded to the type
};

template <class T>
Sum sum_of(std::uint64_t seed, std::size_t count) {
  Sum sum;
  const Random random(seed);
  std::vector<float> tree;
  float in_float = 0;
  T in_type(0);
  for (std::size_t i = 0; i < count; ++i) {
    const float value{T(random.uniform(i) - 0.25)};
    sum.want += value;
    sum.condition += std::abs(value);
    in_float += value;
    in_type = T(double{float{in_type}} + value);
    tree.push_back(value);
  }
  for (std::size_t step = 1; step < count; step *= 2) {
    for (std::size_t i = 0; i + step < count; i += 2 * step) tree[i] += tree[i + step];
  }
  sum.in_float = double{float{T(in_float)}};
  sum.in_pairs = double{float{T(tree[0])}};
  sum.in_type = double{float{in_type}};
  return sum;
}

/// As harness/golden computes it from `precision` and the output's type.
double stored_bound(const Sum& sum, std::size_t count, ElementType type) {
  const auto terms = static_cast<double>(count - 1);
  const double computed =
      gamma_bound(terms, Precision::f32) * sum.condition + underflow_bound(terms, Precision::f32);
  return computed + storage_roundoff(type) * (std::abs(sum.want) + computed) +
         storage_underflow(type);
}

}  // namespace

TEST_CASE("a sum in float that is stored as a half is inside the bound, one in halves is not",
          "[tolerance][model]") {
  constexpr std::size_t kCount = 200;
  int outside = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Sum sum = sum_of<Float16>(seed, kCount);
    const double bound = stored_bound(sum, kCount, ElementType::f16);
    CHECK(std::abs(sum.in_float - sum.want) <= bound);
    CHECK(std::abs(sum.in_pairs - sum.want) <= bound);
    outside += std::abs(sum.in_type - sum.want) > bound ? 1 : 0;
    CHECK(std::abs(sum.in_type - sum.want) <=
          gamma_bound(kCount - 1, Precision::f16_sums) * sum.condition);
  }
  CHECK(outside > 10);
}

TEST_CASE("a sum in float that is stored as a bfloat16 is inside the bound, one in bfloat16 is not",
          "[tolerance][model]") {
  constexpr std::size_t kCount = 100;
  int outside = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Sum sum = sum_of<BFloat16>(seed, kCount);
    const double bound = stored_bound(sum, kCount, ElementType::bf16);
    CHECK(std::abs(sum.in_float - sum.want) <= bound);
    CHECK(std::abs(sum.in_pairs - sum.want) <= bound);
    outside += std::abs(sum.in_type - sum.want) > bound ? 1 : 0;
    CHECK(std::abs(sum.in_type - sum.want) <=
          gamma_bound(kCount - 1, Precision::bf16_sums) * sum.condition);
  }
  CHECK(outside > 10);
}

TEST_CASE("half precision overflows above its largest number and half a unit",
          "[tolerance][model]") {
  const double half = overflow_threshold(ElementType::f16);
  CHECK(std::isinf(float{Float16(half)}));
  CHECK(float{Float16(std::nextafter(half, 0))} == 65504.0F);
  const double upper = overflow_threshold(ElementType::bf16);
  CHECK(std::isinf(float{BFloat16(upper)}));
  CHECK(float{BFloat16(std::nextafter(upper, 0))} == 0x1.fep127F);
}

TEST_CASE("sums in half precision have few terms", "[tolerance][model]") {
  CHECK_THROWS_AS(gamma_bound(2048, Precision::f16_sums), std::domain_error);
  CHECK_THROWS_AS(gamma_bound(256, Precision::bf16_sums), std::domain_error);
}

}  // namespace warpgrade
