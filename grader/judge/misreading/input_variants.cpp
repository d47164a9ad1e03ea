#include "grader/judge/misreading/input_variants.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "grader/judge/misreading/changed_inputs.h"

namespace warpgrade {
namespace {

/// Blocks, warps and tiles.
constexpr std::array<std::uint64_t, 8> kGroups = {8, 16, 32, 64, 128, 256, 512, 1024};

/// One array whose elements are taken from other places of it.
/// @param place  of coordinates and the array's extents
template <class PlaceOf>
void add_places(ChangedInputs& list, const Parameter& parameter, const char* id, std::string says,
                PlaceOf place, std::string pitfall = "") {
  const std::string& name = parameter.name;
  list.add(
      fmt::format("{}-{}", name, id), fmt::format(fmt::runtime(says), name),
      [name, place](Dims&, Inputs& inputs) {
        const Array from = inputs.at(name);
        Array to =
            taken(from, from.shape, [&](const Extents& at) { return place(at, from.shape); });
        if (to.bytes == from.bytes) return false;
        inputs.at(name) = std::move(to);
        return true;
      },
      std::move(pitfall));
}

/// The element so many places further along the last axis but `above`; 0 beyond the ends.
auto further(std::size_t above, std::ptrdiff_t by) {
  return [above, by](Extents at, const Extents& shape) -> Place {
    const std::size_t axis = shape.size() - 1 - above;
    const std::ptrdiff_t there = static_cast<std::ptrdiff_t>(at[axis]) + by;
    if (there < 0 || there >= static_cast<std::ptrdiff_t>(shape[axis])) return std::nullopt;
    at[axis] = static_cast<std::uint64_t>(there);
    return flat(at, shape);
  };
}

auto from_the_end(bool rows, bool columns) {
  return [rows, columns](Extents at, const Extents& shape) -> Place {
    const std::size_t last = shape.size() - 1;
    if (columns) at[last] = shape[last] - 1 - at[last];
    if (rows && last > 0) at[last - 1] = shape[last - 1] - 1 - at[last - 1];
    return flat(at, shape);
  };
}

/// Index 0 along the last axis but `above` in place of each.
auto always_first(std::size_t above) {
  return [above](Extents at, const Extents& shape) -> Place {
    at[shape.size() - 1 - above] = 0;
    return flat(at, shape);
  };
}

/// 0 at one end of the last axis but `above`.
auto without_end(std::size_t above, bool last) {
  return [above, last](const Extents& at, const Extents& shape) -> Place {
    const std::size_t axis = shape.size() - 1 - above;
    if (at[axis] == (last ? shape[axis] - 1 : 0)) return std::nullopt;
    return flat(at, shape);
  };
}

void add_lines(ChangedInputs& list, const Parameter& a) {
  add_places(list, a, "next", "for `{0}[i + 1]` in place of `{0}[i]`", further(0, 1));
  add_places(list, a, "before", "for `{0}[i - 1]` in place of `{0}[i]`", further(0, -1));
  add_places(list, a, "reversed", "for `{}` in reverse order", from_the_end(false, true));
  add_places(list, a, "first", "for `{0}[0]` in place of each element of `{0}`", always_first(0));
  add_places(list, a, "no-last", "without the last element of `{}`, as if it were 0",
             without_end(0, true));
  add_places(list, a, "no-first", "without `{}[0]`, as if it were 0", without_end(0, false));
}

void add_matrices(ChangedInputs& list, const Parameter& a) {
  add_places(list, a, "right", "for the right neighbour of each element of `{}` in its place",
             further(0, 1));
  add_places(list, a, "left", "for the left neighbour of each element of `{}` in its place",
             further(0, -1));
  add_places(list, a, "below", "for the element below in place of each one of `{}`", further(1, 1));
  add_places(list, a, "above", "for the element above in place of each one of `{}`",
             further(1, -1));
  add_places(
      list, a, "columns", "for `{}` read by columns; it is stored by rows",
      [](Extents at, const Extents& shape) -> Place {
        const std::size_t last = shape.size() - 1;
        // What stands where a matrix of the same extents would have it column by column.
        const std::size_t index = at[last] * shape[last - 1] + at[last - 1];
        at[last] = index % shape[last];
        at[last - 1] = index / shape[last];
        return flat(at, shape);
      },
      "P5");
  add_places(list, a, "mirrored", "for the rows of `{}` in reverse order, from right to left",
             from_the_end(false, true));
  add_places(list, a, "upside-down", "for `{}` from its last row to its first",
             from_the_end(true, false));
  add_places(list, a, "rotated", "for `{}` rotated by 180 degrees", from_the_end(true, true));
  add_places(list, a, "first-row", "for row 0 of `{0}` in place of each row", always_first(1));
  add_places(list, a, "first-column", "for column 0 of `{0}` in place of each column",
             always_first(0));
  add_places(list, a, "no-last-row", "without the last row of `{}`, as if it were 0",
             without_end(1, true));
  add_places(list, a, "no-last-column", "without the last column of `{}`, as if it were 0",
             without_end(0, true));
  add_places(list, a, "no-first-row", "without row 0 of `{}`, as if it were 0",
             without_end(1, false));
  add_places(list, a, "no-first-column", "without column 0 of `{}`, as if it were 0",
             without_end(0, false));
  if (a.shape.size() > 2) {
    add_places(list, a, "first-layer", "for the first matrix of `{}` in place of each one",
               always_first(2));
  }
}

/// Other values of the elements of one array.
template <class Value>
void add_values(ChangedInputs& list, const Parameter& parameter, const char* id, std::string says,
                Value value, std::string pitfall = "") {
  const std::string& name = parameter.name;
  list.add(
      fmt::format("{}-{}", name, id), fmt::format(fmt::runtime(says), name),
      [name, value](Dims&, Inputs& inputs) {
        Array& array = inputs.at(name);
        const std::vector<std::byte> before = array.bytes;
        with_type(array.type, [&](auto zero) {
          using T = decltype(zero);
          for (T& element : array.as<T>()) element = value(element);
        });
        return array.bytes != before;
      },
      std::move(pitfall));
}

void add_other_values(ChangedInputs& list, const Parameter& a) {
  add_values(list, a, "zeros", "as if `{}` held zeros", [](auto x) { return decltype(x)(0); });
  add_values(list, a, "ones", "as if `{}` held ones", [](auto x) { return decltype(x)(1); });
  if (is_float(a.type)) {
    add_values(list, a, "magnitudes", "for absolute values of `{}`",
               [](auto x) { return decltype(x)(std::abs(static_cast<double>(x))); });
    add_values(list, a, "negated", "for `{}` with the opposite sign",
               [](auto x) { return decltype(x)(-static_cast<double>(x)); });
    add_values(
        list, a, "whole", "for `{}` without fractions, converted to int",
        [](auto x) { return decltype(x)(std::trunc(static_cast<double>(x))); }, "P56");
  } else {
    const auto low = [](unsigned bits) {
      return [bits](auto x) {
        using T = decltype(x);
        if constexpr (is_float_like<T>) {
          return x;
        } else {
          const auto mask = (std::uint64_t{1} << bits) - 1;
          return static_cast<T>(static_cast<std::uint64_t>(x) & mask);
        }
      };
    };
    add_values(list, a, "16-bits", "for the low 16 bits of `{}`", low(16), "P16");
    add_values(list, a, "8-bits", "for the low 8 bits of `{}`", low(8), "P16");
  }
}

bool are_alike(const Parameter& a, const Parameter& b) {
  return a.type == b.type &&
         std::equal(a.shape.begin(), a.shape.end(), b.shape.begin(), b.shape.end(),
                    [](const Expression& x, const Expression& y) { return x.text() == y.text(); });
}

void add_pairs(ChangedInputs& list, const std::vector<const Parameter*>& inputs) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    for (std::size_t j = 0; j < inputs.size(); ++j) {
      if (i == j || !are_alike(*inputs[i], *inputs[j])) continue;
      const std::string& a = inputs[i]->name;
      const std::string& b = inputs[j]->name;
      list.add(fmt::format("{}-for-{}", a, b), fmt::format("with `{}` in place of `{}`", a, b),
               [a, b](Dims&, Inputs& in) {
                 in.at(b) = in.at(a);
                 return true;
               });
      if (i > j) continue;
      list.add(fmt::format("{}-and-{}", a, b), fmt::format("with `{}` and `{}` exchanged", a, b),
               [a, b](Dims&, Inputs& in) {
                 std::swap(in.at(a), in.at(b));
                 return true;
               });
    }
  }
}

void add_sizes(ChangedInputs& list) {
  const auto up = [](std::uint64_t group) {
    return [group](std::int64_t n) {
      const auto size = static_cast<std::int64_t>(group);
      return (n + size - 1) / size * size;
    };
  };
  for (const std::string& axis : list.axes(false)) {
    for (const std::uint64_t group : kGroups) {
      const auto size = static_cast<std::int64_t>(group);
      const std::string id = std::to_string(group);
      list.sized(axis, "again-" + id,
                 fmt::format("if the last element along `{}` counted again and again, up to a "
                             "multiple of {}",
                             axis, group),
                 up(group), true, "P13");
      list.sized(axis, "zeros-" + id,
                 fmt::format("if zeros followed along `{}`, up to a multiple of {}", axis, group),
                 up(group), false, "P52");
      list.sized(
          axis, "whole-" + id,
          fmt::format("for whole groups of {} along `{}`: the rest is left out", group, axis),
          [size](std::int64_t n) { return n / size * size; }, false, "P13");
      list.sized(
          axis, "only-" + id, fmt::format("for the first {} along `{}` only", group, axis),
          [size](std::int64_t n) { return std::min(n, size); }, false);
    }
    list.sized(
        axis, "no-last", fmt::format("without the last element along `{}`", axis),
        [](std::int64_t n) { return n - 1; }, false);
    list.sized(
        axis, "half", fmt::format("for the first half along `{}`", axis),
        [](std::int64_t n) { return n / 2; }, false);
    list.sized(
        axis, "one-again", fmt::format("if the last element along `{}` counted twice", axis),
        [](std::int64_t n) { return n + 1; }, true);
  }
}

void add_groups(ChangedInputs& list) {
  for (const std::string& axis : list.axes(true)) {
    for (const std::uint64_t group : kGroups) {
      list.groups(axis, group,
                  fmt::format("for groups of {} along `{}`, each by itself", group, axis));
    }
  }
}

/// Other values of the scalars that are not extents.
void add_settings(ChangedInputs& list, const Lab& lab) {
  const NamedSettings named = named_settings(lab);
  for (const auto& [setting, values] : named) {
    for (std::size_t from = 0; from < values.size(); ++from) {
      for (std::size_t to = 0; to < values.size(); ++to) {
        if (from == to) continue;
        list.add(fmt::format("{}-{}-for-{}", setting, values[to], values[from]),
                 fmt::format("for `{}` in place of `{}`", values[to], values[from]),
                 [setting = setting, from, to](Dims& dims, Inputs&) {
                   auto& value = dims.at(setting);
                   if (value != static_cast<std::int64_t>(from)) return false;
                   value = static_cast<std::int64_t>(to);
                   return true;
                 });
      }
    }
  }
}

}  // namespace

std::vector<Variant> input_variants(const Lab& lab,
                                    const std::function<void(const GoldenCall&)>& golden) {
  if (!golden) return {};
  ChangedInputs list(lab, golden);
  const std::vector<const Parameter*> inputs = list.arrays();
  for (const Parameter* input : inputs) {
    if (input->shape.size() == 1) add_lines(list, *input);
    if (input->shape.size() > 1) add_matrices(list, *input);
    add_other_values(list, *input);
  }
  add_pairs(list, inputs);
  add_settings(list, lab);
  add_sizes(list);
  add_groups(list);
  return std::move(list.all);
}

}  // namespace warpgrade
