#include "harness/tolerance/compare.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "harness/data/poison.h"
#include "harness/tolerance/error_model.h"

namespace warpgrade {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr float kFloatInfinity = std::numeric_limits<float>::infinity();

Array array_of(const std::vector<float>& values) {
  Array array(ElementType::f32, {values.size()});
  std::copy(values.begin(), values.end(), array.as<float>().begin());
  return array;
}

Expected expecting(std::vector<double> want, double bound) {
  Expected expected;
  expected.bound.assign(want.size(), bound);
  expected.want = std::move(want);
  return expected;
}

bool accepts(float got, double want, double bound) {
  return compare(array_of({got}), expecting({want}, bound)).passed();
}

}  // namespace

TEST_CASE("gamma grows with the terms and rejects chains that are too long for the model",
          "[tolerance][model]") {
  CHECK(gamma_bound(1, Precision::f32) == 0x1p-24 / (1 - 0x1p-24));
  CHECK(gamma_bound(1000, Precision::f32) > 1000 * 0x1p-24);
  CHECK(gamma_bound(0, Precision::f32) == 0);
  CHECK_THROWS_AS(gamma_bound(0x1p24, Precision::f32), std::domain_error);
}

TEST_CASE("an element on its bound passes and one beyond it fails", "[tolerance][compare]") {
  CHECK(accepts(1.5F, 1.0, 0.5));
  CHECK_FALSE(accepts(1.5F, 1.0, 0.4999));
}

TEST_CASE("NaN matches NaN and nothing else", "[tolerance][compare]") {
  const auto nan = static_cast<float>(kNaN);
  CHECK(accepts(nan, kNaN, 0));
  CHECK_FALSE(accepts(nan, 1.0, 1e30));
  CHECK_FALSE(accepts(1.0F, kNaN, 1e30));
  CHECK_FALSE(accepts(kFloatInfinity, kNaN, 1e30));
}

TEST_CASE("an infinity matches one of its sign, and overflow", "[tolerance][compare]") {
  CHECK(accepts(kFloatInfinity, kInfinity, 0));
  CHECK(accepts(kFloatInfinity, 6.8e38, 0));
  CHECK_FALSE(accepts(-kFloatInfinity, kInfinity, 0));
  CHECK_FALSE(accepts(kFloatInfinity, 3.4e38, 0));
  CHECK_FALSE(accepts(std::numeric_limits<float>::max(), kInfinity, 0));
  CHECK_FALSE(accepts(std::numeric_limits<float>::max(), 6.8e38, 1e31));
}

TEST_CASE("an element that still holds the poison is wrong even where NaN is wanted",
          "[tolerance][compare]") {
  Array got = array_of({0.0F});
  poison(got.bytes, ElementType::f32, sizeof(float));
  CHECK(std::isnan(got.as<float>()[0]));
  CHECK_FALSE(compare(got, expecting({kNaN}, 0)).passed());
}

TEST_CASE("the comparison counts all mismatches and lists the first", "[tolerance][compare]") {
  const Comparison result = compare(array_of({1, 9, 1, 9, 9}), expecting({1, 1, 1, 1, 1}, 0.25), 2);
  CHECK(result.count == 5);
  CHECK(result.mismatches == 3);
  REQUIRE(result.first.size() == 2);
  CHECK(result.first[0].index == 1);
  CHECK(result.first[1].index == 3);
  CHECK(result.first[1].got == 9);
  CHECK(result.first[1].want == 1);
  CHECK(result.first[1].bound == 0.25);
}

TEST_CASE("the worst element is the one furthest from its bound, passed or not",
          "[tolerance][compare]") {
  Expected want = expecting({10, 1, 5}, 1);
  want.bound[1] = 0.001;
  const Comparison result = compare(array_of({10.5F, 1.0005F, 5}), want);
  CHECK(result.passed());
  CHECK(result.worst_index == 0);
  CHECK(result.worst_ratio == 0.5);
  CHECK(result.max_error == 0.5);
  CHECK(result.bound == 1);
}

TEST_CASE("integers are exact", "[tolerance][compare]") {
  Array got(ElementType::i32, {2});
  got.as<int>()[0] = -7;
  got.as<int>()[1] = 8;
  Expected want;
  want.type = ElementType::i32;
  want.exact = {-7, 9};
  const Comparison result = compare(got, want);
  CHECK(result.mismatches == 1);
  CHECK(result.first.at(0).index == 1);
  CHECK(result.first.at(0).want == 9);
}

TEST_CASE("unsigned 64-bit integers are exact beyond what a double holds", "[tolerance][compare]") {
  Array got(ElementType::u64, {1});
  got.as<std::uint64_t>()[0] = ~std::uint64_t{0};
  Expected want;
  want.type = ElementType::u64;
  want.exact = {-1};
  CHECK(compare(got, want).passed());
  want.exact = {-2};
  CHECK_FALSE(compare(got, want).passed());
}

TEST_CASE("an empty output passes", "[tolerance][compare]") {
  CHECK(compare(array_of({}), expecting({}, 0)).passed());
}

TEST_CASE("comparing different counts is an internal error", "[tolerance][compare]") {
  CHECK_THROWS_MATCHES(compare(array_of({1}), expecting({1, 2}, 0)), std::invalid_argument,
                       Catch::Matchers::Message("compared 1 elements with 2 expected ones"));
}

TEST_CASE("tensor cores may have the error of rounding both factors", "[tolerance][model]") {
  CHECK(product_sum_bound(100, Precision::f32) == gamma_bound(100, Precision::f32));
  CHECK(product_sum_bound(1, Precision::tf32) > 2 * 0x1p-11);
  CHECK(product_sum_bound(1, Precision::tf32) < 2.01 * 0x1p-11);
  CHECK(product_sum_bound(100, Precision::bf16) > 2 * 0x1p-8);
}

}  // namespace warpgrade
