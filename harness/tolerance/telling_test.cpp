#include "harness/tolerance/telling.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <functional>
#include <limits>

#include "harness/data/poison.h"
#include "harness/tolerance/compare.h"

namespace warpgrade {
namespace {

constexpr float kPoisoned = std::numeric_limits<float>::infinity();  // replaced by the poison

/// Right values: all different, none zero.
float right_at(std::uint64_t i) {
  return 1 + 0.37f * static_cast<float>(i * i % 1009);
}

std::string fact_of(std::vector<std::uint64_t> shape,
                    const std::function<float(std::uint64_t, float)>& got) {
  Array array(ElementType::f32, std::move(shape));
  Expected want;
  want.bound.assign(array.count(), 1e-3);
  for (std::uint64_t i = 0; i < array.count(); ++i) {
    want.want.push_back(right_at(i));
    float& element = array.as<float>()[i];
    element = got(i, right_at(i));
    if (element == kPoisoned) {
      poison({reinterpret_cast<std::byte*>(&element), sizeof(float)}, ElementType::f32,
             sizeof(float));
    }
  }
  return telling_fact(array, want, matches(array, want));
}

/// Other wrong values that have nothing in common.
float other(std::uint64_t i, float v) {
  const float off = 3 + static_cast<float>(i % 7) * static_cast<float>(i % 5);
  return i / 5 % 2 == 0 ? v - off : v + off;
}

std::string fact_where(std::uint64_t rows, std::uint64_t columns,
                       const std::function<bool(std::uint64_t, std::uint64_t)>& is_wrong) {
  return fact_of({rows, columns}, [&](std::uint64_t i, float v) {
    return is_wrong(i / columns, i % columns) ? other(i, v) : v;
  });
}

TEST_CASE("rows and columns with wrong elements are named", "[tolerance][telling]") {
  CHECK(fact_where(16, 8, [](auto r, auto) { return r % 4 == 3; }) ==
        "Only every 4th row, from row 3 on, has wrong elements.");
  CHECK(fact_where(16, 8, [](auto, auto c) { return c == 5; }) ==
        "Only column 5 of 8 has wrong elements.");
  CHECK(fact_where(16, 8, [](auto r, auto c) { return r == 2 || (r == 9 && c < 5); }) ==
        "Only rows 2 and 9 of 16 have wrong elements.");
  CHECK(fact_where(16, 8, [](auto r, auto) { return r >= 4 && r < 9; }) ==
        "Only rows 4 to 8 of 16 have wrong elements.");
  // Less than half of a row, or every row.
  CHECK(fact_where(16, 8, [](auto r, auto c) { return r == 2 || (r == 9 && c < 3); }).empty());
  CHECK(fact_where(16, 8, [](auto r, auto c) { return (3 * r + 5 * c) % 7 < 3; }).empty());
}

TEST_CASE("elements at equal distances, in a range and in groups are named",
          "[tolerance][telling]") {
  const auto fact = [](std::uint64_t n, const std::function<bool(std::uint64_t)>& is_wrong) {
    return fact_of({n}, [&](std::uint64_t i, float v) { return is_wrong(i) ? other(i, v) : v; });
  };
  CHECK(fact(100, [](auto i) { return i % 3 == 1; }) ==
        "Only every 3rd element, from element 1 on, is wrong.");
  CHECK(fact(100, [](auto i) { return i >= 20 && i < 31; }) ==
        "Only elements 20 to 30 of 100 are wrong.");
  CHECK(fact(2000, [](auto i) { return i / 256 == 2 || i / 256 == 5; }) ==
        "Only groups 2 and 5 of 8 with 256 elements each are wrong.");
  CHECK(fact(2000, [](auto i) { return i / 256 == 2 || (i / 256 == 5 && i % 7 != 0); }).empty());
  CHECK(fact(100, [](auto i) { return i % 3 == 1 && i != 49; }).empty());
  CHECK(fact(100, [](auto i) { return i % 3 == 1 && i < 50; }).empty());  // it ends in the middle
}

TEST_CASE("the same rows or columns of each tile are named", "[tolerance][telling]") {
  CHECK(fact_where(20, 70, [](auto, auto c) { return c % 16 >= 14; }) ==
        "Only the last 2 of each 16 columns are wrong.");
  CHECK(fact_where(40, 9, [](auto r, auto) { return r % 8 < 3; }) ==
        "Only the first 3 of each 8 rows are wrong.");
  CHECK(fact_where(20, 70, [](auto, auto c) {
          return c % 16 == 0;
        }).starts_with("Only every 16th column"));
  CHECK(fact_where(20, 70, [](auto, auto c) { return c % 16 >= 4 && c % 16 < 8; }) ==
        "Only columns 4 to 7 of each 16 are wrong.");
  // In one row less, in two places, or in two tiles only.
  CHECK(fact_where(20, 70, [](auto r, auto c) { return c % 16 >= 14 && r != 3; }).empty());
  CHECK(fact_where(20, 70, [](auto, auto c) { return c % 16 >= 14 || c % 16 == 3; }).empty());
  CHECK(fact_where(20, 40, [](auto, auto c) { return c % 16 >= 13; }).empty());
}

TEST_CASE("a value that divides right elements from wrong ones is named", "[tolerance][telling]") {
  const auto above = [](std::uint64_t i, float v) { return v > 100 ? other(i, v) : v; };
  const std::string fact = fact_of({60}, above);
  CHECK(fact.starts_with("Only elements whose right value is above "));
  CHECK(fact.ends_with(" are wrong."));
  CHECK(fact_of({60}, [&](std::uint64_t i, float v) {
          return v > 100 || i == 0 ? other(i, v) : v;
        }).empty());
}

TEST_CASE("right values in another order are told", "[tolerance][telling]") {
  const auto swapped = [](std::uint64_t i, float v) {
    const bool moves = i >= 20 && i < 70 && i % 5 < 2;
    return moves ? right_at(i % 5 == 0 ? i + 1 : i - 1) : v;
  };
  CHECK(fact_of({100}, swapped) == "The values are right, but 20 of 100 are in other places.");
  CHECK(fact_of({100}, [&](std::uint64_t i, float v) {
          return i == 30 ? right_at(2) : swapped(i, v);
        }).empty());
}

TEST_CASE("what all wrong elements hold is named", "[tolerance][telling]") {
  const auto some = [](std::uint64_t i) { return (i * i) % 11 < 4; };
  const auto fact = [&](const std::function<float(std::uint64_t, float)>& got) {
    return fact_of({101}, [&](std::uint64_t i, float v) { return some(i) ? got(i, v) : v; });
  };
  CHECK(fact([](auto, float) { return 0.0f; }) == "Each wrong element is 0.");
  CHECK(fact([](auto, float) { return 16777216.0f; }) == "Each wrong element is 16777216.");
  CHECK(fact([](auto, float) { return std::nanf(""); }) == "Each wrong element is NaN.");
  CHECK(fact([](auto, float v) { return v - 2; }) == "Each wrong element is 2 too small.");
  CHECK(fact([](auto, float v) { return v + 0.5f; }) == "Each wrong element is 0.5 too large.");
  CHECK(fact([](auto, float v) { return -v; }) == "Each wrong element has the wrong sign.");
  CHECK(fact([](auto, float v) { return 0.25f * v; }) ==
        "Each wrong element is 0.25 times what it should be.");
  CHECK(fact([](auto, float v) { return 0.9975f * v; }) ==
        "Each wrong element is 0.25 % too small.");
  CHECK(fact([](auto, float) { return kPoisoned; }) == "Each wrong element was not written.");
  CHECK(fact([](auto i, float v) { return i == 11 ? kPoisoned : v - 2; }).empty());
  CHECK(fact([](auto i, float v) { return i == 12 ? v + 3 : v - 2; }).empty());
  CHECK(fact_of({50}, [](auto, float v) { return v + 4; }) == "Each element is 4 too large.");
  CHECK(fact_of({3}, [](auto, float v) { return v + 4; }).empty());  // too few
}

/// The fact about counters with these values.
std::string fact_of_counts(const std::vector<std::int64_t>& want,
                           const std::vector<std::int64_t>& got) {
  Array array(ElementType::u32, {got.size()});
  for (std::size_t i = 0; i < got.size(); ++i) {
    array.as<std::uint32_t>()[i] = static_cast<std::uint32_t>(got[i]);
  }
  Expected expected;
  expected.type = ElementType::u32;
  expected.exact = want;
  return telling_fact(array, expected, matches(array, expected));
}

TEST_CASE("counters that carry into the next one of their word are recognized",
          "[tolerance][telling]") {
  CHECK(fact_of_counts({10, 600, 3, 4, 5, 6, 7, 8}, {10, 88, 5, 4, 5, 6, 7, 8}) ==
        "Each 4 elements together are right, as 8 bits each of one number: a counter above "
        "255 carries into the next one.");
  CHECK(fact_of_counts({10, 3, 70000, 4, 5, 6}, {10, 3, 4464, 5, 5, 6})
            .starts_with("Each 2 elements together are right, as 16 bits each"));
  // The last counter of a word carries into nothing.
  CHECK(fact_of_counts({1, 2, 3, 300}, {1, 2, 3, 44}).starts_with("Each 4 elements together"));
  // Lost, or in the wrong bin, or below 256.
  CHECK(fact_of_counts({10, 600, 3, 4, 5, 6, 7, 8}, {10, 88, 3, 4, 5, 6, 7, 8}).empty());
  CHECK(fact_of_counts({10, 600, 3, 4, 5, 6, 7, 8}, {10, 599, 4, 4, 5, 6, 7, 8}).empty());
}

TEST_CASE("NaN where an infinite value is expected, or read, is explained even in one element",
          "[tolerance][telling]") {
  Array array(ElementType::f32, {3});
  Expected want;
  want.want = {1, INFINITY, 3};
  want.bound = {0, 0, 0};
  array.as<float>()[0] = 1;
  array.as<float>()[1] = NAN;
  array.as<float>()[2] = 3;
  CHECK(telling_fact(array, want, {true, false, true}) ==
        "Each wrong element is NaN where it has to be infinite, as the difference of two infinite "
        "values is.");
  want.want[1] = 2;
  CHECK(telling_fact(array, want, {true, false, true}).empty());
  Array input = array;
  const std::vector<NamedArray> inputs = {{.name = "x", .array = &input}};
  CHECK(telling_fact(array, want, {true, false, true}, inputs).empty());
  input.as<float>()[1] = INFINITY;
  CHECK(telling_fact(array, want, {true, false, true}, inputs) ==
        "Each wrong element is NaN, and `x` is infinite there: an infinite value minus an infinite "
        "value is not a number.");
}

TEST_CASE("sides of the diagonal are named", "[tolerance][telling]") {
  CHECK(fact_where(9, 9, [](auto r, auto c) { return c > r; }) ==
        "Only elements above the diagonal are wrong.");
  CHECK(fact_where(9, 7, [](auto r, auto c) { return c <= r; }) ==
        "Only elements on the diagonal and below it are wrong.");
  CHECK(fact_where(9, 9, [](auto r, auto c) { return c != r; }) ==
        "Only elements on the diagonal are right.");
  CHECK(fact_where(9, 9, [](auto r, auto c) { return c > r && c != 8; }).empty());
}

TEST_CASE("rows and columns that alone are right are named", "[tolerance][telling]") {
  CHECK(fact_where(16, 8, [](auto r, auto) { return r != 3; }) ==
        "Only row 3 of 16 has right elements.");
  CHECK(fact_where(16, 8, [](auto, auto c) { return c != 2 && c != 5; }) ==
        "Only columns 2 and 5 of 8 have right elements.");
  CHECK(fact_where(16, 8, [](auto r, auto c) { return r != 3 && !(r == 5 && c == 1); }).empty());
}

TEST_CASE("rows that hold one value each are told", "[tolerance][telling]") {
  CHECK(fact_of({8, 16}, [](auto i, float) { return static_cast<float>(i / 16) + 0.5f; }) ==
        "All elements of a row are the same, and should not be.");
  CHECK(fact_of({8, 16}, [](auto i, float) { return static_cast<float>(i % 16) + 0.5f; }) ==
        "All elements of a column are the same, and should not be.");
  CHECK(fact_of({8, 16}, [](auto i, float) {
          return i == 5 ? 9.0f : static_cast<float>(i / 16) + 0.5f;
        }).find("row") == std::string::npos);
}

TEST_CASE("wrong elements that are all on one side of the right ones are told",
          "[tolerance][telling]") {
  const auto is_wrong = [](std::uint64_t i) { return i % 11 == 1 || i % 11 == 4 || i % 11 == 5; };
  CHECK(fact_of({40}, [&](auto i, float v) { return is_wrong(i) ? v - 1 - float(i) : v; }) ==
        "Each wrong element is too small.");
  CHECK(fact_of({40}, [](auto i, float v) { return v + 1 + float(i % 7); }) ==
        "Each element is too large.");
  CHECK(fact_of({40}, [&](auto i, float v) {
          return !is_wrong(i) ? v : i == 4 ? v + 1 : v - 1 - float(i);
        }).empty());
  // Too few elements: it is so by chance.
  CHECK(fact_of({40}, [](auto i, float v) {
          return i == 3 || i == 7 || i == 20 || i == 31 ? v - 1 - float(i) : v;
        }).empty());
}

}  // namespace
}  // namespace warpgrade
