#include "emulator/counters/atomic_heat.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

namespace warpsim {
namespace {

using Catch::Approx;

constexpr std::uint64_t kBase = 1 << 20;

/// 1024 passes over sectors that take turns in so many bytes.
double cycles_of(std::uint64_t bytes, bool is_float) {
  AtomicHeat heat;
  for (std::uint64_t i = 0; i < 1024; ++i) heat.add(kBase + i * 32 % bytes, 1, is_float);
  return heat.hottest_cycles();
}

TEST_CASE("atomics in more bytes are updated by more slices of the second level",
          "[counters][unit]") {
  // Measured on an H200: 1.4 cycles for a pass in 32 to 256 bytes, half of that in 512 and 1024.
  for (const std::uint64_t bytes : {32, 128, 256})
    CHECK(cycles_of(bytes, false) == Approx(1434).epsilon(0.01));
  CHECK(cycles_of(512, false) == Approx(717).epsilon(0.01));
  CHECK(cycles_of(1024, false) == Approx(717).epsilon(0.01));
  CHECK(cycles_of(2048, false) == Approx(358).epsilon(0.01));
}

TEST_CASE("floating-point updates of one sector wait for each other", "[counters][unit]") {
  CHECK(cycles_of(32, true) == Approx(3584).epsilon(0.01));
  CHECK(cycles_of(64, true) == Approx(1792).epsilon(0.01));
  // Enough sectors, and the slice is the limit.
  CHECK(cycles_of(128, true) == cycles_of(128, false));
  CHECK(cycles_of(1024, true) == cycles_of(1024, false));
}

TEST_CASE("what host threads counted apart is added up before the hottest place is looked for",
          "[counters][unit]") {
  AtomicHeat a, b;
  a.add(kBase, 10, false);
  b.add(kBase, 10, false);
  b.add(kBase + 256, 15, false);
  a += b;
  CHECK(a.hottest_cycles() == Approx(28));
  CHECK(AtomicHeat{}.hottest_cycles() == 0);
}

}  // namespace
}  // namespace warpsim
