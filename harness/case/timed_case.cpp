#include "harness/case/timed_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <span>
#include <system_error>

#include "harness/case/aligned.h"
#include "harness/case/make_input.h"
#include "harness/case/output.h"
#include "harness/case/request.h"
#include "harness/case/untrusted_file.h"
#include "harness/core/plural.h"
#include "harness/data/random.h"
#include "harness/lab/arguments.h"
#include "harness/lab/shapes.h"
#include "harness/tolerance/compare.h"

namespace warpgrade {
namespace fs = std::filesystem;

namespace {

/// An input's file is longer than the input by this fraction, and at least so many elements.
constexpr std::uint64_t kSlackShare = 4;
constexpr std::uint64_t kLeastSlack = 16;
constexpr std::size_t kPart = std::size_t{1} << 20U;  // bytes that are compared at a time

void write(const fs::path& file, std::span<const std::byte> bytes, std::ios::openmode mode) {
  errno = 0;
  std::ofstream out(file, std::ios::binary | mode);
  out.write(reinterpret_cast<const char*>(bytes.data()),
            static_cast<std::streamsize>(bytes.size()));
  out.close();
  if (!out) {
    throw fs::filesystem_error("cannot write", file,
                               std::error_code(errno, std::generic_category()));
  }
}

std::vector<std::uint64_t> shape_in(const TimedInputs& inputs, const Parameter& parameter) {
  return shape_of(*inputs.lab, parameter, inputs.spec.data.dims);
}

fs::path output_path(const PreparedTiming& timing, const std::string& argument,
                     std::uint64_t number) {
  return timing.folder / fmt::format("{}.{}", output_file(argument), number);
}

/// An output as a worker wrote it; nothing if it is missing or incomplete.
std::optional<Array> read_output(const TimedInputs& inputs, const PreparedTiming& timing,
                                 const Parameter& parameter, std::uint64_t number) {
  const CallArgument argument = argument_with(*inputs.lab, parameter);
  return read_elements(output_path(timing, argument.name, number), argument, parameter,
                       shape_in(inputs, parameter));
}

std::string not_there(const Parameter& parameter) {
  return fmt::format("`{}` was not written in full.", parameter.name);
}

/// The reference's output as expected values.
Expected as_expected(const Array& array, double bound) {
  Expected expected{.type = array.type, .want = {}, .bound = {}, .exact = {}};
  with_type(array.type, [&](auto zero) {
    using T = decltype(zero);
    for (const T value : array.as<T>()) {
      if constexpr (is_float_like<T>) {
        expected.want.push_back(static_cast<double>(value));
        expected.bound.push_back(bound);
      } else {
        expected.exact.push_back(static_cast<std::int64_t>(value));
      }
    }
  });
  return expected;
}

template <class T>
bool agree(T got, T want, double allowed) {
  if (got == want) return true;
  if constexpr (is_float_like<T>) {
    const double off = std::abs(static_cast<double>(got) - static_cast<double>(want));
    return off <= allowed ||
           (std::isnan(static_cast<double>(got)) && std::isnan(static_cast<double>(want)));
  }
  return false;
}

template <class T>
std::string difference_at(std::uint64_t index, T got, T want) {
  if constexpr (std::is_integral_v<T>) {
    return fmt::format("{}: {}, not {}", index, +got, +want);
  } else {
    using Shown = std::conditional_t<sizeof(T) == 2, float, T>;
    return fmt::format("{}: {}, not {}", index, static_cast<Shown>(got), static_cast<Shown>(want));
  }
}

std::string wrong_at(const Parameter& parameter, std::uint64_t wrong, std::uint64_t count,
                     const std::string& first) {
  return fmt::format("`{}` is wrong at {} of {}, the first at index {}.", parameter.name, wrong,
                     plural(count, "element"), first);
}

/// The same for a field of structures, in memory.
template <class T>
std::optional<std::string> field_difference(const Parameter& parameter, const Array& got,
                                            const Array& want, double allowed) {
  std::uint64_t wrong = 0;
  std::string first;
  for (std::size_t i = 0; i < got.count(); ++i) {
    const T a = got.as<T>()[i];
    const T b = want.as<T>()[i];
    if (std::memcmp(&a, &b, sizeof(T)) == 0 || agree(a, b, allowed)) continue;
    if (wrong++ == 0) first = difference_at(i, a, b);
  }
  if (wrong == 0) return std::nullopt;
  return wrong_at(parameter, wrong, got.count(), first);
}

/// Compares two outputs of `count` elements in parts, because they may be as large as a card's
/// memory. Elements that differ by more than `allowed` are wrong; equal bits never are.
template <class T>
std::optional<std::string> difference(const Parameter& parameter, const fs::path& got_file,
                                      const fs::path& want_file, std::uint64_t count,
                                      double allowed) {
  UntrustedFile got(got_file);
  UntrustedFile want(want_file);
  const std::uint64_t size = count * sizeof(T);
  if (!got.usable() || !want.usable() || got.size() != size || want.size() != size) {
    return not_there(parameter);
  }
  std::vector<T> a(std::min<std::uint64_t>(count, kPart / sizeof(T)));
  std::vector<T> b(a.size());
  std::uint64_t wrong = 0;
  std::string first;
  for (std::uint64_t begin = 0; begin < count; begin += a.size()) {
    const std::size_t part = std::min<std::uint64_t>(a.size(), count - begin);
    const std::size_t bytes = part * sizeof(T);
    const auto left = std::as_writable_bytes(std::span(a).first(part));
    const auto right = std::as_writable_bytes(std::span(b).first(part));
    if (got.read(left) != bytes || want.read(right) != bytes) return not_there(parameter);
    if (std::memcmp(a.data(), b.data(), bytes) == 0) continue;
    for (std::size_t i = 0; i < part; ++i) {
      if (agree(a[i], b[i], allowed)) continue;
      if (wrong++ == 0) first = difference_at(begin + i, a[i], b[i]);
    }
  }
  if (wrong == 0) return std::nullopt;
  return wrong_at(parameter, wrong, count, first);
}

}  // namespace

TimedInputs make_timed_inputs(const Lab& lab, const Case& spec, const Secret& secret,
                              const GoldenLibrary& golden, const fs::path& folder) {
  TimedInputs timed{.lab = &lab,
                    .spec = spec,
                    .files = {},
                    .expected = {},
                    .bytes = bytes_of_arrays(lab, spec.data.dims)};
  fs::create_directories(folder);
  std::map<std::string, Array> first;
  for (const CallArgument& argument : arguments_of(lab)) {
    if (!argument.first().is_array() || !argument.first().is_read()) continue;
    const bool extends = std::all_of(argument.parameters.begin(), argument.parameters.end(),
                                     [&](const Parameter* p) { return can_extend(*p, spec.data); });
    const std::uint64_t count = Array::count_of(shape_of(lab, argument.first(), spec.data.dims));
    const std::uint64_t slack = extends ? std::max(kLeastSlack, count / kSlackShare) : 0;
    const bool mixes =
        extends && std::all_of(argument.parameters.begin(), argument.parameters.end(),
                               [&](const Parameter* p) {
                                 return !has_order(spec.data.fills.at(p->name).distribution);
                               });
    std::map<std::string, Array> all;
    for (const Parameter* parameter : argument.parameters) {
      const auto seed_of = [&](std::string_view name) {
        return hash_fields(
            {lab.id, spec.name, name, "timed", spec.visible ? std::string_view{} : secret.text});
      };
      all.emplace(parameter->name, make_input(lab, *parameter, spec.data, seed_of, slack));
    }
    const fs::path file = folder / input_file(argument.name);
    write(file, bytes_of(argument, all), std::ios::trunc);
    timed.files.emplace(
        argument.name,
        TimedInputs::File{.path = fs::absolute(file), .windows = slack + 1, .mixes = mixes});
    for (const Parameter* parameter : argument.parameters) {
      Array& array = all.at(parameter->name);
      array.bytes.resize(count * size_of(parameter->type));
      array.shape = shape_of(lab, *parameter, spec.data.dims);
      first.emplace(parameter->name, std::move(array));
    }
  }
  timed.expected = golden.expect(lab, timed.spec, first);
  return timed;
}

PreparedTiming prepare_timing(const TimedInputs& inputs, const fs::path& folder, bool both_clocks,
                              std::optional<unsigned> processor) {
  fs::create_directories(folder);
  PreparedTiming timing{.folder = folder, .request = folder / kRequestFile, .nonce = make_nonce()};
  std::map<std::string, fs::path> files;
  for (const auto& [name, file] : inputs.files) files.emplace(name, file.path);
  const std::string request = make_timed_request(*inputs.lab, inputs.spec.data, files, both_clocks,
                                                 processor, timing.nonce);
  write(timing.request, std::as_bytes(std::span(request)), std::ios::trunc);
  return timing;
}

void give_turn(const TimedInputs& inputs, const PreparedTiming& timing, std::string_view what,
               const Windows& windows) {
  std::string line(what);
  for (const CallArgument& argument : arguments_of(*inputs.lab)) {
    if (what == "save" || what == "stop" || !inputs.files.contains(argument.name)) continue;
    const auto window = windows.find(argument.name);
    line += fmt::format(" {}", window == windows.end() ? 0 : window->second);
  }
  line += '\n';
  write(timing.folder / kTurnsFile, std::as_bytes(std::span(line)), std::ios::app);
}

std::optional<std::string> wrong_by_golden(const TimedInputs& inputs, const PreparedTiming& timing,
                                           std::uint64_t number) {
  for (const Parameter& parameter : inputs.lab->parameters) {
    if (!parameter.is_written()) continue;
    const auto got = read_output(inputs, timing, parameter, number);
    if (!got) return not_there(parameter);
    Expected aligned;
    const Comparison comparison = compare(
        *got, aligned_as_one_group(parameter, *got, inputs.expected.at(parameter.name), aligned));
    if (!comparison.passed()) {
      const Mismatch& mismatch = comparison.first.front();
      return fmt::format("`{}` is wrong at {} of {}, the first at index {}: {}, not {}.",
                         parameter.name, comparison.mismatches, plural(comparison.count, "element"),
                         mismatch.index, mismatch.got, mismatch.want);
    }
  }
  return std::nullopt;
}

std::optional<std::string> wrong_by_reference(const TimedInputs& inputs,
                                              const PreparedTiming& submission,
                                              const PreparedTiming& reference,
                                              std::uint64_t number) {
  for (const Parameter& parameter : inputs.lab->parameters) {
    if (!parameter.is_written()) continue;
    const std::vector<double>& bounds = inputs.expected.at(parameter.name).bound;
    const double largest = bounds.empty() ? 0 : *std::max_element(bounds.begin(), bounds.end());
    const bool is_field = parameter.layout == FieldLayout::array_of_structs;
    if (parameter.comparison.order != OutputOrder::fixed) {
      const auto got = read_output(inputs, submission, parameter, number);
      const auto want = read_output(inputs, reference, parameter, number);
      if (!got || !want) return not_there(parameter);
      const Expected expected = as_expected(*want, 2 * largest);
      Expected aligned;
      const Comparison comparison =
          compare(*got, aligned_as_one_group(parameter, *got, expected, aligned));
      if (comparison.passed()) continue;
      return fmt::format("`{}` has {} of {} that do not belong.", parameter.name,
                         comparison.mismatches, plural(comparison.count, "element"));
    }
    auto wrong = with_type(parameter.type, [&](auto zero) -> std::optional<std::string> {
      using T = decltype(zero);
      if (is_field) {
        const auto got = read_output(inputs, submission, parameter, number);
        const auto want = read_output(inputs, reference, parameter, number);
        if (!got || !want) return not_there(parameter);
        return field_difference<T>(parameter, *got, *want, 2 * largest);
      }
      return difference<T>(parameter, output_path(submission, parameter.name, number),
                           output_path(reference, parameter.name, number),
                           Array::count_of(shape_in(inputs, parameter)), 2 * largest);
    });
    if (wrong) return wrong;
  }
  return std::nullopt;
}

void remove_outputs(const TimedInputs& inputs, const PreparedTiming& timing, std::uint64_t number) {
  for (const CallArgument& argument : arguments_of(*inputs.lab)) {
    std::error_code ignored;
    if (argument.first().is_written()) {
      fs::remove(output_path(timing, argument.name, number), ignored);
    }
  }
}

}  // namespace warpgrade
