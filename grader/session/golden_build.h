#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "grader/core/files.h"
#include "grader/core/installation.h"
#include "harness/lab/lab.h"

namespace warpgrade {

/// A lab's compiled golden function.
struct GoldenBuild {
  std::filesystem::path file;  // <lab>.so
  /// Names the function by its content, and the same on every machine where it was compiled when
  /// used; of one that came with the build or the package, by size and time.
  std::string identity;
  std::unique_ptr<ScratchFolder> scratch;  // that holds the file where there is no cache
};

/// The golden function of a lab: the library that came with the build or the package, unless
/// reference/<lab>/golden.cpp is newer. Else golden.cpp is compiled with the system's C++ compiler,
/// once: the library is kept in XDG_CACHE_HOME or ~/.cache under a name that says its content. It
/// is staff's code, which runs in the grader, and is compiled without a sandbox.
///
/// @throws EnvironmentError  if there is nothing to compile, or no compiler
/// @throws LabError          if it does not compile: the compiler's first error
[[nodiscard]] GoldenBuild golden_build(const Installation& installation, const Lab& lab);

}  // namespace warpgrade
