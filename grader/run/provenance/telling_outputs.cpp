#include "grader/run/provenance/telling_outputs.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace warpgrade {
namespace {

/// How far a value may be off at an index.
double bound_at(const Expected& expected, std::size_t i) {
  return i < expected.bound.size() ? expected.bound[i] : 0;
}

/// Whether zeros are right: no value is larger than its tolerance.
bool is_zero(const Expected& expected) {
  for (std::size_t i = 0; i < expected.want.size(); ++i) {
    if (!(std::abs(expected.want[i]) <= bound_at(expected, i))) return false;
  }
  return std::none_of(expected.exact.begin(), expected.exact.end(),
                      [](auto value) { return value != 0; });
}

/// Whether a prefix of an input is right, which an honest cudaMemcpy alone can produce.
bool is_copy(const Expected& expected, const Array& input) {
  if (expected.type != input.type || expected.count() > input.count()) {
    return false;
  }
  return with_type(input.type, [&]<class T>(T) {
    const std::span<const T> from = input.as<T>();
    for (std::size_t i = 0; i < expected.want.size(); ++i) {
      const double off = std::abs(expected.want[i] - static_cast<double>(from[i]));
      if (!(off <= bound_at(expected, i))) return false;
    }
    return std::equal(
        expected.exact.begin(), expected.exact.end(), from.begin(),
        [](auto want, T value) { return want == static_cast<decltype(want)>(value); });
  });
}

}  // namespace

bool is_telling(const CaseData& data) {
  // A text alone, such as PASSED, must come from what the device computed. A case that expects an
  // error may need no device.
  if (data.spec != nullptr && data.spec->program.exit_code != 0) return false;
  if (data.spec != nullptr && !data.spec->program.prints.empty()) return true;
  return std::any_of(data.expected.begin(), data.expected.end(), [&](const auto& output) {
    return !is_zero(output.second) &&
           std::none_of(data.inputs.begin(), data.inputs.end(),
                        [&](const auto& input) { return is_copy(output.second, input.second); });
  });
}

namespace {

/// Values of outputs, to be looked for in inputs that may have millions.
template <class T>
class Sought {
 public:
  void add(T value) {
    values_.push_back(value);
    may_be_here_[slot(value)] = true;
  }
  /// How many of them are in one of the inputs of their type.
  [[nodiscard]] std::size_t found_in(const CaseData& data, ElementType type) const {
    std::vector<bool> found(values_.size());
    for (const auto& [name, input] : data.inputs) {
      if (input.type != type) continue;
      for (const T value : input.template as<T>()) {
        if (!may_be_here_[slot(value)]) continue;
        for (std::size_t i = 0; i < values_.size(); ++i) found[i] = found[i] || values_[i] == value;
      }
    }
    return static_cast<std::size_t>(std::ranges::count(found, true));
  }

 private:
  static constexpr unsigned kSlotBits = 12;

  /// Equal values have equal slots: -0 and 0 do, too.
  static std::size_t slot(T value) {
    const auto number = static_cast<double>(value);
    return (std::bit_cast<std::uint64_t>(number + 0.0) * 0x9e3779b97f4a7c15U) >> (64 - kSlotBits);
  }

  std::vector<T> values_;
  std::array<bool, std::size_t{1} << kSlotBits> may_be_here_ = {};
};

}  // namespace

bool moves_inputs(const CaseData& data) {
  constexpr std::size_t kSamples = 16;
  std::size_t looked = 0;
  std::size_t found = 0;
  for (const auto& expected : data.expected) {
    const Expected& output = expected.second;
    const std::size_t step = output.count() / kSamples + 1;
    with_type(output.type, [&]<class T>(T) {
      Sought<T> sought;
      for (std::size_t i = 0; i < output.count(); i += step) {
        if constexpr (is_float_like<T>) {
          sought.add(static_cast<T>(output.want[i]));
        } else {
          sought.add(static_cast<T>(output.exact[i]));
        }
        ++looked;
      }
      found += sought.found_in(data, output.type);
    });
  }
  return 2 * found > looked;
}

}  // namespace warpgrade
