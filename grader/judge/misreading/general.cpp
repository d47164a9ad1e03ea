#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

#include "grader/judge/misreading/variant.h"
#include "harness/data/array.h"

namespace warpgrade {
namespace {

using Extents = std::vector<std::uint64_t>;

/// An output as a matrix: its last extent, and all others as rows.
struct Matrix {
  std::size_t rows = 1;
  std::size_t columns = 1;
};

Matrix matrix_of(const Extents& shape) {
  const std::size_t count = Array::count_of(shape);
  const std::size_t columns = shape.empty() ? 1 : shape.back();
  return {.rows = columns == 0 ? 0 : count / columns, .columns = columns};
}

constexpr std::array kNumbers = {"", "one", "two", "three", "four"};
constexpr std::array kOrdinals = {"", "first", "second", "third", "fourth", "", "", "",    "eighth",
                                  "", "",      "",       "",      "",       "", "", "16th"};
constexpr std::array<std::size_t, 7> kBlocks = {16, 32, 64, 128, 256, 512, 1024};

class List {
 public:
  std::vector<Variant> all;

  /// For arrays of one extent.
  template <class Make>
  void line(std::string id, std::string says, Make make) {
    add(std::move(id), std::move(says), [make](const Extents& shape) {
      return shape.size() == 1 ? Rule(make(Array::count_of(shape))) : Rule();
    });
  }
  /// For arrays of two or more.
  template <class Make>
  void matrix(std::string id, std::string says, Make make) {
    add(std::move(id), std::move(says), [make](const Extents& shape) {
      return shape.size() > 1 ? Rule(make(matrix_of(shape))) : Rule();
    });
  }
  /// For all.
  template <class Make>
  void any(std::string id, std::string says, Make make) {
    add(std::move(id), std::move(says),
        [make](const Extents& shape) { return Rule(make(Array::count_of(shape))); });
  }

 private:
  void add(std::string id, std::string says, std::function<Rule(const Extents&)> rule) {
    all.push_back({.id = std::move(id), .says = std::move(says), .rule = std::move(rule)});
  }
};

Left value_of(std::ptrdiff_t from, std::size_t count) {
  return from < 0 || from >= static_cast<std::ptrdiff_t>(count)
             ? Left{.kind = Left::Kind::any}
             : Left{.from = static_cast<std::size_t>(from)};
}

void add_shifts(List& list) {
  for (const int step : {1, -1, 2, -2}) {
    const int size = step < 0 ? -step : step;
    list.line(
        fmt::format("moved-{}", step),
        fmt::format("moved by {} element{}: element i has the value that belongs in element i "
                    "{} {}",
                    kNumbers.at(static_cast<std::size_t>(size)), size == 1 ? "" : "s",
                    step < 0 ? '-' : '+', size),
        [step](std::size_t n) {
          return [step, n](std::size_t i) {
            return value_of(static_cast<std::ptrdiff_t>(i) + step, n);
          };
        });
  }
  struct Direction {
    int right;
    int down;
    const char* id;
    const char* where;
  };
  constexpr std::array kDirections = {
      Direction{1, 0, "moved-left", "column: each element has the value of its right neighbour"},
      Direction{-1, 0, "moved-right", "column: each element has the value of its left neighbour"},
      Direction{0, 1, "moved-up", "row: each element has the value of the element below it"},
      Direction{0, -1, "moved-down", "row: each element has the value of the element above it"},
      Direction{1, 1, "moved-up-left",
                "row and one column: each element has the value of the one below and to the right"},
      Direction{-1, -1, "moved-down-right",
                "row and one column: each element has the value of the one above and to the left"},
  };
  for (const Direction& to : kDirections) {
    list.matrix(to.id, fmt::format("moved by one {}", to.where), [to](Matrix m) {
      return [to, m](std::size_t i) {
        const auto column = static_cast<std::ptrdiff_t>(i % m.columns) + to.right;
        const auto row = static_cast<std::ptrdiff_t>(i / m.columns) + to.down;
        const bool inside = column >= 0 && column < static_cast<std::ptrdiff_t>(m.columns);
        return inside ? value_of(row * static_cast<std::ptrdiff_t>(m.columns) + column,
                                 m.rows * m.columns)
                      : Left{.kind = Left::Kind::any};
      };
    });
  }
}

void add_orders(List& list) {
  list.matrix("transposed", "written column by column instead of row by row", [](Matrix m) {
    return [m](std::size_t i) { return Left{.from = i % m.rows * m.columns + i / m.rows}; };
  });
  list.any("reversed", "in reverse order",
           [](std::size_t n) { return [n](std::size_t i) { return Left{.from = n - 1 - i}; }; });
  list.matrix("upside-down", "with its rows in reverse order", [](Matrix m) {
    return [m](std::size_t i) {
      return Left{.from = (m.rows - 1 - i / m.columns) * m.columns + i % m.columns};
    };
  });
  list.matrix("mirrored", "with each row in reverse order", [](Matrix m) {
    return [m](std::size_t i) {
      return Left{.from = i / m.columns * m.columns + m.columns - 1 - i % m.columns};
    };
  });
  list.line("neighbours-exchanged", "with each pair of neighbours exchanged", [](std::size_t n) {
    return [n](std::size_t i) { return Left{.from = (i ^ 1) < n ? i ^ 1 : i}; };
  });
  for (const std::size_t block : kBlocks) {
    if (block < 32) continue;
    list.line(fmt::format("reversed-blocks-{}", block),
              fmt::format("with each group of {} elements in reverse order", block),
              [block](std::size_t n) {
                return [block, n](std::size_t i) {
                  const std::size_t first = i / block * block;
                  const std::size_t end = std::min(first + block, n);
                  return Left{.from = first + (end - 1 - i)};
                };
              });
  }
  for (const std::size_t stride : {2U, 4U, 8U}) {
    list.line(fmt::format("stride-{}", stride),
              fmt::format("with a stride of {0}: element i has the value that belongs in element "
                          "{0} i",
                          stride),
              [stride](std::size_t n) {
                return [stride, n](std::size_t i) {
                  return value_of(static_cast<std::ptrdiff_t>(i * stride), n);
                };
              });
  }
}

void add_scales(List& list) {
  const auto scaled = [](double factor) {
    return [factor](std::size_t /*n*/) {
      return [factor](std::size_t i) { return Left{.from = i, .factor = factor}; };
    };
  };
  list.any("negated", "with the opposite sign", scaled(-1));
  list.any("doubled", "multiplied by two", scaled(2));
  list.any("halved", "divided by two", scaled(0.5));
  // All threads of a warp or block add what one of them should.
  for (const unsigned factor : {3U, 4U, 8U, 16U, 32U, 64U, 128U, 256U, 512U, 1024U}) {
    list.any(fmt::format("times-{}", factor), fmt::format("multiplied by {}", factor),
             scaled(factor));
    list.any(fmt::format("divided-by-{}", factor), fmt::format("divided by {}", factor),
             scaled(1.0 / factor));
  }
  list.any("divided-by-count", "divided by the number of elements", [](std::size_t n) {
    return [n](std::size_t i) {
      return Left{.from = i, .factor = 1 / static_cast<double>(std::max<std::size_t>(n, 1))};
    };
  });
}

/// Right where `computed` says, and not computed elsewhere.
template <class Computed>
auto partial(Computed computed) {
  return [computed](auto extents) {
    return [computed, extents](std::size_t i) {
      return computed(extents, i) ? Left{.from = i} : Left{.kind = Left::Kind::blank};
    };
  };
}

void add_partial_lines(List& list) {
  for (const bool up : {false, true}) {
    list.line(up ? "second-half-first-up" : "second-half-first",
              fmt::format("of the second half{}, stored at the beginning; the first half "
                          "is not there",
                          up ? " without the middle element" : ""),
              [up](std::size_t n) {
                const std::size_t half = (n + (up ? 1 : 0)) / 2;
                return [half, n](std::size_t i) {
                  return half + i < n ? Left{.from = half + i} : Left{.kind = Left::Kind::blank};
                };
              });
  }
  for (const std::size_t count : {1U, 16U, 32U, 64U, 128U, 256U, 512U, 1024U}) {
    list.any(fmt::format("first-{}", count),
             count == 1
                 ? "in its first element only; no other element is computed"
                 : fmt::format("in its first {} elements only; the others are not computed", count),
             partial([count](std::size_t, std::size_t i) { return i < count; }));
  }
  for (const std::size_t step : {2U, 3U, 4U, 8U, 16U}) {
    list.any(
        fmt::format("every-{}", step),
        fmt::format("in every {} element only; the others are not computed", kOrdinals.at(step)),
        partial([step](std::size_t, std::size_t i) { return i % step == 0; }));
  }
  for (const std::size_t block : kBlocks) {
    list.any(
        fmt::format("whole-blocks-{}", block),
        fmt::format("up to the last whole group of {} elements; the rest is not computed", block),
        partial([block](std::size_t n, std::size_t i) { return i < n / block * block; }));
  }
  list.any("no-last", "except for the last element, which is not computed",
           partial([](std::size_t n, std::size_t i) { return i + 1 < n; }));
  list.any("no-first", "except for the first element, which is not computed",
           partial([](std::size_t, std::size_t i) { return i > 0; }));
  list.any("first-half", "in its first half only; the second half is not computed",
           partial([](std::size_t n, std::size_t i) { return i < n / 2; }));
  list.any("first-quarter", "in its first quarter only; the other three are not computed",
           partial([](std::size_t n, std::size_t i) { return i < n / 4; }));
}

void add_partial_matrices(List& list) {
  list.matrix("no-last-row", "except for the last row, which is not computed",
              partial([](Matrix m, std::size_t i) { return i / m.columns + 1 < m.rows; }));
  list.matrix("no-last-column", "except for the last column, which is not computed",
              partial([](Matrix m, std::size_t i) { return i % m.columns + 1 < m.columns; }));
  list.matrix("no-border", "except for its border, which is not computed",
              partial([](Matrix m, std::size_t i) {
                const std::size_t row = i / m.columns;
                const std::size_t column = i % m.columns;
                return row > 0 && row + 1 < m.rows && column > 0 && column + 1 < m.columns;
              }));
  list.matrix("first-row-only", "in its first row only; the others are not computed",
              partial([](Matrix m, std::size_t i) { return i < m.columns; }));
  list.matrix("first-column-only", "in its first column only; the others are not computed",
              partial([](Matrix m, std::size_t i) { return i % m.columns == 0; }));
  for (const std::size_t tile : {8U, 16U, 32U}) {
    list.matrix(
        fmt::format("whole-tiles-{}", tile),
        fmt::format("in whole tiles of {0} x {0} elements only; the rest is not computed", tile),
        partial([tile](Matrix m, std::size_t i) {
          return i / m.columns < m.rows / tile * tile && i % m.columns < m.columns / tile * tile;
        }));
    list.matrix(
        fmt::format("one-tile-{}", tile),
        fmt::format("in its first {0} x {0} elements only; the others are not computed", tile),
        partial([tile](Matrix m, std::size_t i) {
          return i / m.columns < tile && i % m.columns < tile;
        }));
  }
}

}  // namespace

const std::vector<Variant>& general_variants() {
  static const std::vector<Variant> kAll = [] {
    List list;
    add_shifts(list);
    add_orders(list);
    add_scales(list);
    add_partial_lines(list);
    add_partial_matrices(list);
    return std::move(list.all);
  }();
  return kAll;
}

}  // namespace warpgrade
