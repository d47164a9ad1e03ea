#include "emulator/cudart/call_memory.h"

#include "emulator/checkers/host_findings.h"

namespace warpsim::cudart {

void CallMemory::begin(const GlobalMemory& memory) {
  for (const GlobalMemory::Allocation* allocation : memory.leaks()) before_.insert(allocation->id);
}

void CallMemory::end(const GlobalMemory& memory, const Allocations& allocations) {
  for (const GlobalMemory::Allocation* allocation : memory.leaks()) {
    if (before_.contains(allocation->id)) continue;
    left_.push_back({.id = allocation->id,
                     .finding = freed_at_exit(*allocation, allocations.origin(*allocation))});
  }
}

std::vector<Finding> CallMemory::freed_since(const GlobalMemory& memory) const {
  std::set<std::uint64_t> alive;
  for (const GlobalMemory::Allocation* allocation : memory.leaks()) alive.insert(allocation->id);
  std::vector<Finding> findings;
  for (const Left& left : left_) {
    if (!alive.contains(left.id)) findings.push_back(left.finding);
  }
  return findings;
}

}  // namespace warpsim::cudart
