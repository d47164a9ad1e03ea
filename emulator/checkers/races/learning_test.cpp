#include "emulator/checkers/races/learning.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "emulator/ptx/testing.h"

namespace warpsim {
namespace {

bool synchronizes(const std::string& body) {
  const ptx::Module module = ptx::parse_module(
      ".entry k() { .reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .f32 %f<4>; .reg .pred %p<2>; " + body +
      " ret; }");
  return warpsim::synchronizes(module.functions.at(0));
}

}  // namespace

TEST_CASE("relaxed atomics, barriers of a block and plain accesses teach a block nothing of others",
          "[races][unit]") {
  CHECK(!synchronizes("red.global.add.f32 [%rd1], %f1;"));
  CHECK(!synchronizes("atom.relaxed.global.add.u32 %r1, [%rd1], %r2; st.global.u32 [%rd2], %r1;"));
  CHECK(!synchronizes("bar.sync 0; ld.global.u32 %r1, [%rd1]; add.cc.u32 %r1, %r1, %r2;"));
  CHECK(!synchronizes("shfl.sync.down.b32 %r1|%p1, %r2, 16, 31, -1;"));
}

TEST_CASE("fences and accesses that order others may teach a block of others", "[races][unit]") {
  CHECK(synchronizes("membar.gl; red.global.add.f32 [%rd1], %f1;"));
  CHECK(synchronizes("fence.acq_rel.gpu;"));
  CHECK(synchronizes("atom.acq_rel.gpu.global.add.u32 %r1, [%rd1], %r2;"));
  CHECK(synchronizes("red.release.gpu.global.add.u32 [%rd1], %r2;"));
  CHECK(synchronizes("ld.volatile.global.u32 %r1, [%rd1];"));
  CHECK(synchronizes("st.relaxed.gpu.global.u32 [%rd1], %r1;"));
}

}  // namespace warpsim
