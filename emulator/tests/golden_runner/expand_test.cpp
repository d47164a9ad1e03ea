#include "emulator/tests/golden_runner/expand.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <stdexcept>

namespace warpsim::golden {
namespace {

std::vector<std::string> texts(std::string_view instructions) {
  std::vector<std::string> result;
  for (const Expansion& expansion : expand(instructions)) result.push_back(expansion.text);
  return result;
}

TEST_CASE("a text without braces is one form", "[golden][unit]") {
  CHECK(texts("add.s32 d, a, b") == std::vector<std::string>{"add.s32 d, a, b"});
  CHECK(first_brace_size("add.s32 d, a, b") == 1);
}

TEST_CASE("a brace behind a dot lists alternatives", "[golden][unit]") {
  CHECK(texts("mul.{lo,hi}.u32 d, a, b") ==
        std::vector<std::string>{"mul.lo.u32 d, a, b", "mul.hi.u32 d, a, b"});
}

TEST_CASE("a brace of dotted names may be left out", "[golden][unit]") {
  CHECK(texts("add{.rn,.rz}.f32") ==
        std::vector<std::string>{"add.f32", "add.rn.f32", "add.rz.f32"});
}

TEST_CASE("a whole opcode may be a brace", "[golden][unit]") {
  CHECK(texts("{min,max}.s32 d") == std::vector<std::string>{"min.s32 d", "max.s32 d"});
}

TEST_CASE("braces multiply and the first one chooses the column", "[golden][unit]") {
  const auto forms = expand("x.{a,b}{.c}; y.{d,e}");
  REQUIRE(forms.size() == 8);
  CHECK(forms.front().text == "x.a; y.d");
  CHECK(forms.back().text == "x.b.c; y.e");
  CHECK(forms.front().first_choice == 0);
  CHECK(forms.back().first_choice == 1);
  CHECK(first_brace_size("x.{a,b}{.c}; y.{d,e}") == 2);
}

TEST_CASE("braces of vector operands are left alone", "[golden][unit]") {
  CHECK(texts("mov.b64 {%d, %e}, %a;") == std::vector<std::string>{"mov.b64 {%d, %e}, %a;"});
  CHECK(texts("@%p mov.b64 %d, {%a, %b};").size() == 1);
}

TEST_CASE("a brace that is never closed is an error", "[golden][unit]") {
  CHECK_THROWS_MATCHES(expand("add.{s32"), std::runtime_error,
                       Catch::Matchers::Message("'{' is never closed in 'add.{s32'"));
}

TEST_CASE("opcodes are found behind guards and semicolons", "[golden][unit]") {
  CHECK(opcodes("add.cc.u32 %d, %a, %b; @!%p addc.u32 %e, 0, 0;") ==
        std::vector<std::string>{"add.cc.u32", "addc.u32"});
}

}  // namespace
}  // namespace warpsim::golden
