#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "grader/core/installation.h"
#include "harness/core/names.h"

namespace warpgrade {

enum class CompilerKind : std::uint8_t { nvcc, clang };
constexpr auto names_of(CompilerKind) {
  return names_up_to<CompilerKind::clang>("nvcc", "clang");
}

/// Which compiler is asked for: `automatic` is WARPGRADE_COMPILER, else nvcc if found, else clang.
enum class CompilerRequest : std::uint8_t { automatic, nvcc, clang };
constexpr auto names_of(CompilerRequest) {
  return names_up_to<CompilerRequest::clang>("auto", "nvcc", "clang");
}

/// The request that gives this compiler, and no other.
[[nodiscard]] constexpr CompilerRequest request_of(CompilerKind kind) {
  return kind == CompilerKind::clang ? CompilerRequest::clang : CompilerRequest::nvcc;
}

/// What compiles submissions.
struct Compiler {
  CompilerKind kind = CompilerKind::nvcc;
  std::filesystem::path program;  // nvcc or clang++, as it was found
  std::string version;  // "13.0", "14.0.6"
  /// nvcc: the toolkit; empty if it does not say. clang: the headers of its own, and the folder of
  /// its libraries if that is not the system's.
  std::filesystem::path folder;
  std::filesystem::path cuda_headers;  // emulator/include; with nvcc empty where it is missing

  /// As a grade records it: "nvcc 13.0", "clang 14.0.6".
  [[nodiscard]] std::string name() const;
  /// The program to run in a sandbox. The nvcc in PATH may be a script that needs more than a
  /// sandbox shows: then the toolkit's own.
  [[nodiscard]] std::filesystem::path program_in_sandbox() const;
};

/// Looks for nvcc in PATH, CUDA_HOME, CUDA_PATH and /usr/local/cuda; for clang++ as WARPGRADE_CLANG
/// says, else clang++ and clang++-19 to clang++-14 in PATH, the first of a version that is known to
/// work.
/// @throws EnvironmentError  if there is none, with how to get it; UsageError: see CompilerRequest
[[nodiscard]] Compiler find_compiler(CompilerRequest request, const Installation& installation);

/// nvcc, or an empty path.
[[nodiscard]] std::filesystem::path find_nvcc();

/// The folder of a libcudart.so that belongs to this nvcc, or an empty path.
[[nodiscard]] std::filesystem::path find_cudart(const Compiler& nvcc);

}  // namespace warpgrade
