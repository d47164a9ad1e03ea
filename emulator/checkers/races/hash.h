#pragma once

#include <cstdint>

namespace warpsim {

/// Adds a value to a hash of what lanes store.
constexpr std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0xff51afd7ed558ccdu;
  return hash ^ hash >> 32;
}

}  // namespace warpsim
