#include "emulator/machine/paths.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "emulator/ptx/testing.h"

namespace warpsim {
namespace {

/// Index of the `nth` instruction with this opcode.
std::uint32_t find(const ptx::Function& function, std::string_view opcode, int nth = 0) {
  for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
    if (function.instructions[i].opcode == opcode && nth-- == 0) return i;
  }
  FAIL("no such instruction");
  return 0;
}

/// A store and a load in a loop, with barriers where the test wants them.
ptx::Module loop(const std::string& behind_store, const std::string& behind_load) {
  return ptx::parse_in_entry(".shared .b32 s;\nagain:\nst.shared.b32 [s], %r0;\n" + behind_store +
                             "ld.shared.b32 %r1, [s];\n" + behind_load +
                             "setp.lt.s32 %p0, %r1, 3;\n@%p0 bra again;\nret;\n");
}

constexpr const char* kBarrier = "bar.sync 0;\n";

TEST_CASE("a barrier on the only way keeps two accesses apart", "[paths]") {
  const ptx::Module module = loop(kBarrier, kBarrier);
  const ptx::Function& k = module.functions.at(0);
  CHECK_FALSE(reaches_without_barrier(k, find(k, "st"), find(k, "ld")));
  CHECK_FALSE(reaches_without_barrier(k, find(k, "ld"), find(k, "st")));
}

TEST_CASE("a missing barrier shows in its own direction only", "[paths]") {
  const ptx::Module first = loop("", kBarrier);
  const ptx::Function& no_first = first.functions.at(0);
  CHECK(reaches_without_barrier(no_first, find(no_first, "st"), find(no_first, "ld")));
  CHECK_FALSE(reaches_without_barrier(no_first, find(no_first, "ld"), find(no_first, "st")));
  const ptx::Module second = loop(kBarrier, "");
  const ptx::Function& no_second = second.functions.at(0);
  CHECK_FALSE(reaches_without_barrier(no_second, find(no_second, "st"), find(no_second, "ld")));
  CHECK(reaches_without_barrier(no_second, find(no_second, "ld"), find(no_second, "st")));
}

TEST_CASE("waiting for the warp, or only arriving, is not waiting for the block", "[paths]") {
  const ptx::Module module = loop("bar.warp.sync -1;\n", "bar.arrive 1, 64;\n");
  const ptx::Function& k = module.functions.at(0);
  CHECK(reaches_without_barrier(k, find(k, "st"), find(k, "ld")));
  CHECK(reaches_without_barrier(k, find(k, "ld"), find(k, "st")));
}

TEST_CASE("an instruction reaches itself around the loop, and nothing after the end", "[paths]") {
  const ptx::Module module = loop("", "");
  const ptx::Function& k = module.functions.at(0);
  CHECK(reaches_without_barrier(k, find(k, "st"), find(k, "st")));
  CHECK_FALSE(reaches_without_barrier(k, find(k, "ret"), find(k, "st")));
}

}  // namespace
}  // namespace warpsim
