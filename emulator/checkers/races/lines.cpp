#include "emulator/checkers/races/lines.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

namespace warpsim {
namespace {

std::uint64_t mix(std::uint64_t h, std::uint64_t v) {
  h = (h ^ v) * 0xff51afd7ed558ccdu;
  return h ^ h >> 32;
}

bool covers(const LineRun& run, const LineRun& other) {
  return run.begin() <= other.begin() && run.end() >= other.end();
}

bool same_class(Epoch a, Epoch b) {
  return a.traits() == b.traits();
}

/// As remember() of shared memory, with blocks as owners where blocks are judged.
void remember(LineCell& first, LineCell& second, const LineCell& now, const LineJudge& judge) {
  const Epoch epoch{now.epoch};
  const std::uint64_t recent = judge.recent();
  const auto replaces = [&](const LineCell& old) {
    const Epoch what{old.epoch};
    if (old.epoch < recent) return true;
    if (judge.among_blocks) {
      return same_class(what, epoch) && judge.ordered(what, old.block, epoch, now.block);
    }
    return what.same_thread(epoch) && same_class(what, epoch);
  };
  if (replaces(first)) {
    first = now;
    return;
  }
  if (replaces(second)) {
    second = now;
    return;
  }
  const Epoch one{first.epoch};
  const Epoch two{second.epoch};
  if (one.strong() && !epoch.strong()) {
    first = now;
  } else if (judge.same_owner(one, first.block, epoch, now.block)) {
    first = now;
  } else if (judge.same_owner(two, second.block, one, first.block) ||
             judge.same_owner(two, second.block, epoch, now.block) ||
             (two.strong() && !epoch.strong())) {
    second = now;
  }
}

}  // namespace

std::uint32_t LineRun::lane_at(int byte, std::uint32_t other) const {
  if (stride == 0) return first != other ? first : last;
  return static_cast<std::uint32_t>((byte - origin) / stride);
}

LineCells::LineCells(int log2_bytes) : shift(log2_bytes) {
  const std::size_t count = kRaceLineBytes >> shift;
  writer.resize(count);
  writer2.resize(count);
  reader.resize(count);
  reader2.resize(count);
}

void LineCells::settle() {
  for (auto* list : {&writer, &writer2, &reader, &reader2}) {
    for (LineCell& cell : *list) cell.settled = true;
  }
}

bool LineJudge::ordered(Epoch old, std::uint32_t old_block, Epoch now,
                        std::uint32_t now_block) const {
  if (!among_blocks) return order->ordered(old, now);
  if (old_block == now_block) return true;
  if (order == nullptr) return false;
  return order->knows(now.warp(), old_block, old);
}

bool LineJudge::compatible(Epoch old, std::uint32_t old_block, Epoch now,
                           std::uint32_t now_block) const {
  if (!old.write() && !now.write()) return true;
  if (!old.strong() || !now.strong()) return false;
  if (!among_blocks || (!old.narrow_scope() && !now.narrow_scope())) return true;
  const bool one_cluster = old_block / cluster_blocks == now_block / cluster_blocks;
  const auto reaches = [&](Epoch s) {
    return !s.narrow_scope() || (one_cluster && s.cluster_scope());
  };
  return reaches(old) && reaches(now);
}

void LineJudge::conflict(Epoch old, std::uint32_t old_block, Epoch now, std::uint32_t now_block,
                         int byte, bool same_value, bool updated, Meeting meeting) const {
  Conflict found;
  found.meeting = meeting;
  found.first = old;
  found.second = now;
  found.first_block = old_block;
  found.second_block = now_block;
  found.address = line_address + static_cast<std::uint64_t>(byte);
  found.same_value = same_value;
  // Of a plain load there are no addresses: it conflicts with no lane of its own.
  if (access != nullptr && address != nullptr && old.with_lane(0) == access->epoch && now.write() &&
      !now.strong() && old.lane() != now.lane() && ((access->lanes >> old.lane()) & 1) != 0) {
    const std::uint64_t place = address[old.lane()];
    found.one_instruction = found.address >= place && found.address < place + access->width;
  }
  // See SharedShadow::write_cell.
  if (found.one_instruction && same_value) {
    if (!updated) return;
    found.same_value = false;
  }
  log->add(found);
}

void LineJudge::runs(const LineRun& old, const LineRun& now) const {
  const Epoch before = old.what();
  const Epoch epoch = now.what();
  if (epoch.validating() && !among_blocks && before.warp() == epoch.warp() && !before.write() &&
      !before.strong() && old.origin == now.origin && old.stride == now.stride) {
    log->trust(before.site());
  }
  if (old.epoch < recent()) return;
  const bool may_meet = compatible(before, old.block, epoch, now.block);
  if (may_meet && !doubtful(before, epoch)) return;
  const int begin = std::max(old.begin(), now.begin());
  const int end = std::min(old.end(), now.end());
  if (begin >= end) return;
  const bool comparable = before.write() && epoch.write() && old.value != 0;
  const bool equal =
      comparable && old.value == now.value &&
      (old.same_shape(now) || (old.uniform && now.uniform && old.width == now.width));
  const bool same_warp = !among_blocks && before.warp() == epoch.warp();
  const bool same_lanes =
      old.origin == now.origin && old.stride == now.stride && old.width == now.width;
  if (same_warp && same_lanes && now.stride != 0) return;
  const int step = same_warp ? 1 : end - begin;
  for (int byte = begin; byte < end; byte += step) {
    const std::uint32_t lane = now.lane_at(byte);
    const std::uint32_t other = old.lane_at(byte, same_warp ? lane : ~0u);
    if (same_warp && lane == other) continue;
    if (ordered(before.with_lane(other), old.block, epoch.with_lane(lane), now.block)) continue;
    Meeting what = Meeting::race;
    if (may_meet) {
      what = meeting(before.with_lane(other), old.block, epoch.with_lane(lane));
      if (what == Meeting::race) continue;
    }
    conflict(before.with_lane(other), old.block, epoch.with_lane(lane), now.block, byte,
             equal && !may_meet, false, what);
    return;
  }
}

void LineJudge::cells(const LineCell& old, const LineCell& now, int byte, bool updated) const {
  const Epoch before{old.epoch};
  const Epoch epoch{now.epoch};
  if (epoch.validating() && !among_blocks && before.same_thread(epoch) && !before.write() &&
      !before.strong()) {
    log->trust(before.site());
  }
  if (old.epoch < recent()) return;
  const bool may_meet = compatible(before, old.block, epoch, now.block);
  if (may_meet && ((!before.write() && !epoch.write()) || !doubtful(before, epoch))) return;
  if (ordered(before, old.block, epoch, now.block)) return;
  const Meeting what = may_meet ? meeting(before, old.block, epoch) : Meeting::race;
  if (may_meet && what == Meeting::race) return;
  const bool equal =
      !may_meet && before.write() && epoch.write() && old.value != 0 && old.value == now.value;
  conflict(before, old.block, epoch, now.block, byte, equal, updated, what);
}

void LineJudge::lanes_in_one_place(const LineView& line, const LineRun& now) const {
  const int byte = now.begin();
  bool updated = false;
  const auto look = [&](Epoch old) {
    updated = updated || (old.bits >= recent() && !old.write() && old.warp() == now.what().warp());
  };
  if (*line.cells != nullptr) {
    const LineCells& cells = **line.cells;
    look({cells.reader[static_cast<std::size_t>(byte >> cells.shift)].epoch});
  }
  for (std::uint32_t i = 0; i < *line.count; ++i) {
    if (line.runs[i].begin() <= byte && byte < line.runs[i].end()) look(line.runs[i].what());
  }
  if (now.uniform && !updated) return;
  Conflict found;
  found.first = now.what().with_lane(now.first);
  found.second = now.what().with_lane(now.last);
  found.first_block = found.second_block = now.block;
  found.address = line_address + static_cast<std::uint64_t>(byte);
  found.one_instruction = true;
  log->add(found);
}

namespace {

/// A run's hash is of all its lanes together: in a cell it equals that of another run only where
/// the same lanes wrote the same values to the same places.
std::uint32_t value_of_cell(const LineRun& run) {
  if (run.value == 0 || run.uniform || run.first == run.last) return run.value;
  std::uint64_t h = mix(run.value, static_cast<std::uint64_t>(run.origin));
  h = mix(h, std::uint64_t{run.first} << 24 | std::uint64_t{run.last} << 16 |
                 std::uint64_t{run.width} << 8 | run.stride);
  return static_cast<std::uint32_t>(h) | 1;
}

void add_to_cells(LineCells& cells, const LineJudge& judge, const LineRun& run) {
  const int size = 1 << cells.shift;
  LineCell now;
  now.block = run.block;
  now.value = value_of_cell(run);
  now.settled = run.settled;
  const Epoch epoch = run.what();
  for (int byte = run.begin() & -size; byte < run.end(); byte += size) {
    const auto i = static_cast<std::size_t>(byte >> cells.shift);
    const auto touch = [&](std::uint32_t lane) {
      now.epoch = epoch.with_lane(lane).bits;
      const bool updated = cells.reader[i].epoch >= judge.recent() &&
                           Epoch{cells.reader[i].epoch}.warp() == epoch.warp();
      judge.cells(cells.writer[i], now, byte, updated);
      judge.cells(cells.writer2[i], now, byte, updated);
      if (!epoch.write()) {
        remember(cells.reader[i], cells.reader2[i], now, judge);
        return;
      }
      judge.cells(cells.reader[i], now, byte, false);
      judge.cells(cells.reader2[i], now, byte, false);
      if (epoch.strong() || judge.among_blocks) {
        remember(cells.writer[i], cells.writer2[i], now, judge);
      } else {
        cells.writer[i] = now;
        cells.writer2[i] = LineCell{};
      }
    };
    const std::uint32_t lane = run.lane_at(std::max(byte, run.begin()));
    touch(lane);
    if (run.stride == 0 && run.first != run.last) touch(run.last);
  }
  for (int byte = run.begin(); run.was_read && byte < run.end(); ++byte) {
    cells.was_read.set(static_cast<std::size_t>(byte));
  }
}

bool needs_bytes(const LineRun& run) {
  return ((run.begin() | run.end()) & 3) != 0 || (run.width & 3) != 0;
}

void use_bytes(LineCells& cells) {
  if (cells.shift == 0) return;
  LineCells finer(0);
  const auto spread = [](const std::vector<LineCell>& from, std::vector<LineCell>& to) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = from[i / 4];
  };
  spread(cells.writer, finer.writer);
  spread(cells.writer2, finer.writer2);
  spread(cells.reader, finer.reader);
  spread(cells.reader2, finer.reader2);
  finer.was_read = cells.was_read;
  cells = std::move(finer);
}

}  // namespace

bool add_run(const LineView& line, const LineJudge& judge, const LineRun& now) {
  if (*line.cells != nullptr) {
    if (needs_bytes(now)) use_bytes(**line.cells);
    add_to_cells(**line.cells, judge, now);
    return true;
  }
  const Epoch epoch = now.what();
  const std::uint64_t recent = judge.recent();
  const int begin = now.begin();
  const int end = now.end();
  std::uint32_t alike = 0;
  std::uint32_t kept = 0;
  bool settled = false;
  std::uint32_t settled_at = 0;
  bool was_read = now.was_read;
  for (std::uint32_t i = 0; i < *line.count; ++i) {
    LineRun& old = line.runs[i];
    const Epoch before = old.what();
    if (epoch.write() || before.write()) judge.runs(old, now);
    const bool same_owner = judge.same_owner(before, old.block, epoch, now.block);
    const bool alike_class = same_class(before, epoch);
    const int old_begin = old.begin();
    const int old_end = old.end();
    bool is_now = false;
    if (alike_class && same_owner && old.same_shape(now) && !settled) {
      // The later of two accesses of one thread stands for both.
      was_read = was_read || old.was_read;
      old = now;
      settled = is_now = true;
      settled_at = kept;
    } else if (begin <= old_begin && end >= old_end &&
               (alike_class || (epoch.write() && !epoch.strong()))) {
      // So does what happened later and touches as much.
      const bool before_now =
          judge.among_blocks ? judge.ordered(before, old.block, epoch, now.block)
                             : old.epoch < recent || (same_owner && old.stride == now.stride &&
                                                      old.origin == now.origin &&
                                                      old.width == now.width && now.stride != 0);
      if (before_now) {
        was_read = was_read || old.was_read || (epoch.write() && !before.write());
        continue;
      }
    }
    if (is_now ? now.epoch >= recent
               : alike_class && old_begin <= begin && old_end >= end && old.epoch >= recent) {
      ++alike;
    }
    if (kept != i) line.runs[kept] = old;
    ++kept;
  }
  *line.count = kept;
  if (settled) {
    line.runs[settled_at].was_read = was_read;
    return true;
  }
  // Two accesses of different owners already: whoever conflicts with this one conflicts with them.
  if (alike >= 2) {
    const auto owner_differs = [&]() {
      const LineRun* first = nullptr;
      for (std::uint32_t i = 0; i < kept; ++i) {
        const LineRun& run = line.runs[i];
        if (!same_class(run.what(), epoch) || !covers(run, now)) continue;
        if (first == nullptr) {
          first = &run;
        } else if (!judge.same_owner(first->what(), first->block, run.what(), run.block)) {
          return true;
        }
      }
      return false;
    };
    if (owner_differs()) {
      for (std::uint32_t i = 0; was_read && i < kept; ++i) {
        if (same_class(line.runs[i].what(), epoch) && covers(line.runs[i], now)) {
          line.runs[i].was_read = true;
        }
      }
      return true;
    }
  }
  if (kept == line.capacity) return false;
  line.runs[kept] = now;
  line.runs[kept].was_read = was_read;
  *line.count = kept + 1;
  return true;
}

void expand_line(const LineView& line, const LineJudge& judge, const LineRun& now) {
  bool bytes = needs_bytes(now);
  for (std::uint32_t i = 0; i < *line.count; ++i) bytes = bytes || needs_bytes(line.runs[i]);
  auto cells = std::make_unique<LineCells>(bytes ? 0 : 2);
  // These have been judged: a log of their own takes what is found again.
  ConflictLog again;
  LineJudge silent = judge;
  silent.log = &again;
  for (std::uint32_t i = 0; i < *line.count; ++i) {
    // What the present block knows says nothing of what others knew.
    if (judge.among_blocks) silent.order = nullptr;
    add_to_cells(*cells, silent, line.runs[i]);
  }
  silent.order = judge.order;
  add_to_cells(*cells, silent, now);
  *line.count = 0;
  *line.cells = std::move(cells);
}

void BlockLines::start() {
  lines_.clear();
  dirty_.clear();
  last_number_ = ~std::uint64_t{0};
  if (slots_.empty()) slots_.resize(256);
  if (++generation_ == 0) {
    std::fill(slots_.begin(), slots_.end(), Slot{});
    generation_ = 1;
  }
}

std::vector<BlockLines::Line> BlockLines::take(std::vector<Line> instead) {
  last_number_ = ~std::uint64_t{0};
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
    lines_.emplace_back().number = number;
  }
  last_number_ = number;
  last_index_ = slots_[at].index;
  return lines_[last_index_];
}

namespace {

/// Hash of what a lane stores.
std::uint32_t lane_value(const StoredValues& values, std::size_t lane) {
  std::uint64_t h = 1;
  for (std::uint32_t k = 0; k < values.count; ++k) {
    std::uint64_t element = 0;
    std::memcpy(&element, values.registers[k] + lane * values.register_bytes, values.element_bytes);
    h = mix(h, element);
  }
  return static_cast<std::uint32_t>(h) | 1;
}

/// Odd factors without a pattern, one per lane.
constexpr auto kFactors = [] {
  std::array<std::uint32_t, 32> factors = {};
  std::uint64_t state = 1;
  for (std::uint32_t& factor : factors) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    factor = static_cast<std::uint32_t>(state >> 32) | 1;
  }
  return factors;
}();

/// As set_value, for single elements of four bytes, without a call a lane.
[[gnu::always_inline]] inline void set_words(const std::uint32_t* values, std::uint32_t begin,
                                             std::uint32_t end, LineRun& run) {
  const std::uint32_t first = values[begin];
  std::uint32_t difference = 0;
  std::uint64_t all = 0;
  for (std::uint32_t lane = begin; lane < end; ++lane) {
    difference |= values[lane] ^ first;
    all += std::uint64_t{values[lane]} * kFactors[lane];
  }
  run.uniform = difference == 0;
  run.value = static_cast<std::uint32_t>(mix(1, run.uniform ? first : all)) | 1;
}

/// Sets what a run writes: one value's hash when all its lanes write that, else that of all.
void set_value(const StoredValues& values, LineRun& run) {
  if (values.count == 1 && values.element_bytes == 4 && values.register_bytes == 4) {
    const auto* words = reinterpret_cast<const std::uint32_t*>(values.registers[0]);
    if (run.first == 0 && run.last == 31) {
      set_words(words, 0, 32, run);
    } else {
      set_words(words, run.first, run.last + 1u, run);
    }
    return;
  }
  const std::uint32_t first = lane_value(values, run.first);
  std::uint64_t all = first;
  run.uniform = true;
  for (std::size_t lane = run.first + 1u; lane <= run.last; ++lane) {
    const std::uint32_t value = lane_value(values, lane);
    run.uniform = run.uniform && value == first;
    all = mix(all, value);
  }
  run.value = run.uniform ? first : static_cast<std::uint32_t>(all) | 1;
}

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

/// Calls `use` with each piece of the access. Lines are relative to the first lane's.
template <class Use>
void for_pieces(const WarpAccess& access, const std::uint64_t* address, Use use) {
  const Pattern pattern = pattern_of(access, address);
  const auto base =
      static_cast<std::int64_t>(address[std::countr_zero(access.lanes)] / kRaceLineBytes);
  for (std::uint32_t rest = access.lanes; rest != 0;) {
    const auto first = static_cast<std::uint32_t>(std::countr_zero(rest));
    // Lanes that go on from the first, at equal distances of nothing or of one element.
    std::uint32_t last = pattern == Pattern::other ? first : 31;
    std::uint64_t stride = pattern == Pattern::one_place ? 0 : access.width;
    while (last < 31 && ((rest >> (last + 1)) & 1) != 0) {
      const std::uint64_t step = address[last + 1] - address[last];
      if (last == first && step == 0) stride = 0;
      if (step != stride) break;
      ++last;
    }
    const std::uint64_t taken =
        ((std::uint64_t{2} << last) - 1) & ~((std::uint64_t{1} << first) - 1);
    rest &= ~static_cast<std::uint32_t>(taken);
    const std::uint64_t begin = address[first];
    const std::uint64_t end = address[last] + access.width;
    RacePieces::Piece piece;
    piece.stride = static_cast<std::uint8_t>(first == last ? access.width : stride);
    for (std::uint64_t number = begin / kRaceLineBytes; number <= (end - 1) / kRaceLineBytes;
         ++number) {
      const std::uint64_t line_begin = number * kRaceLineBytes;
      piece.line = static_cast<std::int64_t>(number) - base;
      piece.first = static_cast<std::uint8_t>(first);
      piece.last = static_cast<std::uint8_t>(last);
      if (piece.stride != 0) {
        if (begin < line_begin) {
          piece.first = static_cast<std::uint8_t>(first + (line_begin - begin) / piece.stride);
        }
        if (end > line_begin + kRaceLineBytes) {
          piece.last = static_cast<std::uint8_t>(first + (line_begin + kRaceLineBytes - 1 - begin) /
                                                             piece.stride);
        }
      }
      piece.origin = static_cast<std::int16_t>(
          static_cast<std::int64_t>(begin - std::uint64_t{first} * piece.stride - line_begin));
      use(piece);
    }
  }
}

}  // namespace

void BlockLines::touch(LineJudge& judge, const RacePieces::Piece& piece, std::uint64_t number) {
  const WarpAccess& access = *judge.access;
  LineRun run;
  run.epoch = access.epoch.bits;
  run.block = static_cast<std::uint32_t>(judge.order->block());
  run.width = static_cast<std::uint8_t>(access.width);
  run.stride = piece.stride;
  run.origin = piece.origin;
  run.first = piece.first;
  run.last = piece.last;
  if (access.values != nullptr) set_value(*access.values, run);
  judge.line_address = number * kRaceLineBytes;
  Line& line = find(number);
  if (!line.dirty) {
    line.dirty = true;
    dirty_.push_back(last_index_);
    if (line.count == 0 && line.cells == nullptr && (run.stride != 0 || !access.epoch.write())) {
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
  const LineView view{line.runs, &line.count, 4, &line.cells};
  if (run.stride == 0 && run.first != run.last && access.epoch.write() && !access.epoch.strong()) {
    judge.lanes_in_one_place(view, run);
  }
  if (!add_run(view, judge, run)) expand_line(view, judge, run);
}

void BlockLines::access(const BlockOrder& order, ConflictLog& log, const WarpAccess& access,
                        const std::uint64_t* address) {
  LineJudge judge{.order = &order, .log = &log, .access = &access, .address = address};
  const std::uint64_t base = address[std::countr_zero(access.lanes)] / kRaceLineBytes;
  for_pieces(access, address, [&](const RacePieces::Piece& piece) {
    touch(judge, piece, base + static_cast<std::uint64_t>(piece.line));
  });
}

void BlockLines::access(const BlockOrder& order, ConflictLog& log, const WarpAccess& access,
                        std::uint64_t first, const LaneShape& shape, RacePieces& pieces,
                        const std::uint64_t* address) {
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
  LineJudge judge{.order = &order, .log = &log, .access = &access, .address = address};
  const std::uint64_t base = first / kRaceLineBytes;
  for (std::uint32_t i = 0; i < pieces.count; ++i) {
    const RacePieces::Piece& piece = pieces.pieces[i];
    touch(judge, piece, base + static_cast<std::uint64_t>(piece.line));
  }
}

}  // namespace warpsim
