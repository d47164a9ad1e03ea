#include "emulator/checkers/races/order.h"

#include <algorithm>

namespace warpsim {
namespace {

constexpr std::uint32_t kAllLanes = ~std::uint32_t{0};

}  // namespace

std::uint32_t BlockOrder::advance() {
  // 2^30 synchronisations of one block are more than the instruction budget allows in practice;
  // should it happen, races go unseen from there on.
  if (tick_ < Epoch::kMaxTick) ++tick_;
  return tick_;
}

bool BlockOrder::start(std::uint64_t block, std::uint32_t warps) {
  const bool anew = tick_ > Epoch::kMaxTick / 2;
  if (anew) tick_ = 0;
  block_ = block;
  floor_ = advance();
  warps_.resize(warps);
  for (WarpOrder& warp : warps_) {
    warp.now = warp.synced = floor_;
    warp.part_count = 0;
    if (knowing_) {
      warp.known = warp.known_reads = warp.fenced_block = warp.fenced_cluster = warp.fenced_device =
          VectorClock();
    }
    if (intending_) warp.intended = VectorClock();
  }
  knowing_ = cluster_fenced_ = intending_ = narrow_fence_ = false;
  return anew;
}

bool BlockOrder::ordered(Epoch old, Epoch now) const {
  if (old.tick() < floor_ || old.same_thread(now)) return true;
  const WarpOrder& warp = warps_[now.warp()];
  if (old.warp() == now.warp()) {
    if (old.tick() < warp.synced) return true;
    for (std::uint32_t i = 0; i < warp.part_count; ++i) {
      const WarpOrder::Part& part = warp.parts[i];
      const bool both = ((part.lanes >> old.lane()) & (part.lanes >> now.lane()) & 1) != 0;
      if (both && old.tick() < part.tick) return true;
    }
  }
  return warp.known.covers(block_, old);
}

template <class Member>
void BlockOrder::share(Member member) {
  bool equal = true;
  for (const WarpOrder& warp : warps_) equal = equal && (warp.*member).is(warps_[0].*member);
  if (equal) return;
  VectorClock all;
  for (const WarpOrder& warp : warps_) all.join(warp.*member);
  for (WarpOrder& warp : warps_) warp.*member = all;
}

void BlockOrder::barrier() {
  floor_ = advance();
  if (knowing_) {
    share(&WarpOrder::known);
    share(&WarpOrder::known_reads);
    share(&WarpOrder::fenced_block);
    if (cluster_fenced_) share(&WarpOrder::fenced_cluster);
    share(&WarpOrder::fenced_device);
  }
  if (intending_) share(&WarpOrder::intended);
  for (WarpOrder& warp : warps_) {
    warp.now = warp.synced = floor_;
    warp.part_count = 0;
  }
}

bool BlockOrder::barrier_teaches() const {
  if (!knowing_ && !intending_) return false;
  return std::ranges::any_of(warps_, [&](const WarpOrder& warp) {
    return !warp.known.is(warps_[0].known) || !warp.intended.is(warps_[0].intended);
  });
}

void BlockOrder::sync_lanes(std::uint32_t index, std::uint32_t members, std::uint32_t live) {
  WarpOrder& warp = warps_[index];
  warp.now = advance();
  if ((live & ~members) == 0) {
    warp.synced = warp.now;
    warp.part_count = 0;
    return;
  }
  std::uint32_t i = 0;
  while (i < warp.part_count && warp.parts[i].lanes != members) ++i;
  if (i == warp.parts.size()) {
    // Rather miss a race than make one up.
    warp.synced = warp.now;
    warp.part_count = 0;
    return;
  }
  warp.parts[i] = {members, warp.now};
  if (i == warp.part_count) ++warp.part_count;
}

VectorClock BlockOrder::everything(std::uint32_t index, std::uint32_t lanes,
                                   std::uint32_t live) const {
  const WarpOrder& warp = warps_[index];
  BlockClock own;
  own.floor = floor_;
  const bool whole = (live & ~lanes) == 0;
  if (warp.synced > floor_) own.add({index, kAllLanes, 0, warp.synced - 1});
  own.add({index, whole ? kAllLanes : lanes, 0, warp.now});
  VectorClock all = warp.known;
  all.add(block_, own);
  return all;
}

VectorClock BlockOrder::release(std::uint32_t warp, std::uint32_t lanes, std::uint32_t live) {
  VectorClock brought = everything(warp, lanes, live);
  warps_[warp].now = advance();
  return brought;
}

VectorClock BlockOrder::arrive(std::uint32_t warp, std::uint32_t lanes, std::uint32_t live) {
  VectorClock brought = everything(warp, lanes, live);
  sync_lanes(warp, lanes, live);
  return brought;
}

bool BlockOrder::learn(std::uint32_t warp, const VectorClock& what) {
  if (what.empty()) return false;
  knowing_ = true;
  return warps_[warp].known.join(what);
}

void BlockOrder::learn_reads(std::uint32_t warp, const VectorClock& what) {
  if (what.empty()) return;
  knowing_ = true;
  warps_[warp].known_reads.join(what);
}

void BlockOrder::intend(std::uint32_t warp, const VectorClock& what) {
  if (what.empty()) return;
  intending_ = true;
  warps_[warp].intended.join(what);
}

VectorClock BlockOrder::reads(std::uint32_t warp, std::uint32_t lanes, std::uint32_t live) const {
  VectorClock all = everything(warp, lanes, live);
  all.join(warps_[warp].known_reads);
  return all;
}

bool BlockOrder::knows(std::uint32_t index, std::uint64_t block, Epoch access) const {
  const WarpOrder& warp = warps_[index];
  return warp.known.covers(block, access) ||
         (!access.write() && warp.known_reads.covers(block, access));
}

VectorClock BlockOrder::this_moment(std::uint32_t index, std::uint32_t lanes) const {
  const std::uint32_t now = warps_[index].now;
  BlockClock own;
  own.add({index, lanes, now, now});
  VectorClock what;
  what.add(block_, own);
  return what;
}

void BlockOrder::fence(std::uint32_t index, std::uint32_t lanes, std::uint32_t live,
                       SyncScope scope, bool in_cluster) {
  WarpOrder& warp = warps_[index];
  // A fence orders each lane for itself: it says nothing of the warp's other lanes.
  const VectorClock all = everything(index, lanes, live);
  warp.fenced_block.join(all);
  if (in_cluster && scope != SyncScope::block) {
    warp.fenced_cluster.join(all);
    cluster_fenced_ = true;
  }
  if (scope == SyncScope::device) {
    warp.fenced_device.join(all);
  } else {
    narrow_fence_ = true;
  }
  knowing_ = true;
  warp.now = advance();
}

}  // namespace warpsim
