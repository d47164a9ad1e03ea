#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "emulator/cudart/call_site.h"
#include "emulator/machine/memory.h"

namespace warpsim::cudart {

/// The program's allocations, with the call and its location, for names in messages.
class Allocations {
 public:
  /// Allocates and remembers the caller.
  /// @param api  "cudaMalloc": with a running number it is the allocation's name
  /// @returns null when the card is full
  GlobalMemory::Allocation* allocate(GlobalMemory& memory, std::uint64_t size,
                                     GlobalMemory::Kind kind, int device, std::string_view api,
                                     const Frames& frames);
  /// A range of a graph: see GlobalMemory::reserve.
  GlobalMemory::Allocation* reserve(GlobalMemory& memory, std::uint64_t size, int device,
                                    std::string_view api);
  /// The next name, for memory that GlobalMemory did not allocate: "cuMemCreate #3".
  [[nodiscard]] std::string next_name(std::string_view api);
  /// Records the call for an existing allocation.
  void remember(std::uint64_t address, std::string_view api, const Frames& frames) {
    origins_[address] = {.api = api, .frames = frames};
  }
  void forget(std::uint64_t address) { origins_.erase(address); }
  /// Where an allocation was made, api included.
  [[nodiscard]] CallSite origin(const GlobalMemory::Allocation& allocation) const;

 private:
  struct Origin {
    std::string_view api;  // a literal
    Frames frames;
  };
  std::uint64_t count_ = 0;
  std::unordered_map<std::uint64_t, Origin> origins_;  // by device address
};

}  // namespace warpsim::cudart
