#include "grader/author/check/cheap_answers.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "harness/case/aligned.h"
#include "harness/data/elements.h"
#include "harness/data/small_float.h"
#include "harness/lab/shapes.h"
#include "harness/tolerance/compare.h"

namespace warpgrade {
namespace {

using Outputs = std::map<std::string, Array>;

/// Distance between 1 and the next number of a type, by which what a double becomes may be off.
double spacing(ElementType type) {
  switch (type) {
    case ElementType::f32:
      return 0x1p-23;
    case ElementType::f16:
      return 0x1p-10;
    case ElementType::bf16:
      return 0x1p-7;
    default:
      return 0x1p-52;
  }
}

/// The nearest value of T: integers are limited to T's range, and NaN becomes 0.
template <class T>
T as_type(double value) {
  if constexpr (is_float_like<T>) {
    return static_cast<T>(value);
  } else {
    if (std::isnan(value)) return 0;
    // The largest 64-bit integer is not a double; the next one, 2^63 or 2^64, is out of range.
    if (value >= static_cast<double>(std::numeric_limits<T>::max())) {
      return std::numeric_limits<T>::max();
    }
    if (value <= static_cast<double>(std::numeric_limits<T>::min())) {
      return std::numeric_limits<T>::min();
    }
    return static_cast<T>(value);
  }
}

void set_element(Array& array, std::size_t i, double value) {
  with_type(array.type, [&](auto zero) {
    using T = decltype(zero);
    array.as<T>()[i] = as_type<T>(value);
  });
}

/// What a right program would leave, in the output's type.
Array answer_of(const Expected& expected, const std::vector<std::uint64_t>& shape) {
  Array array(expected.type, shape);
  with_type(array.type, [&](auto zero) {
    using T = decltype(zero);
    const std::span<T> out = array.as<T>();
    for (std::size_t i = 0; i < out.size(); ++i) {
      if constexpr (is_float_like<T>) {
        out[i] = as_type<T>(expected.want[i]);
      } else {
        out[i] = static_cast<T>(expected.exact[i]);
      }
    }
  });
  return array;
}

double mean_of(const Array& array) {
  double sum = 0;
  std::size_t finite = 0;
  for (std::size_t i = 0; i < array.count(); ++i) {
    const double value = number_at(array, i);
    if (!std::isfinite(value)) continue;
    sum += value;
    ++finite;
  }
  return finite == 0 ? 0 : sum / static_cast<double>(finite);
}

void fill(Array& array, double value) {
  for (std::size_t i = 0; i < array.count(); ++i) set_element(array, i, value);
}

/// Moves every element by one place, as a wrong index does; the last one becomes the first.
void rotate(Array& array) {
  if (array.bytes.empty()) return;
  const auto size = static_cast<std::ptrdiff_t>(size_of(array.type));
  std::rotate(array.bytes.begin(), array.bytes.end() - size, array.bytes.end());
}

void reverse(Array& array) {
  with_type(array.type, [&](auto zero) {
    const auto all = array.as<decltype(zero)>();
    std::reverse(all.begin(), all.end());
  });
}

/// Every second element equals the one before.
void hold_every_second(Array& array) {
  with_type(array.type, [&](auto zero) {
    const auto all = array.as<decltype(zero)>();
    for (std::size_t i = 1; i < all.size(); i += 2) all[i] = all[i - 1];
  });
}

/// Whether two results of the golden function, or one and what a program left, are the same but for
/// their roundings.
bool is_same(double got, double want, double bound, ElementType type) {
  constexpr double kShareOfBound = 1e-6;  // of sums in float64, whose bound is that of floats
  if (std::isnan(got) || std::isnan(want)) return std::isnan(got) && std::isnan(want);
  if (got == want) return true;
  return std::abs(got - want) <= std::max(kShareOfBound * bound, spacing(type) * std::abs(want));
}

bool is_same(const Array& got, const Expected& want) {
  for (std::size_t i = 0; i < got.count(); ++i) {
    if (is_float(got.type)) {
      if (!is_same(number_at(got, i), want.want[i], want.bound[i], want.type)) return false;
    } else {
      const bool equal = with_type(got.type, [&](auto zero) {
        using T = decltype(zero);
        if constexpr (is_float_like<T>) {
          return false;
        } else {
          return got.as<T>()[i] == static_cast<T>(want.exact[i]);
        }
      });
      if (!equal) return false;
    }
  }
  return true;
}

class CheapTrier {
 public:
  CheapTrier(const CaseData& data, const GoldenLibrary& golden)
      : data_(data), lab_(*data.lab), golden_(golden) {
    for (const Parameter& p : lab_.parameters) {
      if (!p.is_written() || !data.expected.contains(p.name)) continue;
      right_.emplace(p.name,
                     answer_of(data.expected.at(p.name), shape_of(lab_, p, data.spec->data.dims)));
    }
  }

  std::vector<CheapTry> run() {
    const bool is_empty = std::all_of(right_.begin(), right_.end(),
                                      [](const auto& o) { return o.second.count() == 0; });
    // A program that has to fail leaves no outputs.
    if (is_empty || data_.spec->program.exit_code != 0) return {};
    try_outputs();
    for (const Parameter& p : lab_.parameters) {
      if (!p.is_array() || !p.is_read() || data_.inputs.at(p.name).count() == 0) continue;
      try_copy(p);
      if (may_change(p)) try_changes(p);
    }
    return std::move(tries_);
  }

 private:
  void try_outputs() {
    change_all(CheapAnswer::zeros, [](Array& out) { fill(out, 0); });
    change_all(CheapAnswer::ones, [](Array& out) { fill(out, 1); });
    const bool is_single = std::all_of(right_.begin(), right_.end(),
                                       [](const auto& o) { return o.second.count() <= 1; });
    if (!is_single) {
      change_all(CheapAnswer::first_value, [](Array& out) {
        if (out.count() > 0) fill(out, number_at(out, 0));
      });
      change_all(CheapAnswer::mean, [](Array& out) { fill(out, mean_of(out)); });
    }
    change_all(CheapAnswer::first_half, [](Array& out) {
      for (std::size_t i = (out.count() + 1) / 2; i < out.count(); ++i) set_element(out, i, 0);
    });
    change_all(CheapAnswer::every_second, [](Array& out) {
      for (std::size_t i = 1; i < out.count(); i += 2) set_element(out, i, 0);
    });
    change_all(CheapAnswer::every_second_held, hold_every_second);
    if (rounds_to_float()) {
      change_all(CheapAnswer::half_precision, [](Array& out) {
        if (!is_float(out.type)) return;
        for (std::size_t i = 0; i < out.count(); ++i) {
          set_element(out, i, static_cast<double>(Float16(number_at(out, i))));
        }
      });
    }
  }

  /// Whether there is an output that half precision would make less precise than the lab allows.
  [[nodiscard]] bool rounds_to_float() const {
    return std::any_of(lab_.parameters.begin(), lab_.parameters.end(), [&](const Parameter& p) {
      const Precision precision = lab_.tolerance_of(p).precision;
      return p.is_written() && (p.type == ElementType::f32 || p.type == ElementType::f64) &&
             (precision == Precision::f32 || precision == Precision::f64);
    });
  }

  void try_copy(const Parameter& input) {
    const Array& from = data_.inputs.at(input.name);
    Outputs outputs = right_;
    for (auto& [name, out] : outputs) {
      for (std::size_t i = 0; i < out.count(); ++i) {
        set_element(out, i, i < from.count() ? number_at(from, i) : 0);
      }
    }
    judge(CheapAnswer::copy_of_input, input.name, outputs);
  }

  /// Whether an input's elements may stand in any order, so that the golden function takes them.
  [[nodiscard]] bool may_change(const Parameter& input) const {
    const auto fill = data_.spec->data.fills.find(input.name);
    if (lab_.program || fill == data_.spec->data.fills.end() || fill->second.given) return false;
    if (is_ordered(fill->second.distribution)) return false;
    const bool has_structure =
        !input.matrix.empty() || fill->second.distribution == Distribution::ramp;
    return is_float(input.type) || !has_structure;
  }

  void try_changes(const Parameter& input) {
    change_input(CheapAnswer::shifted_input, input, rotate);
    change_input(CheapAnswer::reversed_input, input, reverse);
    change_input(CheapAnswer::sampled_input, input, hold_every_second);
    if (!is_float(input.type)) return;
    change_input(CheapAnswer::scaled_input, input, [](Array& in) {
      for (std::size_t i = 0; i < in.count(); ++i) set_element(in, i, 2 * number_at(in, i));
    });
    change_input(CheapAnswer::mean_input, input, [](Array& in) { fill(in, mean_of(in)); });
  }

  template <class Change>
  void change_all(CheapAnswer answer, Change change) {
    Outputs outputs = right_;
    for (auto& [name, out] : outputs) change(out);
    judge(answer, "", outputs);
  }

  template <class Change>
  void change_input(CheapAnswer answer, const Parameter& input, Change change) {
    std::map<std::string, Array> inputs = data_.inputs;
    change(inputs.at(input.name));
    if (inputs.at(input.name).bytes == data_.inputs.at(input.name).bytes) return;
    Outputs outputs;
    try {
      const std::map<std::string, Expected> expected = golden_.expect(lab_, *data_.spec, inputs);
      for (const auto& [name, out] : right_) {
        outputs.emplace(name, answer_of(expected.at(name), out.shape));
      }
    } catch (const std::runtime_error&) {
      return;  // golden functions refuse data that overflow in some orders of addition
    }
    judge(answer, input.name, outputs);
  }

  void judge(CheapAnswer answer, const std::string& input, const Outputs& outputs) {
    tries_.push_back({.answer = answer, .input = input, .result = result_of(outputs)});
  }

  [[nodiscard]] CheapTry::Result result_of(const Outputs& outputs) const {
    bool is_right = true;
    for (const Parameter& p : lab_.parameters) {
      if (!outputs.contains(p.name) || p.comparison.by_predicate) continue;
      Expected aligned;
      const Array& got = outputs.at(p.name);
      const Expected& want =
          got.count() == 0 ? data_.expected.at(p.name) : aligned_expected(data_, p, got, aligned);
      if (!compare(got, want, 1).passed()) return CheapTry::Result::fails;
      is_right = is_right && is_same(got, want);
    }
    if (data_.accepts && !data_.accepts(data_.spec->data.dims, data_.inputs, outputs).empty()) {
      return CheapTry::Result::fails;
    }
    return is_right ? CheapTry::Result::is_right : CheapTry::Result::passes;
  }

  const CaseData& data_;
  const Lab& lab_;
  const GoldenLibrary& golden_;
  Outputs right_;
  std::vector<CheapTry> tries_;
};

const AnswerWaiver* waiver_of(const Lab& lab, const std::string& on, CheapAnswer answer) {
  const auto it = std::find_if(
      lab.answer_waivers.begin(), lab.answer_waivers.end(),
      [&](const AnswerWaiver& waiver) { return waiver.on == on && waiver.answer == answer; });
  return it == lab.answer_waivers.end() ? nullptr : &*it;
}

/// Answers that are made from the expected outputs alone, without the inputs.
bool is_of_outputs(CheapAnswer answer) {
  return answer < CheapAnswer::copy_of_input;
}

}  // namespace

std::string CheapTry::name() const {
  return input.empty() ? std::string(slug(answer)) : fmt::format("{} of `{}`", slug(answer), input);
}

std::vector<CheapTry> try_cheap_answers(const CaseData& data, const GoldenLibrary& golden) {
  return CheapTrier(data, golden).run();
}

CheapCount count_cheap_answers(const Lab& lab,
                               const std::map<std::string, std::vector<CheapTry>>& tries) {
  CheapCount count;
  std::set<std::pair<std::string, CheapAnswer>> passing;
  std::map<std::string, double> right_points;  // by answer
  double points_half_fails = 0;
  double points_half_passes = 0;
  for (const Case& spec : lab.cases) {
    const auto found = tries.find(spec.name);
    if (found == tries.end()) continue;
    for (const CheapTry& tried : found->second) {
      if (tried.answer == CheapAnswer::half_precision) {
        (tried.result == CheapTry::Result::fails ? points_half_fails : points_half_passes) +=
            spec.points;
      }
      if (tried.result == CheapTry::Result::fails) {
        ++count.fail;
      } else if (tried.answer == CheapAnswer::half_precision) {
        ++count.half;
      } else if (tried.result == CheapTry::Result::is_right) {
        ++count.right;
        if (is_of_outputs(tried.answer)) right_points[tried.name()] += spec.points;
      } else if (passing.emplace(spec.name, tried.answer);
                 waiver_of(lab, spec.name, tried.answer) != nullptr) {
        ++count.waived;
      } else {
        ++count.pass;
        count.problems.push_back(fmt::format(
            "the cheap answer '{}' passes case \"{}\" (dataset \"{}\"); choose data for which it "
            "is wrong, or a tighter tolerance, or give a reason in [[waive_answer]]",
            tried.name(), spec.name, spec.data.name));
      }
    }
  }
  // A program's data and tolerance may be those of the course that it comes from.
  const bool chooses_data = !lab.program;
  constexpr double kMostHalf = 2;  // points where half precision passes, per point where it fails
  if (chooses_data && points_half_passes > kMostHalf * points_half_fails) {
    count.problems.push_back(fmt::format(
        "the cheap answer 'half-precision' passes cases worth {} points and fails those worth {}; "
        "choose data of which more is lost, or shorter sums, whose tolerance is tighter",
        points_half_passes, points_half_fails));
  }
  for (const auto& [name, points] : right_points) {
    if (!chooses_data || 2 * points < lab.rubric.correctness) continue;
    count.problems.push_back(fmt::format(
        "the cheap answer '{}' is right in cases worth {} of {} points for correctness; choose "
        "data for which it is wrong",
        name, points, lab.rubric.correctness));
  }
  for (const AnswerWaiver& waiver : lab.answer_waivers) {
    if (passing.contains({waiver.on, waiver.answer})) continue;
    count.problems.push_back(
        fmt::format("the cheap answer '{}' does not pass case \"{}\"; remove its [[waive_answer]]",
                    slug(waiver.answer), waiver.on));
  }
  return count;
}

}  // namespace warpgrade
