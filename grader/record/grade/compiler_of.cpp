#include "grader/record/grade/compiler_of.h"

namespace warpgrade {

std::string compiler_of(const std::map<std::string, std::string>& environment) {
  if (const auto it = environment.find("compiler"); it != environment.end()) {
    return it->second;
  }
  const auto nvcc = environment.find("nvcc");
  return nvcc == environment.end() ? std::string() : "nvcc " + nvcc->second;
}

}  // namespace warpgrade
