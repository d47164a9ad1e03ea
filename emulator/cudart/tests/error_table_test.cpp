#include "emulator/cudart/error_table.h"

#include <dlfcn.h>

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <string>

using warpsim::cudart::error_name;
using warpsim::cudart::error_text;

TEST_CASE("every error has the toolkit's name and text", "[cudart][error][unit]") {
  if (!std::filesystem::exists(WARPSIM_TOOLKIT_RUNTIME)) SKIP("no runtime library in the toolkit");
  void* library = dlopen(WARPSIM_TOOLKIT_RUNTIME, RTLD_NOW | RTLD_LOCAL);
  REQUIRE(library != nullptr);
  const auto real_name = reinterpret_cast<const char* (*)(int)>(dlsym(library, "cudaGetErrorName"));
  const auto real_text =
      reinterpret_cast<const char* (*)(int)>(dlsym(library, "cudaGetErrorString"));
  REQUIRE(real_name != nullptr);
  REQUIRE(real_text != nullptr);
  for (int code = 0; code < 1100; ++code) {
    INFO(code);
    CHECK(std::string(real_name(code)) == error_name(code));
    CHECK(std::string(real_text(code)) == error_text(code));
  }
}
