#include "grader/build/inspection/includes.h"

#include <catch2/catch_test_macros.hpp>

#include "grader/core/comments.h"

namespace warpgrade {
namespace {

std::vector<std::string> paths(std::string_view source) {
  std::vector<std::string> found;
  for (const IncludeDirective& include : find_includes(source)) {
    found.push_back(include.path);
  }
  return found;
}

TEST_CASE("include directives are found with their line and form", "[submission][includes]") {
  const auto found = find_includes("// x\n#include <a.h>\n  #  include \"b.h\"\n");
  REQUIRE(found.size() == 2);
  CHECK(found[0].path == "a.h");
  CHECK_FALSE(found[0].quoted);
  CHECK(found[0].line == 2);
  CHECK(found[1].path == "b.h");
  CHECK(found[1].quoted);
  CHECK(found[1].line == 3);
}

TEST_CASE("includes in comments, strings and raw strings do not count", "[submission][includes]") {
  CHECK(paths("// #include \"a\"\n/*\n#include \"b\"\n*/\n").empty());
  CHECK(paths("const char* s = \"\\\n#include \\\"c\\\"\";\n").empty());
  CHECK(paths("auto r = R\"x(\n#include \"d\"\n)x\";\n").empty());
  CHECK(paths("int a; #include \"e\"\n").empty());
}

TEST_CASE("includes hidden by line splices, comments and digraphs are found",
          "[submission][includes]") {
  CHECK(paths("#inc\\\nlude \"a\"\n") == std::vector<std::string>{"a"});
  CHECK(paths("/* x */ # /* y */ include \"b\"\n") == std::vector<std::string>{"b"});
  CHECK(paths("%:include \"c\"\n") == std::vector<std::string>{"c"});
}

TEST_CASE("an unfinished source is scanned to its end", "[submission][includes]") {
  CHECK(paths("#include \"a").size() == 1);
  CHECK(paths("/*").empty());
  CHECK(paths("R\"(").empty());
  CHECK(paths("\"\\").empty());
  CHECK(paths("#").empty());
}

TEST_CASE("a program that another one includes is not compiled by itself",
          "[submission][includes]") {
  const auto found = [](std::vector<SourceFile> files) { return included_programs(files); };
  const SourceFile kernels{.name = "src/kernels.cu", .text = "code"};
  using Names = std::set<std::string>;
  CHECK(found({{.name = "src/main.cu", .text = "#include \"kernels.cu\"\n"}, kernels}) ==
        Names{"src/kernels.cu"});
  CHECK(found({{.name = "main.cu", .text = "#include <kernels.cu>\n"}, kernels}) ==
        Names{"src/kernels.cu"});
  CHECK(found({{.name = "main.cu", .text = "#include \"a.h\"\n"},
               {.name = "a.h", .text = "#include \"src/kernels.cu\"\n"},
               kernels}) == Names{"src/kernels.cu"});
  CHECK(found({{.name = "main.cu", .text = "// #include \"kernels.cu\"\n"}, kernels}).empty());
  CHECK(found({{.name = "a.cu", .text = "#include \"b.cu\"\n"},
               {.name = "b.cu", .text = "#include \"a.cu\"\n"}})
            .empty());
}

TEST_CASE("without_comments blanks comments and keeps lines and literals",
          "[submission][comments]") {
  CHECK(without_comments("a // b\nc /* d\ne */ f") == "a     \nc     \n     f");
  CHECK(without_comments("\"// no\" '\"' // yes") == "\"// no\" '\"'       ");
}

}  // namespace
}  // namespace warpgrade
