#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrade {

/// A call of the host as the source writes it: a launch, or a function of the runtime.
struct HostCall {
  std::string name;  // of the kernel, or "cudaMemcpy"
  std::vector<std::string> arguments;  // of a launch, those of the kernel
  std::uint32_t first_line = 0, last_line = 0;
};

/// All launches of a source, and calls whose names begin with "cuda".
[[nodiscard]] std::vector<HostCall> host_calls(std::string_view source);

}  // namespace warpgrade
