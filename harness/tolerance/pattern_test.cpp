#include "harness/tolerance/pattern.h"

#include <catch2/catch_test_macros.hpp>
#include <functional>
#include <limits>

#include "harness/data/poison.h"
#include "harness/tolerance/compare.h"

namespace warpgrade {

namespace {

// Replaced by the poison in fill().
constexpr float kPoison = std::numeric_limits<float>::infinity();

/// Right values: all different, none zero.
double want_at(std::uint64_t i) {
  return 1.0 + 0.37 * static_cast<double>(i * i % 1009);
}

/// The pattern of an output whose elements are `got(index, right value)`.
Pattern pattern_of(std::vector<std::uint64_t> shape,
                   const std::function<float(std::uint64_t, float)>& got,
                   const std::vector<NamedArray>& inputs = {}) {
  Array array(ElementType::f32, std::move(shape));
  const std::uint64_t n = array.count();
  Expected want;
  want.bound.assign(n, 1e-3);
  for (std::uint64_t i = 0; i < n; ++i) {
    want.want.push_back(want_at(i));
    float& element = array.as<float>()[i];
    element = got(i, static_cast<float>(want_at(i)));
    if (element == kPoison) {
      poison({reinterpret_cast<std::byte*>(&element), sizeof(float)}, ElementType::f32,
             sizeof(float));
    }
  }
  return classify(array, want, matches(array, want), inputs);
}

Pattern pattern_of(std::uint64_t n, const std::function<float(std::uint64_t, float)>& got,
                   const std::vector<NamedArray>& inputs = {}) {
  return pattern_of(std::vector{n}, got, inputs);
}

/// The pattern of a matrix in which `is_wrong(row, column)`.
Pattern pattern_where(std::uint64_t rows, std::uint64_t columns,
                      const std::function<bool(std::uint64_t, std::uint64_t)>& is_wrong,
                      float value = -1) {
  return pattern_of({rows, columns}, [&](std::uint64_t i, float v) {
    return is_wrong(i / columns, i % columns) ? value : v;
  });
}

}  // namespace

TEST_CASE("a right output has no pattern", "[tolerance][pattern]") {
  const Pattern p = pattern_of(100, [](auto, float v) { return v; });
  CHECK(p.kind == PatternKind::none);
  CHECK(p.detail.empty());
}

TEST_CASE("an output that was not written is recognised", "[tolerance][pattern]") {
  const Pattern p = pattern_of(100, [](auto, float) { return kPoison; });
  CHECK(p.kind == PatternKind::unwritten);
  CHECK(p.unwritten == 100);
  CHECK(p.detail == "No element of the output was written.");
}

TEST_CASE("an output of zeros is recognised", "[tolerance][pattern]") {
  CHECK(pattern_of(100, [](auto, float) { return 0.0F; }).kind == PatternKind::all_zero);
}

TEST_CASE("one nonzero element is not an output of zeros", "[tolerance][pattern]") {
  const Pattern p = pattern_of(100, [](auto i, float v) { return i == 50 ? v : 0.0F; });
  CHECK(p.kind == PatternKind::scattered);
}

TEST_CASE("a copy of an input is recognised and named", "[tolerance][pattern]") {
  Array input(ElementType::f32, {100});
  for (std::uint64_t i = 0; i < 100; ++i) input.as<float>()[i] = static_cast<float>(i % 7) - 90;
  const std::vector<NamedArray> inputs = {{.name = "b", .array = &input}};
  const auto copy = [](auto i, float) { return static_cast<float>(i % 7) - 90; };
  const Pattern p = pattern_of(100, copy, inputs);
  CHECK(p.kind == PatternKind::copy_of_input);
  CHECK(p.detail == "The output is a copy of the input `b`.");
  CHECK(pattern_of(100, copy).kind == PatternKind::everything);
}

TEST_CASE("the tail that truncated division leaves is recognised with its block sizes",
          "[tolerance][pattern]") {
  const Pattern p = pattern_of(1000003, [](auto i, float v) { return i < 999936 ? v : kPoison; });
  CHECK(p.kind == PatternKind::tail);
  CHECK(p.first == 999936);
  CHECK(p.last == 1000002);
  CHECK(p.wrong == 67);
  CHECK(p.detail ==
        "Elements 0 to 999935 are correct; the last 67, from index 999936 on, were not written. "
        "That is the remainder of 1000003 divided into blocks of 128 or 256 or 512.");
}

TEST_CASE("a wrong end that no block explains is a tail without a block", "[tolerance][pattern]") {
  const Pattern p = pattern_of(1000, [](auto i, float v) { return i < 700 ? v : -1.0F; });
  CHECK(p.kind == PatternKind::tail);
  CHECK(p.step == 0);
  CHECK(p.detail ==
        "Elements 0 to 699 are correct; the last 300, from index 700 on, have wrong values.");
}

TEST_CASE("an output right for one block only is recognised", "[tolerance][pattern]") {
  const Pattern p = pattern_of(10007, [](auto i, float v) { return i < 256 ? v : kPoison; });
  CHECK(p.kind == PatternKind::first_block_only);
  CHECK(p.step == 256);
  CHECK(p.detail ==
        "Only the first 256 elements are correct, the first block; all from index 256 on were "
        "not written.");
}

TEST_CASE("if one block and one byte per element are the same length, both are reported",
          "[tolerance][pattern]") {
  const Pattern p = pattern_of(1025, [](auto i, float v) { return i < 256 ? v : kPoison; });
  CHECK(p.kind == PatternKind::first_block_only);
  CHECK(p.detail ==
        "Only the first 256 elements are correct, the first block, and also as many bytes as there "
        "are elements; all from index 256 on were not written.");
}

TEST_CASE("an output right at element 0 only is a tail", "[tolerance][pattern]") {
  const Pattern p = pattern_of(100, [](auto i, float v) { return i == 0 ? v : -1.0F; });
  CHECK(p.kind == PatternKind::tail);
  CHECK(p.detail == "Only element 0 is correct; the last 99, from index 1 on, have wrong values.");
}

TEST_CASE("a period longer than any block is found in a long output", "[tolerance][pattern]") {
  const Pattern p =
      pattern_of(1000003, [](auto i, float v) { return i % 65536 < 10240 ? v : kPoison; });
  CHECK(p.kind == PatternKind::periodic);
  CHECK(p.step == 65536);
  CHECK(p.detail == "In every group of 65536 elements, positions 10240 to 65535 are not written.");
}

TEST_CASE("a copy of as many bytes as there are elements is recognised", "[tolerance][pattern]") {
  const Pattern p = pattern_of(10007, [](auto i, float v) { return i < 2501 ? v : kPoison; });
  CHECK(p.kind == PatternKind::first_bytes_only);
  CHECK(
      p.detail ==
      "Only the first 2501 of 10007 elements are correct: about 10004 bytes, as many as there are "
      "elements; the others were not written.");
  CHECK(pattern_of(10007, [](auto i, float v) { return i < 2502 ? v : kPoison; }).kind ==
        PatternKind::tail);
}

TEST_CASE("one wrong element at an end is recognised", "[tolerance][pattern]") {
  const Pattern first = pattern_of(100, [](auto i, float v) { return i == 0 ? kPoison : v; });
  CHECK(first.kind == PatternKind::first_element_only);
  CHECK(first.detail == "Only element 0 was not written.");
  const Pattern last = pattern_of(100, [](auto i, float v) { return i == 99 ? -1.0F : v; });
  CHECK(last.kind == PatternKind::last_element_only);
  CHECK(last.detail == "Only the last element, 99, has a wrong value.");
  CHECK(pattern_of(100, [](auto i, float v) { return i == 98 ? -1.0F : v; }).kind ==
        PatternKind::scattered);
}

TEST_CASE("a wrong beginning is recognised", "[tolerance][pattern]") {
  const Pattern p = pattern_of(100, [](auto i, float v) { return i < 10 ? -1.0F : v; });
  CHECK(p.kind == PatternKind::head);
  CHECK(p.detail == "The first 10 elements have wrong values; all from index 10 on are correct.");
}

TEST_CASE("a shifted output is recognised with its direction", "[tolerance][pattern]") {
  const Pattern ahead =
      pattern_of(100, [](auto i, float) { return static_cast<float>(want_at(i + 1)); });
  CHECK(ahead.kind == PatternKind::shifted);
  CHECK(ahead.step == 1);
  const Pattern behind = pattern_of(
      100, [](auto i, float) { return i < 32 ? -1.0F : static_cast<float>(want_at(i - 32)); });
  CHECK(behind.kind == PatternKind::shifted);
  CHECK(behind.step == -32);
  CHECK(
      behind.detail ==
      "Every element has the value that belongs 32 positions before it: the output is correct but "
      "shifted.");
}

TEST_CASE("a matrix shifted along both axes is recognised", "[tolerance][pattern]") {
  const auto at = [](std::uint64_t i, std::uint64_t down, std::uint64_t right) {
    const std::uint64_t row = i / 7 + down;
    const std::uint64_t column = i % 7 + right;
    return row < 5 && column < 7 ? static_cast<float>(want_at(row * 7 + column)) : -1.0F;
  };
  const Pattern p = pattern_of({5, 7}, [&](auto i, float) { return at(i, 1, 2); });
  CHECK(p.kind == PatternKind::shifted);
  CHECK(p.step == 9);
  CHECK(p.detail ==
        "Every element has the value that belongs 1 row below and 2 columns to the right of it, "
        "where there is such an element: the output is correct but shifted.");
  // One element that is not.
  CHECK(pattern_of({5, 7}, [&](auto i, float) { return i == 9 ? -1.0F : at(i, 1, 2); }).kind !=
        PatternKind::shifted);
}

TEST_CASE("a constant matrix that is wrong at an edge is not shifted", "[tolerance][pattern]") {
  Array got(ElementType::f32, {20, 20});
  Expected want;
  want.want.assign(400, 3.0);
  want.bound.assign(400, 1e-3);
  for (std::uint64_t i = 0; i < 400; ++i) got.as<float>()[i] = i % 20 == 7 ? 1.0F : 3.0F;
  CHECK(classify(got, want, matches(got, want), {}).kind != PatternKind::shifted);
}

TEST_CASE("an output whose second half repeats the first one is not shifted",
          "[tolerance][pattern]") {
  Array got(ElementType::f32, {384});
  Expected want;
  want.bound.assign(384, 1e-3);
  for (std::uint64_t i = 0; i < 384; ++i) {
    want.want.push_back(static_cast<double>(i % 64) + (i < 192 ? 0 : 1000));
    got.as<float>()[i] = static_cast<float>(i % 64);
  }
  CHECK(classify(got, want, matches(got, want), {}).kind != PatternKind::shifted);
}

TEST_CASE("a scaled output is recognised with its factor", "[tolerance][pattern]") {
  const Pattern p = pattern_of(100, [](auto, float v) { return -2 * v; });
  CHECK(p.kind == PatternKind::scaled);
  CHECK(p.detail == "Every element is -2 times what it should be.");
  CHECK(pattern_of(100, [](auto, float v) { return 1.0025f * v; }).detail ==
        "Every element is 0.25 % too large.");
  CHECK(pattern_of(100, [](auto i, float v) { return i == 60 ? v * 3 : v * 2; }).kind ==
        PatternKind::everything);
}

TEST_CASE("an output of which all signs are wrong is recognised", "[tolerance][pattern]") {
  const Pattern p = pattern_of(100, [](auto, float v) { return -v; });
  CHECK(p.kind == PatternKind::wrong_sign);
  CHECK(p.detail == "Every element has the right magnitude and the wrong sign.");
  // Nearly so; and all but one.
  CHECK(pattern_of(100, [](auto, float v) { return -1.01F * v; }).kind == PatternKind::scaled);
  CHECK(pattern_of(100, [](auto i, float v) { return i == 60 ? v : -v; }).kind !=
        PatternKind::wrong_sign);
}

TEST_CASE("elements wrong at the same position of every group are recognised",
          "[tolerance][pattern]") {
  const Pattern every =
      pattern_of(1000, [](auto i, float v) { return i % 32 == 31 ? kPoison : v; });
  CHECK(every.kind == PatternKind::block_multiples);
  CHECK(every.step == 32);
  CHECK(every.detail == "In every group of 32 elements, position 31 is not written.");
  const Pattern one = pattern_of(1000, [](auto i, float v) { return i % 4 == 0 ? v : kPoison; });
  CHECK(one.detail == "Only every 4th element is correct, from index 0 on.");
  const Pattern half = pattern_of(4096, [](auto i, float v) { return i % 256 < 128 ? v : -1.0F; });
  CHECK(half.detail == "In every group of 256 elements, positions 128 to 255 are wrong.");
}

TEST_CASE("one group that differs breaks the period", "[tolerance][pattern]") {
  const Pattern p =
      pattern_of(1000, [](auto i, float v) { return i % 32 == 31 && i != 63 ? kPoison : v; });
  CHECK(p.kind == PatternKind::scattered);
}

TEST_CASE("one position of every block but the first is recognised", "[tolerance][pattern]") {
  const Pattern p =
      pattern_of(1000, [](auto i, float v) { return i % 256 == 0 && i > 0 ? -1.0F : v; });
  CHECK(p.kind == PatternKind::block_multiples);
  CHECK(p.step == 256);
  CHECK(p.detail == "In every group of 256 elements but the first, position 0 is wrong.");
  const Pattern two =
      pattern_of(1000, [](auto i, float v) { return i % 256 <= 1 && i > 1 ? -1.0F : v; });
  CHECK(two.kind == PatternKind::scattered);
}

TEST_CASE("a transposed matrix is recognised, square or not", "[tolerance][pattern]") {
  const auto transpose = [](std::uint64_t rows, std::uint64_t columns) {
    return pattern_of({rows, columns}, [=](std::uint64_t i, float) {
      return static_cast<float>(want_at(i % rows * columns + i / rows));
    });
  };
  CHECK(transpose(12, 12).kind == PatternKind::transposed);
  CHECK(transpose(20, 7).kind == PatternKind::transposed);
  CHECK(transpose(20, 7).detail ==
        "The output is correct but transposed: element (i, j) is where element (j, i) belongs.");
  // A vector has no rows.
  CHECK(transpose(1, 20).kind == PatternKind::none);
  const Pattern almost = pattern_of({12, 12}, [](std::uint64_t i, float) {
    return i == 77 ? -1.0F : static_cast<float>(want_at(i % 12 * 12 + i / 12));
  });
  CHECK(almost.kind == PatternKind::scattered);
}

TEST_CASE("the last rows and the last columns are distinguished, also from a tail",
          "[tolerance][pattern]") {
  const Pattern rows = pattern_where(
      40, 30, [](auto row, auto) { return row >= 32; }, kPoison);
  CHECK(rows.kind == PatternKind::last_row);
  CHECK(rows.detail == "Only rows 32 to 39 of 40 are wrong: 240 elements were not written.");
  const Pattern column = pattern_where(40, 30, [](auto, auto c) { return c == 29; });
  CHECK(column.kind == PatternKind::last_column);
  CHECK(column.detail == "Only column 29 of 30 is wrong: 40 elements have wrong values.");
  const Pattern inside_a_row =
      pattern_where(40, 30, [](auto row, auto c) { return row * 30 + c >= 970; });
  CHECK(inside_a_row.kind == PatternKind::tail);
  const Pattern vector = pattern_of({40, 1}, [](auto i, float v) { return i >= 30 ? -1.0F : v; });
  CHECK(vector.kind == PatternKind::tail);
}

TEST_CASE("a matrix that is wrong along its edges only has a wrong border",
          "[tolerance][pattern]") {
  const Pattern all =
      pattern_where(40, 30, [](auto r, auto c) { return r < 2 || c < 2 || r >= 38 || c >= 28; });
  CHECK(all.kind == PatternKind::border);
  CHECK(all.step == 2);
  CHECK(all.detail ==
        "Only elements within 2 of an edge are wrong, 264 of 1200 in 40 rows and 30 columns; they "
        "have wrong values.");
  const Pattern left = pattern_where(64, 64, [](auto, auto c) { return c < 3; });
  CHECK(left.kind == PatternKind::border);
  CHECK(left.detail ==
        "Only elements within 3 of the left edge are wrong, 192 of 4096 in 64 rows and 64 columns; "
        "they have wrong values.");
  const Pattern sides = pattern_where(40, 30, [](auto, auto c) { return c < 1 || c >= 29; });
  CHECK(sides.detail.find("within 1 of the left or right edge") != std::string::npos);
}

TEST_CASE("wrong elements inside, or few near an edge, are not a border", "[tolerance][pattern]") {
  const auto inside = [](auto r, auto c) { return r < 2 || (r == 20 && c == 20); };
  CHECK(pattern_where(60, 60, inside).kind == PatternKind::scattered);
  const auto few = [](auto r, auto c) { return (r == 3 && c == 9) || (r == 7 && c == 44); };
  CHECK(pattern_where(60, 60, few).kind == PatternKind::scattered);
  const auto wide = [](auto r, auto c) { return c < 17 && r != 50; };
  CHECK(pattern_where(60, 60, wide).kind == PatternKind::scattered);
}

TEST_CASE("wrong values everywhere and scattered ones are distinguished", "[tolerance][pattern]") {
  const Pattern all =
      pattern_of(100, [](auto i, float v) { return v + static_cast<float>(i % 3) - 1.5F; });
  CHECK(all.kind == PatternKind::everything);
  CHECK(all.detail == "All 100 elements have wrong values.");
  const Pattern some =
      pattern_of(100, [](auto i, float v) { return i == 3 || i == 47 || i == 50 ? kPoison : v; });
  CHECK(some.kind == PatternKind::scattered);
  CHECK(some.detail == "3 of 100 elements, between index 3 and 50, were not written.");
}

TEST_CASE("a single wrong element of one is everything", "[tolerance][pattern]") {
  const Pattern p = pattern_of(1, [](auto, float v) { return v + 1; });
  CHECK(p.kind == PatternKind::everything);
  CHECK(p.detail == "The only element has a wrong value.");
}

TEST_CASE("patterns have stable slugs", "[tolerance][pattern]") {
  CHECK(slug(PatternKind::none) == "none");
  CHECK(slug(PatternKind::first_block_only) == "first-block-only");
  CHECK(slug(PatternKind::block_multiples) == "block-multiples");
  CHECK(slug(PatternKind::last_column) == "last-column");
  CHECK(slug(PatternKind::scattered) == "scattered");
  CHECK(slug(PatternKind::nondeterministic) == "nondeterministic");
}

}  // namespace warpgrade
