#include "emulator/device/card.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace warpsim {
namespace {

constexpr std::uint64_t kKiB = 1024;
constexpr std::uint64_t kMiB = 1024 * kKiB;
constexpr std::uint64_t kGiB = 1024 * kMiB;

// Sizes of shared memory that the tuning guides list for an architecture, in KiB.
constexpr std::array kCarveOuts75 = {32, 64};
constexpr std::array kCarveOuts80 = {0, 8, 16, 32, 64, 100, 132, 164};
constexpr std::array kCarveOuts86 = {0, 8, 16, 32, 64, 100};
constexpr std::array kCarveOuts90 = {0, 8, 16, 32, 64, 100, 132, 164, 196, 228};

template <std::size_t kCount>
std::vector<std::uint64_t> kib(const std::array<int, kCount>& sizes) {
  std::vector<std::uint64_t> bytes;
  for (const int size : sizes) bytes.push_back(static_cast<std::uint64_t>(size) * kKiB);
  return bytes;
}

// Sources: the data sheets (multiprocessors, clocks, memory, bandwidth) and the tables of compute
// capabilities in the CUDA Programming Guide (threads, blocks and shared memory of an SM). L2
// bandwidth is only in the A100's data sheet (5120 bytes per clock); the others are estimates of 64
// bytes per clock and cache slice, and the T4's is the measured value of Jia et al., "Dissecting
// the NVidia Turing T4 GPU via Microbenchmarking" (2019).
//
// Links: the T4 has PCIe 3.0 x16 (15.75 GB/s in each direction), the H100 and H200 have 5.0 (63
// GB/s), the others 4.0 (31.5 GB/s), by the data sheets; large copies of pinned memory get about
// four fifths of that, or more on 5.0. Pageable memory is copied through a staging buffer by one
// core of the host, about half as fast; that core is the limit on 5.0. Between cards: NVLink of the
// A100 (300 GB/s in each direction), H100 and H200 (450), and the A40's bridge (56), of which
// copies get about nine tenths; the others use PCIe. scripts/measure_overlap.cu measures all of
// them.
//
// Created on first use and never destroyed, because the runtime library uses it before other
// constructors have run and after destructors have.
const std::array<Card, 8>& cards() {
  static const auto& table = *new std::array<Card, 8>{{
      {
          .name = "Tesla T4",
          .id = "t4",
          .major = 7,
          .minor = 5,
          .multiprocessors = 40,
          .memory_bytes = 16 * kGiB,
          .l1_bytes = 96 * kKiB,
          .l2_bytes = 4 * kMiB,
          .clock_khz = 1590000,
          .memory_clock_khz = 5001000,
          .memory_bus_bits = 256,
          .memory_bandwidth = 320e9,
          .l2_bandwidth = 1270e9,
          .fp32_lanes_per_sm = 64,
          .fp64_lanes_per_sm = 2,
          .fp16_per_clock = 128,
          .tensor_flops_per_clock = 1024,
          .shared_per_block_optin = 64 * kKiB,
          .shared_per_sm = 64 * kKiB,
          .reserved_shared_per_block = 0,
          .shared_carve_outs = kib(kCarveOuts75),
          .max_threads_per_sm = 1024,
          .max_blocks_per_sm = 16,
          .async_engines = 3,
          .link_bandwidth = 12e9,
          .pageable_bandwidth = 6e9,
          .peer_bandwidth = 12e9,
      },
      {
          .name = "NVIDIA GeForce RTX 3060",
          .id = "rtx3060",
          .major = 8,
          .minor = 6,
          .multiprocessors = 28,
          .memory_bytes = 12 * kGiB,
          .l1_bytes = 128 * kKiB,
          .l2_bytes = 3 * kMiB,
          .clock_khz = 1777000,
          .memory_clock_khz = 7501000,
          .memory_bus_bits = 192,
          .memory_bandwidth = 360e9,
          .l2_bandwidth = 24 * 64 * 1.777e9,
          .fp32_lanes_per_sm = 128,
          .fp64_lanes_per_sm = 2,
          .fp16_per_clock = 128,
          .tensor_flops_per_clock = 512,
          .shared_per_block_optin = 99 * kKiB,
          .shared_per_sm = 100 * kKiB,
          .reserved_shared_per_block = 1 * kKiB,
          .shared_carve_outs = kib(kCarveOuts86),
          .max_threads_per_sm = 1536,
          .max_blocks_per_sm = 16,
          .async_engines = 2,
          .link_bandwidth = 25e9,
          .pageable_bandwidth = 12e9,
          .peer_bandwidth = 25e9,
      },
      {
          .name = "NVIDIA A40",
          .id = "a40",
          .major = 8,
          .minor = 6,
          .multiprocessors = 84,
          .memory_bytes = 48 * kGiB,
          .l1_bytes = 128 * kKiB,
          .l2_bytes = 6 * kMiB,
          .clock_khz = 1740000,
          .memory_clock_khz = 7251000,
          .memory_bus_bits = 384,
          .memory_bandwidth = 696e9,
          .l2_bandwidth = 48 * 64 * 1.74e9,
          .fp32_lanes_per_sm = 128,
          .fp64_lanes_per_sm = 2,
          .fp16_per_clock = 128,
          .tensor_flops_per_clock = 1024,
          .shared_per_block_optin = 99 * kKiB,
          .shared_per_sm = 100 * kKiB,
          .reserved_shared_per_block = 1 * kKiB,
          .shared_carve_outs = kib(kCarveOuts86),
          .max_threads_per_sm = 1536,
          .max_blocks_per_sm = 16,
          .async_engines = 2,
          .link_bandwidth = 25e9,
          .pageable_bandwidth = 12e9,
          .peer_bandwidth = 50e9,
      },
      {
          .name = "NVIDIA A100-SXM4-40GB",
          .id = "a100",
          .major = 8,
          .minor = 0,
          .multiprocessors = 108,
          .memory_bytes = 40 * kGiB,
          .l1_bytes = 192 * kKiB,
          .l2_bytes = 40 * kMiB,
          .clock_khz = 1410000,
          .memory_clock_khz = 1215000,
          .memory_bus_bits = 5120,
          .memory_bandwidth = 1555e9,
          .l2_bandwidth = 5120 * 1.41e9,
          .fp32_lanes_per_sm = 64,
          .fp64_lanes_per_sm = 32,
          .fp16_per_clock = 256,
          .tensor_flops_per_clock = 2048,
          .shared_per_block_optin = 163 * kKiB,
          .shared_per_sm = 164 * kKiB,
          .reserved_shared_per_block = 1 * kKiB,
          .shared_carve_outs = kib(kCarveOuts80),
          .max_threads_per_sm = 2048,
          .max_blocks_per_sm = 32,
          .async_engines = 3,
          .link_bandwidth = 25e9,
          .pageable_bandwidth = 12e9,
          .peer_bandwidth = 270e9,
      },
      {
          .name = "NVIDIA L4",
          .id = "l4",
          .major = 8,
          .minor = 9,
          .multiprocessors = 58,
          .memory_bytes = 24 * kGiB,
          .l1_bytes = 128 * kKiB,
          .l2_bytes = 48 * kMiB,
          .clock_khz = 2040000,
          .memory_clock_khz = 6251000,
          .memory_bus_bits = 192,
          .memory_bandwidth = 300e9,
          .l2_bandwidth = 24 * 64 * 2.04e9,
          .fp32_lanes_per_sm = 128,
          .fp64_lanes_per_sm = 2,
          .fp16_per_clock = 128,
          .tensor_flops_per_clock = 1024,
          .shared_per_block_optin = 99 * kKiB,
          .shared_per_sm = 100 * kKiB,
          .reserved_shared_per_block = 1 * kKiB,
          .shared_carve_outs = kib(kCarveOuts86),
          .max_threads_per_sm = 1536,
          .max_blocks_per_sm = 24,
          .async_engines = 2,
          .link_bandwidth = 25e9,
          .pageable_bandwidth = 12e9,
          .peer_bandwidth = 25e9,
      },
      {
          .name = "NVIDIA GeForce RTX 4090",
          .id = "rtx4090",
          .major = 8,
          .minor = 9,
          .multiprocessors = 128,
          .memory_bytes = 24 * kGiB,
          .l1_bytes = 128 * kKiB,
          .l2_bytes = 72 * kMiB,
          .clock_khz = 2520000,
          .memory_clock_khz = 10501000,
          .memory_bus_bits = 384,
          .memory_bandwidth = 1008e9,
          .l2_bandwidth = 36 * 64 * 2.52e9,
          .fp32_lanes_per_sm = 128,
          .fp64_lanes_per_sm = 2,
          .fp16_per_clock = 128,
          .tensor_flops_per_clock = 512,
          .shared_per_block_optin = 99 * kKiB,
          .shared_per_sm = 100 * kKiB,
          .reserved_shared_per_block = 1 * kKiB,
          .shared_carve_outs = kib(kCarveOuts86),
          .max_threads_per_sm = 1536,
          .max_blocks_per_sm = 24,
          .async_engines = 2,
          .link_bandwidth = 25e9,
          .pageable_bandwidth = 12e9,
          .peer_bandwidth = 25e9,
      },
      {
          .name = "NVIDIA H100 80GB HBM3",
          .id = "h100",
          .major = 9,
          .minor = 0,
          .multiprocessors = 132,
          .memory_bytes = 80 * kGiB,
          .l1_bytes = 256 * kKiB,
          .l2_bytes = 50 * kMiB,
          .clock_khz = 1980000,
          .memory_clock_khz = 2619000,
          .memory_bus_bits = 5120,
          .memory_bandwidth = 3350e9,
          .l2_bandwidth = 80 * 64 * 1.98e9,
          .fp32_lanes_per_sm = 128,
          .fp64_lanes_per_sm = 64,
          .fp16_per_clock = 256,
          .tensor_flops_per_clock = 4096,
          .tensor_share_of_warp = 2.0 / 3,
          .tensor_share_of_small = 0.5,
          .shared_per_block_optin = 227 * kKiB,
          .shared_per_sm = 228 * kKiB,
          .reserved_shared_per_block = 1 * kKiB,
          .shared_carve_outs = kib(kCarveOuts90),
          .max_threads_per_sm = 2048,
          .max_blocks_per_sm = 32,
          .async_engines = 3,
          .link_bandwidth = 55e9,
          .pageable_bandwidth = 15e9,
          .peer_bandwidth = 400e9,
      },
      {
          .name = "NVIDIA H200",
          .id = "h200",
          .major = 9,
          .minor = 0,
          .multiprocessors = 132,
          .memory_bytes = 150109880320,  // as cudaMemGetInfo says
          .l1_bytes = 256 * kKiB,
          .l2_bytes = 60 * kMiB,
          .clock_khz = 1980000,
          .memory_clock_khz = 3201000,
          .memory_bus_bits = 6016,
          .memory_bandwidth = 4800e9,
          .l2_bandwidth = 96 * 64 * 1.98e9,
          .fp32_lanes_per_sm = 128,
          .fp64_lanes_per_sm = 64,
          .fp16_per_clock = 256,
          .tensor_flops_per_clock = 4096,
          .tensor_share_of_warp = 2.0 / 3,
          .tensor_share_of_small = 0.5,
          .shared_per_block_optin = 227 * kKiB,
          .shared_per_sm = 228 * kKiB,
          .reserved_shared_per_block = 1 * kKiB,
          .shared_carve_outs = kib(kCarveOuts90),
          .max_threads_per_sm = 2048,
          .max_blocks_per_sm = 32,
          .async_engines = 3,
          .link_bandwidth = 55e9,
          .pageable_bandwidth = 15e9,
          .peer_bandwidth = 400e9,
      },
  }};
  return table;
}

bool same_ignoring_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(
      a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

}  // namespace

std::span<const Card> all_cards() {
  return cards();
}

const Card* find_card(std::string_view id) {
  const auto found = std::ranges::find_if(
      cards(), [&](const Card& card) { return same_ignoring_case(card.id, id); });
  return found == cards().end() ? nullptr : &*found;
}

const Card& default_card() {
  return *find_card("a100");
}

}  // namespace warpsim
