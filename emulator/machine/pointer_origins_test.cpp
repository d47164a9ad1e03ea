#include "emulator/machine/pointer_origins.h"

#include <catch2/catch_test_macros.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "emulator/ptx/testing.h"

namespace warpsim {
namespace {

/// What the address of the last load or store is computed from, as "in", "pair+8" or "table"; null:
/// it may be something else. The kernel has the parameters in, out, n and pair, of two pointers.
std::optional<std::set<std::string>> origins(const std::string& body) {
  const ptx::Module module = ptx::parse_module(
      ".global .align 4 .b32 table[8];\n"
      ".entry k(.param .u64 in, .param .u64 out, .param .u32 n, .param .align 8 .b8 pair[16])\n"
      "{\n.reg .pred %p<4>;\n.reg .b32 %r<10>;\n.reg .b64 %rd<10>;\n.reg .f64 %fd<4>;\n"
      "ld.param.u64 %rd1, [in];\nld.param.u64 %rd2, [out];\nld.param.u32 %r1, [n];\n" +
      body + "\nret;\n}\n");
  const ptx::Function& kernel = module.functions.front();
  const PointerOrigins found(kernel);
  const PointerOrigins::Set set =
      found.of_address(static_cast<std::uint32_t>(kernel.instructions.size() - 2));
  if ((set & PointerOrigins::kElsewhere) != 0) return std::nullopt;
  std::set<std::string> names;
  for (std::size_t i = 0; i < found.sources().size(); ++i) {
    if ((set >> i & 1) == 0) continue;
    const PointerOrigins::Source& source = found.sources()[i];
    std::string name(source.variable);
    if (name.empty()) name = kernel.parameters[source.parameter].name;
    if (source.offset != 0) name += "+" + std::to_string(source.offset);
    names.insert(name);
  }
  return names;
}

using Names = std::set<std::string>;

TEST_CASE("an address comes from the pointer that it is computed from", "[machine][unit]") {
  CHECK(origins("cvta.to.global.u64 %rd3, %rd1;\nmul.wide.s32 %rd4, %r1, 4;\n"
                "add.s64 %rd5, %rd3, %rd4;\nld.global.u32 %r2, [%rd5+8];") == Names{"in"});
  CHECK(origins("st.global.u32 [%rd2], %r1;") == Names{"out"});
  CHECK(origins("atom.global.add.u32 %r2, [%rd2], 1;") == Names{"out"});
  CHECK(origins("ld.param.u64 %rd3, [pair+8];\nld.global.u32 %r2, [%rd3];") == Names{"pair+8"});
  CHECK(origins("ld.global.u32 %r2, [table+4];") == Names{"table"});
  CHECK(origins("mov.u64 %rd3, table;\nmad.wide.s32 %rd4, %r1, 4, %rd3;\n"
                "st.global.u32 [%rd4], %r1;") == Names{"table"});
}

TEST_CASE("an address may come from each of several pointers", "[machine][unit]") {
  CHECK(origins("setp.gt.s32 %p1, %r1, 0;\nselp.b64 %rd3, %rd1, %rd2, %p1;\n"
                "ld.global.u32 %r2, [%rd3];") == Names{"in", "out"});
  CHECK(origins("again:\nmov.u64 %rd3, %rd1;\nmov.u64 %rd1, %rd2;\nmov.u64 %rd2, %rd3;\n"
                "@%p1 bra again;\nld.global.u32 %r2, [%rd1];") == Names{"in", "out"});
  CHECK(origins("ld.param.v2.u64 {%rd3, %rd4}, [pair];\nld.global.u32 %r2, [%rd4];") ==
        Names{"pair", "pair+8"});
}

TEST_CASE("an index of four bytes in memory is not a pointer, and one of eight may be one",
          "[machine][unit]") {
  const std::string add = "add.s64 %rd5, %rd1, %rd4;\nld.global.u32 %r3, [%rd5];";
  CHECK(origins("ld.global.u32 %r2, [%rd2];\nmul.wide.s32 %rd4, %r2, 4;\n" + add) == Names{"in"});
  CHECK(origins("ld.global.u64 %rd4, [%rd2];\n" + add) == std::nullopt);
  CHECK(origins("ld.global.f64 %fd1, [%rd2];\ncvt.rzi.s64.f64 %rd4, %fd1;\n" + add) == Names{"in"});
}

TEST_CASE("of a pointer from memory, a call or a parameter's address nothing is known",
          "[machine][unit]") {
  CHECK(origins("ld.global.u64 %rd3, [%rd1];\nld.global.u32 %r2, [%rd3];") == std::nullopt);
  CHECK(origins("mov.u64 %rd3, pair;\nadd.s64 %rd4, %rd3, 8;\nld.param.u64 %rd5, [%rd4];\n"
                "ld.global.u32 %r2, [%rd5];") == std::nullopt);
  // A pointer as two words.
  CHECK(origins("mov.b64 {%r2, %r3}, %rd1;\nmov.b64 %rd3, {%r2, %r3};\n"
                "ld.global.u32 %r4, [%rd3];") == Names{"in"});
}

}  // namespace
}  // namespace warpsim
