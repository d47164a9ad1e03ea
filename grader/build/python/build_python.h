#pragma once

#include <filesystem>
#include <vector>

#include "grader/build/compile/build.h"
#include "grader/build/toolchain/toolchain.h"
#include "grader/core/installation.h"
#include "grader/record/grade/grade.h"
#include "harness/lab/lab.h"

namespace warpgrade {

/// The counterpart of build_program() for a submission in Python: nothing of it runs. Its syntax,
/// its imports and the function's parameters are checked in the sandbox, and a folder is laid out
/// whose program, start.py, is run like a worker (harness/python/start.py).
///
/// @param lab    in Python
/// @param files  one .py file
/// @throws EnvironmentError  if Numba or libNVVM is not here
[[nodiscard]] BuildResult build_python(const Toolchain& toolchain, const Installation& installation,
                                       const Lab& lab, const std::vector<SourceFile>& files,
                                       const std::filesystem::path& scratch);

/// Whether a BuildResult's program is such a one.
[[nodiscard]] bool is_python_program(const std::filesystem::path& program);

/// Copies such a program for one run: the files' times, which a submission can read, do not say how
/// long ago the first run was.
/// @param folder  does not exist yet
/// @returns the copy's program, beside which the submission's files are in `src`
[[nodiscard]] std::filesystem::path copy_python_program(const std::filesystem::path& program,
                                                        const std::filesystem::path& folder);

/// What such a program needs to see besides the system: its folder, and the toolkit's libraries.
[[nodiscard]] std::vector<std::filesystem::path> needs_of_python_program(
    const std::filesystem::path& program);

}  // namespace warpgrade
