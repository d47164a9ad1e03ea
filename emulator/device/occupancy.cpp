#include <algorithm>
#include <array>

#include "emulator/device/card.h"

namespace warpsim {
namespace {

constexpr int kWarpSize = 32;
constexpr int kRegisterUnit = 256;  // a warp's registers are allocated in steps of this many
constexpr int kSchedulers = 4;  // the register file of an SM is split evenly between them
constexpr int kMaxRegistersPerThread = 255;

constexpr std::uint64_t kRegisterFile = 65536;
constexpr std::uint64_t kRegisterStep = 8;  // per thread: kRegisterUnit per warp

constexpr int round_up(int value, int unit) {
  return (value + unit - 1) / unit * unit;
}

int blocks_by_registers(const Card& card, int warps_per_block, int registers_per_thread) {
  if (registers_per_thread <= 0) return card.max_blocks_per_sm;
  if (registers_per_thread > kMaxRegistersPerThread) return 0;
  const int registers_per_warp = round_up(registers_per_thread * kWarpSize, kRegisterUnit);
  // One block must fit when its warps are distributed evenly over the schedulers.
  if (registers_per_warp * round_up(warps_per_block, kSchedulers) > card.registers_per_block) {
    return 0;
  }
  const int warps_per_scheduler = card.registers_per_sm / kSchedulers / registers_per_warp;
  return warps_per_scheduler * kSchedulers / warps_per_block;
}

int blocks_by_shared_memory(const Card& card, std::uint64_t shared_bytes_per_block) {
  const std::uint64_t unit = card.major >= 8 ? 128 : 256;
  const std::uint64_t asked = shared_bytes_per_block + card.reserved_shared_per_block;
  const std::uint64_t allocated = (asked + unit - 1) / unit * unit;
  if (shared_bytes_per_block > card.shared_per_block_optin) return 0;
  if (allocated == 0) return card.max_blocks_per_sm;
  return static_cast<int>(std::min<std::uint64_t>(
      card.shared_per_sm / allocated, static_cast<std::uint64_t>(card.max_blocks_per_sm)));
}

}  // namespace

std::uint32_t registers_within_bounds(std::uint64_t threads, std::uint64_t blocks) {
  // Warps are distributed round-robin over the schedulers.
  const std::uint64_t warps =
      (threads + kWarpSize - 1) / kWarpSize * std::max<std::uint64_t>(blocks, 1);
  const std::uint64_t held = (warps + kSchedulers - 1) / kSchedulers * kSchedulers * kWarpSize;
  if (held == 0) return kMaxRegistersPerThread;
  const std::uint64_t most = kRegisterFile / held / kRegisterStep * kRegisterStep;
  return static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(most, 16, std::uint64_t{kMaxRegistersPerThread}));
}

Occupancy occupancy(const Card& card, int threads_per_block, int registers_per_thread,
                    std::uint64_t shared_bytes_per_block) {
  if (threads_per_block <= 0 || threads_per_block > card.max_threads_per_block) {
    return {.blocks_per_sm = 0, .fraction = 0, .limiter = "threads"};
  }
  const int max_warps = card.max_threads_per_sm / kWarpSize;
  const int warps_per_block = round_up(threads_per_block, kWarpSize) / kWarpSize;

  struct Limit {
    int blocks;
    const char* name;
  };
  // In order of precedence for ties: what the programmer controls most directly comes first.
  const std::array<Limit, 4> limits = {{
      {max_warps / warps_per_block, "threads"},
      {card.max_blocks_per_sm, "blocks"},
      {blocks_by_shared_memory(card, shared_bytes_per_block), "shared memory"},
      {blocks_by_registers(card, warps_per_block, registers_per_thread), "registers"},
  }};
  const Limit& tightest = *std::ranges::min_element(limits, {}, &Limit::blocks);
  return {.blocks_per_sm = tightest.blocks,
          .fraction = static_cast<double>(tightest.blocks * warps_per_block) / max_warps,
          .limiter = tightest.name};
}

}  // namespace warpsim
