#include "grader/show/report/picture_scripts.h"

#include "grader/core/embedded.h"
#include "grader/core/text.h"

namespace warpgrade {

std::vector<std::string_view> picture_scripts() {
  std::vector<std::string_view> scripts;
  for (const std::string_view line : split_lines(embedded_file("scripts.txt"))) {
    if (!line.empty()) {
      scripts.push_back(line);
    }
  }
  return scripts;
}

}  // namespace warpgrade
