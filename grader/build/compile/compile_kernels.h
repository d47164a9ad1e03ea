#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/build/compile/shared_parts.h"
#include "grader/build/toolchain/toolchain.h"
#include "grader/core/installation.h"
#include "grader/record/grade/grade.h"
#include "harness/lab/lab.h"

namespace warpgrade {

/// What the compiler made of the kernels in a source.
struct CompiledKernels {
  std::string ptx;  // empty if it does not compile
  std::string log;  // all messages
};

/// Compiles the kernels of one program to PTX as build_program() does, for experiments. Nothing is
/// linked, and nothing but kernels can run.
///
/// @param program  among `files`
/// @param files    of the submission, with headers that the program includes
/// @param scratch  a folder for the build
[[nodiscard]] CompiledKernels compile_kernels(const Toolchain& toolchain,
                                              const Installation& installation, const Lab& lab,
                                              const SourceFile& program,
                                              const std::vector<SourceFile>& files,
                                              const SharedParts& shared,
                                              const std::filesystem::path& scratch);

}  // namespace warpgrade
