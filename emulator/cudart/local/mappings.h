#pragma once

#include <cstdint>
#include <vector>

namespace warpsim::cudart {

/// A range of this process' address space.
struct Mapping {
  std::uint64_t begin = 0, end = 0;
  int protection = 0;  // of PROT_READ, PROT_WRITE and PROT_EXEC
};

/// This process' mappings by address; empty if the system does not tell.
[[nodiscard]] std::vector<Mapping> mappings();

}  // namespace warpsim::cudart
