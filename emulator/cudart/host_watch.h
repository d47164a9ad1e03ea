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

/// Finds host code that uses managed or pinned memory before it has waited for what the device does
/// there. While such work is pending its bytes' pages are closed, but for the time of calls into
/// the runtime. A page is closed when the work uses all of the allocation in it: then system calls
/// fail on it only where the host must not be either. Allocations of up to a page are closed as
/// soon as a byte is used.
class HostWatch {
 public:
  /// @param enabled  else nothing is ever closed
  HostWatch(const GlobalMemory& memory, bool enabled) : memory_(memory), enabled_(enabled) {}
  [[nodiscard]] bool enabled() const { return enabled_; }

  // Inside of calls into the runtime.

  /// A call begins or ends; calls nest.
  void open();
  void close();
  /// Work that has been issued uses memory. @param uses  by address; those of device memory, and
  ///   those that only look whether the host has changed something, are left out
  void add(const StreamWork& work, const std::vector<MemoryUse>& uses, const MemoryUser& by);
  /// The host knows that this work is over.
  void waited_for(const StreamClock& done);
  /// All of it. Before memory is freed, too.
  void waited_for_all();

  /// A forked child has one thread, and its parent's closed pages.
  void after_fork();

  /// Host code that touched what is pending.
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
  /// Leaves a page open that the host uses rightly, as far as the bytes of the access go.
  void give_up(std::uint64_t page);

  const GlobalMemory& memory_;
  const bool enabled_;
  int calls_ = 0;  // under the runtime's lock
  std::mutex mutex_;  // of what follows; host threads may fault at any time
  std::vector<Pending> pending_;  // in order of their numbers
  bool closed_ = false;
  std::unordered_map<std::uint64_t, bool> ordinary_;  // registered memory, by its allocation's id
};

}  // namespace warpsim::cudart
