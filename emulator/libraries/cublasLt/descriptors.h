#pragma once

#include "emulator/libraries/cublas/request.h"
#include "emulator/libraries/cublasLt/types.h"
#include "emulator/libraries/exported.h"

// Descriptors are memory of the program, which may have them on its stack, so what they hold lies
// in them, behind a number that says that they were initialized.

namespace warpsim::cublas_lt {

using cublas::Request;
using cublas::Status;
using libraries::Caller;

/// Whether it was initialized and not destroyed.
template <class Descriptor>
[[nodiscard]] bool is_initialized(const Descriptor* descriptor) {
  return descriptor != nullptr && descriptor->magic == Descriptor::kMagic;
}

/// Reports one that is not. @returns it; an empty one if it is refused
template <class Descriptor>
Descriptor descriptor(Request& request, std::string_view name, const Descriptor* value) {
  if (is_initialized(value)) return *value;
  request.refuse(
      fmt::format("{} is {}", name, value == nullptr ? "a null pointer" : "not initialized"),
      "a descriptor, after its creation and before its destruction");
  return {};
}

/// Reports a handle that is null or was destroyed. One of cuBLAS is taken, too.
void check_handle(Request& request, const void* handle);

}  // namespace warpsim::cublas_lt

/// Exports a function of this namespace under its name.
#define WARPSIM_EXPORT_LT(name, ...) WARPSIM_EXPORT(name, name, warpsim::cublas_lt::__VA_ARGS__)
