#include "harness/case/request.h"

#include <fmt/format.h>

#include <cstddef>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "harness/data/poison.h"
#include "harness/lab/arguments.h"
#include "harness/lab/python_form.h"
#include "harness/lab/shapes.h"

namespace warpgrade {

namespace {

std::string in_hexadecimal(std::span<const std::byte> bytes) {
  std::string text;
  for (const std::byte byte : bytes) text += fmt::format("{:02x}", static_cast<unsigned>(byte));
  return text;
}

/// The value's bytes in hexadecimal, in memory order, so that it is passed to the student's
/// function exactly.
std::string scalar_bytes(ElementType type, double value) {
  return with_type(type, [&](auto zero) {
    using T = decltype(zero);
    const T element = static_cast<T>(value);
    return in_hexadecimal(std::as_bytes(std::span(&element, 1)));
  });
}

std::uint32_t offset_of(const Dataset& dataset, const Parameter& parameter) {
  const auto fill = dataset.fills.find(parameter.name);
  return fill != dataset.fills.end() ? fill->second.offset : dataset.output_offset;
}

/// An element of an output before the call.
std::string first_element(const CallArgument& argument, OutputStart outputs) {
  std::vector<std::byte> element(argument.element_bytes());
  if (outputs == OutputStart::zero) return in_hexadecimal(element);
  for (const Parameter* parameter : argument.parameters) {
    const std::size_t size = size_of(parameter->type);
    poison(std::span(element).subspan(argument.offset_of(*parameter), size), parameter->type, size);
  }
  return in_hexadecimal(element);
}

std::string scalar_line(const Lab& lab, const std::string& name, ElementType type,
                        const Expression& value, const Dims& dims) {
  return fmt::format("scalar {} {}\n", name, scalar_bytes(type, evaluate(lab, value, dims)));
}

std::string header(const std::string& nonce) {
  return fmt::format("warpgrade-request 1\nnonce {}\nrecord {}\n", nonce, kRecordFile);
}

/// The lines of the function's arguments, and the final line.
std::string arguments(const Lab& lab, const Dataset& dataset,
                      const std::function<std::string(const std::string&)>& file_of,
                      OutputStart outputs = OutputStart::poison) {
  std::string text;
  for (const CallArgument& argument : arguments_of(lab)) {
    const Parameter& parameter = argument.first();
    if (parameter.role == Role::stream) {
      text += fmt::format("stream {}\n", argument.name);
      continue;
    }
    if (!parameter.is_array()) {
      text += scalar_line(lab, argument.name, parameter.type, *parameter.value, dataset.dims);
      continue;
    }
    text += fmt::format("array {} {} {} {} {} {} {} {} {}\n", argument.name, slug(parameter.role),
                        slug(parameter.memory), argument.element_bytes(),
                        Array::count_of(shape_of(lab, parameter, dataset.dims)),
                        offset_of(dataset, parameter), first_element(argument, outputs),
                        parameter.is_read() ? file_of(argument.name) : "-",
                        parameter.is_written() ? output_file(argument.name) : "-");
  }
  // The glue calls each step as often as a scalar after the function's own arguments says.
  for (const Function& step : lab.steps) {
    if (step.times) {
      text += scalar_line(lab, step.name, ElementType::u64, *step.times, dataset.dims);
    }
  }
  // A function in Python gets arrays with shapes.
  if (is_in_python(lab)) {
    for (const ExtentArgument& extent : extent_arguments(lab)) {
      text += scalar_line(lab, extent.name, ElementType::u64, *extent.value, dataset.dims);
    }
  }
  return text + "end\n";
}

}  // namespace

std::string input_file(const std::string& parameter) {
  return "in-" + parameter + ".bin";
}

std::string output_file(const std::string& parameter) {
  return "out-" + parameter + ".bin";
}

std::string make_request(const CaseData& data, const std::string& nonce, const std::string& first,
                         OutputStart outputs, const SharedPlaces& shared) {
  const auto file_of = [&](const std::string& name) {
    const auto found = shared.offsets.find(name);
    return found == shared.offsets.end()
               ? input_file(name)
               : fmt::format("fd:{}:{}", shared.descriptor, found->second);
  };
  return header(nonce) + (first.empty() ? "" : fmt::format("first {}\n", first)) +
         arguments(*data.lab, data.spec->data, file_of, outputs);
}

std::string make_timed_request(const Lab& lab, const Dataset& dataset,
                               const std::map<std::string, std::filesystem::path>& inputs,
                               bool both_clocks, std::optional<unsigned> processor,
                               const std::string& nonce) {
  return header(nonce) + fmt::format("timed {} {}", kTurnsFile, both_clocks ? "both" : "events") +
         (processor ? fmt::format(" {}\n", *processor) : "\n") +
         arguments(lab, dataset, [&](const std::string& name) { return inputs.at(name).string(); });
}

}  // namespace warpgrade
