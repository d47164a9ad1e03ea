#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cstring>
#include <string>
#include <vector>

#include "emulator/checkers/list.h"
#include "emulator/device/card.h"
#include "emulator/machine/launch.h"

// Sizes that no card has, in modules that parse: refused with the name of what is too large, before
// offsets of 32 bits wrap around.

namespace warpsim {
namespace {

using Catch::Matchers::ContainsSubstring;

struct Device {
  GlobalMemory memory{std::uint64_t{1} << 28};
  FindingLog findings;
  Machine machine{*find_card("h200"), memory, findings, MachineOptions{}, all_checkers()};

  void load(const std::string& text) {
    machine.load(
        {.ptx = ".version 9.0\n.target sm_75\n.address_size 64\n" + text, .origin = "test.ptx"});
  }
  LaunchStatus run(const std::string& kernel, std::vector<std::uint64_t> values = {}) {
    std::vector<const void*> arguments;
    for (const std::uint64_t& value : values) arguments.push_back(&value);
    LaunchRequest request;
    request.kernel = machine.find_kernel(kernel);
    REQUIRE(request.kernel != nullptr);
    request.block = {32, 1, 1};
    request.arguments = arguments.data();
    return machine.launch(request).status;
  }
};

TEST_CASE("local memory beyond what a thread can have is refused by name",
          "[emulator][machine][limits]") {
  const auto kernel = [](const std::string& bytes) {
    return ".entry k() { .reg .b32 %r; .local .b8 mine[" + bytes + "]; ld.local.u8 %r, [mine]; }";
  };
  {
    Device device;
    device.load(kernel("4294967312"));  // 16 when cut to 32 bits
    CHECK_THROWS_WITH(device.run("k"), ContainsSubstring("4294967312 bytes of local memory"));
  }
  Device device;  // there is one set of device addresses: one after the other
  device.load(kernel("524288"));
  CHECK(device.run("k") == LaunchStatus::ok);
}

TEST_CASE("shared memory that wraps around 32 bits is refused by name",
          "[emulator][machine][limits]") {
  const auto kernel = [](const std::string& bytes) {
    return ".shared .b8 tile[" + bytes +
           "]; .entry k() { .reg .b32 %r; mov.u32 %r, tile; st.shared.u8 [%r], %r; }";
  };
  {
    Device device;
    device.load(kernel("4294967312"));
    CHECK_THROWS_WITH(device.machine.find_kernel("k"), ContainsSubstring("`tile` has 4294967312"));
  }
  Device device;  // a launch check still has to see it
  device.load(kernel("300000"));
  CHECK(device.machine.info(*device.machine.find_kernel("k")).static_shared_bytes == 300'000);
}

TEST_CASE("parameters beyond the limit are refused by the kernel's name",
          "[emulator][machine][limits]") {
  Device device;
  device.load(".entry k(.param .b8 a[70000]) { ret; }");
  CHECK_THROWS_WITH(device.machine.find_kernel("k"), ContainsSubstring("k has more than"));
}

TEST_CASE("an indirect call reaches functions with shared memory in other modules of its unit",
          "[emulator][machine][limits]") {
  Device device;
  device.load(R"(
.visible .func (.param .b32 r) f() {
  .reg .b32 %r;
  .shared .b32 cell;
  mov.u32 %r, 7; st.shared.u32 [cell], %r; ld.shared.u32 %r, [cell]; st.param.b32 [r], %r; ret;
})");
  device.load(R"(
.extern .func (.param .b32 r) f();
.global .u64 table = f;
.visible .entry k(.param .u64 out) {
  .reg .b32 %r; .reg .b64 %to, %f;
  ld.global.u64 %f, [table];
  { .param .b32 r;
    P: .callprototype (.param .b32 _) _ ();
    call (r), %f, (), P;
    ld.param.b32 %r, [r]; }
  ld.param.u64 %to, [out]; st.global.u32 [%to], %r; ret;
})");
  const GlobalMemory::Allocation* out =
      device.memory.allocate(4, GlobalMemory::Kind::device, "out");
  REQUIRE(device.run("k", {out->base}) == LaunchStatus::ok);
  std::uint32_t value = 0;
  std::memcpy(&value, out->host, sizeof value);
  CHECK(value == 7);
}

}  // namespace
}  // namespace warpsim
