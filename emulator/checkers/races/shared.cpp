#include "emulator/checkers/races/shared.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <new>

#include "emulator/isa/each_width.h"
#include "emulator/machine/for_lanes.h"

namespace warpsim {
namespace {

constexpr std::uint32_t kLanes = 32;
constexpr std::uint32_t kWholeWarp = ~std::uint32_t{0};

/// True when none of the epochs is as recent as `recent`.
[[gnu::always_inline]] inline bool all_old(const std::uint64_t* epochs, std::uint32_t count,
                                           std::uint64_t recent) {
  std::uint64_t old = ~std::uint64_t{0};
  for (std::uint32_t i = 0; i < count; ++i) old &= epochs[i] - recent;
  return old >> 63 != 0;
}

/// True when each epoch is old or of the thread that stands at its place in the row.
[[gnu::always_inline]] inline bool all_old_or_own(const std::uint64_t* epochs, std::uint32_t count,
                                                  std::uint64_t recent, Epoch row) {
  constexpr std::uint64_t kThread = std::uint64_t{0x3ff} << 5;
  std::uint64_t good = ~std::uint64_t{0};
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint64_t other = (epochs[i] ^ (row.bits + (std::uint64_t{i} << 5))) & kThread;
    good &= (epochs[i] - recent) | (other - 1);
  }
  return good >> 63 != 0;
}

[[gnu::always_inline]] inline void set_row(std::uint64_t* epochs, std::uint32_t count,
                                           Epoch epoch) {
  if (count == kLanes) {
    for (std::uint32_t i = 0; i < kLanes; ++i) epochs[i] = epoch.bits + (std::uint64_t{i} << 5);
    return;
  }
  for (std::uint32_t i = 0; i < count; ++i) epochs[i] = epoch.bits + (std::uint64_t{i} << 5);
}

bool one_offset(const WarpAccess& access, const std::uint32_t* offsets) {
  const std::uint32_t first = offsets[std::countr_zero(access.lanes)];
  std::uint32_t off = 0;
  for_lanes<std::uint32_t>(access.lanes, [&](std::uint32_t i) { off |= offsets[i] ^ first; });
  return off == 0;
}

}  // namespace

void remember(StampPair pair, Epoch epoch, std::uint64_t recent) {
  const Epoch first{*pair.first};
  const Epoch second{*pair.second};
  // Weak accesses conflict with more than strong ones, and different warps say more than lanes.
  // What is ordered after a thread's atomic is ordered after its earlier store as well.
  // A volatile store says of what follows as much as an atomic at the same moment, and more of
  // atomics.
  const auto says_more = [&](Epoch old) {
    return (!old.strong() && epoch.strong()) ||
           (old.is_volatile() && old.mixes_with(epoch) && old.tick() == epoch.tick());
  };
  if (first.bits < recent || first.same_thread(epoch)) {
    // A pair is filled from the front, so the second is old as well or may stay.
    if (first.bits < recent || !says_more(first)) *pair.first = epoch.bits;
    return;
  }
  if (second.bits < recent || second.same_thread(epoch)) {
    if (second.bits < recent || !says_more(second)) *pair.second = epoch.bits;
    return;
  }
  if (first.strong() && !epoch.strong()) {
    *pair.first = epoch.bits;
  } else if (first.warp() == epoch.warp() && !says_more(first)) {
    *pair.first = epoch.bits;
  } else if (!says_more(second) &&
             (second.warp() == first.warp() || second.warp() == epoch.warp() ||
              (second.strong() && !epoch.strong()))) {
    *pair.second = epoch.bits;
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
  stored_.resize(bytes_ / 4);
  clear();
}

void SharedShadow::clear() {
  const std::size_t cells = bytes_ >> shift_;
  if (cells == 0) return;
  writer_ = zeroed(cells);
  writer2_ = zeroed(cells);
  reader_ = zeroed(cells);
  reader2_ = zeroed(cells);
}

void SharedShadow::barrier() {
  for (const Row& row : stores_) stored_.remove(row);
  stores_.clear();
  rows_wait_ = shift_ == 2;
  pending_ = 0;
  has_writes_ = has_reads_ = has_seconds_ = false;
  places_.clear();
  series_.clear();
  starts_.clear();
  ++interval_;
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

SharedShadow::Row SharedShadow::row_of(const WarpAccess& access, const std::uint32_t* offsets) {
  if (access.width != 4) return {};
  const auto first = static_cast<std::uint32_t>(std::countr_zero(access.lanes));
  const Row row = row_from(access, offsets[first]);
  std::uint32_t off = 0;
  for (std::uint32_t i = 0; i < row.count; ++i) {
    off |= offsets[first + i] ^ (offsets[first] + 4 * i);
  }
  return off == 0 ? row : Row();
}

/// The offsets of a row's lanes.
void SharedShadow::spread(const Row& row, std::uint32_t* offsets) {
  const auto first = static_cast<std::uint32_t>(4 * row.cell) - 4 * row.epoch.lane();
  for (std::uint32_t i = 0; i < kLanes; ++i) offsets[i] = first + 4 * i;
}

/// True when each word of the row is untouched since the last barrier but for its own thread.
[[gnu::always_inline]] inline bool SharedShadow::free_row(const Row& row,
                                                          std::uint64_t recent) const {
  const auto free = [&](const Words& first, const Words& second) __attribute__((always_inline)) {
    // A whole warp's row, as most are, needs no loop.
    const bool good = row.count == kLanes
                          ? all_old_or_own(&first[row.cell], kLanes, recent, row.epoch)
                          : all_old_or_own(&first[row.cell], row.count, recent, row.epoch);
    return good && (!has_seconds_ || all_old(&second[row.cell], row.count, recent));
  };
  return (!has_writes_ || free(writer_, writer2_)) && (!has_reads_ || free(reader_, reader2_));
}

void SharedShadow::judge(Cause cause, Epoch old, Epoch now, std::size_t cell) {
  if (old.bits < cause.order.floor_bits()) return;
  const bool strong = old.strong() && now.strong();
  // Two volatile accesses of one warp race for nothing, but that they happen one after the other
  // is only due to lanes in lock-step.
  const bool lock_step = old.plain_volatile() && now.plain_volatile() && old.warp() == now.warp();
  const bool mixed = old.mixes_with(now);
  if (strong && !lock_step && !mixed) return;
  if (cause.order.ordered(old, now)) return;
  Conflict conflict;
  conflict.first = old;
  conflict.second = now;
  conflict.first_block = conflict.second_block = cause.order.block();
  conflict.address = cell << shift_;
  conflict.owner_block = cause.order.block();
  conflict.shared = true;
  if (mixed) conflict.meeting = Meeting::mixed;
  cause.log.add(conflict);
}

void SharedShadow::load(const BlockOrder& order, ConflictLog& log, const WarpAccess& access,
                        const std::uint32_t* offsets) {
  if (!has_writes_ && pending_ < kMaxPending) {
    Places& places = places_.emplace_back();
    std::memcpy(places.relative, offsets, sizeof places.relative);
    wait(access, 0, static_cast<std::uint32_t>(places_.size() - 1));
    return;
  }
  replay({order, log});
  read({order, log}, access, offsets);
}

void SharedShadow::load_slowly(const BlockOrder& order, ConflictLog& log, const WarpAccess& access,
                               std::uint32_t first, const LaneShape& shape) {
  if (!has_writes_ && pending_ < kMaxPending) {
    const auto places = static_cast<std::uint32_t>(places_.size());
    std::memcpy(places_.emplace_back().relative, shape.relative, sizeof shape.relative);
    known_of(shape) = {&shape, shape.version, interval_, places};
    wait(access, first, places);
    return;
  }
  std::uint32_t offsets[kLanes];
  shape.spread(first, offsets);
  load(order, log, access, offsets);
}

void SharedShadow::load_row(Cause cause, const WarpAccess& access, const Row& row) {
  if (!has_writes_ && pending_ < kMaxPending) {
    wait(access, static_cast<std::uint32_t>(4 * row.cell), kRow);
    return;
  }
  if (has_waiting()) replay(cause);
  read_row(cause, access, row);
}

/// Each store has its words for itself, so there is nothing to be compared.
void SharedShadow::replay_stores() {
  for (const Row& row : stores_) {
    stored_.remove(row);
    set_row(&writer_[row.cell], row.count, row.epoch);
  }
  stores_.clear();
  rows_wait_ = false;
}

void SharedShadow::replay(Cause cause) {
  if (rows_wait_) replay_stores();
  for (std::size_t i = 0; i < pending_; ++i) {
    const PendingLoad& pending = reads_[i];
    const WarpAccess access{pending.epoch, pending.lanes, pending.width};
    if (pending.places == kRow) {
      read_row(cause, access, row_from(access, pending.first));
      continue;
    }
    if (pending.places == kSeries) {
      const std::uint32_t* const starts = starts_.data() + pending.first;
      read_series(cause, *series_[pending.width], pending.epoch,
                  [&](std::uint32_t start) { return starts[start]; });
      continue;
    }
    std::uint32_t offsets[kLanes];
    const Places& places = places_[pending.places];
    for (std::uint32_t k = 0; k < kLanes; ++k) offsets[k] = pending.first + places.relative[k];
    read(cause, access, offsets);
  }
  pending_ = 0;
}

template <class StartOf>
void SharedShadow::read_series(Cause cause, const SharedSeries& series, Epoch warp,
                               StartOf start_of) {
  for (const SharedSeries::Load& load : series.loads) {
    const WarpAccess access{{warp.bits | load.site_and_traits}, kWholeWarp, load.width};
    const std::uint32_t first = start_of(load.start) + load.offset;
    if (load.is_row) {
      read_row(cause, access, row_from(access, first));
      continue;
    }
    std::uint32_t offsets[kLanes];
    for (std::uint32_t i = 0; i < kLanes; ++i) offsets[i] = first + series.shapes[load.shape][i];
    read(cause, access, offsets);
  }
}

void SharedShadow::load(const BlockOrder& order, ConflictLog& log,
                        const std::shared_ptr<const SharedSeries>& series, Epoch warp,
                        const std::uint64_t* starts) {
  if (has_writes_ || pending_ == kMaxPending) {
    if (has_waiting()) replay({order, log});
    return read_series({order, log}, *series, warp, [&](std::uint32_t start) {
      return static_cast<std::uint32_t>(starts[series->starts[start]]);
    });
  }
  std::uint32_t number = 0;
  while (number < series_.size() && series_[number] != series) ++number;
  if (number == series_.size()) series_.push_back(series);
  const auto first = static_cast<std::uint32_t>(starts_.size());
  for (const std::uint32_t start : series->starts) {
    starts_.push_back(static_cast<std::uint32_t>(starts[start]));
  }
  reads_[pending_++] = {warp, kWholeWarp, number, first, kSeries};
  rows_wait_ = false;
}

WARPSIM_EACH_WIDTH
void SharedShadow::read_row(Cause cause, const WarpAccess& access, const Row& row) {
  if (shift_ == 2 && free_row(row, cause.order.floor_bits())) {
    set_row(&reader_[row.cell], row.count, row.epoch);
    has_reads_ = true;
    return;
  }
  std::uint32_t offsets[kLanes];
  spread(row, offsets);
  read_lanes(cause, access, offsets);
}

void SharedShadow::read(Cause cause, const WarpAccess& access, const std::uint32_t* offsets) {
  if (access.width < 4 && shift_ != 0) use_bytes();
  const Row row = row_of(access, offsets);
  if (row.count != 0) {
    read_row(cause, access, row);
  } else {
    read_lanes(cause, access, offsets);
  }
}

void SharedShadow::read_lanes(Cause cause, const WarpAccess& access, const std::uint32_t* offsets) {
  has_reads_ = true;
  std::uint32_t lanes = access.lanes;
  if (one_offset(access, offsets)) {
    // The first and the last lane stand for all.
    const auto last = static_cast<std::uint32_t>(31 - std::countl_zero(lanes));
    lanes = (lanes & (~lanes + 1)) | 1u << last;
  }
  for_lanes<std::uint32_t>(lanes, [&](std::uint32_t lane) {
    const Epoch epoch = access.epoch.with_lane(lane);
    const std::size_t end = (offsets[lane] + access.width - 1) >> shift_;
    for (std::size_t cell = offsets[lane] >> shift_; cell <= end; ++cell) {
      read_cell(cause, epoch, cell);
    }
  });
}

void SharedShadow::read_cell(Cause cause, Epoch epoch, std::size_t cell) {
  const std::uint64_t recent = cause.order.floor_bits();
  if (writer_[cell] >= recent) {
    judge(cause, {writer_[cell]}, epoch, cell);
    if (writer2_[cell] >= recent) judge(cause, {writer2_[cell]}, epoch, cell);
  }
  remember(readers(cell), epoch, recent);
  has_seconds_ = has_seconds_ || reader2_[cell] >= recent;
}

void SharedShadow::store(const BlockOrder& order, ConflictLog& log, const WarpAccess& access,
                         const std::uint32_t* offsets, const std::byte* memory) {
  const Cause cause{order, log};
  const Row row = row_of(access, offsets);
  if (rows_wait_ && wait(row)) return;
  replay(cause);
  if (access.width < 4 && shift_ != 0) use_bytes();
  if (write_row(cause, access, row)) return;
  has_writes_ = true;
  for_lanes<std::uint32_t>(access.lanes, [&](std::uint32_t lane) {
    const Epoch epoch = access.epoch.with_lane(lane);
    const std::size_t end = (offsets[lane] + access.width - 1) >> shift_;
    for (std::size_t cell = offsets[lane] >> shift_; cell <= end; ++cell) {
      write_cell(cause, access, epoch, cell, offsets, memory);
    }
  });
}

void SharedShadow::store_slowly(const BlockOrder& order, ConflictLog& log, const WarpAccess& access,
                                std::uint32_t first, const LaneShape& shape,
                                const std::byte* memory) {
  const Cause cause{order, log};
  if (has_waiting()) replay(cause);
  if (write_row(cause, access, row_of(access, first, shape))) return;
  std::uint32_t offsets[kLanes];
  shape.spread(first, offsets);
  store(order, log, access, offsets, memory);
}

/// @returns true when nothing that matters was there
WARPSIM_EACH_WIDTH
bool SharedShadow::write_row(Cause cause, const WarpAccess& access, const Row& row) {
  if (row.count == 0 || shift_ != 2 || access.epoch.validating()) return false;
  if (!free_row(row, cause.order.floor_bits())) return false;
  set_row(&writer_[row.cell], row.count, row.epoch);
  has_writes_ = true;
  return true;
}

void SharedShadow::write_cell(Cause cause, const WarpAccess& access, Epoch epoch, std::size_t cell,
                              const std::uint32_t* offsets, const std::byte* memory) {
  const std::uint64_t recent = cause.order.floor_bits();
  const bool updated = reader_[cell] >= recent;
  if (epoch.validating()) {
    for (const Epoch read : {Epoch{reader_[cell]}, Epoch{reader2_[cell]}}) {
      if (read.same_thread(epoch) && !read.strong()) cause.log.trust(read.site());
    }
  }
  if (updated) {
    judge(cause, {reader_[cell]}, epoch, cell);
    if (reader2_[cell] >= recent) judge(cause, {reader2_[cell]}, epoch, cell);
  }
  if (writer_[cell] >= recent) {
    const std::size_t first = cell << shift_;
    const std::uint32_t mine = offsets[epoch.lane()];
    const auto judge_writer = [&](Epoch old) {
      const bool mixed = old.mixes_with(epoch);
      if (old.strong() && epoch.strong() && !mixed &&
          !(old.plain_volatile() && epoch.plain_volatile() && old.warp() == epoch.warp())) {
        return;
      }
      if (cause.order.ordered(old, epoch)) return;
      Conflict conflict;
      conflict.first = old;
      conflict.second = epoch;
      conflict.first_block = conflict.second_block = cause.order.block();
      conflict.address = first;
      conflict.owner_block = cause.order.block();
      conflict.shared = true;
      if (mixed) {
        conflict.meeting = Meeting::mixed;
        cause.log.add(conflict);
        return;
      }
      const std::uint32_t other = offsets[old.lane()];
      conflict.one_instruction = old.with_lane(0) == access.epoch && old.lane() < epoch.lane() &&
                                 ((access.lanes >> old.lane()) & 1) != 0 && first >= other &&
                                 first < other + access.width;
      conflict.same_value = access.values != nullptr;
      for (std::size_t b = 0; b < std::size_t{1} << shift_ && conflict.same_value; ++b) {
        const std::byte before = conflict.one_instruction
                                     ? access.values->byte(old.lane(), first + b - other)
                                     : memory[first + b];
        conflict.same_value = access.values->byte(epoch.lane(), first + b - mine) == before;
      }
      // Lanes that write one value with one instruction agree on it, unless they computed it from
      // what they all read there: then they lose each other's updates.
      if (conflict.one_instruction && conflict.same_value) {
        if (!updated || Epoch{reader_[cell]}.warp() != epoch.warp()) return;
        conflict.same_value = false;
        conflict.after_read = true;
        conflict.read_site = Epoch{reader_[cell]}.site();
      }
      cause.log.add(conflict);
    };
    judge_writer({writer_[cell]});
    if (writer2_[cell] >= recent) judge_writer({writer2_[cell]});
  }
  if (epoch.strong()) {
    remember(writers(cell), epoch, recent);
    has_seconds_ = has_seconds_ || writer2_[cell] >= recent;
  } else {
    // The writers before are ordered, or were reported.
    writer_[cell] = epoch.bits;
    writer2_[cell] = 0;
  }
}

}  // namespace warpsim
