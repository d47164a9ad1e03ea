#include "emulator/counters/patterns.h"

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <functional>
#include <utility>
#include <vector>

using namespace warpsim;

namespace {

constexpr std::uint32_t kAll = ~0u;

template <class T>
std::array<T, 32> lanes(const std::function<std::uint64_t(std::uint64_t)>& address) {
  std::array<T, 32> result = {};
  for (std::uint64_t i = 0; i < 32; ++i) result[i] = static_cast<T>(address(i));
  return result;
}

PatternCost shared(std::uint32_t width, const std::function<std::uint64_t(std::uint64_t)>& offset,
                   std::uint32_t mask = kAll) {
  PatternMemo memo;
  return wavefront_cost(lanes<std::uint32_t>(offset).data(), mask, width, memo);
}

PatternCost global(std::uint32_t width, const std::function<std::uint64_t(std::uint64_t)>& address,
                   std::uint32_t mask = kAll) {
  PatternMemo memo;
  return sector_cost(lanes<std::uint64_t>(address).data(), mask, width, memo);
}

}  // namespace

TEST_CASE("sectors of a request are the distinct 32-byte pieces it touches", "[counters][unit]") {
  CHECK(global(4, [](auto i) { return 4096 + 4 * i; }).passes == 4);
  CHECK(global(4, [](auto i) { return 4100 + 4 * i; }).passes == 5);
  CHECK(global(16, [](auto i) { return 4096 + 16 * i; }).passes == 16);
  CHECK(global(4, [](auto) { return 4096; }).passes == 1);
  CHECK(global(4, [](auto i) { return 4096 + 128 * i; }).passes == 32);
  CHECK(global(
            4, [](auto i) { return 4096 + 4 * i; }, 0xff)
            .passes == 1);
}

TEST_CASE("the ideal holds the distinct bytes", "[counters][unit]") {
  CHECK(global(4, [](auto i) { return 4096 + 128 * i; }).ideal == 4);
  CHECK(global(4, [](auto) { return 4096; }).ideal == 1);
  CHECK(global(1, [](auto i) { return 4096 + i; }).ideal == 1);
}

TEST_CASE("a pattern that moved by whole lines is recognized, any other is counted again",
          "[counters][unit]") {
  PatternMemo memo;
  const auto cost = [&](std::uint64_t base, std::uint64_t stride) {
    const auto at = lanes<std::uint64_t>([&](auto i) { return base + stride * i; });
    return sector_cost(at.data(), kAll, 4, memo).passes;
  };
  CHECK(cost(4096, 4) == 4);
  CHECK(cost(4096 + 128, 4) == 4);
  CHECK(cost(4096 + 16, 4) == 5);
  CHECK(cost(4096, 8) == 8);
  // Addresses whose distances differ by a multiple of 4 GiB look the same in 32 bits.
  CHECK(cost(4096, (std::uint64_t{1} << 32) + 8) == 32);
  CHECK(cost(4096, 8) == 8);
}

TEST_CASE("lines of a request come with their sectors, whether or not the memo lists them",
          "[counters][unit]") {
  using Lines = std::vector<std::pair<std::uint64_t, std::uint32_t>>;
  const auto lines_of = [](std::uint64_t base, std::uint64_t stride, int times) {
    PatternMemo memo;
    Lines lines;
    for (int time = 0; time < times; ++time) {
      const auto at = lanes<std::uint64_t>([&](auto i) { return base + stride * i; });
      static_cast<void>(sector_cost(at.data(), kAll, 4, memo));
      lines.clear();
      for_each_line(at.data(), kAll, 4, memo, [&](std::uint64_t line, std::uint32_t sectors) {
        lines.emplace_back(line, sectors);
      });
      base += 1280;
    }
    return lines;
  };
  CHECK(lines_of(128, 4, 1) == Lines{{1, 0xf}});
  CHECK(lines_of(128, 4, 3) == Lines{{21, 0xf}});
  CHECK(lines_of(192, 4, 2) == Lines{{11, 0xc}, {12, 0x3}});
  CHECK(lines_of(0, 256, 1).size() == 32);
  CHECK(lines_of(0, 256, 2).front() == std::pair<std::uint64_t, std::uint32_t>{10, 1});
}

TEST_CASE("a store covers whole sectors or parts of them", "[counters][unit]") {
  PatternMemo memo;
  const auto whole = [&](std::uint64_t stride, std::uint32_t mask) {
    const auto at = lanes<std::uint64_t>([&](auto i) { return 4096 + stride * i; });
    static_cast<void>(sector_cost(at.data(), mask, 4, memo));
    return memo.whole_sectors;
  };
  CHECK(whole(4, kAll));
  CHECK(whole(4, 0xff00));
  CHECK_FALSE(whole(4, 0x7f));
  CHECK_FALSE(whole(8, kAll));
}

TEST_CASE("wavefronts are the distinct words of the busiest bank", "[counters][unit]") {
  CHECK(shared(4, [](auto i) { return 4 * i; }).passes == 1);
  CHECK(shared(4, [](auto i) { return 8 * i; }).passes == 2);
  CHECK(shared(4, [](auto i) { return 128 * i; }).passes == 32);
  CHECK(shared(4, [](auto i) { return 132 * i; }).passes == 1);
  CHECK(shared(4, [](auto) { return 64; }).passes == 1);
  CHECK(shared(4, [](auto i) { return i % 2 * 128; }).passes == 2);
  CHECK(shared(1, [](auto i) { return i; }).passes == 1);
  CHECK(shared(2, [](auto i) { return 2 * i; }).passes == 1);
  CHECK(shared(1, [](auto i) { return 128 * i; }).passes == 32);
}

TEST_CASE("wide accesses are served in parts, and conflict only inside a part",
          "[counters][unit]") {
  const auto eight = shared(8, [](auto i) { return 8 * i; });
  CHECK(eight.passes == 2);
  CHECK(eight.ideal == 2);
  const auto sixteen = shared(16, [](auto i) { return 16 * i; });
  CHECK(sixteen.passes == 4);
  CHECK(sixteen.ideal == 4);
  const auto conflicted = shared(16, [](auto i) { return 128 * i; });
  CHECK(conflicted.passes == 32);
  CHECK(conflicted.ideal == 4);
  CHECK(shared(
            16, [](auto i) { return 16 * i; }, 0xff)
            .passes == 1);
}

TEST_CASE("wide accesses whose pairs of lanes agree are served in larger parts",
          "[counters][unit]") {
  // Two rows of a tile, as in a matrix multiplication: half a warp on each.
  const auto rows = shared(16, [](auto i) { return i / 16 * 64; });
  CHECK(rows.passes == 2);
  CHECK(rows.ideal == 2);
  CHECK(shared(16, [](auto i) { return i / 2 * 16; }).passes == 2);  // 16 lanes: 128 bytes, twice
  CHECK(shared(8, [](auto i) { return i / 2 * 8; }).passes == 1);
  CHECK(shared(8, [](auto i) { return (i / 4 * 2 + i % 2) * 8; }).passes == 1);
  CHECK(shared(8, [](auto i) { return i / 16 * 8; }).passes == 1);
}

TEST_CASE("lanes on the same word are serialized in a shared atomic", "[counters][unit]") {
  const auto atomic = [](const std::function<std::uint64_t(std::uint64_t)>& offset) {
    PatternMemo memo;
    return shared_atomic_cost(lanes<std::uint32_t>(offset).data(), kAll, 4, memo);
  };
  CHECK(atomic([](auto i) { return 4 * i; }).passes == 1);
  CHECK(atomic([](auto) { return 4; }).passes == 32);
  const auto pairs = atomic([](auto i) { return i / 2 * 4; });
  CHECK(pairs.passes == 2);
  CHECK(pairs.multiplicity == 2);
  CHECK(pairs.distinct == 16);
}

TEST_CASE("a global atomic counts its sectors in every turn", "[counters][unit]") {
  const auto atomic = [](bool combined,
                         const std::function<std::uint64_t(std::uint64_t)>& address) {
    PatternMemo memo;
    return atomic_cost(lanes<std::uint64_t>(address).data(), kAll, 4, combined, memo);
  };
  const auto eight = [](std::uint64_t i) { return 4096 + i % 8 * 4; };
  CHECK(atomic(false, eight).passes == 4);
  CHECK(atomic(false, eight).multiplicity == 4);
  CHECK(atomic(false, eight).distinct == 8);
  CHECK(atomic(false, [](auto i) { return 4096 + 4 * i; }).passes == 4);
  const auto one = [](std::uint64_t) { return 4096; };
  CHECK(atomic(false, one).passes == 32);
  CHECK(atomic(true, one).passes == 1);
  // As ncu 2025.3 counts reductions on an H200.
  CHECK(atomic(false, [](auto i) { return 4096 + i % 2 * 32; }).passes == 32);
  CHECK(atomic(false, [](auto i) { return 4096 + i % 2 * 4; }).passes == 16);
  CHECK(atomic(false, [](auto i) { return 4096 + (i < 16 ? 0 : 4 * i); }).passes == 18);
  CHECK(atomic(false, [](auto i) { return 4096 + i / 31 * 4; }).passes == 31);
}
