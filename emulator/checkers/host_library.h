#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "emulator/checkers/host_findings.h"

// What can be wrong with a call of a library that works on device memory.

namespace warpsim {

/// An argument as its findings show it.
struct ArgumentView {
  std::string_view name;  // "A"
  std::string_view shape;  // "4 x 5 with lda 4"
  std::uint64_t bytes = 0;  // from its first byte to its last
  bool written = false;
  PointerView pointer;
};

/// An argument that leaves its allocation.
[[nodiscard]] Finding out_of_bounds_argument(const CallSite& site, const ArgumentView& argument);
/// An argument that is not in memory of the device: freed, null, the host's.
[[nodiscard]] Finding bad_argument_pointer(const CallSite& site, const ArgumentView& argument);
/// An address that is not a multiple of its elements' size. @param alignment  that size, in bytes
[[nodiscard]] Finding misaligned_argument(const CallSite& site, const ArgumentView& argument,
                                          std::uint64_t alignment);
/// Memory of another device without peer access. @param device  that of the stream
[[nodiscard]] Finding argument_of_other_device(const CallSite& site, const ArgumentView& argument,
                                               int device);
/// An input with uninitialized bytes. @param offset  of the first one in the allocation
[[nodiscard]] Finding unwritten_argument(const CallSite& site, const ArgumentView& argument,
                                         std::uint64_t offset);
/// A call that the library refuses. @param status  "CUBLAS_STATUS_INVALID_VALUE"
[[nodiscard]] Finding refused_argument(const CallSite& site, std::string_view got,
                                       std::string_view want, std::string_view status);
/// An argument whose contents the call cannot use. @param got  "csrColInd[3] of matA is 7"
[[nodiscard]] Finding wrong_contents(const CallSite& site, std::string_view got,
                                     std::string_view want);
/// A call that NVIDIA's library does and that of the emulator does not.
[[nodiscard]] Finding unsupported_argument(const CallSite& site, std::string_view got,
                                           std::string_view want, std::string_view status);

}  // namespace warpsim
