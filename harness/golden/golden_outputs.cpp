#include "harness/golden/golden_outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "harness/golden/bounds.h"
#include "harness/lab/shapes.h"

namespace warpgrade {

namespace {

constexpr double kUnset = -1;

const Parameter& parameter_of(const Lab& lab, const std::string& name) {
  return *std::find_if(lab.parameters.begin(), lab.parameters.end(),
                       [&](const Parameter& parameter) { return parameter.name == name; });
}

Expected bounded(const Lab& lab, const Case& spec, const std::string& who, const std::string& name,
                 GoldenCall::Output output) {
  if (!output.asked_for) {
    throw LabError(
        fmt::format("{} does not fill the output '{}'; ask for it "
                    "with call.floats or call.integers",
                    who, name));
  }
  Expected expected{.type = output.type,
                    .want = std::move(output.want),
                    .bound = std::move(output.condition),
                    .exact = std::move(output.exact)};
  if (!is_float(expected.type)) return expected;
  for (std::size_t i = 0; i < expected.bound.size(); ++i) {
    if (expected.bound[i] < 0) {
      throw LabError(
          fmt::format("{} does not set condition[{}] of the output "
                      "'{}'; set it for every element",
                      who, i, name));
    }
  }
  set_bounds(lab, spec, parameter_of(lab, name), expected);
  return expected;
}

}  // namespace

std::map<std::string, GoldenCall::Output> make_outputs(const Lab& lab, const Dims& dims) {
  std::map<std::string, GoldenCall::Output> outputs;
  for (const Parameter& parameter : lab.parameters) {
    if (!parameter.is_written()) continue;
    const std::size_t count = Array::count_of(shape_of(lab, parameter, dims));
    GoldenCall::Output output;
    output.type = parameter.type;
    if (is_float(parameter.type)) {
      output.want.resize(count);
      output.condition.assign(count, kUnset);
    } else {
      output.exact.resize(count);
    }
    outputs.emplace(parameter.name, std::move(output));
  }
  return outputs;
}

namespace {

/// Bytes of an output with so many elements. First come all elements, of 8 bytes, and then a byte
/// for each output, in the order of their names.
std::size_t bytes_of_elements(ElementType type, std::size_t count) {
  return count * (is_float(type) ? 2 * sizeof(double) : sizeof(std::int64_t));
}

template <class T>
void append(const std::vector<T>& elements, std::span<std::byte>& to) {
  const std::size_t bytes = elements.size() * sizeof(T);
  if (bytes > 0) std::memcpy(to.data(), elements.data(), bytes);
  to = to.subspan(bytes);
}

template <class T>
void take(std::size_t count, std::span<const std::byte>& from, std::vector<T>& elements) {
  const auto* const begin = reinterpret_cast<const T*>(from.data());
  elements.assign(begin, begin + count);
  from = from.subspan(count * sizeof(T));
}

}  // namespace

std::size_t bytes_of_outputs(const Lab& lab, const Dims& dims) {
  std::size_t bytes = 0;
  for (const Parameter& parameter : lab.parameters) {
    if (!parameter.is_written()) continue;
    bytes += 1 + bytes_of_elements(parameter.type, Array::count_of(shape_of(lab, parameter, dims)));
  }
  return bytes;
}

void write_outputs(const std::map<std::string, GoldenCall::Output>& outputs,
                   std::span<std::byte> to) {
  for (const auto& [name, output] : outputs) {
    append(output.want, to);
    append(output.condition, to);
    append(output.exact, to);
  }
  std::size_t at = 0;
  for (const auto& [name, output] : outputs) to[at++] = std::byte{output.asked_for};
}

std::map<std::string, GoldenCall::Output> read_outputs(const Lab& lab, const Dims& dims,
                                                       std::span<const std::byte> from) {
  std::map<std::string, std::size_t> counts;
  std::map<std::string, GoldenCall::Output> outputs;
  for (const Parameter& parameter : lab.parameters) {
    if (!parameter.is_written()) continue;
    outputs[parameter.name].type = parameter.type;
    counts[parameter.name] = Array::count_of(shape_of(lab, parameter, dims));
  }
  for (auto& [name, output] : outputs) {
    if (is_float(output.type)) {
      take(counts[name], from, output.want);
      take(counts[name], from, output.condition);
    } else {
      take(counts[name], from, output.exact);
    }
  }
  std::size_t at = 0;
  for (auto& [name, output] : outputs) output.asked_for = from[at++] != std::byte{0};
  return outputs;
}

std::map<std::string, Expected> bounded(const Lab& lab, const Case& spec, const std::string& who,
                                        std::map<std::string, GoldenCall::Output> outputs) {
  std::map<std::string, Expected> expected;
  for (auto& [name, output] : outputs) {
    expected.emplace(name, bounded(lab, spec, who, name, std::move(output)));
  }
  return expected;
}

}  // namespace warpgrade
