#include "emulator/cudart/modelled_time.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "emulator/counters/cache.h"
#include "emulator/counters/cost.h"
#include "emulator/cudart/streams.h"

namespace warpsim::cudart {
namespace {

// Estimates, all of the order that microbenchmarks of any recent card and host show.

/// The start of a copy.
constexpr double kCopyMs = 0.005;
/// A kernel's first access to a page that is at the host: the fault's round trip.
constexpr double kFaultMs = 0.02;
/// Pages that kernels wait for arrive at about this share of the link's rate (N. Sakharnykh,
/// "Maximizing Unified Memory Performance in CUDA", NVIDIA, 2017: 5.4 of 11.4 GB/s).
constexpr double kFaultShare = 0.5;
/// Without peer access a copy between devices goes through host memory, at about this share of the
/// link's rate (measured on two H100: 37 GB/s where the link has 55).
constexpr double kStagedShare = 0.68;
constexpr double kHostFunctionMs = 0.005;
/// Events never have equal times, as on a card, where recording one takes about this long.
constexpr double kRecordMs = 0.002;
/// A copy within host memory is done by one core: read and written.
constexpr double kHostBytesPerMs = 10e6;
/// Smaller copies from pageable memory are staged at once, and the call returns.
constexpr std::uint64_t kStagedBytes = 64 * 1024;
/// Bytes that a warp copies with one instruction.
constexpr std::uint64_t kRequestBytes = 128;

/// Milliseconds for `bytes` at `rate` bytes per second.
double transfer_ms(std::uint64_t bytes, double rate) {
  return static_cast<double>(bytes) / rate * 1e3;
}

/// Bytes per second of copies and memsets within a card.
double rate_within(const Card& card) {
  return kMemoryEfficiency * card.memory_bandwidth;
}

std::uint64_t nanoseconds(double ms) {
  return static_cast<std::uint64_t>(std::llround(ms * 1e6));
}

}  // namespace

double ModelledTime::place(TimelineOperation operation, double duration_ms) {
  return place_on(streams_.running().device, std::move(operation), duration_ms);
}

double ModelledTime::place_on(int device, TimelineOperation operation, double duration_ms) {
  timeline_.host_submits();
  const StreamWork& work = streams_.running();
  operation.device = device;
  operation.stream = work.in_default_stream ? 0 : work.stream;
  if (origins_) operation.origin = origins_->of(work);
  const double end = timeline_.run(std::move(operation), work.done.ms, duration_ms);
  streams_.running_until(end);
  return end;
}

void ModelledTime::count_pages(std::uint64_t bytes, bool to_device) {
  const std::uint64_t pages = bytes / ManagedPages::kPageBytes;
  (to_device ? transfers_.pages_to_device : transfers_.pages_to_host) += pages;
}

void ModelledTime::kernel(const std::string& name, int device, const LaunchResult& result) {
  std::uint64_t faulted = 0;
  std::uint64_t read = 0;
  std::uint64_t written = 0;
  std::uint64_t of_peers = 0;
  for (const MemoryUse& use : result.uses) {
    const GlobalMemory::Allocation* allocation = memory_.find(use.begin);
    if (allocation == nullptr) continue;
    if (!allocation->on_host()) {
      if (allocation->device != device) of_peers += use.end - use.begin;
      continue;
    }
    if (allocation->kind == GlobalMemory::Kind::managed) {
      faulted += pages_.move(*allocation, use.begin, use.end, device);
      continue;
    }
    if (use.is(MemoryUse::kRead)) read += use.end - use.begin;
    if (use.is(MemoryUse::kWritten)) written += use.end - use.begin;
  }
  const auto index = static_cast<std::size_t>(device);
  ++transfers_.kernels_on[index];
  transfers_.link_bytes_to[index] += read;
  transfers_.zero_copy_bytes_read += read;
  transfers_.zero_copy_bytes_written += written;
  if (faulted != 0) {
    count_pages(faulted, true);
    transfers_.faulted_pages += faulted / ManagedPages::kPageBytes;
    place_on(device,
             {.kind = OperationKind::migration,
              .name = name,
              .engine = EngineKind::copy_to_device,
              .bytes = faulted},
             kFaultMs + transfer_ms(faulted, card_.link_bandwidth * kFaultShare));
  }
  // Zero-copy accesses use the link in both directions at once, while the kernel runs.
  const double link_ms = std::max(transfer_ms(std::max(read, written), card_.link_bandwidth),
                                  transfer_ms(of_peers, card_.peer_bandwidth));
  place_on(device,
           {.kind = OperationKind::kernel,
            .name = name,
            .engine = EngineKind::kernels,
            .share = result.share_of_card,
            .bytes = read + written},
           std::max(result.modelled_ms, link_ms));
}

bool ModelledTime::has_peer_access(const DevicePair& pair) const {
  return memory_.has_peer_access(pair.from, pair.to) || memory_.has_peer_access(pair.to, pair.from);
}

/// Copies over a link have their own time and engine, and a program whose arrays are in host memory
/// needs them; but no program needs rows of a few bytes.
void ModelledTime::count_moves(const TimedCopy& copy) {
  const std::uint64_t moved = copy.sectors_read + copy.sectors_written;
  const std::uint64_t least = (copy.transfer.bytes + kSectorBytes - 1) / kSectorBytes;
  if (copy.transfer.direction == CopyDirection::on_device) {
    transfers_.device_copy_requests += (copy.transfer.bytes + kRequestBytes - 1) / kRequestBytes;
    transfers_.device_copy_sectors_read += copy.sectors_read;
    transfers_.device_copy_sectors_written += copy.sectors_written;
    transfers_.device_move_ns +=
        nanoseconds(1e3 * kLaunchSeconds + transfer_ms(moved * kSectorBytes, rate_within(card_)));
    return;
  }
  // A row of its own may begin within a sector.
  if (moved <= 2 * least + 2) return;
  transfers_.device_move_ns +=
      nanoseconds(transfer_ms((moved - least) * kSectorBytes, rate_within(card_)));
}

void ModelledTime::copy(const TimedCopy& copy) {
  Transfer transfer = copy.transfer;
  const bool staged = transfer.direction == CopyDirection::to_device && transfer.pageable &&
                      transfer.bytes > kStagedBytes;
  const bool waits = copy.host_waits || staged;
  transfer.synchronous = waits;
  transfers_.add(transfer);
  count_moves(copy);
  if (transfer.direction == CopyDirection::to_device) {
    const auto device = static_cast<std::size_t>(streams_.running().device);
    transfers_.link_bytes_to[device] += transfer.bytes;
  }
  TimelineOperation operation = {.kind = OperationKind::copy,
                                 .name = std::string(copy.api),
                                 .bytes = transfer.bytes,
                                 .pageable = transfer.pageable};
  double rate = transfer.pageable ? card_.pageable_bandwidth : card_.link_bandwidth;
  std::uint64_t bytes = transfer.bytes;
  switch (transfer.direction) {
    case CopyDirection::to_device:
      operation.engine = EngineKind::copy_to_device;
      break;
    case CopyDirection::to_host:
      operation.engine = EngineKind::copy_to_host;
      break;
    case CopyDirection::between_devices:
      operation.engine = EngineKind::copy_to_host;
      operation.between = copy.between;
      rate = has_peer_access(*copy.between) ? card_.peer_bandwidth
                                            : card_.link_bandwidth * kStagedShare;
      break;
    case CopyDirection::on_device:
      operation.engine = EngineKind::kernels;
      rate = rate_within(card_);
      bytes = (copy.sectors_read + copy.sectors_written) * kSectorBytes;
      break;
    case CopyDirection::on_host:
      rate = kHostBytesPerMs * 1e3;
      break;
  }
  const double end = place(std::move(operation), kCopyMs + transfer_ms(bytes, rate));
  if (!waits) return;
  timeline_.host_waits(end, copy.api,
                       origins_ ? origins_->of_wait(streams_.running().done) : OperationOrigin{});
}

void ModelledTime::fill(std::string_view api, std::uint64_t bytes, std::uint64_t sectors) {
  const double ms = transfer_ms(sectors * kSectorBytes, rate_within(card_));
  // Only the bytes: clearing an output before adding to it costs no launch, as if the kernel did
  // it.
  transfers_.device_move_ns += nanoseconds(ms);
  place({.kind = OperationKind::fill,
         .name = std::string(api),
         .engine = EngineKind::kernels,
         .bytes = bytes},
        kCopyMs + ms);
}

void ModelledTime::prefetch(const GlobalMemory::Allocation& allocation, std::uint64_t begin,
                            std::uint64_t end, int target) {
  const bool to_device = target != ManagedPages::kHost;
  const std::uint64_t bytes = pages_.move(allocation, begin, end, target);
  count_pages(bytes, to_device);
  place({.kind = OperationKind::migration,
         .name = "cudaMemPrefetchAsync",
         .engine = to_device ? EngineKind::copy_to_device : EngineKind::copy_to_host,
         .bytes = bytes},
        kCopyMs + transfer_ms(bytes, card_.link_bandwidth));
}

void ModelledTime::host_needs(const GlobalMemory::Allocation& allocation, std::uint64_t begin,
                              std::uint64_t end) {
  if (allocation.kind != GlobalMemory::Kind::managed) return;
  count_pages(pages_.move(allocation, begin, end, ManagedPages::kHost), false);
}

double ModelledTime::event() {
  return place({.kind = OperationKind::event, .name = "event"}, kRecordMs);
}

void ModelledTime::host_function() {
  place({.kind = OperationKind::host_function, .name = "host function"}, kHostFunctionMs);
}

void ModelledTime::graph_begins() {
  timeline_.host_submits();
  timeline_.graph_begins();
}

void ModelledTime::call_begins() {
  before_call_ = transfers_;
  timeline_.call_begins();
}

void ModelledTime::call_ends() {
  timeline_.call_ends();
  if (before_call_) call_transfers_ = transfers_.since(*before_call_);
}

}  // namespace warpsim::cudart
