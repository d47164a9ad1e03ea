#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "emulator/checkers/races/vector_clock.h"

// What orders the accesses of one block's threads: program order, barriers, __syncwarp, fences.

namespace warpsim {

/// A warp's place in its block's logical time.
struct WarpOrder {
  std::uint32_t now = 0;  // tick of its accesses
  std::uint32_t synced = 0;  // its own accesses before this are ordered before all its lanes
  struct Part {
    std::uint32_t lanes = 0;
    std::uint32_t tick = 0;
  };
  std::array<Part, 4> parts = {};  // synchronisations of some lanes since then
  std::uint32_t part_count = 0;
  VectorClock known;  // other threads' accesses that happened before
  VectorClock known_reads;  // further ones, of which it knows the reads only
  /// Further ones that a fence or an atomic of too small a scope was to tell of.
  VectorClock intended;
  VectorClock fenced_block;  // what a strong write publishes to the block, the cluster and the
  VectorClock fenced_cluster;  // grid: what was known at the last fence of that scope
  VectorClock fenced_device;
};

/// Who is reached by a fence or an atomic.
enum class SyncScope : std::uint8_t { block, cluster, device };

class BlockOrder {
 public:
  /// Begins a block; what is remembered of the one before becomes old.
  /// @returns true when time starts anew, so that shadow memory must be cleared
  bool start(std::uint64_t block, std::uint32_t warps);

  [[nodiscard]] std::uint64_t block() const { return block_; }
  /// Accesses with a tick before this happened before everything that any warp does now.
  [[nodiscard]] std::uint32_t floor() const { return floor_; }
  [[nodiscard]] std::uint64_t floor_bits() const {
    return std::uint64_t{floor_} << Epoch::kTickShift;
  }
  [[nodiscard]] const WarpOrder& warp(std::uint32_t index) const { return warps_[index]; }
  [[nodiscard]] std::uint32_t warp_count() const {
    return static_cast<std::uint32_t>(warps_.size());
  }
  /// True when an access of this block happened before what the thread of `now` does.
  [[nodiscard]] bool ordered(Epoch old, Epoch now) const;

  /// A barrier of all of the block's threads.
  void barrier();
  /// True when a barrier would tell some warp of accesses in other blocks that it does not know.
  [[nodiscard]] bool barrier_teaches() const;
  /// __syncwarp and other operations for which the lanes in `members` meet.
  void sync_lanes(std::uint32_t warp, std::uint32_t members, std::uint32_t live);
  /// Lanes release: a thread that acquires learns all that they did until now. @returns what that
  /// is
  VectorClock release(std::uint32_t warp, std::uint32_t lanes, std::uint32_t live);
  /// Some threads arrive at a barrier of a part of the block. @returns what they bring
  VectorClock arrive(std::uint32_t warp, std::uint32_t lanes, std::uint32_t live);
  /// A warp learns what others have published. @returns true when that was new
  bool learn(std::uint32_t warp, const VectorClock& what);
  /// Makes the warp's next access a moment of its own.
  void step(std::uint32_t warp) { warps_[warp].now = advance(); }
  /// As learn, of reads.
  void learn_reads(std::uint32_t warp, const VectorClock& what);
  /// As learn, of what did not reach the warp.
  void intend(std::uint32_t warp, const VectorClock& what);
  /// True when a fence or an atomic of too small a scope was to inform a thread of the block.
  [[nodiscard]] bool intends() const { return intending_; }
  [[nodiscard]] bool intends(std::uint32_t warp, std::uint64_t block, Epoch access) const {
    return warps_[warp].intended.covers(block, access);
  }
  /// True when the block has had a fence that does not reach all blocks.
  [[nodiscard]] bool has_narrow_fence() const { return narrow_fence_; }
  /// What a strong store without a fence publishes: reads that came before it are over, as their
  /// values are there; of writes it says nothing.
  [[nodiscard]] VectorClock reads(std::uint32_t warp, std::uint32_t lanes,
                                  std::uint32_t live) const;
  /// True when an access of another block happened before what the warp does now.
  [[nodiscard]] bool knows(std::uint32_t warp, std::uint64_t block, Epoch access) const;
  /// Lanes execute a fence. @param scope  of the threads that it reaches
  void fence(std::uint32_t warp, std::uint32_t lanes, std::uint32_t live, SyncScope scope,
             bool in_cluster);
  /// A moment that is later than all that happened.
  [[nodiscard]] std::uint32_t moment() { return advance(); }
  /// What the lanes do at this very moment, and nothing that they did before.
  [[nodiscard]] VectorClock this_moment(std::uint32_t warp, std::uint32_t lanes) const;
  /// Every thread that lives has learned of what the block did before a moment.
  void pass(std::uint32_t moment) { floor_ = std::max(floor_, moment); }

 private:
  std::uint32_t advance();
  [[nodiscard]] VectorClock everything(std::uint32_t warp, std::uint32_t lanes,
                                       std::uint32_t live) const;
  template <class Member>
  void share(Member member);

  std::uint64_t block_ = 0;
  std::uint32_t tick_ = 0;
  std::uint32_t floor_ = 0;
  bool knowing_ = false;  // some warp's knowledge is not empty
  bool cluster_fenced_ = false;  // likewise, its fenced_cluster
  bool intending_ = false;  // likewise, its intended
  bool narrow_fence_ = false;
  std::vector<WarpOrder> warps_;
};

}  // namespace warpsim
