#include "grader/judge/experiment/kernel_copies.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>

namespace warpgrade {
namespace {

const std::string kSource =
    "#include <cuda_runtime.h>\n"
    "__constant__ float c_mask[4];\n"
    "__device__ int inner(int x) { return x + 1; }\n"
    "__device__ int outer(int x) { return inner(x); }\n"
    "__global__ void used(int* out, int n) { if (threadIdx.x < n) out[0] = outer(n); }\n"
    "__global__ void unused(int* out) { out[0] = 1; }\n"
    "void host(int* out) { used<<<1, 1>>>(out, 1); }\n";

std::size_t count(const std::string& text, const std::string& word) {
  std::size_t number = 0;
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) ++number;
  return number;
}

}  // namespace

TEST_CASE("a program of copies has one of each kernel that was launched for each edit",
          "[experiment][unit]") {
  CopiesOfKernels copies(kSource, {"used(int*, int)"});
  REQUIRE(copies.edits().size() > 3);
  const std::string program = copies.program();
  CHECK(count(program, "__global__ void used_copy") == copies.edits().size() + 1);
  CHECK(count(program, "void unused") == 0);
  CHECK(count(program, "void host") == 0);
  CHECK(count(program, "c_mask[4]") == 1);
  CHECK(count(program, "__device__ int inner(int x)") == 1);
  // What is between the kernel and the place of the edit is copied with it.
  for (std::size_t number = 1; number <= copies.edits().size(); ++number) {
    const std::string name = "outer_copy" + std::to_string(number) + "(";
    const bool in_kernel = copies.edits()[number - 1].line == 5;
    CHECK(count(program, name) == (in_kernel ? 0 : 2));
  }
  CHECK(CopiesOfKernels(kSource, {}).edits().empty());
}

TEST_CASE("a copy that does not compile is known by the line of the message",
          "[experiment][unit]") {
  CopiesOfKernels copies(kSource, {"used(int*, int)"});
  const std::string program = copies.program();
  const auto line_of = [](const std::string& text, const std::string& word) {
    return static_cast<std::uint32_t>(1 + count(text.substr(0, text.find(word)), "\n"));
  };
  const std::uint32_t line = line_of(program, "used_copy2(");
  CHECK(copies.numbers_at({line}) == std::set<std::size_t>{2});
  CHECK(lines_of_errors("x.cu(12): error: no\nx.cu(13): warning: so\nx.cu:7:3: error: no",
                        "x.cu") == std::set<std::uint32_t>{7, 12});
  const std::string rest = copies.program({2});
  CHECK(count(rest, "used_copy2(") == 0);
  CHECK(copies.numbers_at({line_of(rest, "used_copy3(")}) == std::set<std::size_t>{3});
  CHECK(copies.numbers_at({1}).empty());
}

TEST_CASE("a copy is in its kernel's namespace, and a template's has the same instances",
          "[experiment][unit]") {
  const std::string source =
      "namespace {\nstruct Map { int a; };\n"
      "template <int k> __device__ int twice(int x) { return k * x; }\n"
      "__global__ void plain(Map* m, int n) { if (n < 4) m->a = twice<2>(n); }\n}\n"
      "namespace a::b {\n"
      "template <int k, class T> __global__ void add(T* out, int n) { if (n < k) *out = n; }\n}\n";
  CopiesOfKernels copies(
      source, {"(anonymous namespace)::plain((anonymous namespace)::Map*, int)",
               "void a::b::add<4, (anonymous namespace)::Map>((anonymous namespace)::Map*, int)"});
  const std::string program = copies.program();
  const auto end_of_namespace = program.find("}\n", program.find("struct Map"));
  CHECK(program.find("void plain_copy0(Map* m") > end_of_namespace);
  CHECK(program.find("namespace a::b {\ntemplate <int k, class T> __global__ void add_copy0(") !=
        program.npos);
  CHECK(count(program, "template __global__ void add_copy0<4, Map>(Map*, int);\n}\n") == 1);
  const auto inner =
      std::ranges::find_if(copies.edits(), [](const auto& e) { return e.line == 3; });
  REQUIRE(inner != copies.edits().end());
  const std::string number = std::to_string(inner - copies.edits().begin() + 1);
  CHECK(count(program, "m->a = twice_copy" + number + "<2>(n)") == 1);
}

}  // namespace warpgrade
