#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "emulator/tests/support/one_instruction.h"

namespace warpsim {
namespace {

using Catch::Matchers::ContainsSubstring;

TEST_CASE("fifth-generation matrix instructions are refused by name", "[emulator][isa][refused]") {
  CHECK_THAT((refusal_of<std::uint32_t, std::uint32_t>("tcgen05.fence::before_thread_sync;")),
             ContainsSubstring("tcgen05") && ContainsSubstring("10.0"));
}

TEST_CASE("scalar video instructions are refused by name", "[emulator][isa][refused]") {
  CHECK_THAT((refusal_of<std::uint32_t, std::uint32_t>("vabsdiff.u32.u32.u32.add %d, %a, %a, %a;")),
             ContainsSubstring("vabsdiff.u32.u32.u32.add") && ContainsSubstring("scalar video"));
}

TEST_CASE("sparse matrices and narrow shapes say why they are refused",
          "[emulator][isa][refused]") {
  CHECK_THAT((refusal_of<std::uint32_t, std::uint32_t>(
                 "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%d, %d, %d, %d}, {%a, %a}, "
                 "{%a, %a}, {%a, %a, %a, %a}, %a, 0x0;")),
             ContainsSubstring("sparse"));
  CHECK_THAT((refusal_of<std::uint32_t, std::uint32_t>(
                 "wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {%d, %d, %d, %d}, 0, 0, %a, "
                 "0x0, 1, 1, 1, 0, 0;")),
             ContainsSubstring("sparse"));
  CHECK_THAT((refusal_of<std::uint32_t, std::uint32_t>(
                 "wgmma.mma_async.sync.aligned.m64n12k16.f32.f16.f16 {%d, %d, %d, %d, %d, %d}, 0, "
                 "0, 1, 1, 1, 0, 0;")),
             ContainsSubstring("shape for this element type"));
  CHECK_THAT((refusal_of<std::uint32_t, std::uint32_t>(
                 "mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e4m3.e4m3.f32 {%d, %d, %d, "
                 "%d}, {%a, %a, %a, %a}, {%a, %a}, {%a, %a, %a, %a};")),
             ContainsSubstring("kind::f8f6f4") && ContainsSubstring("12.0"));
  CHECK_THAT((refusal_of<std::uint32_t, std::uint32_t>(
                 "mma.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%d, %d, %d, %d}, {%a, %a, %a, "
                 "%a}, {%a, %a}, {%a, %a, %a, %a};")),
             ContainsSubstring("shape for this element type"));
  CHECK_THAT((refusal_of<std::uint32_t, std::uint32_t>(
                 "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%d, %d, %d, %d}, {%a, %a}, "
                 "{%a, %a}, {%a, %a, %a, %a};")),
             ContainsSubstring("operand 2 has 2 registers instead of 4"));
}

TEST_CASE("a predicate is refused where a value belongs, and a value where a predicate belongs",
          "[emulator][isa][refused]") {
  const auto refusal = [](const std::string& instruction) {
    return refusal_of<std::uint32_t, std::uint32_t>("{ .reg .pred %q; " + instruction + " }");
  };
  CHECK_THAT(refusal("add.u32 %d, %q, %a;"), ContainsSubstring("a predicate where a value"));
  CHECK_THAT(refusal("mov.u32 %q, %a;"), ContainsSubstring("a predicate where a value"));
  CHECK_THAT(refusal("ld.global.u32 %d, [%q];"), ContainsSubstring("a predicate where a value"));
  CHECK_THAT(refusal("selp.u32 %d, %a, %a, %a;"), ContainsSubstring("a value where a predicate"));
  CHECK_THAT(refusal("setp.eq.u32 %d, %a, %a;"), ContainsSubstring("a value where a predicate"));
  CHECK(refusal("setp.eq.u32 %q, %a, %a; selp.u32 %d, %a, 0, %q;").empty());
}

TEST_CASE("atomics on vectors that are not sums in global memory of up to 16 bytes are refused",
          "[emulator][isa][refused]") {
  const auto refusal = [](const std::string& instruction) {
    return refusal_of<float, float>("{ .reg .b64 %p; mov.u64 %p, 0; " + instruction + " }");
  };
  CHECK_THAT(refusal("atom.shared.add.v2.f32 {%d, %d}, [%p], {%a, %a};"),
             ContainsSubstring("an atomic on a vector"));
  CHECK_THAT(refusal("atom.global.exch.v2.f32 {%d, %d}, [%p], {%a, %a};"),
             ContainsSubstring("an atomic on a vector"));
  CHECK_THAT(refusal("red.global.add.v4.f32 [%p], {%a, %a};"),
             ContainsSubstring("vector operand of another length"));
  CHECK_THAT(refusal("red.global.add.v8.f32 [%p], {%a, %a, %a, %a, %a, %a, %a, %a};"),
             ContainsSubstring("more than 16 bytes"));
}

TEST_CASE("arithmetic of later cards is refused with the card that has it, near forms are not",
          "[emulator][isa][refused]") {
  CHECK_THAT((refusal_of<float, std::uint16_t, float>("add.f32.f16 %d, %a, %b;")),
             ContainsSubstring("mixed precision"));
  CHECK_THAT(
      (refusal_of<float, std::uint16_t, std::uint16_t, float>("fma.rn.f32.bf16 %d, %a, %b, %c;")),
      ContainsSubstring("mixed precision"));
  CHECK_THAT((refusal_of<std::uint16_t, std::uint16_t, std::uint16_t, std::uint16_t>(
                 "fma.rn.oob.f16 %d, %a, %b, %c;")),
             ContainsSubstring("out of bounds"));
  CHECK_THAT(
      (refusal_of<std::uint32_t, float, float, std::uint32_t>("cvt.rs.f16x2.f32 %d, %a, %b, %c;")),
      ContainsSubstring("stochastic"));
  CHECK_THAT((refusal_of<std::uint16_t, float, float>("cvt.rn.satfinite.e2m3x2.f32 %d, %a, %b;")),
             ContainsSubstring("this type"));
  CHECK_THAT((refusal_of<float, float>("redux.sync.min.f32 %d, %a, -1;")),
             ContainsSubstring("reductions of f32"));
  CHECK((refusal_of<float, float, float>("add.f32 %d, %a, %b;")).empty());
  CHECK_THAT((refusal_of<float, float, float>("add.nonsense.f32 %d, %a, %b;")),
             ContainsSubstring("nonsense"));
}

}  // namespace
}  // namespace warpsim
