#include "grader/record/counters/kernel_name.h"

#include "grader/core/text.h"

namespace warpgrade {

std::string short_kernel_name(std::string_view name) {
  std::string text(name);
  for (const char* place : {"(anonymous namespace)::", "<unnamed>::"}) {
    text = replace_all(text, place, "");
  }
  if (text.starts_with("void ")) {
    text.erase(0, 5);
  }
  std::string kept;
  int angles = 0;
  int brackets = 0;
  for (const char c : text) {
    if (c == '(' && angles == 0) {
      break;  // the parameters
    }
    // Parentheses within template arguments are casts.
    brackets += c == '(' ? 1 : 0;
    if (brackets == 0) {
      kept += c;
      angles += c == '<' ? 1 : c == '>' ? -1 : 0;
    }
    brackets -= c == ')' && brackets > 0 ? 1 : 0;
  }
  return kept;
}

}  // namespace warpgrade
