#include "harness/case/request.h"

#include <fmt/format.h>

#include <cstring>

#include "harness/data/poison.h"
#include "harness/lab/shapes.h"

namespace warpgrade {

namespace {

/// The value's bytes in hexadecimal, first byte first, so that no text format comes between the
/// lab and the student's function.
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

}  // namespace

std::string input_file(const std::string& parameter) {
  return "in-" + parameter + ".bin";
}

std::string output_file(const std::string& parameter) {
  return "out-" + parameter + ".bin";
}

std::string make_request(const CaseData& data, const std::string& nonce) {
  const Lab& lab = *data.lab;
  const Dataset& dataset = data.spec->data;
  std::string text = fmt::format("warpgrade-request 1\nnonce {}\nrecord {}\n", nonce, kRecordFile);
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
        poison_bits(parameter.type), parameter.is_read() ? input_file(parameter.name) : "-",
        parameter.is_written() ? output_file(parameter.name) : "-");
  }
  return text + "end\n";
}

}  // namespace warpgrade
