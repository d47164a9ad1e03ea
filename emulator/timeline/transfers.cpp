#include "emulator/timeline/transfers.h"

#include <algorithm>
#include <bit>

namespace warpsim {
namespace {

template <CopyDirection kDirection, std::uint64_t TransferCounts::*kMember>
std::uint64_t of(const TransferTotals& totals) {
  return totals.by_direction[static_cast<std::size_t>(kDirection)].*kMember;
}

template <std::uint64_t TransferTotals::*kMember>
std::uint64_t plain(const TransferTotals& totals) {
  return totals.*kMember;
}

std::uint64_t kernel_devices(const TransferTotals& totals) {
  return kMostDevices - static_cast<std::uint64_t>(std::ranges::count(totals.kernels_on, 0u));
}

std::uint64_t most_bytes_to_one_device(const TransferTotals& totals) {
  return std::ranges::max(totals.link_bytes_to);
}

constexpr std::array kCounters = {
    TransferCounter{"copies_to_device", &of<CopyDirection::to_device, &TransferCounts::copies>,
                    "copies from host to device"},
    TransferCounter{"bytes_to_device", &of<CopyDirection::to_device, &TransferCounts::bytes>,
                    "bytes copied from host to device"},
    TransferCounter{"copies_to_host", &of<CopyDirection::to_host, &TransferCounts::copies>,
                    "copies from device to host"},
    TransferCounter{"bytes_to_host", &of<CopyDirection::to_host, &TransferCounts::bytes>,
                    "bytes copied from device to host"},
    TransferCounter{"copies_on_device", &of<CopyDirection::on_device, &TransferCounts::copies>,
                    "copies within a device"},
    TransferCounter{"bytes_on_device", &of<CopyDirection::on_device, &TransferCounts::bytes>,
                    "bytes copied within a device"},
    TransferCounter{"copies_between_devices",
                    &of<CopyDirection::between_devices, &TransferCounts::copies>,
                    "copies from one device to another"},
    TransferCounter{"bytes_between_devices",
                    &of<CopyDirection::between_devices, &TransferCounts::bytes>,
                    "bytes copied from one device to another"},
    TransferCounter{"copies_on_host", &of<CopyDirection::on_host, &TransferCounts::copies>,
                    "copies within host memory"},
    TransferCounter{"bytes_on_host", &of<CopyDirection::on_host, &TransferCounts::bytes>,
                    "bytes copied within host memory"},
    TransferCounter{"pageable_copies_to_device",
                    &of<CopyDirection::to_device, &TransferCounts::pageable_copies>,
                    "copies from host to device whose host memory is not pinned"},
    TransferCounter{"pageable_bytes_to_device",
                    &of<CopyDirection::to_device, &TransferCounts::pageable_bytes>,
                    "bytes of copies from host to device whose host memory is not pinned"},
    TransferCounter{"synchronous_copies_to_device",
                    &of<CopyDirection::to_device, &TransferCounts::synchronous_copies>,
                    "copies from host to device for which the host waited"},
    TransferCounter{"synchronous_bytes_to_device",
                    &of<CopyDirection::to_device, &TransferCounts::synchronous_bytes>,
                    "bytes of copies from host to device for which the host waited"},
    TransferCounter{"pageable_copies_to_host",
                    &of<CopyDirection::to_host, &TransferCounts::pageable_copies>,
                    "copies from device to host whose host memory is not pinned"},
    TransferCounter{"pageable_bytes_to_host",
                    &of<CopyDirection::to_host, &TransferCounts::pageable_bytes>,
                    "bytes of copies from device to host whose host memory is not pinned"},
    TransferCounter{"synchronous_copies_to_host",
                    &of<CopyDirection::to_host, &TransferCounts::synchronous_copies>,
                    "copies from device to host for which the host waited"},
    TransferCounter{"synchronous_bytes_to_host",
                    &of<CopyDirection::to_host, &TransferCounts::synchronous_bytes>,
                    "bytes of copies from device to host for which the host waited"},
    TransferCounter{"zero_copy_bytes_read", &plain<&TransferTotals::zero_copy_bytes_read>,
                    "bytes of pinned host memory that kernels read, once per launch"},
    TransferCounter{"zero_copy_bytes_written", &plain<&TransferTotals::zero_copy_bytes_written>,
                    "bytes of pinned host memory that kernels wrote, once per launch"},
    TransferCounter{"pages_to_device", &plain<&TransferTotals::pages_to_device>,
                    "pages of managed memory that moved to a device"},
    TransferCounter{"pages_to_host", &plain<&TransferTotals::pages_to_host>,
                    "pages of managed memory that moved to the host"},
    TransferCounter{"faulted_pages", &plain<&TransferTotals::faulted_pages>,
                    "pages of managed memory that a kernel waited for"},
    TransferCounter{"kernel_devices", &kernel_devices, "devices on which kernels ran"},
    TransferCounter{"most_bytes_to_one_device", &most_bytes_to_one_device,
                    "bytes of host memory that came to the device that got most of them, by copies "
                    "and zero-copy reads"},
    TransferCounter{"device_copy_requests", &plain<&TransferTotals::device_copy_requests>,
                    "128-byte pieces of copies within a device"},
    TransferCounter{"device_copy_sectors_read", &plain<&TransferTotals::device_copy_sectors_read>,
                    "32-byte sectors that copies within a device read"},
    TransferCounter{"device_copy_sectors_written",
                    &plain<&TransferTotals::device_copy_sectors_written>,
                    "32-byte sectors that copies within a device write"},
    TransferCounter{
        "device_move_ns", &plain<&TransferTotals::device_move_ns>,
        "modelled nanoseconds of copies and memsets within a device, and of what narrow "
        "rows of other copies cost there"},
};

}  // namespace

std::span<const TransferCounter> transfer_counters() {
  return kCounters;
}

void TransferTotals::add(const Transfer& transfer) {
  TransferCounts& counts = (*this)[transfer.direction];
  ++counts.copies;
  counts.bytes += transfer.bytes;
  if (transfer.pageable) {
    ++counts.pageable_copies;
    counts.pageable_bytes += transfer.bytes;
  }
  if (transfer.synchronous) {
    ++counts.synchronous_copies;
    counts.synchronous_bytes += transfer.bytes;
  }
}

TransferTotals TransferTotals::since(const TransferTotals& earlier) const {
  // All members are of one type, so the difference needs no list of them.
  static_assert(sizeof(TransferTotals) % sizeof(std::uint64_t) == 0);
  constexpr std::size_t kMembers = sizeof(TransferTotals) / sizeof(std::uint64_t);
  using Words = std::array<std::uint64_t, kMembers>;
  auto result = std::bit_cast<Words>(*this);
  const auto before = std::bit_cast<Words>(earlier);
  for (std::size_t i = 0; i < kMembers; ++i) result[i] -= before[i];
  return std::bit_cast<TransferTotals>(result);
}

}  // namespace warpsim
