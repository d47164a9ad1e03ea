#include "grader/build/compile/compiler_messages.h"

#include <catch2/catch_test_macros.hpp>

namespace warpgrade {
namespace {

TEST_CASE("errors of nvcc's front end have file, line and text", "[build][messages]") {
  const auto messages = parse_compiler_messages(
      "vecadd.cu(9): error: expected a \";\"\n"
      "  }\n"
      "  ^\n"
      "\n"
      "vecadd.cu(12): error #20: identifier \"x\" is undefined\n"
      "\n"
      "2 errors detected in the compilation of \"vecadd.cu\".\n");
  REQUIRE(messages.size() == 2);
  CHECK(messages[0].sentence() == "vecadd.cu:9: expected a \";\"");
  CHECK(messages[0].is_error);
  CHECK(messages[1].sentence() == "vecadd.cu:12: identifier \"x\" is undefined");
}

TEST_CASE("errors of g++ have file, line and text, and its excerpts are left out",
          "[build][messages]") {
  const auto messages = parse_compiler_messages(
      "vecadd.cu:3:10: fatal error: nothere.h: No such file or directory\n"
      "    3 | #include \"nothere.h\"\n"
      "      |          ^~~~~~~~~~~\n"
      "compilation terminated.\n");
  REQUIRE(messages.size() == 1);
  CHECK(messages[0].sentence() == "vecadd.cu:3: nothere.h: No such file or directory");
}

TEST_CASE("a missing header of nvcc and a warning are distinguished", "[build][messages]") {
  const auto messages = parse_compiler_messages(
      "a.cu(1): catastrophic error: cannot open source file \"x.h\"\n"
      "a.cu(5): warning #177-D: variable \"x\" was declared but never referenced\n");
  REQUIRE(messages.size() == 2);
  CHECK(messages[0].is_error);
  CHECK(messages[0].text == "cannot open source file \"x.h\"");
  CHECK_FALSE(messages[1].is_error);
}

TEST_CASE("undefined references and ptxas errors have no line", "[build][messages]") {
  const auto messages = parse_compiler_messages(
      "/usr/bin/ld: student.o: in function `vecadd(float*)':\n"
      "part0.cpp:(.text+0x12): undefined reference to `cublasCreate_v2'\n"
      "ptxas fatal   : Unresolved extern function 'f'\n");
  REQUIRE(messages.size() == 2);
  CHECK(messages[0].sentence() == "undefined reference to `cublasCreate_v2'");
  CHECK(messages[1].sentence() == "Unresolved extern function 'f'");
}

TEST_CASE("a crash of a compiler is told from errors of a source", "[build][messages]") {
  CHECK(compiler_crash("a.cu:5:3: internal compiler error: in f, at g.cc:7\n") ==
        "a.cu:5:3: internal compiler error: in f, at g.cc:7");
  CHECK(compiler_crash("g++: internal compiler error: Segmentation fault signal terminated program "
                       "cc1plus\n")
            .starts_with("g++: internal compiler error: Segmentation fault"));
  CHECK(
      compiler_crash("nvcc error   : 'cicc' died due to signal 11 (Invalid memory reference)\n") ==
      "nvcc error   : 'cicc' died due to signal 11 (Invalid memory reference)");
  CHECK(compiler_crash("a.cu(12): internal error: assertion failed at: \"types.c\", line 4\n") ==
        "a.cu(12): internal error: assertion failed at: \"types.c\", line 4");
  CHECK(compiler_crash("PLEASE submit a bug report to https://example.org/ and include ...\n"
                       "Stack dump:\n0.\tProgram arguments: clang++ a.cu\n"
                       "1.\ta.cu:1:2: current parser token 'pragma'\n"
                       "2.\t/usr/include/x.h:3:1: parsing namespace 'x'\n") ==
        "a.cu:1:2: current parser token 'pragma'");

  CHECK(compiler_crash("a.cu:3:2: error: #error internal compiler error: no\n").empty());
  CHECK(compiler_crash("a.cu:3:9: error: expected PLEASE submit a bug report\n").empty());
  // By a limit, which the source may be at fault for.
  CHECK(compiler_crash("nvcc error   : 'cicc' died due to signal 24 (CPU time limit exceeded)\n")
            .empty());
  CHECK(compiler_crash("g++: internal compiler error: CPU time limit exceeded signal terminated "
                       "program cc1plus\n")
            .empty());
  CHECK(compiler_crash("gcc: internal compiler error: File size limit exceeded signal terminated "
                       "program as\n")
            .empty());
  CHECK(compiler_crash("g++: internal compiler error: Killed signal terminated program cc1plus\n")
            .empty());
}

TEST_CASE("lines that only mention errors are not messages", "[build][messages]") {
  CHECK(parse_compiler_messages("1 error detected in the compilation of \"a.cu\".\n"
                                "checking errors of f(12)\n")
            .empty());
}

TEST_CASE("an error of clang in a header of ours is placed at the submission's include",
          "[build][messages]") {
  const auto messages = parse_compiler_messages(
      "In file included from vecadd.cu:3:\n"
      "In file included from tile.cuh:7:\n"
      "/opt/include/cublas_v2.h:2:2: error: \"cublas_v2.h is not among the headers\"\n"
      "#error \"cublas_v2.h is not among the headers\"\n"
      " ^\n"
      "vecadd.cu:9:3: error: expected expression\n"
      "1 warning and 2 errors generated.\n");
  REQUIRE(messages.size() == 2);
  CHECK(messages[0].sentence() == "tile.cuh:7: \"cublas_v2.h is not among the headers\"");
  CHECK(messages[1].sentence() == "vecadd.cu:9: expected expression");
}

TEST_CASE("an error of clang in a template of ours is placed where the submission uses it",
          "[build][messages]") {
  const auto messages = parse_compiler_messages(
      "/opt/include/warpgrade/atomics.h:7:3: error: no matching function\n"
      "vecadd.cu:12:5: note: in instantiation of function template specialization 'f<int>' "
      "requested here\n"
      "vecadd.cu:14:5: note: in instantiation of function template specialization 'g<int>' "
      "requested here\n");
  REQUIRE(messages.size() == 1);
  CHECK(messages[0].sentence() == "vecadd.cu:12: no matching function");
}

TEST_CASE("an error of clang's back end has no line", "[build][messages]") {
  const auto messages = parse_compiler_messages(
      "error: Undefined external symbol \"__umodti3\"\n"
      "errors: none\n");
  REQUIRE(messages.size() == 1);
  CHECK(messages[0].sentence() == "Undefined external symbol \"__umodti3\"");
}

}  // namespace
}  // namespace warpgrade
