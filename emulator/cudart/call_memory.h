#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "emulator/cudart/allocations.h"
#include "emulator/findings/finding.h"
#include "emulator/machine/memory.h"

namespace warpsim::cudart {

/// What an announced call allocates and leaves behind. That is a leak even where an exit handler or
/// a static destructor frees it later: a program that called the function again and again would
/// lose as much each time.
class CallMemory {
 public:
  void begin(const GlobalMemory& memory);
  void end(const GlobalMemory& memory, const Allocations& allocations);
  /// A finding for each allocation that the call left behind and that has been freed since.
  [[nodiscard]] std::vector<Finding> freed_since(const GlobalMemory& memory) const;

 private:
  struct Left {
    std::uint64_t id = 0;
    Finding finding;
  };
  std::set<std::uint64_t> before_;  // ids of what was there
  std::vector<Left> left_;
};

}  // namespace warpsim::cudart
