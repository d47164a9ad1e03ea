#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "emulator/checkers/list.h"
#include "emulator/counters/cost_inputs.h"
#include "emulator/device/card.h"
#include "emulator/machine/launch.h"

// What a warp that is alone waits for, by the order of its instructions.

namespace warpsim {
namespace {

using Catch::Approx;

/// The cost model's inputs of one warp that runs `body`, where rd0 is the address of 4096 bytes.
CostInputs inputs_of(const std::string& body) {
  GlobalMemory memory{std::uint64_t{1} << 28};
  FindingLog findings;
  MachineOptions options;
  options.host_threads = 1;
  options.checks.counters = true;
  Machine machine{*find_card("h200"), memory, findings, options, all_checkers()};
  machine.load({.ptx = ".version 9.0\n.target sm_75\n.address_size 64\n"
                       ".entry k(.param .u64 out) {\n"
                       ".reg .b32 %r<9>; .reg .b64 %rd<4>; .reg .f32 %f<9>; .reg .pred %p<2>;\n"
                       ".shared .align 4 .b8 tile[128];\n"
                       "ld.param.u64 %rd0, [out];\n" +
                       body + "ret; }",
                .origin = "test.ptx"});
  auto* out = memory.allocate(4096, GlobalMemory::Kind::device, "out");
  const std::uint64_t address = out->base;
  const void* arguments[] = {&address};
  LaunchRequest request;
  request.kernel = machine.find_kernel("k");
  request.grid = {1, 1, 1};
  request.block = {32, 1, 1};
  request.arguments = arguments;
  REQUIRE(machine.launch(request).status == LaunchStatus::ok);
  return cost_inputs(machine.counters().front());
}

double waits(const std::string& body) {
  return inputs_of(body).load_waits;
}

const std::string kAddUp =
    "add.u32 %r4, %r0, %r1; add.u32 %r4, %r4, %r2; st.global.u32 [%rd0], %r4;\n";

}  // namespace

TEST_CASE("loads that need no other's result are waited for together", "[machine][cost][unit]") {
  CHECK(waits("ld.global.u32 %r0, [%rd0];\n"
              "ld.global.u32 %r1, [%rd0+128]; ld.global.u32 %r2, [%rd0+256];\n" +
              kAddUp) == Approx(1).epsilon(1e-3));
  // What is done with one before the next is loaded does not matter: ptxas moves loads up.
  CHECK(waits("ld.global.u32 %r0, [%rd0]; add.u32 %r3, %r0, 1;\n"
              "ld.global.u32 %r1, [%rd0+128]; add.u32 %r3, %r3, %r1; mov.u32 %r2, %r3;\n" +
              kAddUp) == Approx(1).epsilon(1e-3));
}

TEST_CASE("a load whose address another load gives is waited for by itself",
          "[machine][cost][unit]") {
  CHECK(waits("ld.global.u32 %r0, [%rd0]; and.b32 %r0, %r0, 124; cvt.u64.u32 %rd1, %r0;\n"
              "add.u64 %rd1, %rd0, %rd1; ld.global.u32 %r1, [%rd1]; mov.u32 %r2, 0;\n" +
              kAddUp) == Approx(2).epsilon(1e-3));
}

TEST_CASE("a load stays after a store to global memory, and after a barrier",
          "[machine][cost][unit]") {
  const std::string load = "ld.global.u32 %r1, [%rd0+128]; mov.u32 %r2, 0;\n";
  CHECK(waits("ld.global.u32 %r0, [%rd0]; st.global.u32 [%rd0+256], %r0;\n" + load + kAddUp) ==
        Approx(2).epsilon(1e-3));
  // Of what was not loaded: nothing is waited for.
  CHECK(waits("ld.global.u32 %r0, [%rd0]; st.global.u32 [%rd0+256], 1;\n" + load + kAddUp) ==
        Approx(1).epsilon(1e-3));
  CHECK(waits("ld.global.u32 %r0, [%rd0]; st.shared.u32 [tile], %r0; bar.sync 0;\n" + load +
              kAddUp) == Approx(2).epsilon(1e-3));
  CHECK(waits("ld.global.u32 %r0, [%rd0]; st.shared.u32 [tile], %r0;\n" + load + kAddUp) ==
        Approx(1).epsilon(1e-3));
}

TEST_CASE("a load that a loop polls with is waited for once for each look that counts",
          "[machine][cost][unit]") {
  // Lane 0 waits for what the other lanes store after many instructions.
  const std::string spin = R"(
    mov.u32 %r0, %laneid; setp.ne.u32 %p0, %r0, 0; @%p0 bra Late;
    Look: ld.volatile.global.u32 %r1, [%rd0]; setp.eq.u32 %p1, %r1, 0; @%p1 bra Look;
    bra.uni Done;
    Late: mov.u32 %r2, 0;
    Work: add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 20000; @%p1 bra Work;
    st.volatile.global.u32 [%rd0], 1;
    Done:
  )";
  // The near miss: a volatile load in a loop that ends by itself.
  const std::string loop = R"(
    mov.u32 %r0, 0;
    Next: ld.volatile.global.u32 %r1, [%rd0]; add.u32 %r0, %r0, 1; setp.lt.u32 %p1, %r0, 50;
    @%p1 bra Next;
  )";
  const CostInputs waiting = inputs_of(spin);
  CHECK(waiting.load_waits == Approx(waiting.global_load_requests).epsilon(1e-3));
  CHECK(waits(loop) == Approx(50).epsilon(1e-3));
}

TEST_CASE("loads behind short branches are waited for together, as ptxas predicates them",
          "[machine][cost][unit]") {
  // No lane takes the branches.
  const std::string lane = "mov.u32 %r3, %laneid; setp.ge.u32 %p0, %r3, 32;\n";
  const std::string first =
      "mov.u32 %r0, 0; @%p0 bra A; ld.global.u32 %r0, [%rd0]; add.u32 %r0, %r0, 1; A:\n";
  const std::string second =
      "mov.u32 %r1, 0; @%p0 bra B; ld.global.u32 %r1, [%rd0+128]; B: mov.u32 %r2, 0;\n";
  CHECK(waits(lane + first + second + kAddUp) == Approx(1).epsilon(1e-3));
  // Either side of an if with else; what comes after it, too.
  CHECK(waits(lane +
              "@%p0 bra Else; ld.global.u32 %r0, [%rd0]; add.u32 %r0, %r0, 1; bra.uni End;\n"
              "Else: ld.global.u32 %r0, [%rd0+128];\n"
              "End: ld.global.u32 %r1, [%rd0+256]; mov.u32 %r2, 0;\n" +
              kAddUp) == Approx(1).epsilon(1e-3));
  // A short branch within another.
  CHECK(waits(lane +
              "mov.u32 %r0, 0; mov.u32 %r1, 0; @%p0 bra Both; ld.global.u32 %r0, [%rd0];\n"
              "add.u32 %r0, %r0, 1; @%p0 bra Both; ld.global.u32 %r1, [%rd0+128];\n"
              "Both: mov.u32 %r2, 0;\n" +
              kAddUp) == Approx(1).epsilon(1e-3));
  // One that no lane executes is not waited for.
  CHECK(waits("mov.u32 %r3, 0; setp.eq.u32 %p0, %r3, 0;\n" + first + second + kAddUp) ==
        Approx(0).margin(1e-3));

  // The near misses: a condition that was loaded, a long branch, one with a barrier, and a loop.
  CHECK(waits(lane + first + "setp.eq.u32 %p0, %r0, 77;\n" + second + kAddUp) ==
        Approx(2).epsilon(1e-3));
  std::string many;
  for (int i = 0; i < 9; ++i) many += "mad.lo.u32 %r5, %r0, %r3, %r3;\n";
  for (const std::string& more : {many, std::string("bar.warp.sync -1;\n")}) {
    CHECK(waits(lane + "mov.u32 %r0, 0; @%p0 bra A; ld.global.u32 %r0, [%rd0];\n" + more +
                "add.u32 %r0, %r0, 1; A:\n" + second + kAddUp) == Approx(2).epsilon(1e-3));
  }
  CHECK(waits(lane +
              "mov.u32 %r4, 0; A: ld.global.u32 %r0, [%rd0]; add.u32 %r4, %r4, 1;\n"
              "setp.lt.u32 %p1, %r4, 2; @%p1 bra A;\n" +
              second + kAddUp) == Approx(3).epsilon(1e-3));
}

TEST_CASE("a warp waits where it needs a result, not where a basic block ends",
          "[machine][cost][unit]") {
  std::string many;
  for (int i = 0; i < 9; ++i) many += "mad.lo.u32 %r5, %r3, %r3, %r3;\n";
  const auto program = [&](const std::string& between) {
    return "mov.u32 %r3, %laneid; setp.ge.u32 %p0, %r3, 32; mov.u32 %r1, 0; mov.u32 %r2, 0;\n"
           "ld.global.u32 %r0, [%rd0];\n" +
           between + "@%p0 bra Late;\n" + many + "ld.global.u32 %r1, [%rd0+128];\nLate:\n" + kAddUp;
  };
  CHECK(waits(program("")) == Approx(1).epsilon(1e-3));
  // The near miss: the first block needs it.
  CHECK(waits(program("setp.eq.u32 %p0, %r0, 77;\n")) == Approx(2).epsilon(1e-3));
  // The wait is that of the load that is executed in any case: without the other it is the same.
  CHECK(waits(program("setp.lt.u32 %p0, %r3, 32;\n")) == Approx(1).epsilon(1e-3));
}

TEST_CASE("a path is as long as its longest chain of results, or as its instructions",
          "[machine][cost][unit]") {
  std::string chain = "mov.f32 %f0, 0f3F800000; mov.f32 %f1, 0f3F800000;\n";
  std::string apart = chain;
  for (int i = 0; i < 40; ++i) {
    chain += "fma.rn.f32 %f0, %f0, %f0, %f0;\n";
    apart += "fma.rn.f32 %f" + std::to_string(i % 8) + ", %f1, %f1, %f1;\n";
  }
  CHECK(inputs_of(chain).path_cycles == Approx(4 * 40).epsilon(0.05));
  // 40 instructions and the few around them.
  CHECK(inputs_of(apart).path_cycles == Approx(44).epsilon(0.1));
}

TEST_CASE("a warp that skips predicated instructions issues them, one that branches does not",
          "[machine][cost][unit]") {
  const auto cycles = [](int length, int skips) {
    std::string text = "mov.u32 %r3, " + std::to_string(skips) +
                       "; setp.ne.u32 %p0, %r3, 0; mov.f32 %f0, 0f3F800000; @%p0 bra End;\n";
    for (int i = 0; i < length; ++i) text += "fma.rn.f32 %f0, %f0, %f0, %f0;\n";
    return inputs_of(text + "End: st.global.f32 [%rd0], %f0;\n").path_cycles;
  };
  CHECK(cycles(8, 0) > 8 * 4);
  CHECK(cycles(8, 1) < 8 * 4);
  CHECK(cycles(8, 1) == Approx(cycles(4, 1) + 4).epsilon(1e-3));
  CHECK(cycles(40, 1) == Approx(cycles(30, 1)).epsilon(1e-3));
  CHECK(cycles(40, 0) > 40 * 4);
}

}  // namespace warpsim
