#include "harness/variants/generate.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>

namespace warpgrade {
namespace {

constexpr const char* kGolden = R"(#include "harness/golden/golden.h"

namespace {
constexpr int twice(int value) { return 2 * value; }
}  // namespace

WARPGRADE_GOLDEN(call) {
  const auto in = call.input<float>("in");
  const auto out = call.floats("out");
  for (std::size_t i = 0; i < in.size(); ++i) out.want[i] = in[i] + twice(1);
}
)";

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

/// A compiler that finds errors in these lines of the source.
GoldenCompilation errors_in(const std::string& text, const std::string& of) {
  std::string log;
  std::size_t line = 1;
  for (std::size_t at = 0; at < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (has(text.substr(at, end - at), of)) {
      log += "variants.cpp:" + std::to_string(line) + ":9: error: no such thing\n";
    }
    at = end + 1;
  }
  return {.done = log.empty(), .log = log};
}

TEST_CASE("the source of variants has the function, its variants and their table",
          "[variants][unit]") {
  const GoldenVariantSource made = golden_variant_source(kGolden);
  CHECK(made.problem.empty());
  CHECK(made.variants > 10);
  CHECK(has(made.text, "#include \"harness/golden/golden.h\"\n"));
  CHECK(has(made.text, "constexpr int twice ( int value )"));
  CHECK(has(made.text, "wg_at(in , i )"));
  CHECK(has(made.text, "wg_count = " + std::to_string(made.variants) + ";"));
}

TEST_CASE("changes that do not compile are left out", "[variants][unit]") {
  int runs = 0;
  const auto all = golden_variant_source(kGolden);
  const auto made = compile_golden_variants(kGolden, [&](const std::string& text) {
    ++runs;
    return errors_in(text, "/*change 3*/");
  });
  // The numbers are those of the list of all, so that the third one stays left out.
  CHECK(runs == 2);
  CHECK(made.problem.empty());
  CHECK(made.variants == all.variants - 1);
}

TEST_CASE("an error outside of the changes is the reason why there are no variants",
          "[variants][unit]") {
  const auto made = compile_golden_variants(
      kGolden, [](const std::string& text) { return errors_in(text, "constexpr int twice"); });
  CHECK(made.variants == 0);
  CHECK(made.problem == "the changed function does not compile: error: no such thing");
}

TEST_CASE("a source without a golden function has no variants", "[variants][unit]") {
  CHECK(golden_variant_source("int x = 1;\n").problem ==
        "it has no WARPGRADE_GOLDEN(call) { ... } that could be read");
  CHECK(golden_variant_source("WARPGRADE_GOLDEN(call) { throw 1; }\n").problem ==
        "nothing in it could be changed");
}

}  // namespace
}  // namespace warpgrade
