#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrade {

/// One diagnostic of nvcc, clang, ptxas, g++ or ld.
struct CompilerMessage {
  std::string file;  // empty when it names none
  std::uint32_t line = 0;
  std::uint32_t column = 0;  // from 1; 0 when it names none
  bool is_error = false;  // else a warning
  std::string text;

  /// "vecadd.cu:12: identifier \"x\" is undefined"
  [[nodiscard]] std::string sentence() const;
};

/// What a compiler says of its own crash, or of that of a program that it started: "vecadd.cu:5:3:
/// internal compiler error: ...", "'cicc' died due to signal 11 (...)". Empty if it did not crash,
/// or was ended by a limit, by which the source may be at fault.
[[nodiscard]] std::string compiler_crash(std::string_view output);

/// Finds the diagnostics in a compiler's output; remarks, notes and source excerpts are left out.
/// One in a file with an absolute name, a header that is not the submission's, is placed at the
/// line of the submission that includes it or makes an instance of it, where clang or g++ says so.
[[nodiscard]] std::vector<CompilerMessage> parse_compiler_messages(std::string_view output);

}  // namespace warpgrade
