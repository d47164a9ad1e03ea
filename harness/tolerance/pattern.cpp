#include "harness/tolerance/pattern.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <optional>
#include <vector>

#include "harness/core/ordinal.h"
#include "harness/core/plural.h"
#include "harness/core/value_text.h"
#include "harness/data/elements.h"
#include "harness/tolerance/compare.h"
#include "harness/tolerance/telling.h"

namespace warpgrade {

namespace {

constexpr std::array<std::uint64_t, 6> kBlocks = {32, 64, 128, 256, 512, 1024};

/// Maximum distance of an element from an edge of a matrix to be near it.
constexpr std::uint64_t kBorder = 15;

/// Bytes with the poison's value count as unwritten if they are at least one in so many wrong ones.
constexpr std::uint64_t kFewBytes = 16;

/// A wrong output, with values for all recognisers computed once.
class View {
 public:
  View(const Array& got, const Expected& want, const std::vector<bool>& right,
       std::span<const NamedArray> inputs)
      : got_(got), want_(want), inputs_(inputs), right_(right) {
    std::vector<std::uint64_t> extents;
    for (const std::uint64_t extent : got.shape) {
      if (extent > 1) extents.push_back(extent);
    }
    if (extents.size() == 2) {
      rows_ = extents[0];
      columns_ = extents[1];
    }
    for (std::size_t i = 0; i < right_.size(); ++i) {
      if (right_[i]) continue;
      if (wrong_++ == 0) first_ = i;
      last_ = i;
      if (is_unwritten(got, i)) ++unwritten_;
    }
    // A wrong byte is the poison by chance, one of 256.
    const bool any_byte = size_of(got.type) == 1 && got.type != ElementType::boolean;
    if (any_byte && kFewBytes * unwritten_ < wrong_) unwritten_ = 0;
  }

  [[nodiscard]] std::uint64_t count() const { return right_.size(); }
  [[nodiscard]] bool right(std::uint64_t i) const { return right_[i]; }
  [[nodiscard]] std::uint64_t wrong() const { return wrong_; }
  [[nodiscard]] std::uint64_t first() const { return first_; }
  [[nodiscard]] std::uint64_t last() const { return last_; }
  [[nodiscard]] std::uint64_t unwritten() const { return unwritten_; }
  /// Whether the wrong elements are contiguous.
  [[nodiscard]] bool contiguous() const { return wrong_ == last_ - first_ + 1; }
  [[nodiscard]] const Array& got() const { return got_; }
  [[nodiscard]] std::span<const NamedArray> inputs() const { return inputs_; }
  /// For an output with two extents above 1; otherwise 0.
  [[nodiscard]] std::uint64_t rows() const { return rows_; }
  [[nodiscard]] std::uint64_t columns() const { return columns_; }

  [[nodiscard]] double got_at(std::uint64_t i) const { return number_at(got_, i); }
  [[nodiscard]] double want_at(std::uint64_t i) const {
    return is_float(want_.type) ? want_.want[i] : static_cast<double>(want_.exact[i]);
  }
  [[nodiscard]] double bound_at(std::uint64_t i) const {
    return is_float(want_.type) ? want_.bound[i] : 0;
  }
  /// Whether element i has the expected value of index `from`.
  [[nodiscard]] bool holds(std::uint64_t i, std::uint64_t from) const {
    const double got = got_at(i);
    const double want = want_at(from);
    if (std::isnan(want)) return std::isnan(got);
    return got == want || std::abs(got - want) <= bound_at(from);
  }

  /// "were not written", "have wrong values", or both with a count.
  [[nodiscard]] std::string how() const {
    if (unwritten_ == wrong_) return wrong_ == 1 ? "was not written" : "were not written";
    if (unwritten_ == 0) return wrong_ == 1 ? "has a wrong value" : "have wrong values";
    return fmt::format("are wrong ({} of them {} not written)", unwritten_,
                       unwritten_ == 1 ? "was" : "were");
  }

 private:
  const Array& got_;
  const Expected& want_;
  std::span<const NamedArray> inputs_;
  const std::vector<bool>& right_;
  std::uint64_t wrong_ = 0;
  std::uint64_t unwritten_ = 0;
  std::uint64_t first_ = 0;
  std::uint64_t last_ = 0;
  std::uint64_t rows_ = 0;
  std::uint64_t columns_ = 0;
};

struct Recognised {
  PatternKind kind = PatternKind::scattered;
  std::string detail;
  std::int64_t step = 0;
};

using Recogniser = std::optional<Recognised> (*)(const View&);

std::optional<Recognised> unwritten(const View& view) {
  if (view.unwritten() != view.count()) return std::nullopt;
  return Recognised{.kind = PatternKind::unwritten,
                    .detail = "No element of the output was written."};
}

std::optional<Recognised> all_zero(const View& view) {
  for (std::uint64_t i = 0; i < view.count(); ++i) {
    if (!(view.got_at(i) == 0)) return std::nullopt;
  }
  return Recognised{.kind = PatternKind::all_zero,
                    .detail = "Every element of the output is zero."};
}

std::optional<Recognised> copy_of_input(const View& view) {
  for (const NamedArray& input : view.inputs()) {
    if (input.array->type == view.got().type && input.array->bytes == view.got().bytes) {
      return Recognised{
          .kind = PatternKind::copy_of_input,
          .detail = fmt::format("The output is a copy of the input `{}`.", input.name)};
    }
  }
  return std::nullopt;
}

std::optional<Recognised> one_end(const View& view) {
  if (view.wrong() != 1 || view.count() < 2) return std::nullopt;
  if (view.first() == 0) {
    return Recognised{.kind = PatternKind::first_element_only,
                      .detail = fmt::format("Only element 0 {}.", view.how())};
  }
  if (view.last() == view.count() - 1) {
    return Recognised{
        .kind = PatternKind::last_element_only,
        .detail = fmt::format("Only the last element, {}, {}.", view.last(), view.how())};
  }
  return std::nullopt;
}

/// As many bytes as there are elements: the effect of a copy with a count of elements instead of
/// bytes.
bool is_a_byte_an_element(const View& view) {
  const std::uint64_t size = size_of(view.got().type);
  return size > 1 && view.first() >= 4 && view.first() == view.count() / size;
}

std::optional<Recognised> first_block_only(const View& view) {
  const std::uint64_t begin = view.first();
  const bool block = std::find(kBlocks.begin(), kBlocks.end(), begin) != kBlocks.end();
  if (!block || !view.contiguous() || view.last() + 1 != view.count() || view.count() < 2 * begin) {
    return std::nullopt;
  }
  return Recognised{
      .kind = PatternKind::first_block_only,
      .detail =
          fmt::format("Only the first {} elements are correct, {}; all from index {} on {}.", begin,
                      is_a_byte_an_element(view)
                          ? "the first block, and also as many bytes as there are elements"
                          : "the first block",
                      begin, view.how()),
      .step = static_cast<std::int64_t>(begin)};
}

std::optional<Recognised> first_bytes_only(const View& view) {
  const std::uint64_t begin = view.first();
  if (!is_a_byte_an_element(view) || !view.contiguous() || view.last() + 1 != view.count()) {
    return std::nullopt;
  }
  return Recognised{
      .kind = PatternKind::first_bytes_only,
      .detail = fmt::format("Only the first {} of {} elements are correct: about {} bytes, as many "
                            "as there are elements; the others {}.",
                            begin, view.count(), begin * size_of(view.got().type), view.how())};
}

std::optional<Recognised> tail(const View& view) {
  const std::uint64_t n = view.count();
  const std::uint64_t begin = view.first();
  if (!view.contiguous() || view.last() + 1 != n || begin == 0) return std::nullopt;
  std::vector<std::uint64_t> blocks;
  for (const std::uint64_t block : kBlocks) {
    if (n % block != 0 && n / block * block == begin) blocks.push_back(block);
  }
  const std::string right = begin == 1 ? "Only element 0 is correct"
                                       : fmt::format("Elements 0 to {} are correct", begin - 1);
  std::string detail =
      fmt::format("{}; the last {}, from index {} on, {}.", right, view.wrong(), begin, view.how());
  if (!blocks.empty()) {
    detail += fmt::format(" That is the remainder of {} divided into blocks of {}.", n,
                          fmt::join(blocks, " or "));
  }
  return Recognised{.kind = PatternKind::tail,
                    .detail = detail,
                    .step = static_cast<std::int64_t>(blocks.empty() ? 0 : blocks.front())};
}

std::optional<Recognised> head(const View& view) {
  if (!view.contiguous() || view.first() != 0 || view.wrong() == view.count()) return std::nullopt;
  return Recognised{
      .kind = PatternKind::head,
      .detail = fmt::format("The first {} elements {}; all from index {} on are correct.",
                            view.wrong(), view.how(), view.wrong())};
}

/// Enough elements that a match of all of them cannot be chance.
constexpr std::uint64_t kEnough = 8;

bool is_shifted_by(const View& view, std::int64_t shift) {
  const auto n = static_cast<std::int64_t>(view.count());
  const std::int64_t begin = std::max<std::int64_t>(0, -shift);
  const std::int64_t end = std::min(n, n - shift);
  // Of an output that repeats itself, a distant part may equal the wrong one.
  if (end - begin < static_cast<std::int64_t>(kEnough) || 3 * std::abs(shift) > n) return false;
  std::int64_t wrong = 0;
  for (std::int64_t i = begin; i < end; ++i) {
    const auto from = static_cast<std::uint64_t>(i + shift);
    const double error = std::abs(view.got_at(static_cast<std::uint64_t>(i)) - view.want_at(from));
    if (!(error <= view.bound_at(from))) return false;
    wrong += view.right(static_cast<std::uint64_t>(i)) ? 0 : 1;
  }
  return 2 * wrong >= end - begin;
}

/// Whether each element of a matrix that has a place `down` rows below it and `right` columns to
/// its right has the value that belongs there, and most of these elements are wrong.
bool is_shifted_by(const View& view, std::int64_t down, std::int64_t right) {
  const auto rows = static_cast<std::int64_t>(view.rows());
  const auto columns = static_cast<std::int64_t>(view.columns());
  std::uint64_t matches = 0;
  std::uint64_t wrong = 0;
  for (std::int64_t i = std::max<std::int64_t>(0, -down); i < std::min(rows, rows - down); ++i) {
    for (std::int64_t j = std::max<std::int64_t>(0, -right); j < std::min(columns, columns - right);
         ++j) {
      const auto at = static_cast<std::uint64_t>(i * columns + j);
      if (!view.holds(at, static_cast<std::uint64_t>((i + down) * columns + j + right))) {
        return false;
      }
      ++matches;
      wrong += view.right(at) ? 0 : 1;
    }
  }
  return wrong >= kEnough && 2 * wrong >= matches;
}

/// "3 rows below", "1 column to the left of".
std::string direction(std::int64_t by, std::string_view noun, std::string_view before,
                      std::string_view after) {
  const std::int64_t distance = std::abs(by);
  return fmt::format("{} {}", plural(distance, noun), by < 0 ? before : after);
}

std::optional<Recognised> shifted_in_matrix(const View& view) {
  if (view.rows() == 0 || view.wrong() < kEnough) return std::nullopt;
  // A wrong element near the middle excludes nearly all shifts at once.
  std::uint64_t probe = view.rows() / 2 * view.columns() + view.columns() / 2;
  while (probe < view.last() && view.right(probe)) ++probe;
  const auto row = static_cast<std::int64_t>(probe / view.columns());
  const auto column = static_cast<std::int64_t>(probe % view.columns());
  const auto reach = [](std::uint64_t extent) {
    return static_cast<std::int64_t>(std::min(kBorder, extent / 2));
  };
  for (std::int64_t down = -reach(view.rows()); down <= reach(view.rows()); ++down) {
    for (std::int64_t right = -reach(view.columns()); right <= reach(view.columns()); ++right) {
      const std::int64_t i = row + down;
      const std::int64_t j = column + right;
      const auto rows = static_cast<std::int64_t>(view.rows());
      const auto columns = static_cast<std::int64_t>(view.columns());
      if (i < 0 || i >= rows || j < 0 || j >= columns ||
          !view.holds(probe, static_cast<std::uint64_t>(i * columns + j)) ||
          !is_shifted_by(view, down, right)) {
        continue;
      }
      std::string where = down == 0 ? "" : direction(down, "row", "above", "below");
      if (right != 0) {
        where += fmt::format("{}{}", where.empty() ? "" : " and ",
                             direction(right, "column", "to the left of", "to the right of"));
      }
      return Recognised{
          .kind = PatternKind::shifted,
          .detail = fmt::format("Every element has the value that belongs {} it, where there is "
                                "such an element: the output is correct but shifted.",
                                where),
          .step = down * columns + right};
    }
  }
  return std::nullopt;
}

std::optional<Recognised> shifted(const View& view) {
  for (const std::int64_t distance : {1, 2, 32, 64, 128, 256, 512, 1024}) {
    for (const std::int64_t shift : {distance, -distance}) {
      if (!is_shifted_by(view, shift)) continue;
      return Recognised{
          .kind = PatternKind::shifted,
          .detail = fmt::format("Every element has the value that belongs {} {} it: the output is "
                                "correct but shifted.",
                                plural(distance, "position"), shift > 0 ? "after" : "before"),
          .step = shift};
    }
  }
  return shifted_in_matrix(view);
}

std::optional<Recognised> transposed(const View& view) {
  if (view.rows() == 0 || view.wrong() < 2) return std::nullopt;
  for (std::uint64_t row = 0; row < view.rows(); ++row) {
    for (std::uint64_t column = 0; column < view.columns(); ++column) {
      if (!view.holds(column * view.rows() + row, row * view.columns() + column)) {
        return std::nullopt;
      }
    }
  }
  return Recognised{
      .kind = PatternKind::transposed,
      .detail =
          "The output is correct but transposed: element (i, j) is where element (j, i) belongs."};
}

/// "row 7" or "rows 7 to 9".
std::string from_to(std::string_view one, std::uint64_t first, std::uint64_t last) {
  return first == last ? fmt::format("{} {}", one, first)
                       : fmt::format("{}s {} to {}", one, first, last);
}

/// Whether wrong elements in a region of `area` fill enough of it to be described by the region.
/// Some elements may be right, since sums can be equal by chance.
bool fills(const View& view, std::uint64_t area) {
  return 2 * view.wrong() >= area;
}

std::optional<Recognised> last_row(const View& view) {
  if (view.rows() == 0 || view.first() == 0 || view.first() % view.columns() != 0) {
    return std::nullopt;
  }
  const std::uint64_t begin = view.first() / view.columns();
  const std::uint64_t end = view.last() / view.columns();
  if (end + 1 != view.rows() || !fills(view, (view.rows() - begin) * view.columns())) {
    return std::nullopt;
  }
  return Recognised{.kind = PatternKind::last_row,
                    .detail = fmt::format(
                        "Only {} of {} {} wrong: {} {}.", from_to("row", begin, end), view.rows(),
                        begin == end ? "is" : "are", plural(view.wrong(), "element"), view.how())};
}

std::optional<Recognised> last_column(const View& view) {
  if (view.rows() == 0) return std::nullopt;
  std::uint64_t begin = view.columns();
  std::uint64_t end = 0;
  for (std::uint64_t i = view.first(); i <= view.last(); ++i) {
    if (view.right(i)) continue;
    begin = std::min(begin, i % view.columns());
    end = std::max(end, i % view.columns());
  }
  if (begin == 0 || end + 1 != view.columns() ||
      !fills(view, view.rows() * (view.columns() - begin))) {
    return std::nullopt;
  }
  return Recognised{
      .kind = PatternKind::last_column,
      .detail = fmt::format("Only {} of {} {} wrong: {} {}.", from_to("column", begin, end),
                            view.columns(), begin == end ? "is" : "are",
                            plural(view.wrong(), "element"), view.how())};
}

constexpr std::size_t kEdges = 4;
using Distances = std::array<std::uint64_t, kEdges>;  // to the top, bottom, left and right edge

Distances distances(const View& view, std::uint64_t i) {
  const std::uint64_t row = i / view.columns();
  const std::uint64_t column = i % view.columns();
  return {row, view.rows() - 1 - row, column, view.columns() - 1 - column};
}

/// A band along some edges of a matrix.
struct Band {
  unsigned edges = 0;  // bits, as in Distances
  std::uint64_t width = 0;

  [[nodiscard]] std::uint64_t interior(const View& view) const {
    const auto cut = [&](std::uint64_t extent, unsigned first) {
      const auto bands = static_cast<std::uint64_t>(std::popcount((edges >> first) & 3u));
      return extent - std::min(extent, bands * width);
    };
    return cut(view.rows(), 0) * cut(view.columns(), 2);
  }

  [[nodiscard]] std::string describe() const {
    constexpr std::array<std::string_view, kEdges> kNames = {"top", "bottom", "left", "right"};
    if (edges == 15) return "an edge";
    std::vector<std::string_view> names;
    for (unsigned edge = 0; edge < kEdges; ++edge) {
      if ((edges >> edge & 1u) != 0) names.push_back(kNames.at(edge));
    }
    return fmt::format("the {} edge", fmt::join(names, " or "));
  }
};

/// The narrowest band along these edges with all wrong elements.
Band band_along(const View& view, unsigned edges) {
  Band band{.edges = edges, .width = 0};
  for (std::uint64_t i = view.first(); i <= view.last() && band.width <= kBorder; ++i) {
    if (view.right(i)) continue;
    const Distances away = distances(view, i);
    std::uint64_t nearest = std::max(view.rows(), view.columns());
    for (unsigned edge = 0; edge < kEdges; ++edge) {
      if ((edges >> edge & 1u) != 0) nearest = std::min(nearest, away.at(edge));
    }
    band.width = std::max(band.width, nearest + 1);
  }
  return band;
}

/// The fewest edges are the best explanation.
std::optional<Recognised> border(const View& view) {
  if (view.rows() == 0) return std::nullopt;
  constexpr std::array<unsigned, 15> kSets = {1, 2, 4, 8, 3, 12, 5, 9, 6, 10, 7, 11, 13, 14, 15};
  for (const unsigned edges : kSets) {
    const Band band = band_along(view, edges);
    const std::uint64_t interior = band.interior(view);
    if (band.width > kBorder || interior < kEnough || !fills(view, view.count() - interior))
      continue;
    return Recognised{
        .kind = PatternKind::border,
        .detail = fmt::format(
            "Only elements within {} of {} are wrong, {} of {} in {} rows and {} columns; they {}.",
            band.width, band.describe(), view.wrong(), view.count(), view.rows(), view.columns(),
            view.how()),
        .step = static_cast<std::int64_t>(band.width)};
  }
  return std::nullopt;
}

std::optional<Recognised> scaled(const View& view) {
  constexpr double kSlack = 1e-6;  // several roundings of f32
  if (view.wrong() < kEnough) return std::nullopt;
  double factor = 0;
  for (std::uint64_t i = 0; i < view.count(); ++i) {
    const double want = view.want_at(i);
    const double got = view.got_at(i);
    if (want == 0 && got == 0) continue;
    if (factor == 0) factor = got / want;
    if (!(std::abs(got - factor * want) <= kSlack * std::abs(got)) || factor == 0) {
      return std::nullopt;
    }
  }
  if (std::abs(factor + 1) <= kSlack) {
    return Recognised{.kind = PatternKind::wrong_sign,
                      .detail = "Every element has the right magnitude and the wrong sign."};
  }
  return Recognised{.kind = PatternKind::scaled,
                    .detail = fmt::format("Every element is {}.", factor_text(factor))};
}

/// Smallest group size for which the same positions are wrong in every group; 0 if none.
std::uint64_t period_of(const View& view) {
  for (std::uint64_t period = 2; view.count() >= 4 * period; period *= 2) {
    std::uint64_t i = period;
    while (i < view.count() && view.right(i) == view.right(i - period)) ++i;
    if (i == view.count()) return period;
  }
  return 0;
}

/// One position in every block, except the first block, which has no predecessor, and the last,
/// which may be short.
bool is_one_of_each(const View& view, std::uint64_t block) {
  const std::uint64_t position = view.first() % block;
  if (view.first() >= 2 * block) return false;
  std::uint64_t expected = view.first();
  for (std::uint64_t i = view.first(); i < view.count(); ++i) {
    if (!view.right(i) && i % block != position) return false;
    if (i == expected) {
      if (view.right(i)) return false;
      expected += block;
    }
  }
  return true;
}

std::optional<Recognised> block_multiples(const View& view) {
  constexpr std::uint64_t kFewest = 3;
  if (view.wrong() < kFewest) return std::nullopt;
  for (const std::uint64_t block : kBlocks) {
    if (!is_one_of_each(view, block)) continue;
    const std::uint64_t position = view.first() % block;
    return Recognised{
        .kind = PatternKind::block_multiples,
        .detail = fmt::format("In every group of {} elements{}, position {} is {}.", block,
                              view.first() >= block ? " but the first" : "", position,
                              view.unwritten() == view.wrong() ? "not written" : "wrong"),
        .step = static_cast<std::int64_t>(block)};
  }
  return std::nullopt;
}

std::optional<Recognised> periodic(const View& view) {
  if (view.wrong() == view.count()) return std::nullopt;
  const std::uint64_t period = period_of(view);
  if (period == 0) return std::nullopt;
  std::vector<std::uint64_t> wrong;
  std::vector<std::uint64_t> right;
  for (std::uint64_t i = 0; i < period; ++i) (view.right(i) ? right : wrong).push_back(i);
  const bool side_by_side = wrong.size() == wrong.back() - wrong.front() + 1;
  std::string positions;
  if (wrong.size() == 1) {
    positions = fmt::format("position {} is", wrong.front());
  } else if (side_by_side) {
    positions = fmt::format("positions {} to {} are", wrong.front(), wrong.back());
  } else if (wrong.size() <= 4) {
    positions = fmt::format("positions {} are", fmt::join(wrong, ", "));
  } else {
    positions = fmt::format("the same {} are", wrong.size());
  }
  const std::string detail =
      right.size() == 1 ? fmt::format("Only every {} element is correct, from index {} on.",
                                      ordinal(period), right.front())
                        : fmt::format("In every group of {} elements, {} {}.", period, positions,
                                      view.unwritten() == view.wrong() ? "not written" : "wrong");
  return Recognised{
      .kind = PatternKind::periodic, .detail = detail, .step = static_cast<std::int64_t>(period)};
}

std::optional<Recognised> everything(const View& view) {
  if (view.wrong() != view.count()) return std::nullopt;
  return Recognised{.kind = PatternKind::everything,
                    .detail = view.count() == 1
                                  ? std::string("The only element has a wrong value.")
                                  : fmt::format("All {} elements {}.", view.count(), view.how())};
}

std::optional<Recognised> scattered(const View& view) {
  const std::string where = view.wrong() == 1
                                ? fmt::format("at index {}", view.first())
                                : fmt::format("between index {} and {}", view.first(), view.last());
  return Recognised{.kind = PatternKind::scattered,
                    .detail = fmt::format("{} of {} elements, {}, {}.", view.wrong(), view.count(),
                                          where, view.how())};
}

/// From specific to general; the last always matches. A new kind is a function and a line here.
/// Patterns of rows and columns are more specific than those of the flat order: the last rows of a
/// matrix are also a tail, its last column a period.
constexpr auto kRecognisers =
    std::to_array<Recogniser>({unwritten, all_zero, copy_of_input, one_end, transposed, last_row,
                               last_column, first_block_only, first_bytes_only, tail, head, border,
                               shifted, scaled, block_multiples, periodic, everything, scattered});

}  // namespace

std::vector<std::string> pattern_names() {
  const auto& names = kNamesOf<PatternKind>;
  return {names.begin() + 1, names.end()};
}

Pattern classify(const Array& got, const Expected& want, const std::vector<bool>& right,
                 std::span<const NamedArray> inputs) {
  const View view(got, want, right, inputs);
  Pattern pattern;
  pattern.first = view.first();
  pattern.last = view.last();
  pattern.wrong = view.wrong();
  pattern.unwritten = view.unwritten();
  if (view.wrong() == 0) return pattern;
  for (const Recogniser recognise : kRecognisers) {
    if (auto found = recognise(view)) {
      pattern.kind = found->kind;
      pattern.detail = std::move(found->detail);
      pattern.step = found->step;
      const bool says_little =
          pattern.kind == PatternKind::scattered || pattern.kind == PatternKind::everything;
      if (std::string fact = says_little ? telling_fact(got, want, right, inputs) : "";
          !fact.empty()) {
        pattern.detail = std::move(fact);
      }
      break;
    }
  }
  return pattern;
}

}  // namespace warpgrade
