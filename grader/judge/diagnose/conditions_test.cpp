#include "grader/judge/diagnose/conditions.h"

#include <catch2/catch_test_macros.hpp>

#include "grader/core/text.h"

namespace warpgrade {
namespace {

Conditions at(const std::string& source, std::uint32_t line) {
  std::vector<std::string> code;
  for (const std::string_view text : split_lines(source)) code.emplace_back(text);
  return conditions_of(code, line);
}

using Texts = std::vector<std::string>;

TEST_CASE("the ifs around a line are found, in it, above it and by braces", "[diagnose]") {
  CHECK(at("__global__ void f() {\nif (i < n) c[i] = 0;\n}", 2).own ==
        Texts{"if (i < n) c[i] = 0;"});
  CHECK(at("__global__ void f() {\nx = i < n ? c[i] : 0;\n}", 2).own.size() == 1);
  CHECK(at("__global__ void f() {\nif (i < n)\nc[i] = 0;\n}", 3).own == Texts{"if (i < n)"});
  CHECK(at("__global__ void f() {\nif (i < n) {\n++k;\nc[i] = 0;\n}\n}", 4).around.size() == 1);
}

TEST_CASE("an if that has ended, a loop, and another function's if are not around a line",
          "[diagnose]") {
  CHECK(at("__global__ void f() {\nif (i < n) ++k;\nc[i] = 0;\n}", 3).around.empty());
  CHECK(at("__global__ void f() {\nif (i < n) {\n++k;\n}\nc[i] = 0;\n}", 5).around.empty());
  CHECK(at("__global__ void f() {\nfor (int i = 0; i < n; ++i) {\nc[i] = 0;\n}\n}", 3)
            .around.empty());
  CHECK(at("__global__ void g() {\nif (i < n) {\n}}\n__global__ void f() {\nc[i] = 0;\n}", 5)
            .around.empty());
}

TEST_CASE("returns above a line are found with their condition", "[diagnose]") {
  CHECK(at("__global__ void f() {\nif (i >= n) return;\nc[i] = 0;\n}", 3).returns.size() == 1);
  CHECK(at("__global__ void f() {\nif (i >= n)\nreturn;\nc[i] = 0;\n}", 4).returns ==
        Texts{"if (i >= n)"});
  const Conditions braces = at("__global__ void f() {\nif (i >= n) {\nreturn;\n}\nc[i] = 0;\n}", 5);
  CHECK(braces.returns.size() == 1);
  CHECK(braces.around.empty());
  CHECK(at("__global__ void f() {\nc[i] = 0;\nif (i >= n) return;\n}", 2).returns.empty());
  CHECK(at("__device__ int g() {\nreturn 1;\n}", 3).returns.empty());
}

TEST_CASE("a line that a file does not have is under no condition", "[diagnose]") {
  CHECK(at("if (i < n)", 9).around.empty());
  CHECK(at("if (i < n)", 0).around.empty());
}

TEST_CASE("an index with the length of a column in place of a row's is found", "[diagnose]") {
  const auto index_at = [](const std::string& source, std::uint32_t line) {
    const auto found = index_with_other_extent(at(source, line));
    REQUIRE(found);
    CHECK(found->index.find(" * " + found->extent + " + ") != std::string::npos);
    return found->index;
  };
  CHECK(index_at("__global__ void f() {\nif (row < height && col < width) {\n"
                 "int i = row * height + col;\nc[i] = 0;\n}\n}",
                 4) == "row * height + col");
  CHECK(index_at("__global__ void f() {\nif (row >= m || col >= n) return;\n"
                 "c[row * m + col] = 0;\n}",
                 3) == "row * m + col");
}

TEST_CASE("an index with the extent of the other axis, or a square one, is not", "[diagnose]") {
  const auto index_in = [](const std::string& guard, const std::string& statement) {
    const auto found = index_with_other_extent(
        at("__global__ void f() {\nif (" + guard + ") return;\n" + statement + "\n}", 3));
    return found ? found->index : std::string();
  };
  CHECK(index_in("row >= m || col >= n", "c[row * n + col] = 0;").empty());
  CHECK(index_in("row >= m || col >= n", "c[col * m + row] = 0;").empty());
  CHECK(index_in("row >= n || col >= n", "c[row * n + col] = 0;").empty());
  CHECK(index_in("row >= m", "c[row * m + k] = 0;").empty());
  CHECK(index_in("row >= m || col >= n", "c[(2 * row * m + col)] = 0;").empty());
}

TEST_CASE("a difference is one of two values in the function's lines so far", "[diagnose]") {
  const auto has = [](const std::string& line) {
    return has_difference(at("__global__ void f() {\n" + line + "\nc[i] = 0;\n}", 3));
  };
  CHECK(has("int x = col + j - mask_width / 2;"));
  CHECK(has("c[i] = s[t]-s[t - 1];"));
  CHECK_FALSE(has("--i;"));
  CHECK_FALSE(has("i = p->size;"));
  CHECK_FALSE(has("i = -1;"));
  CHECK_FALSE(has_difference(at("__global__ void f() {\nc[i] = 0;\ni = n - 1;\n}", 2)));
}

}  // namespace
}  // namespace warpgrade
