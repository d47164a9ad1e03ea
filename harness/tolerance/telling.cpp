#include "harness/tolerance/telling.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "harness/core/ordinal.h"
#include "harness/core/value_text.h"
#include "harness/data/elements.h"

namespace warpgrade {
namespace {

/// Fewer elements can have a property by chance.
constexpr std::size_t kFewest = 4;
constexpr std::size_t kFewestAbove = 8;  // elements on each side of a value
constexpr std::size_t kNamed = 4;  // rows that are listed
constexpr int kDigits = 7;

class Wrong {
 public:
  Wrong(const Array& got, const Expected& want, const std::vector<bool>& right)
      : got_(got), want_(want), right_(right) {
    indices_.reserve(static_cast<std::size_t>(std::count(right.begin(), right.end(), false)));
    for (std::size_t i = 0; i < right.size(); ++i) {
      if (!right[i]) indices_.push_back(i);
    }
  }

  [[nodiscard]] const std::vector<std::size_t>& indices() const { return indices_; }
  [[nodiscard]] std::size_t count() const { return right_.size(); }
  [[nodiscard]] bool all() const { return indices_.size() == right_.size(); }
  [[nodiscard]] bool right(std::size_t i) const { return right_[i]; }
  [[nodiscard]] double got(std::size_t i) const { return number_at(got_, i); }
  [[nodiscard]] double want(std::size_t i) const {
    return is_float(want_.type) ? want_.want[i] : static_cast<double>(want_.exact[i]);
  }
  [[nodiscard]] double bound(std::size_t i) const {
    return is_float(want_.type) ? want_.bound[i] : 0;
  }
  [[nodiscard]] bool unwritten(std::size_t i) const { return is_unwritten(got_, i); }
  /// Rows and columns of an output with two extents above 1.
  [[nodiscard]] std::optional<std::array<std::size_t, 2>> extents() const {
    std::vector<std::size_t> above_one;
    for (const std::uint64_t extent : got_.shape) {
      if (extent > 1) above_one.push_back(extent);
    }
    if (above_one.size() != 2) return std::nullopt;
    return std::array{above_one[0], above_one[1]};
  }

 private:
  const Array& got_;
  const Expected& want_;
  const std::vector<bool>& right_;
  std::vector<std::size_t> indices_;
};

/// The distance of numbers that are equally far apart; 0 if they are not, or too few.
std::size_t step_of(const std::vector<std::size_t>& numbers) {
  if (numbers.size() < kFewest) return 0;
  const std::size_t step = numbers[1] - numbers[0];
  for (std::size_t i = 2; i < numbers.size(); ++i) {
    if (numbers[i] - numbers[i - 1] != step) return 0;
  }
  return step;
}

/// Whether equally distant numbers go on to both ends of `count`.
bool spans(const std::vector<std::size_t>& numbers, std::size_t step, std::size_t count) {
  return numbers.front() < step && numbers.back() + step >= count;
}

/// "every 4th row, from row 3 on,", "rows 1, 2 and 7 of 40"; empty: too many to be named.
std::string named(std::string_view noun, const std::vector<std::size_t>& numbers,
                  std::size_t count) {
  const std::size_t step = step_of(numbers);
  if (step > 1 && spans(numbers, step, count)) {
    return fmt::format("every {} {}, from {} {} on,", ordinal(step), noun, noun, numbers.front());
  }
  if (numbers.size() > 1 && numbers.back() - numbers.front() + 1 == numbers.size()) {
    return fmt::format("{}s {} to {} of {}", noun, numbers.front(), numbers.back(), count);
  }
  if (numbers.size() == 1) return fmt::format("{} {} of {}", noun, numbers.front(), count);
  if (numbers.size() > kNamed) return {};
  const std::vector<std::size_t> first(numbers.begin(), numbers.end() - 1);
  return fmt::format("{}s {} and {} of {}", noun, fmt::join(first, ", "), numbers.back(), count);
}

/// Lines of a matrix with wrong elements, if these are half of them or more.
/// @param kind  "wrong"; or "right", of the elements that are not
std::string lines_of(const Wrong& wrong, std::string_view noun, std::size_t count,
                     std::size_t length, bool rows, std::string_view kind) {
  std::vector<std::size_t> in_line(count);
  for (const std::size_t i : wrong.indices()) ++in_line[rows ? i / length : i % count];
  std::vector<std::size_t> lines;
  for (std::size_t line = 0; line < count; ++line) {
    if (in_line[line] > 0) lines.push_back(line);
  }
  const bool few = lines.size() < count;
  const bool full = std::all_of(lines.begin(), lines.end(),
                                [&](std::size_t line) { return 2 * in_line[line] >= length; });
  const std::string names = few && full ? named(noun, lines, count) : std::string();
  if (names.empty()) return {};
  const bool one = lines.size() == 1 || names.starts_with("every");
  return fmt::format("{} {} {} elements", names, one ? "has" : "have", kind);
}

/// Groups of as many elements as a block has threads that are wrong as a whole: "groups 1 and 3 of
/// 8 with 256 elements each are wrong".
std::string groups_of(const Wrong& wrong, std::string_view kind) {
  for (const std::size_t block : {1024u, 512u, 256u, 128u, 64u, 32u}) {
    const std::size_t count = (wrong.count() + block - 1) / block;
    if (count < kFewest) continue;
    std::vector<std::size_t> groups;
    bool whole = true;
    for (const std::size_t i : wrong.indices()) {
      if (groups.empty() || groups.back() != i / block) groups.push_back(i / block);
    }
    for (const std::size_t group : groups) {
      const std::size_t end = std::min(wrong.count(), (group + 1) * block);
      for (std::size_t i = group * block; i < end; ++i) whole = whole && !wrong.right(i);
    }
    if (!whole || groups.size() == count) continue;
    const std::string names = named("group", groups, count);
    if (names.empty()) continue;
    return fmt::format("{} with {} elements each {} {}", names, block,
                       groups.size() == 1 ? "is" : "are", kind);
  }
  return {};
}

/// Which of each `period` things, if these alone are of the kind: "the last 2 of each 16
/// columns are wrong". Empty if they are not neighbors.
/// @param of_kind  per place in the period
std::string of_each(const std::vector<bool>& of_kind, std::string_view noun,
                    std::string_view kind) {
  const auto first = std::find(of_kind.begin(), of_kind.end(), true);
  const auto end = std::find(first, of_kind.end(), false);
  if (std::find(end, of_kind.end(), true) != of_kind.end()) return {};
  const auto count = static_cast<std::size_t>(end - first);
  const auto place = static_cast<std::size_t>(first - of_kind.begin());
  const std::size_t period = of_kind.size();
  if (count == 0 || count == period) return {};
  const std::string number = count == 1 ? std::string() : fmt::format(" {}", count);
  const char* verb = count == 1 ? "is" : "are";
  if (place == 0)
    return fmt::format("the first{} of each {} {}s {} {}", number, period, noun, verb, kind);
  if (end == of_kind.end()) {
    return fmt::format("the last{} of each {} {}s {} {}", number, period, noun, verb, kind);
  }
  if (count == 1) return fmt::format("{} {} of each {} is {}", noun, place, period, kind);
  return fmt::format("{}s {} to {} of each {} are {}", noun, place, place + count - 1, period,
                     kind);
}

/// The same rows or columns of each tile: an element is of the kind if and only if its number along
/// an axis is there, modulo the size. Of whole outputs, pattern.h tells it.
/// @param along  the number of element i along the axis  @param length  of the axis
template <class Along>
std::string same_place(const Wrong& wrong, std::size_t length, std::string_view noun, Along along,
                       std::string_view kind) {
  constexpr std::size_t kFewestPeriods = 3;
  for (const std::size_t period : {4u, 8u, 16u, 32u, 64u, 128u, 256u, 512u, 1024u}) {
    if (length < kFewestPeriods * period) break;
    std::vector<bool> of_kind(period);
    for (const std::size_t i : wrong.indices()) of_kind[along(i) % period] = true;
    bool same = true;
    for (std::size_t i = 0; i < wrong.count() && same; ++i) {
      same = of_kind[along(i) % period] != wrong.right(i);
    }
    if (same) return of_each(of_kind, noun, kind);  // larger ones repeat it
  }
  return {};
}

/// Where all wrong elements are: "column 3 of 40 has wrong elements".
/// @param kind  as for lines_of()
std::string where(const Wrong& wrong, std::string_view kind = "wrong") {
  if (wrong.all() || wrong.indices().size() < kFewest) return {};
  if (const auto extents = wrong.extents()) {
    const auto [rows, columns] = *extents;
    for (const bool by_row : {true, false}) {
      const std::string lines = by_row ? lines_of(wrong, "row", rows, columns, true, kind)
                                       : lines_of(wrong, "column", columns, rows, false, kind);
      if (!lines.empty()) return lines;
    }
  }
  const std::size_t step = step_of(wrong.indices());
  if (step > 1 && spans(wrong.indices(), step, wrong.count())) {
    return fmt::format("{} is {}", named("element", wrong.indices(), wrong.count()), kind);
  }
  if (step == 1) {
    return fmt::format("{} are {}", named("element", wrong.indices(), wrong.count()), kind);
  }
  if (const auto extents = wrong.extents()) {
    const auto [rows, columns] = *extents;
    const auto row = [length = columns](std::size_t i) { return i / length; };
    const auto column = [length = columns](std::size_t i) { return i % length; };
    std::string lines = same_place(wrong, columns, "column", column, kind);
    if (lines.empty()) lines = same_place(wrong, rows, "row", row, kind);
    if (!lines.empty()) return lines;
  }
  return groups_of(wrong, kind);
}

/// Which side of the diagonal of a matrix is wrong: "elements above the diagonal are wrong".
std::string beside_diagonal(const Wrong& wrong) {
  const auto extents = wrong.extents();
  if (!extents || wrong.indices().size() < kFewestAbove ||
      wrong.count() - wrong.indices().size() < kFewestAbove) {
    return {};
  }
  const std::size_t columns = (*extents)[1];
  const auto all = [&](auto is_wrong) {
    for (std::size_t i = 0; i < wrong.count(); ++i) {
      if (is_wrong(i / columns, i % columns) == wrong.right(i)) return false;
    }
    return true;
  };
  if (all([](auto row, auto column) { return column > row; })) {
    return "elements above the diagonal are wrong";
  }
  if (all([](auto row, auto column) { return column >= row; })) {
    return "elements on the diagonal and above it are wrong";
  }
  if (all([](auto row, auto column) { return column < row; })) {
    return "elements below the diagonal are wrong";
  }
  if (all([](auto row, auto column) { return column <= row; })) {
    return "elements on the diagonal and below it are wrong";
  }
  if (all([](auto row, auto column) { return column != row; })) {
    return "elements on the diagonal are right";
  }
  return {};
}

/// The values that belong where the output is wrong: "elements whose right value is above 255 are
/// wrong".
std::string of_which_value(const Wrong& wrong) {
  if (wrong.indices().size() < kFewestAbove ||
      wrong.count() - wrong.indices().size() < kFewestAbove) {
    return {};
  }
  double low[2] = {INFINITY, INFINITY};
  double high[2] = {-INFINITY, -INFINITY};
  for (std::size_t i = 0; i < wrong.count(); ++i) {
    const double value = wrong.want(i);
    if (std::isnan(value)) return {};
    const std::size_t side = wrong.right(i) ? 0 : 1;
    low[side] = std::min(low[side], value);
    high[side] = std::max(high[side], value);
  }
  if (low[1] > high[0]) {
    return fmt::format("elements whose right value is above {} are wrong",
                       value_text(high[0], kDigits));
  }
  if (high[1] < low[0]) {
    return fmt::format("elements whose right value is below {} are wrong",
                       value_text(low[0], kDigits));
  }
  return {};
}

template <class Holds>
bool all_wrong(const Wrong& wrong, Holds holds) {
  return std::all_of(wrong.indices().begin(), wrong.indices().end(), holds);
}

/// NaN where a number belongs, and an infinite value is in the output or in an input: those alone
/// lead there, so that one element is enough.
std::string not_a_number(const Wrong& wrong, std::span<const NamedArray> inputs) {
  const bool is_nan = !wrong.indices().empty() && all_wrong(wrong, [&](std::size_t i) {
    return std::isnan(wrong.got(i)) && !std::isnan(wrong.want(i)) && !wrong.unwritten(i);
  });
  if (!is_nan) return {};
  if (all_wrong(wrong, [&](std::size_t i) { return std::isinf(wrong.want(i)); })) {
    return "is NaN where it has to be infinite, as the difference of two infinite values is";
  }
  for (const NamedArray& input : inputs) {
    if (!is_float(input.array->type) || input.array->count() != wrong.count()) continue;
    if (all_wrong(wrong, [&](std::size_t i) { return std::isinf(number_at(*input.array, i)); })) {
      return fmt::format(
          "is NaN, and `{}` is infinite there: an infinite value minus an infinite value is not a "
          "number",
          input.name);
    }
  }
  return {};
}

/// What all wrong elements hold: "is 0", "is 1 too small".
std::string what(const Wrong& wrong) {
  if (wrong.indices().size() < kFewest) return {};
  const std::size_t first = wrong.indices().front();
  if (all_wrong(wrong, [&](std::size_t i) { return wrong.unwritten(i); })) {
    return "was not written";
  }
  if (std::any_of(wrong.indices().begin(), wrong.indices().end(),
                  [&](std::size_t i) { return wrong.unwritten(i); })) {
    return {};
  }
  const double value = wrong.got(first);
  if (std::isnan(value)) {
    return all_wrong(wrong, [&](std::size_t i) { return std::isnan(wrong.got(i)); }) ? "is NaN"
                                                                                     : "";
  }
  if (all_wrong(wrong, [&](std::size_t i) { return wrong.got(i) == value; })) {
    return fmt::format("is {}", value_text(value, kDigits));
  }
  const double off = value - wrong.want(first);
  const auto near = [](double a, double b, double bound) { return std::abs(a - b) <= bound; };
  if (std::isfinite(off) && std::abs(off) > 4 * wrong.bound(first) &&
      all_wrong(wrong, [&](std::size_t i) {
        return near(wrong.got(i) - wrong.want(i), off, wrong.bound(i) + wrong.bound(first));
      })) {
    return fmt::format("is {} too {}", value_text(std::abs(off), 4), off < 0 ? "small" : "large");
  }
  if (all_wrong(wrong, [&](std::size_t i) {
        return near(wrong.got(i), -wrong.want(i), wrong.bound(i));
      })) {
    return "has the wrong sign";
  }
  constexpr double kSlack = 1e-6;
  const double factor = value / wrong.want(first);
  if (std::isfinite(factor) && factor != 0 && all_wrong(wrong, [&](std::size_t i) {
        return wrong.want(i) != 0 &&
               near(wrong.got(i), factor * wrong.want(i), kSlack * std::abs(wrong.got(i)));
      })) {
    return fmt::format("is {}", factor_text(factor));
  }
  return {};
}

/// Lines of a matrix that hold one value each, where the right ones differ: "All elements of a row
/// are the same, and should not be."
std::string same_in_lines(const Wrong& wrong) {
  const auto extents = wrong.extents();
  if (!extents || wrong.indices().size() < kFewestAbove) return {};
  const auto [rows, columns] = *extents;
  const auto is_same = [&](std::size_t lines, std::size_t length, std::size_t line_step,
                           std::size_t step) {
    bool differs = false;  // the right values, in each line
    for (std::size_t line = 0; line < lines; ++line) {
      bool same = true;
      for (std::size_t k = 1; k < length; ++k) {
        const std::size_t first = line * line_step;
        const std::size_t i = first + k * step;
        if (wrong.unwritten(i) || wrong.got(i) != wrong.got(first)) return false;
        same = same && wrong.want(i) == wrong.want(first);
      }
      differs = differs || !same;
    }
    return differs;
  };
  if (columns >= kFewest && is_same(rows, columns, columns, 1)) {
    return "All elements of a row are the same, and should not be.";
  }
  if (rows >= kFewest && is_same(columns, rows, 1, columns)) {
    return "All elements of a column are the same, and should not be.";
  }
  return {};
}

/// Whether all wrong elements are on one side of the right values: "is too small".
std::string too_small_or_large(const Wrong& wrong) {
  if (wrong.indices().size() < kFewestAbove) return {};
  for (const bool small : {true, false}) {
    const bool all = all_wrong(wrong, [&](std::size_t i) {
      return !wrong.unwritten(i) &&
             (small ? wrong.got(i) < wrong.want(i) : wrong.got(i) > wrong.want(i));
    });
    if (all) return small ? "is too small" : "is too large";
  }
  return {};
}

/// Counters that share a word, of which one that is full carries into the next: each word as a
/// whole is right. "Each 4 elements together are right, ..."; empty if it is not so.
std::string carried(const Array& got, const Expected& want, const std::vector<bool>& right) {
  if (is_float(want.type)) return {};
  const auto number = [&](std::size_t i) {
    return with_type(got.type, [&](auto zero) {
      using T = decltype(zero);
      if constexpr (is_float_like<T>)
        return std::uint64_t{0};
      else
        return static_cast<std::uint64_t>(got.as<T>()[i]);
    });
  };
  struct Packing {
    unsigned bits, word;
  };
  for (const Packing pack : {Packing{8, 32}, Packing{16, 32}, Packing{8, 64}, Packing{16, 64}}) {
    const std::size_t together = pack.word / pack.bits;
    const std::uint64_t mask = pack.word == 64 ? ~std::uint64_t{0} : 0xFFFFFFFF;
    const std::uint64_t largest = (std::uint64_t{1} << pack.bits) - 1;
    bool same = right.size() >= together;
    bool is_full = false;
    for (std::size_t first = 0; same && first < right.size(); first += together) {
      std::uint64_t of_got = 0;
      std::uint64_t of_want = 0;
      bool any_full = false;
      bool any_wrong = false;
      for (std::size_t k = 0; k < together && first + k < right.size(); ++k) {
        const auto value = static_cast<std::uint64_t>(want.exact[first + k]);
        of_got += number(first + k) << (pack.bits * k);
        of_want += value << (pack.bits * k);
        any_full = any_full || value > largest;
        any_wrong = any_wrong || !right[first + k];
      }
      // At the end of the output, what is carried out of it is lost.
      same = !any_wrong || (any_full && (of_got & mask) == (of_want & mask));
      is_full = is_full || any_wrong;
    }
    if (!same || !is_full) continue;
    return fmt::format(
        "Each {} elements together are right, as {} bits each of one number: a counter "
        "above {} carries into the next one.",
        together, pack.bits, largest);
  }
  return {};
}

/// Whether the sum over the output is the right one, as it is where the values are only in other
/// places. Most outputs fail here, before anything is sorted.
bool has_right_sum(const Wrong& wrong) {
  double got = 0;
  double want = 0;
  double bound = 0;
  double size = 0;  // for the sums' own rounding
  for (std::size_t i = 0; i < wrong.count(); ++i) {
    got += wrong.got(i);
    want += wrong.want(i);
    bound += wrong.bound(i);
    size += std::abs(wrong.got(i)) + std::abs(wrong.want(i));
  }
  if (!std::isfinite(size)) return true;
  const double rounding = size * static_cast<double>(wrong.count()) * 0x1p-52;
  return std::abs(got - want) <= bound + rounding;
}

/// Whether the output has the right values, each as often as it should, in another order.
bool has_right_values(const Wrong& wrong) {
  if (wrong.indices().size() < kFewest || !has_right_sum(wrong)) return false;
  std::vector<std::pair<double, double>> right;  // and the bound
  std::vector<double> got;
  for (std::size_t i = 0; i < wrong.count(); ++i) {
    if (std::isnan(wrong.got(i)) || std::isnan(wrong.want(i))) return false;
    got.push_back(wrong.got(i));
    right.emplace_back(wrong.want(i), wrong.bound(i));
  }
  std::sort(got.begin(), got.end());
  std::sort(right.begin(), right.end());
  return std::equal(got.begin(), got.end(), right.begin(), [](double a, const auto& b) {
    return a == b.first || std::abs(a - b.first) <= b.second;
  });
}

}  // namespace

std::string telling_fact(const Array& got, const Expected& want, const std::vector<bool>& right,
                         std::span<const NamedArray> inputs) {
  const Wrong wrong(got, want, right);
  if (std::string packed = carried(got, want, right); !packed.empty()) return packed;
  std::string place = where(wrong);
  if (place.empty()) place = of_which_value(wrong);
  if (place.empty()) place = beside_diagonal(wrong);
  if (place.empty() && !wrong.all()) {
    std::vector<bool> others = right;
    others.flip();
    place = where(Wrong(got, want, others), "right");
  }
  std::string values = not_a_number(wrong, inputs);
  if (values.empty()) values = what(wrong);
  if (place.empty() && values.empty() && has_right_values(wrong)) {
    return fmt::format("The values are right, but {} of {} are in other places.",
                       wrong.indices().size(), wrong.count());
  }
  std::string tells = values.empty() ? same_in_lines(wrong) : std::string();
  if (values.empty() && tells.empty()) values = too_small_or_large(wrong);
  if (!values.empty()) {
    tells = fmt::format("{} {}.", wrong.all() ? "Each element" : "Each wrong element", values);
  }
  if (place.empty()) return tells;
  return fmt::format("Only {}.{}{}", place, tells.empty() ? "" : " ", tells);
}

}  // namespace warpgrade
