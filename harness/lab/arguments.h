#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "harness/data/array.h"
#include "harness/lab/lab.h"

namespace warpgrade {

/// One argument as the worker gets it: a scalar, a stream, an array, or an array of structures,
/// which is several parameters of the lab.
struct CallArgument {
  std::string name;
  const RecordType* record = nullptr;  // of an array of structures; null for others
  std::vector<const Parameter*> parameters;  // the fields, or the one

  [[nodiscard]] const Parameter& first() const { return *parameters.front(); }
  /// Of an element of an array.
  [[nodiscard]] std::size_t element_bytes() const {
    return record != nullptr ? record->size : size_of(first().type);
  }
  /// Of one of its parameters in an element, in bytes.
  [[nodiscard]] std::size_t offset_of(const Parameter& parameter) const {
    return record != nullptr ? record->fields.at(parameter.field).offset : 0;
  }
};

/// In the order of the lab's parameters.
/// @param lab  must outlive the result
[[nodiscard]] std::vector<CallArgument> arguments_of(const Lab& lab);

/// An extent of an array, which a function in Python gets as the array's shape: a scalar of type
/// u64 after the function's own arguments.
struct ExtentArgument {
  std::string name;  // "a.0"
  std::string array;
  const Expression* value = nullptr;  // over the case's dims
};

/// Of all arrays, in the order of the lab's parameters.
/// @param lab  must outlive the result
[[nodiscard]] std::vector<ExtentArgument> extent_arguments(const Lab& lab);

/// An argument's bytes in memory, from the arrays of its parameters; padding is zero.
[[nodiscard]] std::vector<std::byte> bytes_of(const CallArgument& argument,
                                              const std::map<std::string, Array>& arrays);

/// The reverse for one parameter: its elements among an argument's bytes.
/// @param into  with its type and shape
void take_elements(const CallArgument& argument, const Parameter& parameter,
                   const std::vector<std::byte>& bytes, Array& into);

/// The argument that has this parameter.
[[nodiscard]] CallArgument argument_with(const Lab& lab, const Parameter& parameter);

}  // namespace warpgrade
