#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "emulator/cudart/call_site.h"
#include "emulator/cudart/stream_order.h"
#include "emulator/timeline/timeline.h"

namespace warpsim::cudart {

/// From which call of the program each operation of the timeline comes, and for which operations of
/// other streams it waits. Only for recordings.
class Origins {
 public:
  /// Clocks are kept of so many operations; later ones have a place, and no edges. A recording has
  /// fewer.
  static constexpr std::size_t kMostEdges = 4000;

  /// @param site  the place of the call in progress
  Origins(const Timeline& timeline, std::function<CallSite()> site)
      : timeline_(timeline), site_(std::move(site)) {}

  /// Of the operation that the work is about to place.
  [[nodiscard]] OperationOrigin of(const StreamWork& work);
  /// Of a wait of the host for this work.
  [[nodiscard]] OperationOrigin of_wait(const StreamClock& done);
  /// Of a wait of the host for all work so far.
  [[nodiscard]] OperationOrigin of_wait_for_all();

  /// The next operation is of a node of a graph, and waits for these.
  void next_after(std::vector<std::size_t> operations) { next_after_ = std::move(operations); }
  [[nodiscard]] std::vector<std::size_t> take_next_after();

 private:
  /// An operation that a stream has placed.
  struct Placed {
    std::uint64_t stream = 0, number = 0;  // of its work
    std::size_t operation = 0;
    StreamClock clock;  // of its work
  };
  [[nodiscard]] OperationOrigin here() const;
  /// The last operation of a stream's work up to this number; null if there is none.
  [[nodiscard]] const Placed* last_of(std::uint64_t stream, std::uint64_t number) const;
  /// Those that no other one of them waits for.
  [[nodiscard]] static std::vector<std::size_t> latest(const std::vector<const Placed*>& all);

  const Timeline& timeline_;
  std::function<CallSite()> site_;
  std::map<std::uint64_t, std::vector<Placed>> placed_;  // by stream, in order
  std::size_t kept_ = 0;
  std::vector<std::size_t> next_after_;
};

}  // namespace warpsim::cudart
