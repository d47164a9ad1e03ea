#include "harness/data/fill.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

namespace warpgrade {

namespace {

Array filled(ElementType type, std::uint64_t count, const Fill& fill, std::uint64_t seed = 1) {
  Array array(type, {count});
  fill_array(array, fill, seed);
  return array;
}

template <class T, class Test>
bool any(const Array& array, Test test) {
  const auto values = array.as<T>();
  return std::any_of(values.begin(), values.end(), test);
}

template <class T, class Test>
bool all(const Array& array, Test test) {
  const auto values = array.as<T>();
  return std::all_of(values.begin(), values.end(), test);
}

}  // namespace

TEST_CASE("the same seed gives the same data and another seed other data", "[data][fill]") {
  CHECK(filled(ElementType::f32, 100, {}, 5).bytes == filled(ElementType::f32, 100, {}, 5).bytes);
  CHECK(filled(ElementType::f32, 100, {}, 5).bytes != filled(ElementType::f32, 100, {}, 6).bytes);
}

TEST_CASE("a longer array begins with the shorter one's data", "[data][fill]") {
  const Array shorter = filled(ElementType::f32, 10, {});
  const Array longer = filled(ElementType::f32, 20, {});
  CHECK(std::equal(shorter.bytes.begin(), shorter.bytes.end(), longer.bytes.begin()));
}

TEST_CASE("uniform stays inside its limits", "[data][fill]") {
  const Array array = filled(ElementType::f32, 1000, {.low = 2, .high = 3});
  CHECK(all<float>(array, [](float v) { return v >= 2 && v <= 3; }));
  CHECK(any<float>(array, [](float v) { return v < 2.1F; }));
  CHECK(any<float>(array, [](float v) { return v > 2.9F; }));
}

TEST_CASE("integers are whole and reach both limits", "[data][fill]") {
  const Array array = filled(ElementType::f32, 1000,
                             {.distribution = Distribution::integers, .low = -3, .high = 3});
  CHECK(all<float>(array, [](float v) { return v == std::floor(v) && v >= -3 && v <= 3; }));
  CHECK(any<float>(array, [](float v) { return v == -3; }));
  CHECK(any<float>(array, [](float v) { return v == 3; }));
}

TEST_CASE("constant repeats its value and ramp counts", "[data][fill]") {
  const Array constant =
      filled(ElementType::f32, 10, {.distribution = Distribution::constant, .low = 0.5});
  CHECK(all<float>(constant, [](float v) { return v == 0.5F; }));
  const Array ramp = filled(ElementType::i32, 5, {.distribution = Distribution::ramp, .low = 10});
  CHECK(std::vector<int>(ramp.as<int>().begin(), ramp.as<int>().end()) ==
        std::vector<int>{10, 11, 12, 13, 14});
}

TEST_CASE("signs takes only its two values", "[data][fill]") {
  const Array array =
      filled(ElementType::f32, 200, {.distribution = Distribution::signs, .low = -1, .high = 1});
  CHECK(all<float>(array, [](float v) { return v == -1 || v == 1; }));
  CHECK(any<float>(array, [](float v) { return v == -1; }));
  CHECK(any<float>(array, [](float v) { return v == 1; }));
}

TEST_CASE("extremes holds subnormals, the largest, an infinity and a negative zero",
          "[data][fill]") {
  const Array array = filled(ElementType::f32, 500, {.distribution = Distribution::extremes});
  CHECK(any<float>(array, [](float v) { return v == std::numeric_limits<float>::max(); }));
  CHECK(any<float>(array, [](float v) { return std::fpclassify(v) == FP_SUBNORMAL; }));
  CHECK(any<float>(array, [](float v) { return std::isinf(v); }));
  CHECK(any<float>(array, [](float v) { return v == 0 && std::signbit(v); }));
  CHECK_FALSE(any<float>(array, [](float v) { return std::isnan(v); }));
}

TEST_CASE("nans strews NaNs among ordinary values", "[data][fill]") {
  const Array array = filled(ElementType::f32, 500, {.distribution = Distribution::nans});
  const auto values = array.as<float>();
  const auto count =
      std::count_if(values.begin(), values.end(), [](float v) { return std::isnan(v); });
  CHECK(count > 10);
  CHECK(count < 100);
}

TEST_CASE("values beyond an integer type are its limits", "[data][fill]") {
  const Array array = filled(ElementType::u8, 3, {.distribution = Distribution::ramp, .low = 254});
  CHECK(std::vector<int>(array.as<std::uint8_t>().begin(), array.as<std::uint8_t>().end()) ==
        std::vector<int>{254, 255, 255});
  const Array wide =
      filled(ElementType::i64, 1, {.distribution = Distribution::constant, .low = 1e30});
  CHECK(wide.as<std::int64_t>()[0] == std::numeric_limits<std::int64_t>::max());
}

TEST_CASE("a skewed array holds one value for its share, and others beside it", "[data][fill]") {
  Array array(ElementType::u32, {10000});
  fill_array(
      array,
      {.distribution = Distribution::skewed, .low = 0, .high = 255, .value = 7, .share = 0.9}, 1);
  const auto values = array.as<std::uint32_t>();
  const auto sevens = std::count(values.begin(), values.end(), 7u);
  CHECK(sevens > 8900);
  CHECK(sevens < 9150);
  CHECK(*std::max_element(values.begin(), values.end()) <= 255);
}

TEST_CASE("runs repeat each value for their length", "[data][fill]") {
  Array array(ElementType::u32, {1000});
  fill_array(array, {.distribution = Distribution::runs, .low = 0, .high = 1e6, .length = 10}, 1);
  const auto values = array.as<std::uint32_t>();
  for (std::size_t i = 0; i < values.size(); ++i) {
    REQUIRE(values[i] == values[i / 10 * 10]);
  }
  CHECK(values[0] != values[10]);
}

TEST_CASE("sorted and descending data are ordered, and uniform within their limits",
          "[data][fill]") {
  const auto sorted = [](ElementType type, Distribution distribution) {
    return filled(type, 1000, {.distribution = distribution, .low = -50, .high = 50});
  };
  const Array up = sorted(ElementType::f32, Distribution::sorted);
  CHECK(std::ranges::is_sorted(up.as<float>()));
  CHECK(up.as<float>().front() < -45);
  CHECK(up.as<float>().back() > 45);
  const Array down = sorted(ElementType::i64, Distribution::descending);
  CHECK(std::ranges::is_sorted(down.as<std::int64_t>(), std::greater<>()));
  CHECK(std::ranges::adjacent_find(down.as<std::int64_t>()) != down.as<std::int64_t>().end());
  const Array halves = sorted(ElementType::f16, Distribution::sorted);
  CHECK(std::ranges::is_sorted(halves.as<Float16>(), {},
                               [](Float16 value) { return static_cast<double>(value); }));
}

TEST_CASE("nearly sorted data are sorted but for a few elements that are not far off",
          "[data][fill]") {
  const Array array = filled(ElementType::f32, 2000, {.distribution = Distribution::nearly_sorted});
  const std::vector<float> values(array.as<float>().begin(), array.as<float>().end());
  std::vector<float> sorted = values;
  std::ranges::sort(sorted);
  std::size_t moved = 0;
  for (std::size_t i = 0; i < values.size(); ++i) moved += values[i] == sorted[i] ? 0 : 1;
  CHECK(moved > 100);
  CHECK(moved < 400);
  const Array same = filled(ElementType::f32, 2000, {.distribution = Distribution::nearly_sorted});
  CHECK(same.bytes == array.bytes);
}

}  // namespace warpgrade
