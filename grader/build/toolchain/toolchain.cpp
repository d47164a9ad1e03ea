#include "grader/build/toolchain/toolchain.h"

#include <fmt/core.h>

#include <system_error>

#include "grader/core/error.h"
#include "grader/process/process.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

fs::path require(const char* program, const char* package) {
  fs::path found = find_in_path(program);
  if (found.empty()) {
    throw EnvironmentError(
        fmt::format("{} was not found in PATH; install it (on Debian and Ubuntu: package {})",
                    program, package));
  }
  return found;
}

/// The headers for clang are those of CUDA 13.
constexpr const char* kEmulatorsCudart = "libcudart.so.13";

fs::path cudart_of(const Compiler& compiler, const Installation& installation) {
  if (compiler.kind == CompilerKind::clang) {
    std::error_code error;
    fs::path own = installation.emulator_folder() / kEmulatorsCudart;
    if (!fs::exists(own, error)) {
      throw EnvironmentError(fmt::format("{} is missing; build the project", own.string()));
    }
    return own;
  }
  const fs::path folder = find_cudart(compiler);
  if (folder.empty()) {
    throw EnvironmentError(
        fmt::format("no libcudart.so was found beside {}; install the toolkit's runtime "
                    "development files (cuda-cudart-dev)",
                    compiler.program.string()));
  }
  return folder / "libcudart.so";
}

}  // namespace

Toolchain find_toolchain(CompilerRequest request, const Installation& installation) {
  Toolchain toolchain;
  toolchain.compiler = find_compiler(request, installation);
  toolchain.cxx = require("g++", "g++");
  toolchain.ld = require("ld", "binutils");
  toolchain.lld = find_in_path("ld.lld");
  toolchain.objcopy = require("objcopy", "binutils");
  toolchain.cudart = cudart_of(toolchain.compiler, installation);
  return toolchain;
}

fs::path Toolchain::objdump() const {
  return objcopy.parent_path() / "objdump";
}

}  // namespace warpgrade
