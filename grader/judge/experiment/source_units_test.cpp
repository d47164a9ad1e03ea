#include "grader/judge/experiment/source_units.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

namespace warpgrade {
namespace {

using Kind = SourceUnit::Kind;

/// The texts of the units of one kind in a kernel's body.
std::vector<std::string> units_of(const std::string& body, Kind kind) {
  const std::string source =
      "__global__ void k(float* out, const float* in, int n, int m) {\n" + body + "\n}\n";
  const std::vector<SourceToken> tokens = tokens_of(source);
  const std::vector<SourceFunction> functions = functions_in(tokens);
  std::vector<std::string> texts;
  for (const SourceUnit& unit : units_in(tokens, functions.at(0))) {
    if (unit.kind != kind) continue;
    const std::size_t begin = tokens[unit.first].begin;
    texts.push_back(source.substr(begin, tokens[unit.last].end() - begin));
  }
  return texts;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("a body is divided into statements, conditions and values", "[experiment][unit]") {
  const std::string body =
      "const int i = threadIdx.x + n;\n"
      "if (i < n) { out[i] = 0; return; } else out[0] = in[i];\n"
      "for (int k = 0; k < m; ++k) out[k] += 1;\n"
      "while (n > 0) n /= 2;\n"
      "do { --m; } while (m > 1);\n";
  CHECK(units_of(body, Kind::statement) ==
        Texts{"out[i] = 0;", "return;", "out[0] = in[i];", "out[k] += 1;", "n /= 2;", "--m;"});
  CHECK(units_of(body, Kind::condition) == Texts{"i < n", "k < m", "n > 0", "m > 1"});
  CHECK(units_of(body, Kind::value) == Texts{"threadIdx.x + n", "0"});
  CHECK(units_of(body, Kind::step) == Texts{"++k"});
}

TEST_CASE("units come before those in them", "[experiment][unit]") {
  CHECK(units_of("for (int k = 0; k < n; ++k) { if (k) { out[k] = 1; } }", Kind::compound) ==
        Texts{"for (int k = 0; k < n; ++k) { if (k) { out[k] = 1; } }",
              "{ if (k) { out[k] = 1; } }", "if (k) { out[k] = 1; }", "{ out[k] = 1; }"});
}

TEST_CASE("what cannot be chosen while a kernel runs is not a unit", "[experiment][unit]") {
  CHECK(units_of("__shared__ float tile[32];", Kind::statement).empty());
  CHECK(units_of("constexpr int kTwice = 2 * 16;", Kind::value).empty());
  CHECK(units_of("const int size = 2 * 16;\nfloat own[size];", Kind::value).empty());
  CHECK(units_of("float own[2] = {0, 1};", Kind::value).empty());
  CHECK(units_of("if (const int i = n) out[i] = 0;", Kind::condition).empty());
  CHECK(units_of("if constexpr (sizeof(int) == 4) out[0] = 0;", Kind::condition).empty());
  CHECK(units_of("Unknown thing;", Kind::statement).empty());
  CHECK(units_of("switch (n) { case 1: out[0] = 1; break; default: out[0] = 2; }",
                 Kind::statement) == Texts{"out[0] = 1;", "break;", "out[0] = 2;"});
}

TEST_CASE("a body that does not end has units up to its end", "[experiment][unit]") {
  const std::vector<SourceToken> tokens = tokens_of("__global__ void k(int n) { if (n < ");
  CHECK(functions_in(tokens).empty());
  CHECK(units_of("if (n) ; for (;;) ;", Kind::statement).empty());
  CHECK(units_of("for (int k : out) out[0] = 1;", Kind::condition).empty());
}

}  // namespace warpgrade
