#include <catch2/catch_test_macros.hpp>

#include "emulator/checkers/host_findings.h"

using namespace warpsim;

namespace {

using Code = LaunchViolation::Code;

LaunchConfiguration shape(Dim3 grid, Dim3 block, std::uint64_t dynamic_shared = 0) {
  return {.grid = grid,
          .block = block,
          .dynamic_shared_bytes = dynamic_shared,
          .dynamic_shared_limit = 49152,
          .cooperative = false,
          .cluster = {},
          .non_portable_cluster = false};
}

std::string message(const LaunchConfiguration& launch, const KernelInfo& kernel = {}) {
  const auto found = check_launch(default_card(), kernel, launch);
  return found ? found->message : "fine";
}

}  // namespace

TEST_CASE("a launch within every limit is fine", "[checkers][launch][unit]") {
  CHECK(message(shape({1, 1, 1}, {1, 1, 1})) == "fine");
  CHECK(message(shape({2147483647, 65535, 65535}, {1024, 1, 1}, 49152)) == "fine");
  CHECK(message(shape({1, 1, 1}, {1, 1024, 1})) == "fine");
  CHECK(message(shape({1, 1, 1}, {16, 1, 64})) == "fine");
}

TEST_CASE("a zero in grid or block is refused", "[checkers][launch][unit]") {
  CHECK(message(shape({0, 1, 1}, {32, 1, 1})) == "launch of a grid without blocks");
  CHECK(message(shape({1, 1, 0}, {32, 1, 1})) == "launch of a grid without blocks");
  CHECK(message(shape({1, 1, 1}, {32, 0, 1})) == "launch of blocks without threads");
}

TEST_CASE("one more than a limit is refused", "[checkers][launch][unit]") {
  CHECK(message(shape({1, 1, 1}, {1025, 1, 1})) == "launch with 1025 threads per block");
  CHECK(message(shape({1, 1, 1}, {32, 33, 1})) == "launch with 1056 threads per block");
  CHECK(message(shape({1, 1, 1}, {1, 1, 65})) ==
        "launch with a block that is too large in one dimension");
  CHECK(message(shape({1, 65536, 1}, {1, 1, 1})) ==
        "launch with a grid that is too large in one dimension");
  CHECK(message(shape({1, 1, 1}, {1, 1, 1}, 49153)) ==
        "launch with more dynamic shared memory than was allowed");
}

TEST_CASE("shared memory counts static and dynamic together", "[checkers][launch][unit]") {
  KernelInfo kernel;
  kernel.static_shared_bytes = 1024;
  LaunchConfiguration launch = shape({1, 1, 1}, {1, 1, 1}, 48128);
  launch.dynamic_shared_limit = 48128;
  CHECK(message(launch, kernel) == "fine");
  launch.dynamic_shared_bytes = 48129;
  CHECK(message(launch, kernel) == "launch with more dynamic shared memory than was allowed");
  launch.dynamic_shared_bytes = launch.dynamic_shared_limit = default_card().shared_per_block_optin;
  CHECK(message(launch, kernel) == "launch with more shared memory than the device has per block");
}

TEST_CASE("launch bounds hold for the product of the dimensions", "[checkers][launch][unit]") {
  KernelInfo kernel;
  kernel.limits.max_threads[0] = 128;
  CHECK(message(shape({1, 1, 1}, {16, 8, 1}), kernel) == "fine");
  CHECK(message(shape({1, 1, 1}, {129, 1, 1}), kernel) ==
        "launch with 129 threads per block of a kernel bounded to 128");
}

TEST_CASE("a required block size allows no smaller one", "[checkers][launch][unit]") {
  KernelInfo kernel;
  kernel.limits.required_threads[0] = 128;
  CHECK(message(shape({1, 1, 1}, {128, 1, 1}), kernel) == "fine");
  CHECK(message(shape({1, 1, 1}, {64, 1, 1}), kernel) ==
        "launch with a block size other than the kernel requires");
}

TEST_CASE("registers refuse a launch when ptxas says so, or when half of the estimate is too many",
          "[checkers][launch][unit]") {
  KernelInfo kernel;
  kernel.registers = 184;
  const auto estimated = check_launch(default_card(), kernel, shape({1, 1, 1}, {32, 32, 1}));
  REQUIRE(estimated);
  CHECK(estimated->got == "1024 threads per block with about 184 registers each, by an estimate");
  kernel.limits.max_threads[0] = 1024;  // compiled to fit
  CHECK(message(shape({1, 1, 1}, {32, 32, 1}), kernel) == "fine");
  kernel.limits = {};
  kernel.registers = 128;
  CHECK(message(shape({1, 1, 1}, {32, 32, 1}), kernel) == "fine");
  kernel.allocated_registers = 64;
  CHECK(message(shape({1, 1, 1}, {32, 32, 1}), kernel) == "fine");
  kernel.allocated_registers = 65;  // 72 are handed out
  const auto found = check_launch(default_card(), kernel, shape({1, 1, 1}, {32, 32, 1}));
  REQUIRE(found);
  CHECK(found->code == Code::too_many_resources);
  CHECK(found->got ==
        "1024 threads per block with 65 registers each, as ptxas allocates them for NVIDIA "
        "A100-SXM4-40GB");
  CHECK(message(shape({1, 1, 1}, {896, 1, 1}), kernel) == "fine");
}

TEST_CASE("ptxas is asked only where registers may not suffice", "[checkers][launch][unit]") {
  KernelInfo kernel;
  const auto may_lack = [&](std::uint32_t registers, std::uint32_t threads) {
    kernel.registers = registers;
    return may_lack_registers(default_card(), kernel, shape({1, 1, 1}, {threads, 1, 1}));
  };
  CHECK_FALSE(may_lack(40, 1024));
  CHECK(may_lack(48, 1024));
  CHECK_FALSE(may_lack(80, 512));
  CHECK(may_lack(88, 512));
  CHECK_FALSE(may_lack(255, 256));
  CHECK_FALSE(may_lack(255, 2048));  // refused for its threads
  kernel.limits.max_registers = 64;
  CHECK_FALSE(may_lack(255, 1024));
  kernel.limits = {};
  kernel.limits.max_threads[0] = 1024;
  CHECK_FALSE(may_lack(255, 1024));
}

TEST_CASE("a cooperative grid must fit on the card at once", "[checkers][launch][unit]") {
  LaunchConfiguration launch = shape({216, 1, 1}, {1024, 1, 1});
  launch.cooperative = true;
  CHECK(message(launch) == "fine");  // 2 blocks on each of the A100's 108 multiprocessors
  launch.grid.x = 217;
  const auto found = check_launch(default_card(), {}, launch);
  REQUIRE(found);
  CHECK(found->code == Code::cooperative_too_large);
  CHECK(found->want == "at most 216 blocks: 2 on each of 108 multiprocessors, limited by threads");
  launch.cooperative = false;
  CHECK(message(launch) == "fine");
}

TEST_CASE("an illegal launch is told in numbers", "[checkers][launch][unit]") {
  const auto found = check_launch(default_card(), {}, shape({4, 1, 1}, {2048, 1, 1}));
  REQUIRE(found);
  const CallSite site = {.api = "kernel<<<>>>",
                         .function = "main",
                         .offset = 8,
                         .object = "a.out",
                         .file = "",
                         .line = 0};
  const Finding finding = illegal_launch(site, "scale(float*, int)", *found);
  CHECK(finding.pitfall == "P15");
  CHECK(render(finding) ==
        "error: scale(float*, int): launch with 2048 threads per block [illegal-launch, P15]\n"
        "  where  kernel<<<>>> called from main+0x8 in a.out (compile with -Xcompiler=-g1 to see "
        "the source line)\n"
        "  got    grid (4,1,1), block (2048,1,1)\n"
        "  want   at most 1024 threads per block\n"
        "  next   The kernel did not run. Use smaller blocks and more of them.\n");
}

TEST_CASE("an empty grid is told apart from other launches that fail", "[checkers][launch][unit]") {
  const Card& card = *find_card("a100");
  const auto detail = [&](const LaunchConfiguration& launch) {
    const auto found = check_launch(card, {}, launch);
    REQUIRE(found);
    return illegal_launch(CallSite(), "scale(float*, int)", *found).detail;
  };
  CHECK(detail(shape({0, 1, 1}, {32, 1, 1})) == FindingDetail::no_blocks);
  CHECK(detail(shape({1, 1, 1}, {0, 1, 1})) == FindingDetail::none);
  CHECK(detail(shape({1, 1, 1}, {2048, 1, 1})) == FindingDetail::none);
}

TEST_CASE("clusters need a card that has them, a size that fits and a grid of whole clusters",
          "[checkers][launch][unit]") {
  const Card& card = *find_card("h100");
  const auto message_on_h100 = [&](const LaunchConfiguration& launch,
                                   const KernelInfo& kernel = {}) {
    const auto found = check_launch(card, kernel, launch);
    if (found) CHECK(found->code == Code::cluster_size);
    return found ? found->message : "fine";
  };
  LaunchConfiguration launch = shape({16, 6, 1}, {32, 1, 1});
  launch.cluster = {4, 2, 1};
  CHECK(message_on_h100(launch) == "fine");
  CHECK(message(launch) == "launch with clusters on a device without clusters");
  launch.cluster = {4, 4, 1};
  CHECK(message_on_h100(launch) == "launch with clusters of 16 blocks");
  launch.non_portable_cluster = true;
  CHECK(message_on_h100(launch) == "launch of a grid that is not a multiple of its cluster size");
  launch.cluster = {8, 2, 1};
  CHECK(message_on_h100(launch) == "fine");
  KernelInfo kernel;
  kernel.limits.cluster[0] = 2;
  CHECK(message_on_h100(launch, kernel) ==
        "launch with a cluster size other than the kernel declares");
  launch.cluster = {};
  CHECK(message_on_h100(launch, kernel) == "fine");
  CHECK(message(launch, kernel) == "launch with clusters on a device without clusters");
}
