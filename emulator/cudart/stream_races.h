#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "emulator/checkers/host_findings.h"
#include "emulator/cudart/call_site.h"
#include "emulator/cudart/stream_order.h"
#include "emulator/machine/launch.h"
#include "emulator/machine/memory.h"

namespace warpsim::cudart {

/// A user of memory, for messages.
struct MemoryUser {
  std::string what;  // "kernel add(int*, int)", "cudaMemcpyAsync"
  std::string_view api;  // the call that issued it, a literal
  Frames frames;
};

/// Finds unordered work of two streams that uses the same bytes, at least one of them writing. Here
/// work runs in call order, which is what a card usually does.
class StreamRaces {
 public:
  /// @param enabled  otherwise nothing is recorded
  StreamRaces(const GlobalMemory& memory, bool enabled) : memory_(memory), enabled_(enabled) {}
  [[nodiscard]] bool enabled() const { return enabled_; }

  struct Conflict {
    std::string memory;  // "device memory (cudaMalloc #1, 4000 bytes)"
    std::uint64_t offset = 0;  // of the first byte that both use
    bool earlier_writes = false, later_writes = false;
    MemoryUser earlier;
  };
  /// Records the memory use of issued work. @param uses  by address
  /// @returns a conflict with unordered work, if any
  std::optional<Conflict> add(const StreamWork& work, const std::vector<MemoryUse>& uses,
                              const MemoryUser& by);
  /// Work that the host has not waited for and that uses memory between two addresses.
  [[nodiscard]] std::optional<Conflict> pending(std::uint64_t begin, std::uint64_t end) const;
  /// The host has waited for this work, so later work is ordered after it.
  void waited_for(const StreamClock& done);
  /// All of it.
  void waited_for_all() { pending_.clear(); }
  /// The memory is freed without a wait; later memory at its addresses is unrelated.
  void forget(std::uint64_t begin, std::uint64_t end);

 private:
  struct Pending {
    std::uint64_t stream = 0, number = 0;  // of the work
    std::vector<MemoryUse> uses;
    MemoryUser by;
  };
  /// @param address  of a byte that the work of `old` and something else use
  [[nodiscard]] std::optional<Conflict> conflict_at(std::uint64_t address,
                                                    const Pending& old) const;
  [[nodiscard]] std::optional<Conflict> conflict_of(const StreamWork& work,
                                                    const std::vector<MemoryUse>& uses) const;
  void forget_oldest();

  const GlobalMemory& memory_;
  const bool enabled_;
  std::vector<Pending> pending_;  // in order of their numbers
};

/// For a finding.
[[nodiscard]] PendingUse pending_use(const StreamRaces::Conflict& conflict);

}  // namespace warpsim::cudart
