#include "emulator/checkers/race_shared.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <new>

namespace warpsim {
namespace {

constexpr std::uint32_t kLanes = 32;
constexpr std::uint32_t kAllLanes = ~std::uint32_t{0};

template <class F>
void for_lanes(std::uint32_t mask, F f) {
  for (; mask != 0; mask &= mask - 1) f(static_cast<std::uint32_t>(std::countr_zero(mask)));
}

/// True when all lanes access consecutive words.
bool is_row(const WarpAccess& access, const std::uint32_t* offsets) {
  if (access.lanes != kAllLanes || access.width != 4) return false;
  std::uint32_t off = 0;
  for (std::uint32_t i = 0; i < kLanes; ++i) off |= offsets[i] ^ (offsets[0] + 4 * i);
  return off == 0;
}

/// True when none of 32 stamps is as recent as `recent`.
bool all_old(const std::uint64_t* stamps, std::uint64_t recent) {
  std::uint64_t old = ~std::uint64_t{0};
  for (std::uint32_t i = 0; i < kLanes; ++i) old &= stamps[i] - recent;
  return old >> 63 != 0;
}

/// True when each stamp is old or of the thread that stands at its place in the row.
bool all_old_or_own(const std::uint64_t* stamps, std::uint64_t recent, Stamp row) {
  constexpr std::uint64_t kThread = std::uint64_t{0x3ff} << 5;
  std::uint64_t good = ~std::uint64_t{0};
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    const std::uint64_t other = (stamps[i] ^ (row.bits | std::uint64_t{i} << 5)) & kThread;
    good &= (stamps[i] - recent) | (other - 1);
  }
  return good >> 63 != 0;
}

void set_row(std::uint64_t* stamps, Stamp stamp) {
  for (std::uint32_t i = 0; i < kLanes; ++i) stamps[i] = stamp.bits | std::uint64_t{i} << 5;
}

bool one_offset(const WarpAccess& access, const std::uint32_t* offsets) {
  const std::uint32_t first = offsets[std::countr_zero(access.lanes)];
  std::uint32_t off = 0;
  for_lanes(access.lanes, [&](std::uint32_t i) { off |= offsets[i] ^ first; });
  return off == 0;
}

}  // namespace

void remember(StampPair pair, Stamp stamp, std::uint64_t recent) {
  const Stamp first{*pair.first};
  const Stamp second{*pair.second};
  if (first.bits < recent || first.same_thread(stamp)) {
    // A pair is filled from the front, so the second is old as well or may stay.
    *pair.first = stamp.bits;
    return;
  }
  if (second.bits < recent || second.same_thread(stamp)) {
    *pair.second = stamp.bits;
    return;
  }
  // Weak accesses conflict with more than strong ones, and different warps say more than lanes.
  if (first.strong() && !stamp.strong()) {
    *pair.first = stamp.bits;
  } else if (first.warp() == stamp.warp()) {
    *pair.first = stamp.bits;
  } else if (second.warp() == first.warp() || second.warp() == stamp.warp() ||
             (second.strong() && !stamp.strong())) {
    *pair.second = stamp.bits;
  }
}

void SharedShadow::Free::operator()(std::uint64_t* p) const {
  std::free(p);
}

SharedShadow::Words SharedShadow::zeroed(std::size_t count) {
  // Untouched pages of a large calloc cost nothing.
  Words words(static_cast<std::uint64_t*>(std::calloc(count, sizeof(std::uint64_t))));
  if (!words) throw std::bad_alloc();
  return words;
}

void SharedShadow::reserve(std::size_t bytes) {
  if (bytes <= bytes_) return;
  bytes_ = (bytes + 255) / 256 * 256;
  reads_ = std::make_unique_for_overwrite<PendingLoad[]>(kMaxPending);
  clear();
}

void SharedShadow::clear() {
  const std::size_t cells = bytes_ >> shift_;
  if (cells == 0) return;
  writer_ = zeroed(cells);
  writer2_ = zeroed(cells);
  reader_ = zeroed(cells);
  reader2_ = zeroed(cells);
  last_write_ = 0;
}

void SharedShadow::use_bytes() {
  const std::size_t cells = bytes_ >> shift_;
  for (Words* words : {&writer_, &writer2_, &reader_, &reader2_}) {
    Words finer = zeroed(cells * 4);
    for (std::size_t i = 0; i < cells * 4; ++i) finer[i] = (*words)[i / 4];
    *words = std::move(finer);
  }
  shift_ = 0;
}

/// True when each word of the row is untouched since the last barrier but for its own thread.
bool SharedShadow::free_row(std::size_t cell, Stamp row, std::uint64_t recent) const {
  const auto free = [&](const Words& first, const Words& second) {
    if (all_old(&first[cell], recent)) return true;
    return all_old_or_own(&first[cell], recent, row) && all_old(&second[cell], recent);
  };
  return free(writer_, writer2_) && free(reader_, reader2_);
}

void SharedShadow::judge(Cause cause, Stamp old, Stamp now, std::size_t cell) {
  if (old.bits < cause.order.floor_bits()) return;
  const bool strong = old.strong() && now.strong();
  // Two volatile accesses of one warp race for nothing, but that they happen one after the other
  // is only due to lanes in lock-step.
  const bool lock_step = old.plain_volatile() && now.plain_volatile() && old.warp() == now.warp();
  if (strong && !lock_step) return;
  if (cause.order.ordered(old, now)) return;
  Conflict conflict;
  conflict.first = old;
  conflict.second = now;
  conflict.first_block = conflict.second_block = cause.order.block();
  conflict.address = cell << shift_;
  conflict.shared = true;
  cause.log.add(conflict);
}

void SharedShadow::load(const BlockOrder& order, ConflictLog& log, const WarpAccess& access,
                        const std::uint32_t* offsets) {
  if (last_write_ < order.floor() && pending_ < kMaxPending) {
    PendingLoad& pending = reads_[pending_++];
    pending.stamp = access.stamp;
    pending.lanes = access.lanes;
    pending.width = access.width;
    std::memcpy(pending.offsets, offsets, sizeof pending.offsets);
    return;
  }
  replay({order, log});
  read({order, log}, access, offsets);
}

void SharedShadow::replay(Cause cause) {
  for (std::size_t i = 0; i < pending_; ++i) {
    const PendingLoad& pending = reads_[i];
    read(cause, {pending.stamp, pending.lanes, pending.width}, pending.offsets);
  }
  pending_ = 0;
}

void SharedShadow::read(Cause cause, const WarpAccess& access, const std::uint32_t* offsets) {
  if (access.width < 4 && shift_ != 0) use_bytes();
  const std::uint64_t recent = cause.order.floor_bits();
  if (shift_ == 2 && is_row(access, offsets) && free_row(offsets[0] / 4, access.stamp, recent)) {
    set_row(&reader_[offsets[0] / 4], access.stamp);
    return;
  }
  std::uint32_t lanes = access.lanes;
  if (one_offset(access, offsets)) {
    // The first and the last lane stand for all.
    const auto last = static_cast<std::uint32_t>(31 - std::countl_zero(lanes));
    lanes = (lanes & (~lanes + 1)) | 1u << last;
  }
  for_lanes(lanes, [&](std::uint32_t lane) {
    const Stamp stamp = access.stamp.with_lane(lane);
    const std::size_t end = (offsets[lane] + access.width - 1) >> shift_;
    for (std::size_t cell = offsets[lane] >> shift_; cell <= end; ++cell) {
      read_cell(cause, stamp, cell);
    }
  });
}

void SharedShadow::read_cell(Cause cause, Stamp stamp, std::size_t cell) {
  const std::uint64_t recent = cause.order.floor_bits();
  if (writer_[cell] >= recent) {
    judge(cause, {writer_[cell]}, stamp, cell);
    if (writer2_[cell] >= recent) judge(cause, {writer2_[cell]}, stamp, cell);
  }
  remember(readers(cell), stamp, recent);
}

void SharedShadow::store(const BlockOrder& order, ConflictLog& log, const WarpAccess& access,
                         const std::uint32_t* offsets, const std::byte* memory) {
  const Cause cause{order, log};
  replay(cause);
  if (access.width < 4 && shift_ != 0) use_bytes();
  last_write_ = access.stamp.tick();
  const std::uint64_t recent = order.floor_bits();
  if (shift_ == 2 && is_row(access, offsets) && free_row(offsets[0] / 4, access.stamp, recent)) {
    set_row(&writer_[offsets[0] / 4], access.stamp);
    return;
  }
  for_lanes(access.lanes, [&](std::uint32_t lane) {
    const Stamp stamp = access.stamp.with_lane(lane);
    const std::size_t end = (offsets[lane] + access.width - 1) >> shift_;
    for (std::size_t cell = offsets[lane] >> shift_; cell <= end; ++cell) {
      write_cell(cause, access, stamp, cell, offsets, memory);
    }
  });
}

void SharedShadow::write_cell(Cause cause, const WarpAccess& access, Stamp stamp, std::size_t cell,
                              const std::uint32_t* offsets, const std::byte* memory) {
  const std::uint64_t recent = cause.order.floor_bits();
  const bool updated = reader_[cell] >= recent;
  if (stamp.validating()) {
    for (const Stamp read : {Stamp{reader_[cell]}, Stamp{reader2_[cell]}}) {
      if (read.same_thread(stamp) && !read.strong()) cause.log.trust(read.site());
    }
  }
  if (updated) {
    judge(cause, {reader_[cell]}, stamp, cell);
    if (reader2_[cell] >= recent) judge(cause, {reader2_[cell]}, stamp, cell);
  }
  if (writer_[cell] >= recent) {
    const std::size_t first = cell << shift_;
    const std::uint32_t mine = offsets[stamp.lane()];
    const auto judge_writer = [&](Stamp old) {
      if (old.strong() && stamp.strong() &&
          !(old.plain_volatile() && stamp.plain_volatile() && old.warp() == stamp.warp())) {
        return;
      }
      if (cause.order.ordered(old, stamp)) return;
      Conflict conflict;
      conflict.first = old;
      conflict.second = stamp;
      conflict.first_block = conflict.second_block = cause.order.block();
      conflict.address = first;
      conflict.shared = true;
      const std::uint32_t other = offsets[old.lane()];
      conflict.one_instruction = old.with_lane(0) == access.stamp && old.lane() < stamp.lane() &&
                                 ((access.lanes >> old.lane()) & 1) != 0 && first >= other &&
                                 first < other + access.width;
      conflict.same_value = access.values != nullptr;
      for (std::size_t b = 0; b < std::size_t{1} << shift_ && conflict.same_value; ++b) {
        const std::byte before = conflict.one_instruction
                                     ? access.values->byte(old.lane(), first + b - other)
                                     : memory[first + b];
        conflict.same_value = access.values->byte(stamp.lane(), first + b - mine) == before;
      }
      // Lanes that write one value with one instruction agree on it, unless they computed it from
      // what they all read there: then they lose each other's updates.
      if (conflict.one_instruction && conflict.same_value) {
        if (!updated || Stamp{reader_[cell]}.warp() != stamp.warp()) return;
        conflict.same_value = false;
      }
      cause.log.add(conflict);
    };
    judge_writer({writer_[cell]});
    if (writer2_[cell] >= recent) judge_writer({writer2_[cell]});
  }
  if (stamp.strong()) {
    remember(writers(cell), stamp, recent);
  } else {
    // The writers before are ordered, or were reported.
    writer_[cell] = stamp.bits;
    writer2_[cell] = 0;
  }
}

}  // namespace warpsim
