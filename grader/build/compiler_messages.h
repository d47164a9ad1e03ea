#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrade {

/// One diagnostic of nvcc, ptxas, g++ or ld.
struct CompilerMessage {
  std::string file;  // empty when it names none
  std::uint32_t line = 0;
  bool is_error = false;  // else a warning
  std::string text;

  /// "vecadd.cu:12: identifier \"x\" is undefined"
  [[nodiscard]] std::string sentence() const;
};

/// Finds the diagnostics in a compiler's output; remarks, notes and source excerpts are left out.
[[nodiscard]] std::vector<CompilerMessage> parse_compiler_messages(std::string_view output);

}  // namespace warpgrade
