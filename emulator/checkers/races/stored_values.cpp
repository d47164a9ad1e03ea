#include "emulator/checkers/races/lines.h"
#include "emulator/machine/context.h"

// Whether two writes of one block store equal values, byte by byte. Asked only of writes that race.

namespace warpsim {
namespace {

const std::byte* memory_at(const LaunchState* launch, std::uint64_t place) {
  const Extent* const extent = launch == nullptr ? nullptr : launch->find(place);
  if (extent == nullptr || extent->allocation->host == nullptr) return nullptr;
  return extent->allocation->host + (place - extent->base);
}

}  // namespace

bool LineJudge::is_of_access(Epoch old, std::uint64_t place) const {
  if (access == nullptr || old.with_lane(0) != access->epoch ||
      ((access->lanes >> old.lane()) & 1) == 0) {
    return false;
  }
  const std::uint64_t from = address_of(old.lane());
  return place >= from && place < from + access->width;
}

bool LineJudge::stores_the_same(Epoch old, Epoch now, int byte) const {
  if (among_blocks || access == nullptr || access->values == nullptr) return false;
  const std::uint64_t place = line_address + static_cast<std::uint64_t>(byte);
  const auto stored_by = [&](Epoch lane) {
    return access->values->byte(lane.lane(), place - address_of(lane.lane()));
  };
  // Of a cell, a lane may have less than all bytes.
  if (!is_of_access(now, place)) return true;
  if (is_of_access(old, place)) return stored_by(old) == stored_by(now);
  const std::byte* const there = memory_at(access->launch, place);
  return there != nullptr && *there == stored_by(now);
}

bool LineJudge::stores_the_same(const LineRun& old, const LineRun& now) const {
  const int end = std::min(old.end(), now.end());
  for (int byte = std::max(old.begin(), now.begin()); byte < end; ++byte) {
    if (!old.has(byte) || !now.has(byte)) continue;
    const std::uint32_t lane = now.lane_at(byte);
    const Epoch other = old.what().with_lane(old.lane_at(byte, lane));
    if (!stores_the_same(other, now.what().with_lane(lane), byte)) return false;
  }
  return true;
}

}  // namespace warpsim
