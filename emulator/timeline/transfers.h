#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "emulator/device/count.h"

namespace warpsim {

enum class CopyDirection : std::uint8_t {
  to_device,  // from the host
  to_host,
  on_device,
  between_devices,
  on_host,
};
inline constexpr std::size_t kCopyDirections = 5;

/// One copy; pitched rows count once, with the bytes that are copied.
struct Transfer {
  CopyDirection direction = CopyDirection::to_device;
  std::uint64_t bytes = 0;
  bool pageable = false;  // the host's side is not pinned
  bool synchronous = false;  // the call returned when the copy was done
};

/// Copies of one direction.
struct TransferCounts {
  std::uint64_t copies = 0, bytes = 0;
  std::uint64_t pageable_copies = 0, pageable_bytes = 0;
  std::uint64_t synchronous_copies = 0, synchronous_bytes = 0;
};

/// What moved between host and device, of a run or of an announced call.
struct TransferTotals {
  std::array<TransferCounts, kCopyDirections> by_direction = {};
  /// Distinct bytes of pinned host memory that each launch read and wrote, summed over launches:
  /// zero-copy accesses.
  std::uint64_t zero_copy_bytes_read = 0, zero_copy_bytes_written = 0;
  /// Managed memory, in pages of 4096 bytes.
  std::uint64_t pages_to_device = 0, pages_to_host = 0;
  /// Of these, pages that moved because a kernel, and not a prefetch or copy, needed them.
  std::uint64_t faulted_pages = 0;
  /// By device: kernels that ran there, and bytes of host memory that came over its link by copies
  /// and zero-copy accesses.
  std::array<std::uint64_t, kMostDevices> kernels_on = {}, link_bytes_to = {};

  /// What copy engines and memsets moved in device memory. Of copies over a link, whose time is
  /// their own, only what narrow rows cost beyond their bytes.
  std::uint64_t device_copy_requests = 0;  // in 128 bytes, as a warp copies
  std::uint64_t device_copy_sectors_read = 0, device_copy_sectors_written = 0;
  std::uint64_t device_move_ns = 0;

  void add(const Transfer& transfer);
  [[nodiscard]] TransferCounts& operator[](CopyDirection direction) {
    return by_direction[static_cast<std::size_t>(direction)];
  }
  /// What was added since `earlier`, a copy of this from then.
  [[nodiscard]] TransferTotals since(const TransferTotals& earlier) const;
};

/// A counter of transfers and its name in reports and formulas.
struct TransferCounter {
  std::string_view name;
  std::uint64_t (*value)(const TransferTotals&);
  std::string_view meaning;
};
[[nodiscard]] std::span<const TransferCounter> transfer_counters();

}  // namespace warpsim
