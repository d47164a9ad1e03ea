#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "emulator/cudart/box.h"
#include "emulator/cudart/local/virtual_memory_calls.h"

// What the libraries of the emulator (emulator/libraries), which do their work in host code on
// device memory, ask of the runtime: to check such a call, and to run it in its stream like a
// kernel.

namespace warpsim::cudart {

/// Memory of the device that a call uses: an array, a matrix, or a scalar.
struct LibraryArgument {
  /// Calls its argument with each piece of contiguous memory: bytes from the address, and length.
  using Pieces = std::function<void(const std::function<void(std::uint64_t, std::uint64_t)>&)>;

  std::string name;  // "A"
  std::string shape;  // "4 x 5 with lda 4"
  Side side = {};
  Box box = {};  // bytes; empty for memory that is not used
  Pieces pieces = nullptr;  // what of the box is used; null: all
  std::uint64_t alignment = 1;  // of the address, in bytes
  bool read = false, written = false;
  std::byte* host = nullptr;  // where the bytes are during the call; set by the runtime

  template <class T>
  [[nodiscard]] T* as() const {
    return reinterpret_cast<T*>(host);
  }
};

/// Calls `range(begin, end)` for each piece of contiguous memory of the argument, by device
/// address.
template <class Range>
void for_each_range(const LibraryArgument& argument, Range range) {
  const std::uint64_t base = argument.side.address;
  if (argument.box.empty()) return;
  if (argument.pieces) {
    argument.pieces([&](std::uint64_t offset, std::uint64_t bytes) {
      if (bytes != 0) range(base + offset, base + offset + bytes);
    });
    return;
  }
  for_each_row(argument.side, argument.side, argument.box,
               [&](std::uint64_t offset, std::uint64_t) {
                 range(base + offset, base + offset + argument.box.width);
               });
}

/// What the work needs of the card, for the roofline of its modelled time.
struct LibraryCost {
  enum class Unit : std::uint8_t { fp32, fp64, tensor };
  double operations = 0;
  Unit unit = Unit::fp32;
};

/// What is wrong with the contents of a call's arguments: with indices, say.
struct WrongContents {
  std::string got;  // "csrColInd[3] of matA, in row 1, is 7"
  std::string want;  // "0 to 2, as matA has 3 columns"
};

/// A call of a library.
struct LibraryCall {
  using Arguments = std::vector<LibraryArgument>;

  const char* name = nullptr;  // a literal, as the program writes it: "cublasSgemm"
  const void* return_address = nullptr;  // of the library's function
  cudaStream_t stream = nullptr;
  /// Scalars and arrays of pointers in device memory, which say what else the call uses.
  Arguments parameters = {};
  /// The other arguments, given the parameters. Called when the work runs.
  std::function<Arguments(const Arguments& parameters)> arguments;
  /// Whether the work can use what the arguments contain, on `host` of both; if it cannot, that is
  /// reported, and a fault like an address out of bounds. Null: it can.
  std::function<std::optional<WrongContents>(const Arguments& parameters,
                                             const Arguments& arguments)>
      defect;
  /// The work, on `host` of both.
  std::function<void(const Arguments& parameters, const Arguments& arguments)> run;
  LibraryCost cost = {};
  /// The call returns a result to host code, so it waits for its stream.
  bool host_waits = false;
};

/// An argument of a call that the library refuses.
struct RefusedArgument {
  std::string got;  // "lda is 3"
  std::string want;  // "at least 4, the number of rows of A"
  const char* status = "";  // "CUBLAS_STATUS_INVALID_VALUE"
  bool by_emulator = false;  // NVIDIA's library does not refuse it
};

/// Found by name, `warpsim_libraries`, in the runtime library that the program uses.
struct LibraryEntryPoints {
  /// @returns success, also if the work had a fault, which a later call returns, as of a kernel
  cudaError_t (*run)(LibraryCall&& call);
  /// A copy as of cudaMemcpy2D, or its Async form where the name ends so. Its findings name `name`.
  cudaError_t (*copy)(const char* name, const void* return_address, const Side& to,
                      const Side& from, const Box& box, cudaMemcpyKind kind, cudaStream_t stream);
  /// A fill as of cudaMemset2D, or its Async form, by elements of 1, 2 or 4 bytes, which `value`
  /// begins with. The box's width is in bytes. The memory is aligned for its elements.
  cudaError_t (*fill)(const char* name, const void* return_address, const Side& to,
                      std::uint32_t value, unsigned element_bytes, const Box& box,
                      cudaStream_t stream);
  /// Reports the refused call.
  void (*refuse)(const char* name, const void* return_address, const RefusedArgument& argument);
  /// Reports a function that a library lacks. @param status  what the call returns
  void (*unsupported)(const char* name, const void* return_address, const char* status);
  const VirtualMemoryCalls* virtual_memory;
};

}  // namespace warpsim::cudart

extern "C" const warpsim::cudart::LibraryEntryPoints* warpsim_libraries();
