#include "emulator/checkers/races/lines.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <utility>

#include "emulator/checkers/races/written_values.h"

// What a block did to global memory: its accesses as runs of lanes in lines, and the table of
// lines.

namespace warpsim {

void BlockLines::start(const BlockOrder* order, RegionSet open, RegionSet mixed) {
  lines_.clear();
  dirty_.clear();
  stores_.clear();
  owners_.clear();
  tracked_ = mixed & ~open;
  keeps_ = order != nullptr;
  if (order != nullptr) {
    block_ = order->block();
    start_ = order->floor();
    keeper_.start(start_);
  }
  open_ = open;
  kept_regions_ = 0;
  order_ = store_order_ = 0;
  is_mixed_ = false;
  last_number_ = ~std::uint64_t{0};
  if (slots_.empty()) slots_.resize(256);
  if (++generation_ == 0) {
    std::fill(slots_.begin(), slots_.end(), Slot{});
    generation_ = 1;
  }
}

std::vector<BlockLines::Line> BlockLines::take(std::vector<Line> instead) {
  last_number_ = ~std::uint64_t{0};
  if (is_mixed_) std::ranges::stable_sort(lines_, {}, &Line::order);
  return std::exchange(lines_, std::move(instead));
}

namespace {

std::size_t hash_of(std::uint64_t number, std::size_t mask) {
  return static_cast<std::size_t>(number * 0x9e3779b97f4a7c15u >> 32) & mask;
}

}  // namespace

void BlockLines::grow() {
  slots_.assign(slots_.size() * 2, Slot{});
  for (std::uint32_t i = 0; i < lines_.size(); ++i) {
    std::size_t at = hash_of(lines_[i].number, slots_.size() - 1);
    while (slots_[at].generation == generation_) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = {lines_[i].number, generation_, i};
  }
}

BlockLines::Line& BlockLines::find(std::uint64_t number) {
  if (number == last_number_) return lines_[last_index_];
  if (lines_.size() * 2 >= slots_.size()) grow();
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash_of(number, mask);
  while (slots_[at].generation == generation_ && slots_[at].number != number) {
    at = (at + 1) & mask;
  }
  if (slots_[at].generation != generation_) {
    slots_[at] = {number, generation_, static_cast<std::uint32_t>(lines_.size())};
    Line& line = lines_.emplace_back();
    line.number = number;
    line.order = std::uint64_t{order_} << 32 | store_order_;
  }
  last_number_ = number;
  last_index_ = slots_[at].index;
  return lines_[last_index_];
}

namespace {

/// Whether all lanes follow each other, or are in one place.
enum class Pattern { row, one_place, other };
Pattern pattern_of(const WarpAccess& access, const std::uint64_t* address) {
  if (access.lanes != ~std::uint32_t{0}) return Pattern::other;
  std::uint64_t off_row = 0;
  std::uint64_t off_place = 0;
  for (std::uint64_t i = 0; i < 32; ++i) {
    off_row |= address[i] ^ (address[0] + i * access.width);
    off_place |= address[i] ^ address[0];
  }
  return off_row == 0 ? Pattern::row : off_place == 0 ? Pattern::one_place : Pattern::other;
}

/// Lanes that follow each other at this distance are in one line, some of them.
bool shares_lines(std::int64_t step, std::uint32_t width) {
  const std::int64_t distance = std::abs(step);
  return distance >= width && distance < static_cast<std::int64_t>(kRaceLineBytes);
}

/// Calls `use` with each piece of the access. Lines are relative to the first lane's.
template <class Use>
void for_pieces(const WarpAccess& access, const std::uint64_t* address, Use use) {
  const Pattern pattern = pattern_of(access, address);
  const auto base =
      static_cast<std::int64_t>(address[std::countr_zero(access.lanes)] / kRaceLineBytes);
  for (std::uint32_t rest = access.lanes; rest != 0;) {
    const auto first = static_cast<std::uint32_t>(std::countr_zero(rest));
    // Lanes that go on from the first, at equal distances.
    std::uint32_t last = pattern == Pattern::other ? first : 31;
    std::int64_t stride = pattern == Pattern::one_place ? 0 : access.width;
    while (last < 31 && ((rest >> (last + 1)) & 1) != 0) {
      const auto step = static_cast<std::int64_t>(address[last + 1] - address[last]);
      if (last == first && (step == 0 || shares_lines(step, access.width))) stride = step;
      if (step != stride) break;
      ++last;
    }
    const std::uint64_t taken =
        ((std::uint64_t{2} << last) - 1) & ~((std::uint64_t{1} << first) - 1);
    rest &= ~static_cast<std::uint32_t>(taken);
    if (first == last) stride = access.width;
    const std::uint64_t begin = address[stride < 0 ? last : first];
    const std::uint64_t end = address[stride < 0 ? first : last] + access.width;
    RacePieces::Piece piece;
    piece.stride = static_cast<std::int8_t>(stride);
    if (begin / kRaceLineBytes == (end - 1) / kRaceLineBytes) {
      const std::uint64_t number = begin / kRaceLineBytes;
      piece.line = static_cast<std::int64_t>(number) - base;
      piece.first = static_cast<std::uint8_t>(first);
      piece.last = static_cast<std::uint8_t>(last);
      piece.origin = static_cast<std::int16_t>(
          static_cast<std::int64_t>(address[first] - number * kRaceLineBytes) - first * stride);
      use(piece);
      continue;
    }
    const auto distance = static_cast<std::uint64_t>(std::abs(stride));
    for (std::uint64_t number = begin / kRaceLineBytes; number <= (end - 1) / kRaceLineBytes;
         ++number) {
      const std::uint64_t line_begin = number * kRaceLineBytes;
      piece.line = static_cast<std::int64_t>(number) - base;
      piece.first = static_cast<std::uint8_t>(first);
      piece.last = static_cast<std::uint8_t>(last);
      if (stride != 0) {
        // Places below the line, and up to its last one, counted from the lowest address.
        const std::uint64_t below = begin + access.width > line_begin
                                        ? 0
                                        : (line_begin - begin - access.width) / distance + 1;
        const std::uint64_t until = std::min((line_begin + kRaceLineBytes - 1 - begin) / distance,
                                             std::uint64_t{last} - first);
        piece.first = static_cast<std::uint8_t>(stride < 0 ? last - until : first + below);
        piece.last = static_cast<std::uint8_t>(stride < 0 ? last - below : first + until);
      }
      piece.origin = static_cast<std::int16_t>(
          static_cast<std::int64_t>(address[first] - line_begin) - first * stride);
      use(piece);
    }
  }
}

}  // namespace

void BlockLines::touch(LineJudge& judge, const RacePieces::Piece& piece, std::uint64_t number) {
  const WarpAccess& access = *judge.access;
  LineRun run;
  run.epoch = access.epoch.bits;
  run.block = static_cast<std::uint32_t>(judge.block);
  run.width = static_cast<std::uint8_t>(access.width);
  run.stride = piece.stride;
  run.origin = piece.origin;
  run.first = piece.first;
  run.last = piece.last;
  if (access.values != nullptr) set_value(run, *access.values);
  if (run.is_of_words() && (is_weak_load(run) || run.is_update())) {
    Line& line = find(number);
    if (line.dirty && line.cells != nullptr && line.cells->add_alike(run, judge.floor_bits)) return;
  }
  touch(judge, run, number);
}

void BlockLines::touch(LineJudge& judge, LineRun run, std::uint64_t number) {
  const Epoch epoch = run.what();
  judge.line_address = number * kRaceLineBytes;
  Line& line = find(number);
  if (!line.dirty) {
    line.dirty = true;
    dirty_.push_back(last_index_);
    if (line.is_empty() && (run.stride != 0 || !epoch.write())) {
      // Nothing to be judged against.
      line.runs[0] = run;
      line.count = 1;
      return;
    }
  }
  if (LineRun& only = line.runs[0];
      line.count == 1 && only.epoch == run.epoch && only.same_shape(run) && run.stride != 0) {
    run.was_read = only.was_read;
    only = run;  // the same again, as in a loop
    return;
  }
  const bool only_reads = is_weak_load(run);
  if (line.reads != nullptr) {
    if (only_reads && line.reads->add(run)) return;
    line.cells = cells_of_reads(line.reads->runs(), judge);
    line.reads = nullptr;
  }
  const LineView view{line.runs, &line.count, kFewRuns, &line.cells};
  if (run.stride == 0 && run.first != run.last && epoch.write() && !epoch.strong()) {
    judge.lanes_in_one_place(view, run);
  }
  if (add_run(view, judge, run)) return;
  const std::span<const LineRun> runs(line.runs, line.count);
  if (only_reads && std::ranges::all_of(runs, is_weak_load)) {
    line.reads = std::make_unique<BlockReads>(runs);
    (void)line.reads->add(run);  // there is room for it
    line.count = 0;
    return;
  }
  expand_line(view, judge, run);
}

LineJudge BlockLines::judge_of(const BlockOrder& order, ConflictLog& log,
                               const WarpAccess& access) const {
  LineJudge judge;
  judge.order = &order;
  judge.log = &log;
  judge.block = order.block();
  judge.floor_bits = order.floor_bits();
  judge.access = &access;
  return judge;
}

void BlockLines::touch_lanes(LineJudge& judge, const std::uint64_t* address) {
  const WarpAccess& access = *judge.access;
  const std::uint64_t base = address[std::countr_zero(access.lanes)] / kRaceLineBytes;
  for_pieces(access, address, [&](const RacePieces::Piece& piece) {
    touch(judge, piece, base + static_cast<std::uint64_t>(piece.line));
  });
}

void BlockLines::access(const BlockOrder& order, ConflictLog& log, const WarpAccess& access,
                        const std::uint64_t* address) {
  LineJudge judge = judge_of(order, log, access);
  judge.address = address;
  touch_lanes(judge, address);
}

void BlockLines::access(const BlockOrder& order, ConflictLog& log, const WarpAccess& access,
                        RacePieces& pieces) {
  const std::uint64_t first = access.first;
  const LaneShape& shape = *access.shape;
  const auto phase = static_cast<std::uint32_t>(first % kRaceLineBytes);
  if (pieces.version != shape.version || pieces.phase != phase) [[unlikely]] {
    std::uint64_t place[32];
    for (std::size_t i = 0; i < 32; ++i) {
      const auto distance = static_cast<std::int32_t>(shape.relative[i]);
      place[i] = first + static_cast<std::uint64_t>(std::int64_t{distance});
    }
    std::uint32_t count = 0;
    for_pieces(access, place, [&](const RacePieces::Piece& piece) {
      if (count < RacePieces::kKept) pieces.pieces[count] = piece;
      ++count;
    });
    pieces.version = 0;
    if (count > RacePieces::kKept) return this->access(order, log, access, place);
    pieces.version = shape.version;
    pieces.phase = phase;
    pieces.count = count;
  }
  LineJudge judge = judge_of(order, log, access);
  const std::uint64_t base = first / kRaceLineBytes;
  for (std::uint32_t i = 0; i < pieces.count; ++i) {
    const RacePieces::Piece& piece = pieces.pieces[i];
    touch(judge, piece, base + static_cast<std::uint64_t>(piece.line));
  }
}

}  // namespace warpsim
