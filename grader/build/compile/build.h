#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "grader/build/compile/shared_parts.h"
#include "grader/build/toolchain/toolchain.h"
#include "grader/core/installation.h"
#include "grader/record/grade/grade.h"
#include "harness/lab/lab.h"

namespace warpgrade {

enum class BuildEnd : std::uint8_t {
  built,
  does_not_compile,
  missing_function,  // compiles, but does not define the lab's function
  not_allowed,  // uses what a submission has no business with
  does_not_link,  // uses something that neither it nor the CUDA runtime defines
  too_long,  // the compiler was stopped by the clock or for its memory
};

struct BuildResult {
  BuildEnd end = BuildEnd::does_not_compile;
  std::filesystem::path program;  // when built
  std::filesystem::path source_folder;  // what findings' file names start with
  std::string message;  // one sentence: the first error, as the student's file and line
  std::string log;  // all compiler messages, the student's file names
  std::vector<IntegrityFlag> flags;  // what a person should look at
  double seconds = 0;

  [[nodiscard]] bool ok() const { return end == BuildEnd::built; }
};

/// The only place that compiles submissions: writes the sources into `scratch`, compiles them with
/// nvcc or clang to PTX, makes every symbol but the lab's function local, and links the worker
/// around them.
///
/// @param files   .cu files and headers; names relative, without ".."
/// @param shared  as make_shared_parts() made them
/// @param object_key  of the object in the user's cache: a hash of everything that it depends on;
///                    empty: it is not cached
/// @param debugged  for the debugger: the folder where the files are, which are compiled there, so
///                  that an editor knows their names, and with their variables (`nvcc -G`; clang's
///                  optimised code stays as it is)
/// @throws EnvironmentError  if the toolchain or the worker library is unusable
[[nodiscard]] BuildResult build_program(const Toolchain& toolchain,
                                        const Installation& installation, const Lab& lab,
                                        const std::vector<SourceFile>& files,
                                        const SharedParts& shared,
                                        const std::filesystem::path& scratch,
                                        const std::string& object_key = {},
                                        const std::filesystem::path& debugged = {});

}  // namespace warpgrade
