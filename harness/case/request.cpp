#include "harness/case/request.h"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <functional>

#include "harness/data/poison.h"
#include "harness/lab/shapes.h"

namespace warpgrade {

namespace {

/// The value's bytes in hexadecimal, in memory order, so that it is passed to the student's
/// function exactly.
std::string scalar_bytes(ElementType type, double value) {
  return with_type(type, [&](auto zero) {
    using T = decltype(zero);
    const T element = static_cast<T>(value);
    std::array<unsigned char, sizeof(T)> bytes{};
    std::memcpy(bytes.data(), &element, sizeof(T));
    std::string text;
    for (const unsigned char byte : bytes) text += fmt::format("{:02x}", byte);
    return text;
  });
}

std::uint32_t offset_of(const Dataset& dataset, const Parameter& parameter) {
  const auto fill = dataset.fills.find(parameter.name);
  return fill != dataset.fills.end() ? fill->second.offset : dataset.output_offset;
}

std::string header(const std::string& nonce) {
  return fmt::format("warpgrade-request 1\nnonce {}\nrecord {}\n", nonce, kRecordFile);
}

/// The lines of the function's arguments, and the final line.
std::string arguments(const Lab& lab, const Dataset& dataset,
                      const std::function<std::string(const std::string&)>& file_of,
                      OutputStart outputs = OutputStart::poison) {
  std::string text;
  for (const Parameter& parameter : lab.parameters) {
    if (!parameter.is_array()) {
      text +=
          fmt::format("scalar {} {}\n", parameter.name,
                      scalar_bytes(parameter.type, evaluate(lab, *parameter.value, dataset.dims)));
      continue;
    }
    text += fmt::format(
        "array {} {} {} {} {} {} {:x} {} {}\n", parameter.name,
        parameter.role == Role::input    ? "input"
        : parameter.role == Role::output ? "output"
                                         : "inout",
        parameter.memory == Memory::host ? "host" : "device", size_of(parameter.type),
        Array::count_of(shape_of(lab, parameter, dataset.dims)), offset_of(dataset, parameter),
        outputs == OutputStart::zero ? 0 : poison_bits(parameter.type),
        parameter.is_read() ? file_of(parameter.name) : "-",
        parameter.is_written() ? output_file(parameter.name) : "-");
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
                         OutputStart outputs) {
  return header(nonce) + (first.empty() ? "" : fmt::format("first {}\n", first)) +
         arguments(
             *data.lab, data.spec->data, [](const std::string& name) { return input_file(name); },
             outputs);
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
