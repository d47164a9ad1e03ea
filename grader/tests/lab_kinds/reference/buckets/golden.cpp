#include "harness/golden/golden.h"

#include <cstdint>

WARPGRADE_GOLDEN(call) {
  const auto keys = call.input<std::uint32_t>("keys");
  const auto offsets = call.integers("offsets");
  const auto members = call.integers("members");
  const auto shuffled = call.integers("shuffled");
  std::size_t next = 0;
  for (std::uint32_t bucket = 0; bucket < 8; ++bucket) {
    offsets[bucket] = static_cast<std::int64_t>(next);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (keys[i] % 8 == bucket) members[next++] = static_cast<std::int64_t>(i);
    }
  }
  offsets[8] = static_cast<std::int64_t>(next);
  for (std::size_t i = 0; i < keys.size(); ++i) shuffled[i] = keys[i];
}
