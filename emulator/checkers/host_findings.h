#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "emulator/device/card.h"
#include "emulator/findings/finding.h"
#include "emulator/machine/launch.h"
#include "emulator/machine/memory.h"
#include "emulator/machine/virtual_memory.h"

// What can be wrong with the host side of a CUDA program: pure functions from facts to findings.
// The runtime library gathers the facts and decides which error code the program gets.

namespace warpsim {

/// Where host code called the runtime.
struct CallSite {
  std::string api;  // "cudaMemcpy"; empty when the place is not a call
  std::string function;  // demangled name of the calling function; empty when unknown
  std::uint64_t offset = 0;  // bytes into it
  std::string object;  // file name of the program or library that holds it
  std::string file;  // of the source; empty when the program was compiled without -g
  std::uint32_t line = 0;
};
/// "vecadd.cu:31: cudaMemcpy called from main", or "cudaMemcpy called from main+0x4f in vecadd" for
/// a program without line information.
[[nodiscard]] std::string describe(const CallSite& site);
/// Fills where, file and line of a finding.
void place(Finding& finding, const CallSite& site);
/// A finding of that place.
[[nodiscard]] Finding finding_at(FindingKind kind, const CallSite& site, std::string message);

/// What a pointer that host code passed points to.
struct PointerView {
  enum class Memory : std::uint8_t {
    device,  // cudaMalloc, or a variable of the device
    pinned,  // cudaMallocHost, cudaHostAlloc, cudaHostRegister: both sides may use it
    managed,
    host,  // anything that the runtime knows nothing of
    freed,  // device memory that was given back
    unallocated,  // an address of the device's range that no allocation covers
    null,
  };
  std::uint64_t address = 0;
  Memory memory = Memory::host;
  const GlobalMemory::Allocation* allocation = nullptr;  // null for host, unallocated and null
  /// Of unallocated memory in a range of cuMemAddressReserve: why it cannot be used.
  std::optional<VirtualMemory::Unusable> reserved = std::nullopt;

  /// Kernels and copies on the device's side may use it.
  [[nodiscard]] bool on_device() const {
    return memory == Memory::device || memory == Memory::pinned || memory == Memory::managed;
  }
  /// Host code may dereference it.
  [[nodiscard]] bool on_host() const {
    return memory == Memory::host || memory == Memory::pinned || memory == Memory::managed;
  }
};
[[nodiscard]] PointerView view_pointer(const GlobalMemory& memory, const void* pointer);
/// "device memory (cudaMalloc #2, 1024 bytes)", "host memory", "a null pointer"
[[nodiscard]] std::string describe(const PointerView& pointer);

/// Why a launch is refused. The text says it in numbers.
struct LaunchViolation {
  enum class Code : std::uint8_t {
    configuration,
    too_many_resources,
    cooperative_too_large,
    cluster_size,
  };
  Code code = Code::configuration;
  std::string message;
  std::string got;
  std::string want;
  std::string next;
  FindingDetail detail = FindingDetail::none;
};

/// What a launch asks for, and what the program allowed for the kernel before.
struct LaunchConfiguration {
  Dim3 grid, block;
  std::uint64_t dynamic_shared_bytes = 0;
  /// What cudaFuncSetAttribute allowed; the default limit when it was not called.
  std::uint64_t dynamic_shared_limit = 0;
  bool cooperative = false;
  Dim3 cluster;  // (1,1,1): what the kernel declares
  bool non_portable_cluster = false;  // cudaFuncAttributeNonPortableClusterSizeAllowed
};
/// Whether the estimate of a kernel's registers leaves it open that a block does not fit on a
/// multiprocessor, so that only ptxas can tell.
[[nodiscard]] bool may_lack_registers(const Card& card, const KernelInfo& kernel,
                                      const LaunchConfiguration& shape);
/// Holds a launch against the limits of the card and the kernel.
[[nodiscard]] std::optional<LaunchViolation> check_launch(const Card& card,
                                                          const KernelInfo& kernel,
                                                          const LaunchConfiguration& shape);
[[nodiscard]] Finding illegal_launch(const CallSite& site, const std::string& kernel,
                                     const LaunchViolation& violation);

/// A call that failed and whose error was never checked.
/// @param by_launch  the error is a launch's: only cudaGetLastError or a later call could tell
[[nodiscard]] Finding unchecked_error(const CallSite& site, std::string_view error_name,
                                      bool by_launch);

enum class CopyRole : std::uint8_t { source, destination };
/// A range that leaves its allocation.
[[nodiscard]] Finding out_of_bounds_copy(const CallSite& site, CopyRole role,
                                         const PointerView& pointer, std::uint64_t bytes);
/// A copy (or memset) that cannot work with such a pointer: freed, unallocated, null.
[[nodiscard]] Finding bad_copy_pointer(const CallSite& site, CopyRole role,
                                       const PointerView& pointer);
/// A memset of another device's memory.
/// @param device  that of the stream
[[nodiscard]] Finding memset_without_peer_access(const CallSite& site, const PointerView& pointer,
                                                 int device);
/// A launch into a stream of a device that is not the current one.
[[nodiscard]] Finding stream_of_other_device(const CallSite& site, const std::string& kernel,
                                             int device, int current);
/// @param kind  "cudaMemcpyHostToDevice"
/// @param fatal  the copy was refused; otherwise unified addressing made it work in spite of that
[[nodiscard]] Finding wrong_copy_direction(const CallSite& site, std::string_view kind,
                                           const PointerView& destination,
                                           const PointerView& source, bool fatal);
/// A symbol's host shadow used as if it were the device variable.
[[nodiscard]] Finding copy_of_symbol_shadow(const CallSite& site, CopyRole role,
                                            std::string_view variable);
/// A box that leaves a cudaArray. Triples are [bytes of a row, rows, slices or layers].
using ArrayExtent = std::array<std::uint64_t, 3>;
[[nodiscard]] Finding out_of_bounds_array_copy(const CallSite& site, CopyRole role,
                                               const ArrayExtent& array, const ArrayExtent& at,
                                               const ArrayExtent& box);
[[nodiscard]] Finding out_of_bounds_symbol_copy(const CallSite& site, std::string_view variable,
                                                std::uint64_t size, std::uint64_t offset,
                                                std::uint64_t bytes);
[[nodiscard]] Finding memset_of_host_memory(const CallSite& site, const PointerView& pointer);
/// A copy to the host of uninitialized bytes.
/// @param offset  of the first such byte in the allocation
[[nodiscard]] Finding unwritten_copy(const CallSite& site,
                                     const GlobalMemory::Allocation& allocation,
                                     std::uint64_t offset);

/// @param wanted_api  the function that frees such memory, or empty when none does
[[nodiscard]] Finding invalid_free(const CallSite& site, const PointerView& pointer,
                                   std::string_view wanted_api);
[[nodiscard]] Finding double_free(const CallSite& site, const GlobalMemory::Allocation& allocation);
/// A loop in a graph whose condition nothing sets to 0.
[[nodiscard]] Finding endless_graph_loop(std::uint64_t rounds);
/// @param allocated  where; api is the allocating function
[[nodiscard]] Finding leak(const GlobalMemory::Allocation& allocation, const CallSite& allocated);
/// Memory that a function did not free, but an exit handler or a destructor.
[[nodiscard]] Finding freed_at_exit(const GlobalMemory::Allocation& allocation,
                                    const CallSite& allocated);

/// Host code touched device memory and dies of it.
/// @param allocation  the nearest one, or null
[[nodiscard]] Finding host_access(const CallSite& site, std::uint64_t address,
                                  const GlobalMemory::Allocation* allocation);

/// Memory that work of the device, issued and not waited for, may still use.
struct PendingUse {
  std::string memory;  // "managed memory (cudaMallocManaged #1, 4000 bytes)"
  std::uint64_t offset = 0;  // of what was touched meanwhile
  std::string user;  // "kernel add(int*, int)", "cudaMemcpyAsync"
  CallSite issued;
  bool writes = false;
};
/// Host code touched such memory.
[[nodiscard]] Finding host_access_before_sync(const CallSite& site, bool host_writes,
                                              const PendingUse& use);

/// Work of another stream, with which nothing orders it, touched such memory.
/// @param work  "kernel add(int*, int)"  @param site  the call that issued it
[[nodiscard]] Finding stream_race(const CallSite& site, std::string_view work,
                                  const PendingUse& use, bool work_writes);

/// @param result  what the call returned
[[nodiscard]] Finding unsupported_api(const CallSite& site,
                                      std::string_view result = "cudaErrorNotSupported");
/// A library whose functions fail here. @param name  "libcublas"
[[nodiscard]] Finding driver_library(std::string_view name);
/// A module that cannot be loaded, or that carries no PTX.
[[nodiscard]] Finding unloadable_module(const CallSite& site, std::string_view why);

}  // namespace warpsim
