#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "emulator/checkers/list.h"
#include "emulator/machine/launch.h"

namespace warpsim {
namespace {

struct Outcome {
  std::vector<std::uint32_t> words;
  KernelCounters counters;
};

/// Runs a kernel whose body stores one 32-bit word per thread through %out, over `blocks` blocks.
Outcome run(const std::string& body, std::uint32_t blocks = 1, std::uint32_t threads = 32,
            std::uint64_t seed = 0) {
  GlobalMemory memory(std::uint64_t{1} << 24);
  FindingLog findings;
  MachineOptions options;
  options.seed = seed;
  Machine machine(default_card(), memory, findings, options, all_checkers());
  machine.load({.ptx = ".version 8.8\n.target sm_75\n.address_size 64\n"
                       ".visible .entry k(.param .u64 p, .param .u32 n)\n{\n"
                       ".reg .b64 %out, %rd<8>;\n.reg .b32 %r<32>;\n.reg .pred %q<4>;\n" +
                       body + "}\n",
                .origin = "decoder test"});
  GlobalMemory::Allocation* out =
      memory.allocate(std::uint64_t{4} * blocks * threads, GlobalMemory::Kind::device, "out");
  const std::uint64_t p = out->base;
  const std::uint32_t n = 7;
  const void* arguments[] = {&p, &n};
  LaunchRequest request;
  request.kernel = machine.find_kernel("k");
  request.grid = {blocks, 1, 1};
  request.block = {threads, 1, 1};
  request.arguments = arguments;
  REQUIRE(machine.launch(request).status == LaunchStatus::ok);
  CHECK(findings.size() == 0);
  Outcome outcome{std::vector<std::uint32_t>(std::size_t{blocks} * threads),
                  machine.counters().front()};
  std::memcpy(outcome.words.data(), out->host, outcome.words.size() * 4);
  return outcome;
}

/// %out = where the thread's word goes; 8 instructions.
const std::string kPlace =
    "ld.param.u64 %out, [p];\ncvta.to.global.u64 %out, %out;\nmov.u32 %r30, %ctaid.x;\n"
    "mov.u32 %r31, %ntid.x;\nmov.u32 %r29, %tid.x;\nmad.lo.u32 %r28, %r30, %r31, %r29;\n"
    "mul.wide.u32 %rd7, %r28, 4;\nadd.u64 %out, %out, %rd7;\n";

TEST_CASE("instructions that only name a value are counted like any other", "[decoder]") {
  const Outcome outcome =
      run(kPlace + "ld.param.u32 %r1, [n];\nst.global.u32 [%out], %r1;\nret;\n");
  CHECK(outcome.words == std::vector<std::uint32_t>(32, 7));
  CHECK(outcome.counters.totals.executed == 11);
}

TEST_CASE("a name in front of a label is counted only for those who pass it", "[decoder]") {
  // Half the lanes jump over the name; the other half runs it and both meet at the label.
  const Outcome outcome = run(
      kPlace +
      "setp.lt.u32 %q0, %r29, 16;\nmov.u32 %r1, 5;\n@%q0 bra MEET;\nld.param.u32 %r2, [n];\n"
      "mov.u32 %r3, %ntid.x;\nMEET:\nmov.u32 %r4, %laneid;\nst.global.u32 [%out], %r4;\nret;\n");
  CHECK(outcome.words[9] == 9);
  // 8 + setp, mov, bra + 2 of half a warp + mov, st, ret.
  CHECK(outcome.counters.totals.executed == 16);
  CHECK(outcome.counters.totals.threads == 14 * 32 + 2 * 16);
}

TEST_CASE("what is the same in every block is counted only for those who pass it", "[decoder]") {
  // The product is one of the thread's number: half the lanes jump over it.
  const Outcome outcome =
      run(kPlace +
              "mov.u32 %r5, 100;\nsetp.lt.u32 %q0, %r29, 16;\n@%q0 bra MEET;\n"
              "mul.lo.u32 %r1, %r29, 3;\nadd.u32 %r5, %r1, 1;\nMEET:\nst.global.u32 [%out], %r5;\n"
              "ret;\n",
          3);
  for (std::uint32_t i = 0; i < 96; ++i) {
    CHECK(outcome.words[i] == (i % 32 < 16 ? 100 : i % 32 * 3 + 1));
  }
  // 8 + mov, setp, bra + 2 of half a warp + st, ret.
  CHECK(outcome.counters.totals.executed == 3 * 15);
  CHECK(outcome.counters.totals.threads == 3 * (13 * 32 + 2 * 16));
}

TEST_CASE("what is the same in every block is counted before lanes part to meet others",
          "[decoder]") {
  // Each half of the warp meets by itself. With a seed nothing leaves its place in the code.
  const std::string body = kPlace +
                           "setp.lt.u32 %q0, %r29, 16;\nselp.b32 %r6, 0xffff, 0xffff0000, %q0;\n"
                           "mul.lo.u32 %r1, %r29, 3;\nbar.warp.sync %r6;\n"
                           "st.global.u32 [%out], %r1;\nret;\n";
  const Outcome outcome = run(body);
  const Outcome in_place = run(body, 1, 32, 1);
  CHECK(outcome.words == in_place.words);
  CHECK(outcome.words[20] == 60);
  CHECK(outcome.counters.totals.executed == in_place.counters.totals.executed);
  CHECK(outcome.counters.totals.threads == in_place.counters.totals.threads);
}

TEST_CASE("what a video instruction computes from the block's number differs by block",
          "[decoder]") {
  // Its operands have places of their own, and so may hide that one changes with the block.
  const Outcome outcome = run(kPlace +
                                  "vadd4.u32.u32.u32 %r1, %ctaid.x, %tid.x, %r9;\n"
                                  "vadd4.u32.u32.u32 %r2, %tid.x, %tid.x, %r9;\n"
                                  "mad.lo.u32 %r3, %r2, 1000, %r1;\nst.global.u32 [%out], %r3;\n"
                                  "ret;\n",
                              3);
  for (std::uint32_t i = 0; i < 96; ++i) {
    CHECK(outcome.words[i] == 2000 * (i % 32) + i / 32 + i % 32);
  }
}

TEST_CASE("a register that a loop writes again is not a name for its first value", "[decoder]") {
  const Outcome outcome =
      run(kPlace +
          "mov.u32 %r1, 0;\nmov.u32 %r2, 10;\nLOOP:\nadd.u32 %r1, %r1, %r2;\nadd.u32 %r2, %r2, "
          "-1;\nsetp.ne.u32 %q0, %r2, 0;\n@%q0 bra LOOP;\nst.global.u32 [%out], %r1;\nret;\n");
  CHECK(outcome.words == std::vector<std::uint32_t>(32, 55));
}

TEST_CASE("a register read before its only write in the code keeps its old value", "[decoder]") {
  // %r3 is written after its first use: the first round reads zero, the second seven.
  const Outcome outcome =
      run(kPlace +
              "mov.u32 %r1, 0;\nmov.u32 %r2, 0;\nLOOP:\nadd.u32 %r1, %r1, %r3;\nld.param.u32 %r3, "
              "[n];\nadd.u32 %r2, %r2, 1;\nsetp.lt.u32 %q0, %r2, 3;\n@%q0 bra LOOP;\n"
              "st.global.u32 [%out], %r1;\nret;\n",
          3);
  CHECK(outcome.words == std::vector<std::uint32_t>(96, 14));
}

TEST_CASE("a guarded copy leaves the other lanes' value alone", "[decoder]") {
  const Outcome outcome = run(kPlace +
                              "setp.lt.u32 %q0, %r29, 4;\nmov.u32 %r1, 1;\n@%q0 mov.u32 %r1, 2;\n"
                              "st.global.u32 [%out], %r1;\nret;\n");
  CHECK(outcome.words[3] == 2);
  CHECK(outcome.words[4] == 1);
}

TEST_CASE("values that live at the same time on different paths keep places of their own",
          "[decoder]") {
  // %r1 lives across a branch whose sides each use a register of their own.
  const Outcome outcome =
      run(kPlace +
          "add.u32 %r1, %r29, 100;\nsetp.lt.u32 %q0, %r29, 8;\n@%q0 bra LOW;\n"
          "mul.lo.u32 %r2, %r29, 3;\nadd.u32 %r5, %r2, %r1;\nbra MEET;\nLOW:\n"
          "mul.lo.u32 %r3, %r29, 5;\nadd.u32 %r5, %r3, %r1;\nMEET:\nadd.u32 %r6, %r5, %r1;\n"
          "st.global.u32 [%out], %r6;\nret;\n");
  for (std::uint32_t t = 0; t < 32; ++t) {
    CHECK(outcome.words[t] == t * (t < 8 ? 5 : 3) + 2 * (t + 100));
  }
}

}  // namespace
}  // namespace warpsim
