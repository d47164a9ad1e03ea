#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "emulator/checkers/list.h"
#include "emulator/device/card.h"
#include "emulator/machine/launch.h"

// A warp may run in the place of one that has ended, of its own block or of another.

namespace warpsim {
namespace {

/// What a kernel k(out) stores, one word per thread, by block and thread.
/// @param allowed  the only kind of finding that there may be
std::vector<std::uint32_t> words_of(const std::string& body, Dim3 grid, Dim3 block,
                                    unsigned host_threads, const std::string& allowed = "") {
  GlobalMemory memory{std::uint64_t{1} << 28};
  FindingLog findings;
  MachineOptions options;
  options.host_threads = host_threads;
  Machine machine{*find_card("h200"), memory, findings, options, all_checkers()};
  machine.load({.ptx = ".version 9.0\n.target sm_75\n.address_size 64\n"
                       ".entry k(.param .u64 out) {\n"
                       ".reg .b32 %r<9>; .reg .b64 %rd<4>; .reg .pred %p;\n" +
                       body +
                       // r0: the thread's number in the block, r1: what it stores
                       "ld.param.u64 %rd0, [out];\n"
                       "mov.u32 %r7, %ctaid.x; mul.lo.u32 %r7, %r7, " +
                       std::to_string(block.count()) +
                       "; add.u32 %r7, %r7, %r0;\n"
                       "mul.wide.u32 %rd1, %r7, 4; add.u64 %rd0, %rd0, %rd1;\n"
                       "st.global.u32 [%rd0], %r1;\nret; }",
                .origin = "test.ptx"});
  std::vector<std::uint32_t> words(grid.count() * block.count());
  auto* out = memory.allocate(words.size() * 4, GlobalMemory::Kind::device, "out");
  std::memset(out->host, 0, words.size() * 4);
  const std::uint64_t address = out->base;
  const void* arguments[] = {&address};
  LaunchRequest request;
  request.kernel = machine.find_kernel("k");
  request.grid = grid;
  request.block = block;
  request.arguments = arguments;
  REQUIRE(machine.launch(request).status == LaunchStatus::ok);
  // The race checker knows threads by their warps.
  for (const Finding& finding : findings.sorted()) CHECK(slug(finding.kind) == allowed);
  std::memcpy(words.data(), out->host, words.size() * 4);
  return words;
}

const char* const kNumber =
    "mov.u32 %r0, %tid.x; mov.u32 %r2, %tid.y; mov.u32 %r3, %ntid.x;\n"
    "mad.lo.u32 %r0, %r2, %r3, %r0;\n";

TEST_CASE("each warp has its own numbers, whichever warp ran in its place before",
          "[emulator][machine][block]") {
  const std::string body = std::string(kNumber) +
                           "mov.u32 %r4, %warpid; shl.b32 %r4, %r4, 24;\n"
                           "mov.u32 %r5, %ctaid.x; shl.b32 %r5, %r5, 16;\n"
                           "shl.b32 %r1, %r2, 8; or.b32 %r1, %r1, %r4; or.b32 %r1, %r1, %r5;\n"
                           "mov.u32 %r6, %tid.x; or.b32 %r1, %r1, %r6;\n";
  const Dim3 block{36, 4, 1};  // the last of five warps is not full
  const auto words = words_of(body, {3, 1, 1}, block, 1);
  std::vector<std::uint32_t> wanted;
  for (std::uint32_t b = 0; b < 3; ++b) {
    for (std::uint32_t t = 0; t < 144; ++t) {
      wanted.push_back(t / 32 << 24 | b << 16 | t / 36 << 8 | t % 36);
    }
  }
  CHECK(words == wanted);
}

TEST_CASE("a warp that waits keeps its place when later ones end", "[emulator][machine][block]") {
  // Warps 0 and 1 meet at a barrier of their own; 2 to 4 end at once, 1 and 0 behind it.
  const std::string body = ".shared .b32 cells[64];\n" + std::string(kNumber) +
                           "mov.u32 %r1, %r0;\n"
                           "setp.ge.u32 %p, %r0, 64; @%p bra after;\n"
                           "shl.b32 %r4, %r0, 2; mov.u32 %r5, cells; add.u32 %r6, %r5, %r4;\n"
                           "add.u32 %r1, %r0, 1000; st.shared.u32 [%r6], %r1;\n"
                           "bar.sync 3, 64;\n"
                           "sub.u32 %r4, 252, %r4; add.u32 %r6, %r5, %r4;\n"
                           "ld.shared.u32 %r1, [%r6];\n"
                           "after:\n";
  const auto words = words_of(body, {2, 1, 1}, {160, 1, 1}, 1);
  std::vector<std::uint32_t> wanted;
  for (std::uint32_t i = 0; i < 320; ++i) {
    const std::uint32_t thread = i % 160;
    wanted.push_back(thread < 64 ? 1063 - thread : thread);
  }
  CHECK(words == wanted);
}

TEST_CASE("uninitialized local memory is the same in every thread, whatever ran before",
          "[emulator][machine][block]") {
  const std::string body = ".local .b32 mine[4];\n" + std::string(kNumber) +
                           "ld.local.u32 %r1, [mine+8];\nst.local.u32 [mine+8], %r0;\n";
  for (const unsigned host_threads : {1u, 2u}) {
    const auto words = words_of(body, {40, 1, 1}, {96, 1, 1}, host_threads, "unwritten-local-read");
    CHECK(words == std::vector<std::uint32_t>(40 * 96, 0xCBCBCBCB));
  }
}

}  // namespace
}  // namespace warpsim
