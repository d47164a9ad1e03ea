#pragma once

#include <array>
#include <string>
#include <string_view>

namespace warpgrade {

/// Endings of files that are compiled, the one that counts first where there are several: CUDA C++,
/// and HIP.
inline constexpr std::array<std::string_view, 3> kProgramEndings = {".cu", ".hip", ".hip.cpp"};

/// The header with the macros of a submission's Makefile, which all its programs begin with.
inline constexpr const char* kMakefileMacros = "makefile_macros.h";

/// Its ending of those; empty if the file is not compiled.
[[nodiscard]] constexpr std::string_view program_ending(std::string_view file) {
  for (const std::string_view ending : kProgramEndings) {
    if (file.ends_with(ending)) return ending;
  }
  return {};
}

[[nodiscard]] constexpr bool is_program(std::string_view file) {
  return !program_ending(file).empty();
}

/// Whether it is a submission in Python, which is not compiled.
[[nodiscard]] constexpr bool is_python(std::string_view file) {
  return file.ends_with(".py");
}

[[nodiscard]] constexpr bool is_hip_program(std::string_view file) {
  return is_program(file) && !file.ends_with(".cu");
}

}  // namespace warpgrade
