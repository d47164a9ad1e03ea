#include "emulator/checkers/read_only/address_sources.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "emulator/ptx/testing.h"

namespace warpsim {
namespace {

constexpr AddressSources kIn = 1, kOut = 2, kCount = 4;

/// Of a kernel with the parameters in, out and n, whose values are in %rd1, %rd2 and %r1.
GlobalAddresses addresses(const std::string& body) {
  const ptx::Module module = ptx::parse_module(
      ".global .align 4 .b32 table[8];\n"
      ".entry k(.param .u64 in, .param .u64 out, .param .u32 n)\n{\n.reg .pred %p<4>;\n"
      ".reg .b32 %r<10>;\n.reg .b64 %rd<10>;\n.reg .f64 %fd<4>;\n"
      "ld.param.u64 %rd1, [in];\nld.param.u64 %rd2, [out];\nld.param.u32 %r1, [n];\n" +
      body + "\nret;\n}\n");
  return global_addresses(module.functions.front());
}

TEST_CASE("a read-only load and a store name the parameters of their addresses",
          "[read-only][unit]") {
  CHECK(addresses("cvta.to.global.u64 %rd3, %rd1;\nmul.wide.s32 %rd4, %r1, 4;\n"
                  "add.s64 %rd5, %rd3, %rd4;\nld.global.nc.u32 %r2, [%rd5];\n"
                  "st.global.u32 [%rd2+8], %r2;") ==
        GlobalAddresses{.read_only = kIn | kCount, .written = kOut});
  CHECK(addresses("ldu.global.u32 %r2, [%rd1];\natom.global.add.u32 %r3, [%rd2], 1;\n"
                  "red.global.add.u32 [%rd1], 1;") ==
        GlobalAddresses{.read_only = kIn, .written = kIn | kOut});
}

TEST_CASE("a kernel without read-only loads has no sources", "[read-only][unit]") {
  CHECK(addresses("ld.global.u32 %r2, [%rd1];\nst.global.u32 [%rd2], %r2;") == GlobalAddresses{});
}

TEST_CASE("a pointer that changes its array in a loop comes from both", "[read-only][unit]") {
  CHECK(addresses("again:\nld.global.nc.u32 %r2, [%rd1];\nmov.u64 %rd3, %rd1;\n"
                  "mov.u64 %rd1, %rd2;\nmov.u64 %rd2, %rd3;\nst.global.u32 [%rd2], %r2;\n"
                  "setp.ne.u32 %p1, %r2, 0;\n@%p1 bra again;") ==
        GlobalAddresses{.read_only = kIn | kOut, .written = kIn | kOut});
}

TEST_CASE("an index from memory is not a source, and a pointer from memory may be any",
          "[read-only][unit]") {
  CHECK(addresses("ld.global.nc.u32 %r2, [%rd1];\nmul.wide.s32 %rd4, %r2, 4;\n"
                  "add.s64 %rd5, %rd2, %rd4;\nst.global.u32 [%rd5], %r2;") ==
        GlobalAddresses{.read_only = kIn, .written = kOut});
  CHECK(addresses("ld.global.nc.u64 %rd3, [%rd1];\nst.global.u32 [%rd3], %r1;") ==
        GlobalAddresses{.read_only = kIn, .written = kElsewhere});
  CHECK(addresses("ld.global.nc.u32 %r2, [table];\nst.global.u32 [%rd2], %r2;") ==
        GlobalAddresses{.read_only = kElsewhere, .written = kOut});
}

TEST_CASE("stores to shared memory reach no array", "[read-only][unit]") {
  CHECK(addresses("ld.global.nc.u32 %r2, [%rd1];\nst.shared.u32 [%r1], %r2;") ==
        GlobalAddresses{.read_only = kIn, .written = 0});
}

}  // namespace
}  // namespace warpsim
