#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "emulator/cudart/call_site.h"
#include "emulator/cudart/stream_order.h"
#include "emulator/machine/launch.h"
#include "emulator/machine/memory.h"

namespace warpsim::cudart {

/// Work that uses memory, for messages.
struct MemoryUser {
  std::string what;  // "kernel add(int*, int)", "cudaMemcpyAsync"
  std::string_view api;  // the call that issued it, a literal
  Frames frames;
};

/// Finds work of two streams that uses the same bytes, one of them to write, while neither is known
/// to come before the other. It runs here in the order of the calls, which is what a card does most
/// of the time.
class StreamRaces {
 public:
  /// @param enabled  else nothing is remembered
  StreamRaces(const GlobalMemory& memory, bool enabled) : memory_(memory), enabled_(enabled) {}
  [[nodiscard]] bool enabled() const { return enabled_; }

  struct Conflict {
    std::string memory;  // "device memory (cudaMalloc #1, 4000 bytes)"
    std::uint64_t offset = 0;  // of the first byte that both use
    bool earlier_writes = false, later_writes = false;
    MemoryUser earlier;
  };
  /// Work that has been issued uses memory. @param uses  by address
  /// @returns what it is not ordered with, if anything
  std::optional<Conflict> add(const StreamWork& work, const std::vector<MemoryUse>& uses,
                              const MemoryUser& by);
  /// The host knows that this work is over, and issues what comes next behind it.
  void waited_for(const StreamClock& done);
  /// All of it.
  void waited_for_all() { pending_.clear(); }
  /// The memory is given back without a wait; what gets its addresses next is other memory.
  void forget(std::uint64_t begin, std::uint64_t end);

 private:
  struct Pending {
    std::uint64_t stream = 0, number = 0;  // of the work
    std::vector<MemoryUse> uses;
    MemoryUser by;
  };
  [[nodiscard]] std::optional<Conflict> conflict_of(const StreamWork& work,
                                                    const std::vector<MemoryUse>& uses) const;
  void forget_oldest();

  const GlobalMemory& memory_;
  const bool enabled_;
  std::vector<Pending> pending_;  // in order of their numbers
};

}  // namespace warpsim::cudart
