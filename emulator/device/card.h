#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpsim {

/// A GPU model as data: what cudaGetDeviceProperties reports and what the cost model needs.
struct Card {
  std::string name;  // "NVIDIA H200"
  std::string id;  // "h200", for --card
  int major = 0, minor = 0;  // compute capability
  int multiprocessors = 0;
  std::uint64_t memory_bytes = 0;
  std::uint64_t l1_bytes = 0;  // per multiprocessor, including shared memory
  std::uint64_t l2_bytes = 0;
  int clock_khz = 0;  // boost SM clock
  int memory_clock_khz = 0;
  int memory_bus_bits = 0;
  double memory_bandwidth = 0;  // bytes per second, data sheet
  double l2_bandwidth = 0;  // bytes per second
  int fp32_lanes_per_sm = 0;
  int fp64_lanes_per_sm = 0;
  int fp16_per_clock = 0;  // per multiprocessor; f16x2 results count twice
  int tensor_flops_per_clock = 0;  // per multiprocessor, f16 with f32 sums, dense
  /// Of that rate, what a warp's own instructions reach, and the smallest of them.
  double tensor_share_of_warp = 1;
  double tensor_share_of_small = 1;
  std::uint64_t shared_per_block = 49152;  // without opt-in
  std::uint64_t shared_per_block_optin = 0;
  std::uint64_t shared_per_sm = 0;
  std::uint64_t reserved_shared_per_block = 0;
  std::vector<std::uint64_t> shared_carve_outs;  // the sizes of shared memory within l1_bytes
  int registers_per_sm = 65536;
  int registers_per_block = 65536;
  int max_threads_per_sm = 0;
  int max_blocks_per_sm = 0;
  int max_threads_per_block = 1024;
  int async_engines = 0;  // copy engines; from two on, copies of both directions overlap
  double link_bandwidth = 0;  // bytes per second from or to pinned host memory, one direction
  double pageable_bandwidth = 0;  // the same from or to pageable host memory
  double peer_bandwidth = 0;  // bytes per second from one card to another, one direction
};

/// All known cards: t4, rtx3060, a40, a100, l4, rtx4090, h100, h200.
[[nodiscard]] std::span<const Card> all_cards();
/// The card with this id (case-insensitive), or null.
[[nodiscard]] const Card* find_card(std::string_view id);
/// The default card: a100, which is common in courses.
[[nodiscard]] const Card& default_card();

struct Occupancy {
  int blocks_per_sm = 0;
  double fraction = 0;  // active warps over the SM's maximum, 0..1
  std::string limiter;  // "threads", "blocks", "shared memory", "registers"
};

/// The register limit of ptxas for launch bounds of `blocks` blocks of `threads` threads per
/// multiprocessor, which has 65,536 registers on all cards (CUDA programming guide, launch bounds).
/// At least 16.
[[nodiscard]] std::uint32_t registers_within_bounds(std::uint64_t threads, std::uint64_t blocks);

/// Theoretical occupancy by the card's limits and allocation granularities.
[[nodiscard]] Occupancy occupancy(const Card& card, int threads_per_block, int registers_per_thread,
                                  std::uint64_t shared_bytes_per_block);

}  // namespace warpsim
