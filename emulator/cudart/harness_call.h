#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

// A harness that calls one function of a program tells the emulator which arrays it passes, and
// when the function has returned, so that the function's inputs and outputs can be tracked. Only
// the client of a device process exports these two functions; a program with weak references to
// them runs with any CUDA runtime.

namespace warpsim::cudart {

constexpr std::size_t kMostHarnessArrays = 64;

struct HarnessArray {
  char name[64] = {};  // the parameter's; ends with a zero
  std::uint64_t address = 0;  // in host or device memory
  std::uint64_t bytes = 0;
  std::uint32_t element_bytes = 1;
  std::uint8_t is_input = 0;
  std::uint8_t is_output = 0;
  std::uint8_t on_host = 0;
  std::uint8_t reserved = 0;
};

struct HarnessCall {
  std::uint32_t count = 0;
  std::uint32_t reserved = 0;
  /// The harness's handler of SIGSEGV, which passes on to the handler before it what is not its
  /// own; 0: it has none.
  std::uint64_t fault_handler = 0;
  HarnessArray arrays[kMostHarnessArrays] = {};
};

}  // namespace warpsim::cudart

extern "C" {

/// The arrays are initialized and the function is called next. Once per process: a second time ends
/// the device process.
cudaError_t __cudaHarnessCallBegins(const warpsim::cudart::HarnessCall* call);
/// The function has returned.
cudaError_t __cudaHarnessCallEnds();

}  // extern "C"
