#include "grader/build/toolchain/clang_messages.h"

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

TEST_CASE("a header of a lab that says that it needs nvcc is believed, in an error only",
          "[toolchain][unit]") {
  const auto meaning = [](const std::string& line) {
    return clang_meaning(headers(), {"nvcc"}, line + "\n", {}).text;
  };
  CHECK(meaning("labs/tensor/sm90.h:7:2: error: sm90.h needs nvcc") == "sm90.h needs nvcc");
  CHECK(meaning("labs/tensor/sm90.h:7:2: warning: sm90.h needs nvcc").empty());
  CHECK(meaning("tensor.cu:7:2: error: sm90 needs nvcc").empty());
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

TEST_CASE("a failure of clang's back end becomes an error with its place", "[toolchain][unit]") {
  const auto text = [](const std::string& output) {
    return clang_meaning(headers(), {"backend"}, output, {}).text;
  };
  CHECK(text("fatal error: error in backend: Cannot select: 0x3c3fcd78: f32 = fsin contract "
             "0x3c3fcd10, a.cu:1:88\n  0x3c3fcd10: f32,ch = load\n") ==
        "a.cu:1:88: error: a built-in function of the compiler (__builtin_sin, __builtin_sinf) has "
        "no instruction in device code: call sin() or sinf()");
  CHECK(text("fatal error: error in backend: Cannot select: 0x1: i64,ch = dynamic_stackalloc "
             "0x2:1, 0x3, Constant:i64<0>, a.cu:2:5\n") ==
        "a.cu:2:5: error: an array of variable length, or alloca, in device code has no "
        "instruction: give it a constant size");
  CHECK(text("fatal error: error in backend: Undefined external symbol \"lrintf\"\n") ==
        "error: device code calls the host's lrintf(), as the compiler's __builtin_lrintf does: "
        "call lrintf() itself");
  // 128-bit division, which nvcc can do.
  CHECK(text("fatal error: error in backend: Undefined external symbol \"__umodti3\"\n").empty());
  CHECK(text("a.cu:1:1: error: expected expression\n").empty());
}

TEST_CASE("a variable that may be undefined is told from other errors", "[toolchain][unit]") {
  const auto found = [](const std::string& line) {
    return clang_meaning(headers(), {"undefined"}, line, {}).found();
  };
  CHECK(
      found("a.cu:7:6: error: variable 'res' is used uninitialized whenever 'if' condition is "
            "false [-Werror,-Wsometimes-uninitialized]\n"));
  CHECK(
      found("a.cu:7:6: error: variable 'p' may be uninitialized when used here "
            "[-Werror,-Wconditional-uninitialized]\n"));
  CHECK(
      found("a.cu:7:6: error: variable 'p' is uninitialized when used here "
            "[-Werror,-Wuninitialized]\n"));
  CHECK_FALSE(found("a.cu:7:6: error: unused variable 'p' [-Werror,-Wunused-variable]\n"));
  CHECK_FALSE(found("a.cu:7:6: warning: variable 'p' is uninitialized [-Wuninitialized]\n"));
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
