#include "emulator/tests/golden_runner/runner.h"

#include <catch2/catch_test_macros.hpp>

namespace warpsim::golden {
namespace {

Outcome run(const std::string& text) {
  const auto backend = make_emulator_backend();
  return run_forms(parse_form_file("x.golden", text), *backend);
}

TEST_CASE("a right golden passes and counts its forms", "[golden][unit]") {
  const Outcome outcome =
      run("form add.{s32,u32} %d, %a, %b; a:b32 b:b32 -> d:b32\n"
          "1 2 -> 3\n");
  CHECK(outcome.ran == 2);
  CHECK(outcome.failures.empty());
}

TEST_CASE("a wrong result is reported with lane, inputs and both values", "[golden][unit]") {
  const Outcome outcome =
      run("form add.s32 %d, %a, %b; a:s32 b:s32 -> d:s32\n"
          "1 2 -> 3\n"
          "1 3 -> 3\n");
  REQUIRE_FALSE(outcome.failures.empty());
  CHECK(outcome.failures[0] ==
        "x.golden:3: add.s32 %d, %a, %b;\n"
        "  lane 1 of 0xffffffff, a = 0x00000001 (1), b = 0x00000003 (3): "
        "d is 0x00000004 (4) instead of 0x00000003 (3)");
}

TEST_CASE("a wrong column is the fault of its form alone", "[golden][unit]") {
  const Outcome outcome =
      run("form {add,sub}.s32 %d, %a, %b; a:s32 b:s32 -> d:s32\n"
          "5 3 -> 8 | 3\n");
  REQUIRE_FALSE(outcome.failures.empty());
  for (const std::string& failure : outcome.failures) {
    CHECK(failure.starts_with("x.golden:2: sub.s32 %d, %a, %b;"));
  }
}

TEST_CASE("lanes that are off must keep their outputs", "[golden][unit]") {
  // The expectation names lane 1, which is off, as if it had run: it holds what it held before.
  const Outcome outcome =
      run("form mov.u32 %a, %laneid; a:u32 -> a:u32 warp\n"
          "active = 1\n"
          "a = 9*32\n"
          "a = 0*32\n");
  CHECK(outcome.failures.empty());
}

TEST_CASE("an instruction that the table does not know fails its form", "[golden][unit]") {
  const Outcome outcome =
      run("form frobnicate.s32 %d, %a; a:s32 -> d:s32\n"
          "1 -> 1\n"
          "\n"
          "form mov.b32 %d, %a; a:b32 -> d:b32\n"
          "1 -> 1\n");
  CHECK(outcome.ran == 2);
  REQUIRE(outcome.failures.size() == 1);
  CHECK(outcome.failures[0].starts_with("x.golden:1: frobnicate.s32 %d, %a;: "));
}

TEST_CASE("a module's launches are compared buffer by buffer", "[golden][unit]") {
  const auto backend = make_emulator_backend();
  const Outcome outcome = run_module(parse_module_file("x.ptx",
                                                       "// run: k block=2\n"
                                                       "// inout: u32 5 6 = 6 9\n"
                                                       "// arg: u32 1\n"
                                                       ".version 8.6\n"
                                                       ".target sm_90\n"
                                                       ".address_size 64\n"
                                                       ".visible .entry k(.param .u64 p,\n"
                                                       "  .param .u32 n) {\n"
                                                       "  .reg .b64 %a, %o;\n"
                                                       "  .reg .b32 %v, %n, %t;\n"
                                                       "  ld.param.u64 %a, [p];\n"
                                                       "  ld.param.u32 %n, [n];\n"
                                                       "  mov.u32 %t, %tid.x;\n"
                                                       "  mad.wide.u32 %a, %t, 4, %a;\n"
                                                       "  ld.global.u32 %v, [%a];\n"
                                                       "  add.u32 %v, %v, %n;\n"
                                                       "  st.global.u32 [%a], %v;\n"
                                                       "  ret;\n"
                                                       "}\n"),
                                     *backend);
  CHECK(outcome.ran == 1);
  REQUIRE(outcome.failures.size() == 1);
  CHECK(outcome.failures[0] == "x.ptx:2: k: element 1 is 0x00000007 instead of 0x00000009");
}

}  // namespace
}  // namespace warpsim::golden
