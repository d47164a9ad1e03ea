#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "emulator/cudart/allocations.h"
#include "emulator/findings/finding.h"
#include "emulator/machine/memory.h"

namespace warpsim::cudart {

/// Memory that an announced call allocates and does not free. It is a leak even if an exit handler
/// or a static destructor frees it later, because repeated calls of the function would each leak.
class CallMemory {
 public:
  void begin(const GlobalMemory& memory);
  void end(const GlobalMemory& memory, const Allocations& allocations);
  /// A finding for each allocation that the call did not free and that was freed later.
  [[nodiscard]] std::vector<Finding> freed_since(const GlobalMemory& memory) const;

 private:
  struct Left {
    std::uint64_t id = 0;
    Finding finding;
  };
  std::set<std::uint64_t> before_;  // ids of earlier allocations
  std::vector<Left> left_;
};

}  // namespace warpsim::cudart
