#include "harness/tolerance/align.h"

#include <catch2/catch_test_macros.hpp>
#include <limits>

#include "harness/tolerance/compare.h"

namespace warpgrade {

namespace {

Array ints(const std::vector<std::int32_t>& values) {
  Array array(ElementType::i32, {values.size()});
  std::copy(values.begin(), values.end(), array.as<std::int32_t>().begin());
  return array;
}

Array floats(const std::vector<float>& values) {
  Array array(ElementType::f32, {values.size()});
  std::copy(values.begin(), values.end(), array.as<float>().begin());
  return array;
}

Expected exactly(std::vector<std::int64_t> values) {
  return {.type = ElementType::i32, .want = {}, .bound = {}, .exact = std::move(values)};
}

Expected within(std::vector<double> values, std::vector<double> bounds) {
  return {
      .type = ElementType::f32, .want = std::move(values), .bound = std::move(bounds), .exact = {}};
}

std::uint64_t wrong(const Array& got, const Expected& want, std::uint64_t length,
                    const std::vector<std::uint64_t>& groups) {
  return compare(got, align(got, want, length, groups)).mismatches;
}

TEST_CASE("elements in free order are a multiset", "[tolerance][unit]") {
  CHECK(wrong(ints({3, 1, 2, 1}), exactly({1, 1, 2, 3}), 1, {0, 4}) == 0);
  CHECK(wrong(ints({3, 1, 2, 2}), exactly({1, 1, 2, 3}), 1, {0, 4}) == 1);
  CHECK(wrong(ints({0, 0, 0, 0}), exactly({1, 1, 2, 3}), 1, {0, 4}) == 4);
}

TEST_CASE("order is free only within a group, and units outside stay where they are",
          "[tolerance][unit]") {
  const Expected want = exactly({1, 2, 3, 4, 0, 0});
  CHECK(wrong(ints({2, 1, 4, 3, 0, 0}), want, 1, {0, 2, 4}) == 0);
  CHECK(wrong(ints({3, 1, 4, 2, 0, 0}), want, 1, {0, 2, 4}) == 2);
  CHECK(wrong(ints({2, 1, 0, 0, 3, 4}), want, 1, {0, 2, 4}) == 4);
}

TEST_CASE("rows in free order keep the order of their elements", "[tolerance][unit]") {
  const Expected want = exactly({1, 2, 3, 4, 1, 9});
  CHECK(wrong(ints({3, 4, 1, 9, 1, 2}), want, 2, {0, 3}) == 0);
  CHECK(wrong(ints({4, 3, 1, 9, 1, 2}), want, 2, {0, 3}) == 2);
}

TEST_CASE("floats are matched within their bounds, as many as possible", "[tolerance][unit]") {
  // 1.0 fits both; the narrow interval must get it, and the wide one 2.0.
  CHECK(wrong(floats({2.0F, 1.0F}), within({1.2, 1.0}, {1.0, 0.1}), 1, {0, 2}) == 0);
  CHECK(wrong(floats({1.0F, 2.0F}), within({1.2, 1.0}, {1.0, 0.1}), 1, {0, 2}) == 0);
  CHECK(wrong(floats({1.0F, 5.0F}), within({1.2, 1.0}, {1.0, 0.1}), 1, {0, 2}) == 1);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float inf = std::numeric_limits<float>::infinity();
  CHECK(wrong(floats({nan, inf, 1}), within({1, nan, inf}, {0, 0, 0}), 1, {0, 3}) == 0);
}

TEST_CASE("rows of floats are matched within their bounds", "[tolerance][unit]") {
  const Expected want = within({1, 2, 1, 3, 5, 6}, {0.1, 0.1, 0.1, 0.1, 0.1, 0.1});
  CHECK(wrong(floats({5.05F, 6, 1.05F, 3, 0.95F, 2}), want, 2, {0, 3}) == 0);
  CHECK(wrong(floats({5, 6, 1, 3, 1, 3}), want, 2, {0, 3}) == 1);
  const Expected equal = within(std::vector<double>(2000, 1), std::vector<double>(2000, 0.1));
  CHECK(wrong(floats(std::vector<float>(2000, 1.05F)), equal, 2, {0, 1000}) == 0);
}

}  // namespace

}  // namespace warpgrade
