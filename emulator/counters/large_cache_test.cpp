#include "emulator/counters/large_cache.h"

#include <catch2/catch_test_macros.hpp>
#include <random>

using namespace warpsim;

namespace {

constexpr std::uint32_t kWays = 4;

/// Both caches, which must tell the same of each access.
class Pair {
 public:
  explicit Pair(std::uint64_t lines)
      : plain_(lines * kLineBytes, kWays), large_(lines * kLineBytes, kWays) {}

  void clear() {
    plain_.clear();
    large_.clear();
  }
  void access(std::uint64_t line, std::uint32_t sectors, std::uint32_t dirty = 0) {
    const SectorCache::Result want = plain_.access(line, sectors, dirty);
    const SectorCache::Result got = large_.access(line, sectors, dirty);
    same_ = same_ && got.hit == want.hit && got.evicted == want.evicted &&
            large_.dirty_sectors() == plain_.dirty_sectors();
  }
  [[nodiscard]] bool same() const { return same_; }
  [[nodiscard]] std::uint32_t sets() const { return plain_.sets(); }
  [[nodiscard]] bool has_evicted() const { return plain_.has_evicted(); }

 private:
  SectorCache plain_;
  LargeCache large_;
  bool same_ = true;
};

}  // namespace

TEST_CASE("a large cache tells what a plain one does", "[counters][cache][unit]") {
  std::mt19937_64 random(3);
  int evicting = 0;
  for (int i = 0; i < 60; ++i) {
    Pair pair(1024);
    for (int launch = 0; launch < 6; ++launch) {
      // From a few lines to many times as many as there is room for, here and there.
      const std::uint64_t span = std::uint64_t{1} << (4 + random() % 12);
      const std::uint64_t apart = random() % 3 == 0 ? 1000 : 1;
      const std::uint64_t base = random() % 2 == 0 ? random() % 100'000 : kLocalLines / 128;
      for (int k = 0; k < 3000; ++k) {
        const auto sectors = static_cast<std::uint32_t>(1 + random() % 15);
        const std::uint64_t line = base + random() % span * apart;
        pair.access(line, sectors, random() % 3 == 0 ? sectors : 0);
      }
      evicting += pair.has_evicted() ? 1 : 0;
      REQUIRE(pair.same());
      pair.clear();
    }
  }
  CHECK(evicting > 50);
  CHECK(evicting < 310);
}

TEST_CASE("a large cache evicts with the first line that a set has no room for",
          "[counters][cache][unit]") {
  for (const std::uint32_t lines : {kWays, kWays + 1}) {
    Pair pair(1024);
    for (int turn = 0; turn < 3; ++turn) {
      for (std::uint32_t i = 0; i < lines; ++i) {
        pair.access(5 + std::uint64_t{pair.sets()} * i, 0b11, 0b01);
      }
      // The first one is the last that was used.
      pair.access(5, 0b1111);
    }
    CHECK(pair.same());
    CHECK(pair.has_evicted() == (lines > kWays));
  }
}
