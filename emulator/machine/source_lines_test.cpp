#include "emulator/machine/source_lines.h"

#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <string>

namespace warpsim {
namespace {

constexpr const char* kGiven = "/opt/course/labs/tensor/sm80.h";

/// A module whose line 7 of `header` is inlined at line 68 of `program`.
LoadedModule module_of(const std::string& program, const std::string& header) {
  LoadedModule module;
  module.origin = "program";
  module.ptx.files = {{1, program}, {2, header}};
  module.ptx.locations = {{.file = 1, .line = 68}, {.file = 2, .line = 7, .inlined_at = 0}};
  return module;
}

std::uint32_t own_line(const LoadedModule& module) {
  return own_location(module, &module.ptx.locations[1])->line;
}

TEST_CASE("what is inlined from a given header is the doing of the line that calls it",
          "[emulator][source_lines]") {
  CHECK(own_line(module_of("gemm.cu", "/usr/local/cuda/include/cooperative_groups.h")) == 68);
  CHECK(own_line(module_of("/home/a/gemm.cu", "/usr/include/cuda_fp16.hpp")) == 68);
}

TEST_CASE("a header of the program's own has its own line", "[emulator][source_lines]") {
  CHECK(own_line(module_of("gemm.cu", "tile.cuh")) == 7);
  CHECK(own_line(module_of("/home/a/gemm.cu", "/home/a/tile.cuh")) == 7);
}

TEST_CASE("with the folder of the sources known, any other file is a given one",
          "[emulator][source_lines]") {
  LoadedModule nvcc = module_of("/tmp/src/gemm.cu", kGiven);
  CHECK(own_line(nvcc) == 7);
  nvcc.source_folder = "/tmp/src/";
  CHECK(own_line(nvcc) == 68);
  LoadedModule clang = module_of("gemm.cu", kGiven);
  clang.source_folder = "/tmp/src/";
  CHECK(own_line(clang) == 68);
  LoadedModule own = module_of("/tmp/src/gemm.cu", "/tmp/src/include/tile.cuh");
  own.source_folder = "/tmp/src/";
  CHECK(own_line(own) == 7);
}

TEST_CASE("a function of a header that is not inlined keeps its line", "[emulator][source_lines]") {
  LoadedModule module = module_of("gemm.cu", kGiven);
  module.source_folder = "/tmp/src/";
  module.ptx.locations[1].inlined_at = ptx::kNoIndex;
  CHECK(own_line(module) == 7);
}

}  // namespace
}  // namespace warpsim
