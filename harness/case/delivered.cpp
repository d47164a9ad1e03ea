#include "harness/case/delivered.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "emulator/cudart/outputs_file.h"
#include "harness/data/poison.h"
#include "harness/lab/arguments.h"
#include "harness/lab/shapes.h"

namespace warpgrade {

namespace {

using warpsim::cudart::DeliveredArray;
using warpsim::cudart::DeliveredCall;

/// Host code may combine the last partial results: so few bytes, from so many times more that the
/// device has sent.
constexpr std::uint64_t kMostCombined = 64;
constexpr std::uint64_t kFewestParts = 16;

std::vector<CallArgument> arrays_of(const Lab& lab) {
  std::vector<CallArgument> arrays = arguments_of(lab);
  std::erase_if(arrays, [](const CallArgument& a) { return !a.first().is_array(); });
  return arrays;
}

/// Whether the harness announces an array so.
bool is_announced_so(const PreparedCase& prepared, const CallArgument& argument,
                     const DeliveredArray& array) {
  const Parameter& parameter = argument.first();
  const std::uint64_t count =
      Array::count_of(shape_of(*prepared.data->lab, parameter, prepared.data->spec->data.dims));
  constexpr std::size_t kLongestName = 63;  // of an announced array
  return array.name == argument.name.substr(0, kLongestName) &&
         array.element_bytes == argument.element_bytes() &&
         array.bytes == count * argument.element_bytes() && array.is_input == parameter.is_read() &&
         array.is_output == parameter.is_written() &&
         array.on_host == (parameter.memory != Memory::device);
}

std::vector<std::byte> bytes_before_the_call(const PreparedCase& prepared,
                                             const CallArgument& argument, std::uint64_t bytes) {
  if (argument.first().is_read()) return bytes_of(argument, prepared.data->inputs);
  std::vector<std::byte> before(bytes);
  const std::size_t stride = argument.element_bytes();
  for (const Parameter* parameter : argument.parameters) {
    const std::size_t size = size_of(parameter->type);
    for (std::size_t at = argument.offset_of(*parameter); at + size <= bytes; at += stride) {
      poison(std::span(before).subspan(at, size), parameter->type, size);
    }
  }
  return before;
}

/// A value that the function returns is the host's by its nature: replays and decoy runs find what
/// it was made of.
std::optional<Delivery::Foreign> foreign_in(DeliveredCall& call,
                                            const std::vector<CallArgument>& expected) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (expected[i].first().is_returned) call.arrays[i].foreign_bytes = 0;
    sum += call.arrays[i].foreign_bytes;
  }
  if (sum <= kMostCombined && sum <= call.sent_bytes / kFewestParts) return std::nullopt;
  const auto first = std::ranges::find_if(
      call.arrays, [](const DeliveredArray& array) { return array.foreign_bytes > 0; });
  return Delivery::Foreign{.argument = first->name,
                           .bytes = first->foreign_bytes,
                           .of_bytes = first->bytes,
                           .first_element = first->first_foreign / first->element_bytes};
}

}  // namespace

Delivery take_delivery(const PreparedCase& prepared, const std::filesystem::path& file) {
  const std::vector<CallArgument> expected = arrays_of(*prepared.data->lab);
  DeliveredOutputs& outputs = *prepared.delivered;
  outputs = {.count = true, .bytes = {}};
  std::optional<DeliveredCall> call = warpsim::cudart::read_outputs(file);
  if (!call) return {};
  if (!call->violation.empty()) return {.violation = call->violation, .foreign = {}};
  bool as_announced = call->arrays.size() == expected.size();
  for (std::size_t i = 0; as_announced && i < expected.size(); ++i) {
    as_announced = is_announced_so(prepared, expected[i], call->arrays[i]);
  }
  if (!as_announced) {
    return {.violation = "announced a call with other arrays than the harness's", .foreign = {}};
  }
  for (std::size_t i = 0; i < expected.size(); ++i) {
    DeliveredArray& array = call->arrays[i];
    if (!array.is_output) continue;
    outputs.bytes[expected[i].name] =
        array.lost ? bytes_before_the_call(prepared, expected[i], array.bytes)
                   : std::move(array.content);
  }
  return {.violation = {}, .complete = true, .foreign = foreign_in(*call, expected)};
}

}  // namespace warpgrade
