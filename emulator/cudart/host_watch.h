#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "emulator/cudart/call_site.h"
#include "emulator/cudart/stream_order.h"
#include "emulator/cudart/stream_races.h"
#include "emulator/machine/launch.h"
#include "emulator/machine/memory.h"

namespace warpsim::cudart {

/// Detects host code that uses managed or pinned memory before waiting for the device's work on it.
/// While such work is pending, its pages are protected, except during calls of the runtime. A page
/// is protected if the work uses all of the allocation in it, so that system calls fail only where
/// host accesses would be wrong, too. Allocations of up to a page are protected as soon as a byte
/// is used.
class HostWatch {
 public:
  /// @param enabled  otherwise nothing is protected
  HostWatch(const GlobalMemory& memory, bool enabled) : memory_(memory), enabled_(enabled) {}
  [[nodiscard]] bool enabled() const { return enabled_; }

  // Whether a call of the runtime is in progress.

  /// A call begins or ends; calls nest.
  void open();
  void close();
  /// Records the memory use of issued work. @param uses  by address; those of device memory, and
  ///   those that only look whether the host has changed something, are left out
  void add(const StreamWork& work, const std::vector<MemoryUse>& uses, const MemoryUser& by);
  /// The host has waited for this work.
  void waited_for(const StreamClock& done);
  /// The host has waited for all work. Also call before memory is freed.
  void waited_for_all();

  /// A forked child has one thread, and its parent's protected pages.
  void after_fork();

  /// An access of host code to memory with pending work.
  struct Access {
    std::string memory;  // "managed memory (cudaMallocManaged #1, 4000 bytes)"
    std::uint64_t offset = 0;
    bool pending_writes = false;
    MemoryUser by;
  };
  /// Host code has faulted: opens the page when it was closed here.
  /// @param found  filled when the access is a mistake
  /// @returns false when the fault is not of this class's making
  bool on_fault(std::uint64_t address, bool host_writes, std::optional<Access>& found);

 private:
  struct Pages {
    std::uint64_t begin = 0, end = 0;
    bool readable = false;  // the host may read there
  };
  struct Pending {
    std::uint64_t stream = 0, number = 0;  // of the work
    const GlobalMemory::Allocation* allocation = nullptr;
    std::vector<MemoryUse> uses;
    std::vector<Pages> pages;
    MemoryUser by;
  };
  void put(Pending pending);
  [[nodiscard]] std::vector<Pages> pages_of(const Pending& pending);
  [[nodiscard]] Pages whole_pages(const GlobalMemory::Allocation& allocation);
  void protect(bool closed);
  /// Stops protecting a page after a correct access by the host.
  void give_up(std::uint64_t page);

  const GlobalMemory& memory_;
  const bool enabled_;
  int calls_ = 0;  // under the runtime's lock
  std::mutex mutex_;  // protects the following members; host threads may fault at any time
  std::vector<Pending> pending_;  // in order of their numbers
  bool closed_ = false;
  std::unordered_map<std::uint64_t, bool> ordinary_;  // registered memory, by its allocation's id
};

}  // namespace warpsim::cudart
