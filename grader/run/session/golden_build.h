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
  /// A hash of the function's source, equal on every machine, if it was compiled on demand; of size
  /// and time for a bundled library.
  std::string identity;
  std::unique_ptr<ScratchFolder> scratch;  // holds the file if there is no cache
};

/// The golden function of a lab: the bundled library, unless reference/<lab>/golden.cpp is newer.
/// In that case golden.cpp is compiled once with the system's C++ compiler and cached in
/// XDG_CACHE_HOME or ~/.cache by its content. It is staff's code, which runs in the grader, and is
/// compiled without a sandbox.
///
/// @throws EnvironmentError  if there is nothing to compile, or no compiler
/// @throws LabError          if it does not compile: the compiler's first error
[[nodiscard]] GoldenBuild golden_build(const Installation& installation, const Lab& lab);

/// The variants of a lab's golden function (harness/variants), bundled or compiled likewise. Where
/// there are none, the file is a text that says why (GoldenVariantLibrary); no errors.
[[nodiscard]] GoldenBuild golden_variants_build(const Installation& installation, const Lab& lab);

}  // namespace warpgrade
