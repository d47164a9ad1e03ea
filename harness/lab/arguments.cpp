#include "harness/lab/arguments.h"

#include <cstring>

namespace warpgrade {

std::vector<CallArgument> arguments_of(const Lab& lab) {
  std::vector<CallArgument> arguments;
  for (const Parameter& parameter : lab.parameters) {
    const bool in_struct = parameter.layout == FieldLayout::array_of_structs;
    if (in_struct && !arguments.empty() && arguments.back().name == parameter.group) {
      arguments.back().parameters.push_back(&parameter);
      continue;
    }
    arguments.push_back({.name = in_struct ? parameter.group : parameter.name,
                         .record = in_struct ? &lab.record(parameter.record) : nullptr,
                         .parameters = {&parameter}});
  }
  return arguments;
}

std::vector<ExtentArgument> extent_arguments(const Lab& lab) {
  std::vector<ExtentArgument> extents;
  for (const Parameter& parameter : lab.parameters) {
    if (!parameter.is_array()) continue;
    for (std::size_t i = 0; i < parameter.shape.size(); ++i) {
      extents.push_back({.name = parameter.name + "." + std::to_string(i),
                         .array = parameter.name,
                         .value = &parameter.shape[i]});
    }
  }
  return extents;
}

CallArgument argument_with(const Lab& lab, const Parameter& parameter) {
  for (CallArgument& argument : arguments_of(lab)) {
    for (const Parameter* candidate : argument.parameters) {
      if (candidate->name == parameter.name) return std::move(argument);
    }
  }
  return {.name = parameter.name, .record = nullptr, .parameters = {&parameter}};
}

std::vector<std::byte> bytes_of(const CallArgument& argument,
                                const std::map<std::string, Array>& arrays) {
  if (argument.record == nullptr) return arrays.at(argument.name).bytes;
  const std::size_t stride = argument.record->size;
  std::vector<std::byte> bytes(arrays.at(argument.first().name).count() * stride);
  for (const Parameter* parameter : argument.parameters) {
    const Array& array = arrays.at(parameter->name);
    const std::size_t size = size_of(array.type);
    const std::size_t offset = argument.offset_of(*parameter);
    for (std::size_t i = 0; i < array.count(); ++i) {
      std::memcpy(bytes.data() + i * stride + offset, array.bytes.data() + i * size, size);
    }
  }
  return bytes;
}

void take_elements(const CallArgument& argument, const Parameter& parameter,
                   const std::vector<std::byte>& bytes, Array& into) {
  const std::size_t stride = argument.element_bytes();
  const std::size_t offset = argument.offset_of(parameter);
  const std::size_t size = size_of(into.type);
  for (std::size_t i = 0; i < into.count(); ++i) {
    std::memcpy(into.bytes.data() + i * size, bytes.data() + i * stride + offset, size);
  }
}

}  // namespace warpgrade
