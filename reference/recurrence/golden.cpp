#include "harness/golden/golden.h"

#include <cstdint>

/// Step by step.
WARPGRADE_GOLDEN(call) {
  const auto a = call.input<std::uint32_t>("a");
  const auto b = call.input<std::uint32_t>("x");
  const auto x = call.integers("x");
  auto state = static_cast<std::uint32_t>(call.dim("start"));
  for (std::size_t i = 0; i < b.size(); ++i) {
    state = a[i] * state + b[i];
    x[i] = state;
  }
}
