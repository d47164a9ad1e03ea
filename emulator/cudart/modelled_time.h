#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/cudart/managed_pages.h"
#include "emulator/cudart/origins.h"
#include "emulator/cudart/stream_order.h"
#include "emulator/device/card.h"
#include "emulator/machine/launch.h"
#include "emulator/timeline/timeline.h"
#include "emulator/timeline/transfers.h"

namespace warpsim::cudart {

class StreamTable;

/// A copy as the timeline places it.
struct TimedCopy {
  std::string_view api;
  Transfer transfer;
  /// Sectors of device memory on either side; 0 where that is host memory.
  std::uint64_t sectors_read = 0, sectors_written = 0;
  std::optional<DevicePair> between = std::nullopt;
  /// The host may not continue before it is done.
  bool host_waits = false;
};

/// Puts the work of streams on the timeline and counts transfers. Every function below belongs to
/// the work that `streams` runs.
class ModelledTime {
 public:
  /// @param keeps  whether the report shows single operations
  ModelledTime(const Card& card, const GlobalMemory& memory, StreamTable& streams, bool keeps,
               int devices)
      : card_(card), memory_(memory), streams_(streams), timeline_(card, keeps, devices) {}

  /// From now on operations have their origins, for a recording.
  /// @param site  the place of the call in progress
  void keep_origins(std::function<CallSite()> site) {
    origins_ = std::make_unique<Origins>(timeline_, std::move(site));
  }
  /// Null if operations have no origins.
  [[nodiscard]] Origins* origins() { return origins_.get(); }

  [[nodiscard]] const Timeline& timeline() const { return timeline_; }
  [[nodiscard]] const TransferTotals& transfers() const { return transfers_; }
  /// Transfers of the announced call, once it has ended.
  [[nodiscard]] const std::optional<TransferTotals>& call_transfers() const {
    return call_transfers_;
  }

  /// Places a kernel of a device, after the pages of managed memory that it uses.
  void kernel(const std::string& name, int device, const LaunchResult& result);
  void copy(const TimedCopy& copy);
  /// A memset. @param sectors  of 32 bytes, written
  void fill(std::string_view api, std::uint64_t bytes, std::uint64_t sectors);
  /// Pages of managed memory move ahead of their use. @param target  a place of ManagedPages
  void prefetch(const GlobalMemory::Allocation& allocation, std::uint64_t begin, std::uint64_t end,
                int target);
  /// A copy needs the range at the host. Moves it there without taking time: the copy's own
  /// includes it.
  void host_needs(const GlobalMemory::Allocation& allocation, std::uint64_t begin,
                  std::uint64_t end);
  /// @returns the time that the event gets
  double event();
  void host_function();

  /// The host waits for this work, or for all.
  void host_waits(const StreamClock& done, std::string_view api) {
    timeline_.host_waits(done.ms, api, origins_ ? origins_->of_wait(done) : OperationOrigin{});
  }
  void host_waits_for_all(std::string_view api) {
    timeline_.host_waits(timeline_.end_ms(), api,
                         origins_ ? origins_->of_wait_for_all() : OperationOrigin{});
  }

  void graph_begins();
  void graph_ends() { timeline_.graph_ends(); }

  void call_begins();
  void call_ends();

 private:
  double place(TimelineOperation operation, double duration_ms);
  double place_on(int device, TimelineOperation operation, double duration_ms);
  [[nodiscard]] bool has_peer_access(const DevicePair& pair) const;
  void count_pages(std::uint64_t bytes, bool to_device);
  void count_moves(const TimedCopy& copy);

  const Card& card_;
  const GlobalMemory& memory_;
  StreamTable& streams_;
  Timeline timeline_;
  std::unique_ptr<Origins> origins_;
  TransferTotals transfers_;
  std::optional<TransferTotals> before_call_, call_transfers_;
  ManagedPages pages_;
};

}  // namespace warpsim::cudart
