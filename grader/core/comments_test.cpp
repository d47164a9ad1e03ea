#include "grader/core/comments.h"

#include <catch2/catch_test_macros.hpp>

namespace warpgrade {
namespace {

TEST_CASE("comments of Python end with their line, and are none in literals", "[core][comments]") {
  CHECK(without_python_comments("x = 1  # one\ny = 2") == "x = 1       \ny = 2");
  CHECK(without_python_comments("x = '#'  # not that") == "x = '#'            ");
  CHECK(without_python_comments("x = \"a\\\"#\" #") == "x = \"a\\\"#\"  ");
  CHECK(without_python_comments("'''a\n# b'''\n#c") == "'''a\n# b'''\n  ");
  CHECK(without_python_comments("n // 2  # half") == "n // 2        ");
}

TEST_CASE("an unfinished literal of Python ends with its line", "[core][comments]") {
  CHECK(without_python_comments("x = 'a\n# b\n") == "x = 'a\n   \n");
}

TEST_CASE("the name of a file says which comments it has", "[core][comments]") {
  CHECK(code_of("a.py", "n // 2 # half") == "n // 2       ");
  CHECK(code_of("a.cu", "n // 2 # half") == "n            ");
  CHECK(code_of("a.cu", "#define N 1") == "#define N 1");
}

}  // namespace
}  // namespace warpgrade
