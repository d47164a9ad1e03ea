#include "grader/toolchain/clang_messages.h"

#include <catch2/catch_test_macros.hpp>

#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/core/installation.h"

namespace warpgrade {
namespace {

std::filesystem::path headers() {
  return find_installation().cuda_headers;
}

TEST_CASE("a header of the toolkit that is missing is a program for nvcc", "[toolchain][unit]") {
  for (const char* header : {"thrust/tuple.h", "cub/util_type.cuh", "cublasXt.h"}) {
    const ClangMeaning meaning =
        clang_meaning(headers(), {"nvcc", "note"},
                      std::string("a.cu:1:10: fatal error: '") + header + "' file not found\n", {});
    CHECK(meaning.kind == "nvcc");
    CHECK(meaning.text == std::string(header) +
                              " is not among the headers for clang (docs/cuda-headers.md): compile "
                              "with nvcc");
  }
  CHECK_FALSE(clang_meaning(headers(), {"nvcc", "note"},
                            "a.cu:1:10: fatal error: 'own_helper.h' file not found\n", {})
                  .found());
}

TEST_CASE("what clang 14 lacks of C++20 is a program for nvcc, and a wrong use of it is not",
          "[toolchain][unit]") {
  const auto meaning = [](const std::string& line) {
    return clang_meaning(headers(), {"nvcc"}, line + "\n", {}).text;
  };
  CHECK(meaning("a.cu:52:30: error: no type named 'source_location' in namespace 'std'") ==
        "std::source_location needs nvcc, or clang 16 or newer: compile with nvcc");
  CHECK(meaning("/usr/bin/../lib/gcc/x86_64-linux-gnu/12/../../../../include/c++/12/bits/"
                "iterator_concepts.h:982:13: error: no matching function for call to '__begin'") ==
        "views of <ranges> need nvcc, or clang 16 or newer: compile with nvcc");
  CHECK(meaning("a.cu:9:3: error: no matching function for call to object of type 'const "
                "__sort_fn'")
            .empty());
  CHECK(meaning("a.cu:9:3: error: no type named 'source_locations' in namespace 'std'").empty());
}

TEST_CASE("only rows of the kinds that are asked for count", "[toolchain][unit]") {
  const char* output =
      "error: unable to create target: 'No available targets are compatible with "
      "triple \"nvptx64-nvidia-cuda\"'\n";
  CHECK(
      clang_meaning(headers(), {"compiler"}, output, {{"clang", "/opt/clang++"}}).text ==
      "/opt/clang++ was built without the NVPTX target, which writes PTX; use the clang of Debian "
      "or Ubuntu (apt install clang)");
  CHECK_FALSE(clang_meaning(headers(), {"nvcc"}, output, {}).found());
}

TEST_CASE("a file that is named as a CUDA header is told, and no other", "[toolchain][unit]") {
  CHECK(
      shadowing_problem(headers(), "cuda_runtime.h") ==
      "cuda_runtime.h has the name of a CUDA header and may be included instead of it: rename it");
  CHECK(shadowing_problem(headers(), "tile.h").empty());
  CHECK(shadowing_problem({}, "cuda_runtime.h").empty());
}

TEST_CASE("without the table there is no silent answer", "[toolchain][unit]") {
  const ScratchFolder empty;
  CHECK_THROWS_AS(clang_meaning(empty.path(), {"nvcc"}, "x", {}), EnvironmentError);
}

}  // namespace
}  // namespace warpgrade
