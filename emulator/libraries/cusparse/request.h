#pragma once

#include <string_view>
#include <type_traits>

#include "emulator/libraries/cusparse/descriptors.h"
#include "emulator/libraries/cusparse/status.h"
#include "emulator/libraries/exported.h"
#include "emulator/libraries/registry.h"
#include "emulator/libraries/request.h"

// A call of cuSPARSE: its arguments are checked, then it runs in the handle's stream.

namespace warpsim::cusparse {

using libraries::Arguments;
using libraries::Caller;
using libraries::kIsComplex;
using libraries::LibraryArgument;
using libraries::load;
using libraries::registry;
using libraries::Scalar;
using libraries::store;
using libraries::Use;
using libraries::vector_of;

class Request : public libraries::BasicRequest<Status> {
 public:
  Request(const Caller& caller, const Handle* handle);

  /// A descriptor that the program has created. @returns it; an empty one if it is refused
  template <class Descriptor>
  Descriptor descriptor(std::string_view name, const Descriptor* value) {
    if (registry<Descriptor>().has(value)) return *value;
    refuse(fmt::format("{} is {}", name,
                       value == nullptr ? "a null pointer" : "not a descriptor that is in use"),
           "a descriptor, after its creation and before its destruction");
    return {};
  }
  /// @param type  of the matrix or vector; that of real numbers is not conjugated
  Request& operation(std::string_view name, Operation value, DataType type);
  /// A size, at least 0.
  Request& size(std::string_view name, std::int64_t value);
  /// Two sizes that must be equal. @param first_name  "matA.cols"
  Request& equal(std::string_view first_name, std::int64_t first, std::string_view second_name,
                 std::int64_t second);
  /// Types that neither cuSPARSE nor this library works with.
  void refuse_types(const std::string& types);
  /// Where the size of a buffer is written. @returns the status of a call that gives it
  Status gives_size(std::size_t* place, std::size_t bytes);
  /// The buffer that the program allocated for the call. @param bytes  what it was told
  void buffer(const void* memory, std::size_t bytes);
};

/// The memory that the program gives to a call to work in. @param use  write: it works there; read:
/// it needs what an earlier call left there
[[nodiscard]] LibraryArgument buffer_of(const void* memory, std::size_t bytes, Use use);

/// Calls `function` with a number of the type that sums are in: T{} for T.
/// @param types  in words, for a type that is none
template <class Function>
Status by_type(Request& request, DataType compute, const std::string& types, Function function) {
  switch (compute) {
    case DataType::f32:
      return function(float{});
    case DataType::f64:
      return function(double{});
    case DataType::c32:
      return function(std::complex<float>{});
    case DataType::c64:
      return function(std::complex<double>{});
    default:
      request.refuse_types(types);
      return request.status();
  }
}

}  // namespace warpsim::cusparse

/// Exports a function of this namespace under its name.
#define WARPSIM_EXPORT_OWN(name, ...) WARPSIM_EXPORT(name, name, warpsim::cusparse::__VA_ARGS__)
