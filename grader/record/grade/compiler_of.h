#pragma once

#include <map>
#include <string>

namespace warpgrade {

/// What compiled a submission, of its grade's environment: "nvcc 13.0", "clang 14.0.6"; empty if it
/// does not say. Grades of earlier versions have nvcc's version only.
[[nodiscard]] std::string compiler_of(const std::map<std::string, std::string>& environment);

}  // namespace warpgrade
