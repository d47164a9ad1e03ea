#include "grader/run/worker/run_folder.h"

#include <fmt/core.h>

#include <random>

namespace warpgrade {

std::filesystem::path new_run_folder(const std::filesystem::path& scratch) {
  std::random_device random;
  return scratch / fmt::format("{:08x}{:08x}", random(), random()) / "run";
}

}  // namespace warpgrade
