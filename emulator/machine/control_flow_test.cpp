#include "emulator/machine/control_flow.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

namespace warpsim {
namespace {

ptx::Module module_of(const std::string& body) {
  ptx::ParseError error;
  auto module = ptx::parse(
      ".version 9.0\n.target sm_75\n.address_size 64\n.entry k(.param .u32 n) {\n"
      ".reg .b32 %r<9>; .reg .pred %p<4>;\nmov.u32 %r0, %tid.x; ld.param.u32 %r1, [n];\n" +
          body + "\nret; }",
      error);
  REQUIRE(module);
  return std::move(*module);
}

/// The block of the instruction that writes %r<number>.
std::uint32_t block_writing(const ptx::Function& function, const ControlFlow& flow,
                            const char* name) {
  for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
    const auto& operands = function.instructions[i].operands;
    if (operands.empty() || operands[0].reg == ptx::kNoIndex) continue;
    if (function.registers[operands[0].reg].name == name) return flow.block_of(i);
  }
  FAIL("nothing writes " << name);
  return 0;
}

TEST_CASE("what only some threads come to lies between blocks where all meet",
          "[machine][control-flow]") {
  const ptx::Module module = module_of(
      "setp.lt.u32 %p0, %r0, 7; @!%p0 bra after;\n"
      "mov.u32 %r2, 1;\n"
      "after: mov.u32 %r3, 2;");
  const ptx::Function& function = module.functions.front();
  const ControlFlow flow(function, true);
  const std::uint32_t some = block_writing(function, flow, "%r2");
  const std::uint32_t all = block_writing(function, flow, "%r3");
  CHECK_FALSE(flow.is_uniform(some));
  CHECK(flow.is_uniform(all));
  CHECK(flow.uniform_behind(some) == all);
  CHECK(flow.uniform_before(some) == flow.block_of(0));
  CHECK(flow.uniform_behind(all) == all);
}

TEST_CASE("a branch that a parameter decides parts no threads", "[machine][control-flow]") {
  const ptx::Module module = module_of(
      "setp.lt.u32 %p0, %r1, 7; @!%p0 bra after;\n"
      "mov.u32 %r2, 1;\n"
      "after: mov.u32 %r3, 2;");
  const ptx::Function& function = module.functions.front();
  const ControlFlow flow(function, true);
  CHECK(flow.is_uniform(block_writing(function, flow, "%r2")));
}

TEST_CASE("of a loop with trips by thread all meet in front of it and behind it",
          "[machine][control-flow]") {
  const ptx::Module module = module_of(
      "mov.u32 %r2, %r0;\n"
      "loop: add.u32 %r4, %r2, 1;\n"
      "add.u32 %r2, %r2, 32; setp.lt.u32 %p0, %r2, %r1; @%p0 bra loop;\n"
      "mov.u32 %r3, 2;");
  const ptx::Function& function = module.functions.front();
  const ControlFlow flow(function, true);
  const std::uint32_t body = block_writing(function, flow, "%r4");
  CHECK_FALSE(flow.is_uniform(body));
  CHECK(flow.uniform_before(body) == flow.block_of(0));
  CHECK(flow.uniform_behind(body) == block_writing(function, flow, "%r3"));
}

TEST_CASE("threads that leave early part the others only where ends count",
          "[machine][control-flow]") {
  const ptx::Module module = module_of(
      "setp.ge.u32 %p0, %r0, %r1; @%p0 bra done;\n"
      "mov.u32 %r2, 1;\n"
      "done:");
  const ptx::Function& function = module.functions.front();
  const ControlFlow strict(function, true);
  const std::uint32_t rest = block_writing(function, strict, "%r2");
  CHECK_FALSE(strict.is_uniform(rest));
  const ControlFlow without_ends(function, false);
  CHECK(without_ends.is_uniform(rest));
}

TEST_CASE("a loop that ends the function is still one with trips by thread",
          "[machine][control-flow]") {
  // Two loops over the same trips, as the compiler joins their guards.
  const ptx::Module module = module_of(
      "setp.ge.u32 %p0, %r0, %r1; @%p0 bra done;\n"
      "mov.u32 %r2, %r0;\n"
      "first: add.u32 %r4, %r2, 1;\n"
      "add.u32 %r2, %r2, 32; setp.lt.u32 %p1, %r2, %r1; @%p1 bra first;\n"
      "mov.u32 %r3, %r0;\n"
      "second: add.u32 %r5, %r3, 1;\n"
      "add.u32 %r3, %r3, 32; setp.lt.u32 %p2, %r3, %r1; @%p2 bra second;\n"
      "done:");
  const ptx::Function& function = module.functions.front();
  const ControlFlow flow(function, false);
  const std::uint32_t first = block_writing(function, flow, "%r4");
  const std::uint32_t second = block_writing(function, flow, "%r5");
  CHECK_FALSE(flow.is_uniform(first));
  CHECK_FALSE(flow.is_uniform(second));
  CHECK(flow.uniform_behind(first) == block_writing(function, flow, "%r3"));
  CHECK(flow.uniform_before(second) == flow.uniform_behind(first));
}

TEST_CASE("a function of many blocks is left alone", "[machine][control-flow]") {
  std::string body;
  for (int i = 0; i < 2100; ++i) {
    body += "@%p0 bra l" + std::to_string(i) + ";\nl" + std::to_string(i) + ": mov.u32 %r2, 1;\n";
  }
  const ptx::Module module = module_of(body);
  CHECK(ControlFlow(module.functions.front(), true).too_large());
}

TEST_CASE("a loop that nothing ends has no place behind it", "[machine][control-flow]") {
  const ptx::Module module = module_of(
      "setp.lt.u32 %p0, %r0, 7; @!%p0 bra after;\n"
      "loop: mov.u32 %r2, 1; bra loop;\n"
      "after: mov.u32 %r3, 2;");
  const ptx::Function& function = module.functions.front();
  const ControlFlow flow(function, true);
  const std::uint32_t body = block_writing(function, flow, "%r2");
  CHECK(flow.uniform_behind(body) == ControlFlow::kNone);
}

}  // namespace
}  // namespace warpsim
