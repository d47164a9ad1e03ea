#include "emulator/tests/golden_runner/form_file.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <stdexcept>

#include "emulator/tests/golden_runner/form_module.h"

namespace warpsim::golden {
namespace {

using Catch::Matchers::Message;

void check_error(const std::string& text, const std::string& message) {
  CHECK_THROWS_MATCHES(parse_form_file("x.golden", text), std::runtime_error, Message(message));
}

TEST_CASE("a form has a signature and vectors", "[golden][unit]") {
  const FormFile file = parse_form_file("x.golden",
                                        "# comment\n"
                                        "form add.s32 %d, %a, %b;  a:s32 b:s32 -> d:s32\n"
                                        "1 -2 -> -1  # why\n"
                                        "\n"
                                        "3 4 -> 7\n");
  REQUIRE(file.forms.size() == 1);
  const Form& form = file.forms[0];
  CHECK(form.instructions == "add.s32 %d, %a, %b;");
  CHECK(form.inputs.size() == 2);
  CHECK(form.outputs[0].name == "d");
  REQUIRE(form.cases[0].vectors.size() == 2);
  CHECK(form.cases[0].vectors[0].inputs[1] == 0xfffffffe);
  CHECK(form.cases[0].vectors[1].line == 5);
  CHECK(form.target == Target{});
}

TEST_CASE("a line that starts with white space continues the one before", "[golden][unit]") {
  const FormFile file = parse_form_file("x.golden",
                                        "form mov.b32 %d, %a;\n"
                                        "    a:b32 -> d:b32\n"
                                        "1 -> 1\n");
  CHECK(file.forms[0].inputs.size() == 1);
}

TEST_CASE("columns belong to the alternatives of the first brace", "[golden][unit]") {
  const FormFile file =
      parse_form_file("x.golden",
                      "form {min,max}.{s32,u32} %d, %a, %b; a:s32 b:s32 -> d:s32\n"
                      "1 2 -> 1 | 2\n");
  CHECK(file.forms[0].cases[0].vectors[0].columns.size() == 2);
  const auto list = entries(file.forms[0], 0);
  REQUIRE(list.size() == 4);
  CHECK(list[1].instructions == "min.u32 %d, %a, %b;");
  CHECK(list[1].column == 0);
  CHECK(list[2].column == 1);
}

TEST_CASE("options and targets hold for the forms below them", "[golden][unit]") {
  const FormFile file = parse_form_file("x.golden",
                                        "target sm_100 8.8\n"
                                        "form x.f32 %d, %a; a:f32 -> d:f32 ulp 2 abs 1e-3\n"
                                        "1.0 -> 1.0\n");
  CHECK(file.forms[0].target == Target{"sm_100", "8.8"});
  CHECK(file.forms[0].tolerance.ulp == 2);
  CHECK(file.forms[0].tolerance.abs == 1e-3);
}

TEST_CASE("a warp form gives each register in all lanes", "[golden][unit]") {
  const FormFile file = parse_form_file("x.golden",
                                        "form x %d, %a; a:b32 -> d:b32 warp\n"
                                        "a = 0..31\n"
                                        "d = 7*32\n"
                                        "\n"
                                        "active = 0xffff\n"
                                        "a = 31..0\n"
                                        "d = 0..31\n");
  const Form& form = file.forms[0];
  REQUIRE(form.cases.size() == 2);
  CHECK(form.cases[0].active == 0xffffffff);
  CHECK(form.cases[1].active == 0x0000ffff);
  CHECK(form.cases[1].vectors[0].inputs[0] == 31);
}

TEST_CASE("mistakes in golden files are named with their line", "[golden][unit]") {
  const std::string form = "form add.s32 %d, %a, %b; a:s32 b:s32 -> d:s32\n";
  check_error("", "x.golden:0: no form");
  check_error("1 -> 2\n", "x.golden:1: '1 -> 2' stands before the first form");
  check_error(form, "x.golden:1: no vectors for 'add.s32 %d, %a, %b;'");
  check_error(form + "1 -> 2\n", "x.golden:2: 1 inputs instead of 2");
  check_error(form + "1 2 -> 3 4\n", "x.golden:2: 2 outputs instead of 1");
  check_error(form + "1 2 -> 3 | 4\n", "x.golden:2: 2 columns instead of 1");
  check_error(form + "1 2 3\n", "x.golden:2: a vector without '->'");
  check_error(form + "1 x -> 3\n", "x.golden:2: 'x' is not a value of type s32");
  check_error("form add.s32 %d\n", "x.golden:1: a form without ';'");
  check_error("form add.s32 %d; d:s32\n", "x.golden:1: a form without outputs");
  check_error("form add.s32 %d; -> d\n", "x.golden:1: 'd' is not a name:type");
  check_error("form add.s32 %d; -> d:int\n", "x.golden:1: 'd:int' has no type that is known");
  check_error("target sm_90\n", "x.golden:1: expected 'target sm_90 8.6'");
}

TEST_CASE("a warp form with missing or extra values is an error", "[golden][unit]") {
  const std::string form = "form x %d, %a; a:b32 -> d:b32 warp\n";
  check_error(form + "a = 0..31\n", "x.golden:2: d has no values");
  check_error(form + "a = 0..30\n", "x.golden:2: 31 values instead of 32");
  check_error(form + "b = 0..31\n", "x.golden:2: 'b' is not a register that still needs values");
  check_error(form + "a = 0*32\na = 0*32\n",
              "x.golden:3: 'a' is not a register that still needs values");
}

}  // namespace
}  // namespace warpsim::golden
