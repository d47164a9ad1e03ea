#include "grader/judge/experiment/source_functions.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

namespace warpgrade {
namespace {

std::vector<std::string> texts(const std::string& source) {
  std::vector<std::string> all;
  for (const SourceToken& token : tokens_of(source)) all.emplace_back(token.text);
  return all;
}

}  // namespace

TEST_CASE("tokens of a source are without comments and lines of the preprocessor",
          "[experiment][unit]") {
  CHECK(texts("#define A \\\n 1\na->b <= 1e-3f; // c\n/* d */ 'x'") ==
        std::vector<std::string>{"a", "->", "b", "<=", "1e-3f", ";", "'x'"});
  const auto tokens = tokens_of("a\n/*\n*/ b");
  CHECK(tokens[1].line == 3);
  CHECK(texts("'a").size() == 1);  // what never ends
}

TEST_CASE("functions at the outermost level are found with their variables", "[experiment][unit]") {
  const std::string source =
      "constexpr int kSize = 4;\nstruct Map { int a; int get() { return a; } };\n"
      "__constant__ float c_mask[4] = {1, 2};\n"
      "template <int n>\n__device__ int twice(int x) { return n * x; }\n"
      "__global__ void __launch_bounds__(256) k(const float* in, unsigned n) {\n"
      "  __shared__ Map part[kSize];\n"
      "  for (int i = 0, j = 1; i < 4; ++i) { float sum = 0; part[i].a = twice<2>(j); }\n}\n"
      "void host(int n) { k<<<1, 1>>>(nullptr, n); }\n";
  const std::vector<SourceToken> tokens = tokens_of(source);
  const std::vector<SourceFunction> functions = functions_in(tokens);
  REQUIRE(functions.size() == 3);
  CHECK(functions[0].name == "twice");
  CHECK(functions[0].is_template);
  CHECK(functions[0].is_on_device);
  CHECK(functions[1].name == "k");
  CHECK(functions[1].is_kernel);
  CHECK_FALSE(functions[2].is_on_device);
  std::string variables;
  for (const SourceVariable& variable : functions[1].variables) {
    variables += variable.type + " " + std::string(variable.name) + ";";
  }
  CHECK(variables == "const float* in;int n;Map[] part;int i;int j;float sum;");
  const auto& i = functions[1].variables[3];
  CHECK(tokens[i.end].is("}"));
  CHECK(tokens[i.end].line == 8);  // of the loop, not of the function
}

TEST_CASE("functions in namespaces have their scope", "[experiment][unit]") {
  const std::vector<SourceToken> tokens = tokens_of(
      "namespace a {\nint x;\nnamespace b::c { void f() {} }\nnamespace { void g() {} }\n"
      "void h() { f(); }\n}\nvoid i() {}\nextern \"C\" { void j() {} }\n");
  std::string found;
  for (const SourceFunction& f : functions_in(tokens)) {
    found += f.scope + ":" + std::string(f.name) + " ";
  }
  CHECK(found == "a::b::c:f a:g a:h :i ");
}

}  // namespace warpgrade
