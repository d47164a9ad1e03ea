#include "emulator/machine/liveness.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <set>
#include <string>

#include "emulator/ptx/testing.h"

namespace warpsim {
namespace {

/// A function and what is live where, by the registers' names.
class Live {
 public:
  explicit Live(const std::string& body)
      : module_(ptx::parse_in_entry(body)), live_(live_registers(function())) {}

  [[nodiscard]] const ptx::Function& function() const { return module_.functions.front(); }
  /// In front of instruction `index`.
  [[nodiscard]] std::set<std::string> before(std::size_t index) const {
    std::set<std::string> names;
    for (std::size_t r = 0; r < function().registers.size(); ++r) {
      if ((live_.at(index)[r / 64] >> (r % 64)) & 1) {
        names.emplace(function().registers[r].name);
      }
    }
    return names;
  }
  [[nodiscard]] LiveRange range(std::string_view name) const {
    const auto& registers = function().registers;
    const auto it = std::ranges::find(registers, name, &ptx::Register::name);
    REQUIRE(it != registers.end());
    return register_demand(function()).ranges[static_cast<std::size_t>(it - registers.begin())];
  }

 private:
  ptx::Module module_;
  std::vector<std::vector<std::uint64_t>> live_;
};

using Names = std::set<std::string>;

TEST_CASE("a value is live from its write to its last read", "[machine][liveness]") {
  const Live live("mov.u32 %r1, 1;\nmov.u32 %r2, 2;\nadd.u32 %r3, %r1, %r2;\nret;\n");
  CHECK(live.before(0).empty());
  CHECK(live.before(1) == Names{"%r1"});
  CHECK(live.before(2) == Names{"%r1", "%r2"});
  CHECK(live.before(3).empty());
}

TEST_CASE("a register in brackets is read, whatever is done there", "[machine][liveness]") {
  for (const char* access :
       {"st.global.u32 [%rd1], %r1;", "red.global.add.u32 [%rd1], %r1;",
        "atom.global.add.u32 %r2, [%rd1], %r1;", "atom.global.cas.b32 %r2, [%rd1], %r1, %r1;"}) {
    INFO(access);
    const Live live(std::string(access) + "\nret;\n");
    CHECK(live.before(0) == Names{"%r1", "%rd1"});
  }
  CHECK(Live("prefetch.global.L2 [%rd1];\nret;\n").before(0) == Names{"%rd1"});
}

TEST_CASE("results of atomics, pairs and vectors are writes", "[machine][liveness]") {
  CHECK(Live("atom.global.exch.b32 %r1, [%rd1], 0;\nmov.u32 %r2, %r1;\nret;\n").before(0) ==
        Names{"%rd1"});
  CHECK(Live("setp.lt.u32 %p1|%p2, %r1, 4;\nselp.b32 %r2, 1, 2, %p2;\nret;\n").before(0) ==
        Names{"%r1"});
  CHECK(Live("ld.global.v2.u32 {%r1, %r2}, [%rd1];\nadd.u32 %r3, %r1, %r2;\nret;\n").before(0) ==
        Names{"%rd1"});
  CHECK(Live("mov.b64 {%r1, %r2}, %rd1;\nadd.u32 %r3, %r1, %r2;\nret;\n").before(0) ==
        Names{"%rd1"});
  // The other way round the vector is read.
  CHECK(Live("mov.b64 %rd1, {%r1, %r2};\nret;\n").before(0) == Names{"%r1", "%r2"});
}

TEST_CASE("operands of barriers and collective operations are read", "[machine][liveness]") {
  CHECK(Live("bar.sync %r1, %r2;\nret;\n").before(0) == Names{"%r1", "%r2"});
  CHECK(Live("bar.warp.sync %r1;\nret;\n").before(0) == Names{"%r1"});
  CHECK(Live("bar.red.popc.u32 %r1, 0, %p1;\nret;\n").before(0) == Names{"%p1"});
  CHECK(Live("shfl.sync.up.b32 %r1|%p1, %r2, 1, 0, %r3;\nret;\n").before(0) == Names{"%r2", "%r3"});
  CHECK(Live("vote.sync.ballot.b32 %r1, %p1, %r2;\nret;\n").before(0) == Names{"%p1", "%r2"});
}

TEST_CASE("a guarded write leaves the old value alive", "[machine][liveness]") {
  const Live live("@%p1 mov.u32 %r1, 1;\nmov.u32 %r2, %r1;\nret;\n");
  CHECK(live.before(0) == Names{"%p1", "%r1"});
  CHECK(Live("mov.u32 %r1, 1;\nmov.u32 %r2, %r1;\nret;\n").before(0).empty());
}

TEST_CASE("a value that a loop reads is live in all of it", "[machine][liveness]") {
  const Live live(
      "mov.u32 %r1, 0;\nmov.u32 %r2, 5;\nagain:\nadd.u32 %r1, %r1, %r2;\nmov.u32 %r3, %r1;\n"
      "setp.lt.u32 %p1, %r3, 100;\n@%p1 bra again;\nret;\n");
  CHECK(live.range("%r2").first == 1);
  CHECK(live.range("%r2").last == 5);  // to the branch back
  CHECK(live.range("%r3").first == 3);
  CHECK(live.range("%r3").last == 4);
}

TEST_CASE("each target of an indexed branch may come next", "[machine][liveness]") {
  const Live live(
      "ts: .branchtargets one, two;\nbrx.idx %r1, ts;\none:\nmov.u32 %r4, %r2;\nret;\n"
      "two:\nmov.u32 %r4, %r3;\nret;\n");
  CHECK(live.before(0) == Names{"%r1", "%r2", "%r3"});
}

TEST_CASE("ranges of values that never live together do not overlap", "[machine][liveness]") {
  const Live live(
      "mov.u32 %r1, 1;\nst.global.u32 [%rd1], %r1;\nmov.u32 %r2, 2;\nst.global.u32 [%rd1], %r2;\n"
      "ret;\n");
  CHECK(live.range("%r1").last < live.range("%r2").first);
  // A result and an operand of one instruction do.
  const Live touching("mov.u32 %r1, 1;\nadd.u32 %r2, %r1, 1;\nst.global.u32 [%rd1], %r2;\nret;\n");
  CHECK(touching.range("%r1").last == touching.range("%r2").first);
}

TEST_CASE("demand counts 32-bit registers, and knows what is read unset", "[machine][liveness]") {
  const auto demand = [](const std::string& body) {
    return register_demand(ptx::parse_in_entry(body).functions.front());
  };
  const RegisterDemand set = demand(
      "mov.u32 %r1, 1;\nmov.u64 %rd1, 2;\n"
      "st.global.u32 [%rd1], %r1;\nret;\n");
  CHECK(set.peak == 3);
  CHECK_FALSE(set.reads_unset);
  CHECK(demand("st.global.u32 [%rd1], %r1;\nret;\n").reads_unset);
}

}  // namespace
}  // namespace warpsim
