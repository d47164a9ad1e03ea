#include "emulator/machine/observer.h"

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "emulator/device/card.h"
#include "emulator/machine/faults.h"
#include "emulator/machine/launch.h"

// The machine works with any observers and without them.

namespace warpsim {
namespace {

/// What an observer was told, in words.
std::vector<std::string> told;

class Listener final : public Observer {
 public:
  Follows begin_launch(LaunchState&) override { return Follows::events; }
  void start_block(BlockContext&) override { told.emplace_back("block"); }
  void complete(BlockContext&, std::uint32_t, bool whole) override {
    told.emplace_back(whole ? "barrier" : "barrier of a part");
  }
  void access(WarpContext&, const MemoryAccess&) override { told.emplace_back("access"); }
  void fault(const Fault& fault) override {
    told.emplace_back(std::holds_alternative<faults::Trap>(fault.what) ? "trap" : "another fault");
  }
};

constexpr std::array kListener = {
    CheckerEntry{.name = "listener", .always = true, .make = []() -> std::unique_ptr<Observer> {
                   return std::make_unique<Listener>();
                 }}};

struct Observed {
  LaunchStatus status;
  std::size_t findings;
};

Observed run_observed(const std::string& body, std::span<const CheckerEntry> checkers) {
  GlobalMemory memory{std::uint64_t{1} << 28};
  FindingLog findings;
  Machine machine{*find_card("h200"), memory, findings, MachineOptions{}, checkers};
  machine.load({.ptx = ".version 9.0\n.target sm_75\n.address_size 64\n.shared .b8 tile[4];\n"
                       ".entry k() { .reg .b32 %r; " +
                       body + " ret; }",
                .origin = "test.ptx"});
  LaunchRequest request;
  request.kernel = machine.find_kernel("k");
  request.block = {64, 1, 1};
  return {machine.launch(request).status, findings.size()};
}

const char* const kAccesses = "mov.u32 %r, tile; st.shared.u32 [%r], %r; ld.shared.u32 %r, [%r];";

TEST_CASE("without checkers a kernel runs, and a fault stops it without a finding",
          "[emulator][machine][observer]") {
  CHECK(run_observed("bar.sync 0; shfl.sync.idx.b32 %r, %r, 3, 31, -1;", {}).status ==
        LaunchStatus::ok);
  CHECK(run_observed(kAccesses, {}).status == LaunchStatus::ok);
  const Observed trapped = run_observed("trap;", {});
  CHECK(trapped.status == LaunchStatus::trap);
  CHECK(trapped.findings == 0);
}

TEST_CASE("an observer is told of what it follows and of faults", "[emulator][machine][observer]") {
  told.clear();
  CHECK(run_observed("bar.sync 0;", kListener).status == LaunchStatus::ok);
  CHECK(told == std::vector<std::string>{"block", "barrier"});
  told.clear();
  CHECK(run_observed(kAccesses, kListener).status == LaunchStatus::ok);
  CHECK(told == std::vector<std::string>{"block"});
  told.clear();
  CHECK(run_observed("trap;", kListener).status == LaunchStatus::trap);
  REQUIRE(told.size() >= 2);
  CHECK(told[1] == "trap");
}

}  // namespace
}  // namespace warpsim
