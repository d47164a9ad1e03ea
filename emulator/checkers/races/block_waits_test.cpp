#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "emulator/checkers/list.h"
#include "emulator/machine/launch.h"

namespace warpsim {
namespace {

/// Findings of a kernel in which each block waits for the block before it, with more blocks than
/// the card holds.
/// @param first  what it does before that
std::vector<Finding> findings_of(const std::string& first) {
  GlobalMemory memory(std::uint64_t{1} << 24);
  FindingLog findings;
  MachineOptions options;
  options.host_threads = 1;
  Machine machine(default_card(), memory, findings, options, all_checkers());
  machine.load(
      {.ptx = ".version 8.8\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"
              ".reg .b64 %rd<6>;\n.reg .b32 %r<6>;\n.reg .pred %p<2>;\n" +
              first +
              "ld.param.u64 %rd1, [p];\ncvta.to.global.u64 %rd1, %rd1;\nmov.u32 %r1, %ctaid.x;\n"
              "mul.wide.u32 %rd2, %r1, 4;\nadd.u64 %rd2, %rd1, %rd2;\nsetp.eq.u32 %p0, %r1, 0;\n"
              "@%p0 bra DONE;\nAGAIN:\nld.volatile.global.u32 %r2, [%rd2+-4];\n"
              "setp.eq.u32 %p1, %r2, 0;\n@%p1 bra AGAIN;\nDONE:\nmov.u32 %r3, 1;\n"
              "st.volatile.global.u32 [%rd2], %r3;\nret;\n}\n",
       .origin = "block waits"});
  constexpr std::uint32_t kBlocks = 10'000;
  GlobalMemory::Allocation* flags =
      memory.allocate(std::uint64_t{4} * kBlocks, GlobalMemory::Kind::device, "flags");
  std::memset(flags->host, 0, flags->size);
  memory.mark_written(*flags, flags->base, flags->size);
  const std::uint64_t p = flags->base;
  const void* arguments[] = {&p};
  LaunchRequest request;
  request.kernel = machine.find_kernel("k");
  request.grid = {kBlocks, 1, 1};
  request.arguments = arguments;
  REQUIRE(machine.launch(request).status == LaunchStatus::ok);
  return findings.sorted();
}

TEST_CASE("a block that waits for the one before it relies on the order of blocks", "[races]") {
  const auto findings = findings_of("");
  REQUIRE(findings.size() == 1);
  CHECK(findings.front().kind == FindingKind::block_order);
}

TEST_CASE("instructions that need helpers do not hide a loop that waits", "[races]") {
  // Each read of a clock is two instructions of the program, so that its numbers are not the
  // text's.
  const auto findings = findings_of(
      "mov.u64 %rd4, %clock64;\nmov.u64 %rd5, %clock64;\nmov.u32 %r4, %clock;\nmov.u32 %r5, "
      "%clock;\n");
  REQUIRE(findings.size() == 1);
  CHECK(findings.front().kind == FindingKind::block_order);
}

}  // namespace
}  // namespace warpsim
