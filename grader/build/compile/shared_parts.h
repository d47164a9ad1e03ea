#pragma once

#include <filesystem>

#include "grader/build/toolchain/toolchain.h"
#include "harness/lab/lab.h"

namespace warpgrade {

/// Our CUDA headers as clang has parsed them: once for kernels, once for the host. Empty paths:
/// they are parsed in each compilation.
struct ParsedHeaders {
  std::filesystem::path device;
  std::filesystem::path host;
};

/// What is the same in the builds of all submissions of a lab.
struct SharedParts {
  std::filesystem::path glue;  // an object: harness/lab/glue.h; empty for programs
  ParsedHeaders headers;  // clang only
};

/// Makes the parts in `folder`, from the user's cache if they are there.
/// @throws EnvironmentError  if the toolchain is unusable
[[nodiscard]] SharedParts make_shared_parts(const Toolchain& toolchain, const Lab& lab,
                                            const std::filesystem::path& folder);

}  // namespace warpgrade
