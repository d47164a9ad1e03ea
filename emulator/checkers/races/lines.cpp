#include "emulator/checkers/races/lines.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <utility>

namespace warpsim {
namespace {

bool same_class(Epoch a, Epoch b) {
  return a.traits() == b.traits();
}

/// As remember() of shared memory, with blocks as owners where blocks are judged.
void remember(LineCells& cells, LineCells::List& firsts, LineCells::List& seconds, std::size_t i,
              const LineCell& now, const LineJudge& judge) {
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
  LineCell& first = cells.at(firsts, i);
  if (replaces(first)) {
    first = now;
    return;
  }
  LineCell& second = cells.at(seconds, i);
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

/// What the hashes of two writes tell of the values.
enum class Values : std::uint8_t { equal, differ, unknown };
Values compare(const LineRun& old, const LineRun& now) {
  if (old.value == 0 || now.value == 0) return Values::differ;
  if (old.same_shape(now) || (old.uniform && now.uniform && old.width == now.width)) {
    return old.value == now.value ? Values::equal : Values::differ;
  }
  return Values::unknown;
}

}  // namespace

LineRun LineCell::run() const {
  LineRun run;
  run.epoch = Epoch{epoch}.with_lane(0).bits;
  run.block = block;
  run.value = value;
  run.origin = origin;
  run.first = first;
  run.last = last;
  run.width = width;
  run.stride = stride;
  run.uniform = uniform;
  run.settled = settled;
  return run;
}

std::uint32_t LineRun::lane_at(int byte, std::uint32_t other) const {
  if (stride == 0) return first != other ? first : last;
  return static_cast<std::uint32_t>(distance_of(byte) / std::abs(stride));
}

bool LineRun::has(int byte) const {
  return !has_gaps() || distance_of(byte) % std::abs(stride) < width;
}

int LineRun::first_common(const LineRun& other) const {
  const int from = std::max(begin(), other.begin());
  const int to = std::min(end(), other.end());
  if (from >= to) return -1;
  if (!has_gaps() && !other.has_gaps()) return from;
  if (stride == other.stride) {
    // Different members of an array of structures, the usual case.
    const int distance = std::abs((origin - other.origin) % stride);
    const int gap = std::abs(stride) - distance;
    if (distance >= std::max(width, other.width) && gap >= std::max(width, other.width)) return -1;
  }
  for (int byte = from; byte < to; ++byte) {
    if (has(byte) && other.has(byte)) return byte;
  }
  return -1;
}

bool LineRun::covers(const LineRun& other) const {
  if (begin() > other.begin() || end() < other.end()) return false;
  if (!has_gaps() || same_lattice(other)) return true;
  for (int byte = other.begin(); byte < other.end(); ++byte) {
    if (other.has(byte) && !has(byte)) return false;
  }
  return true;
}

LineBytes bytes_of(const LineRun& run) {
  if (!run.has_gaps()) {
    // Bits of one word: shifts of the whole set take several times as long.
    const auto ones = [](int begin, int end) -> std::uint64_t {
      begin = std::max(begin, 0);
      end = std::min(end, 64);
      return begin < end ? ~std::uint64_t{0} >> (64 - (end - begin)) << begin : 0;
    };
    return LineBytes(ones(run.begin() - 64, run.end() - 64)) << 64 |
           LineBytes(ones(run.begin(), run.end()));
  }
  std::array<std::uint64_t, kRaceLineBytes / 64> words = {};
  for (int lane = run.first; lane <= run.last; ++lane) {
    const int place = run.origin + lane * run.stride;
    const int end = std::min(place + run.width, static_cast<int>(kRaceLineBytes));
    for (int byte = std::max(place, 0); byte < end; ++byte) {
      words[static_cast<std::size_t>(byte) / 64] |= std::uint64_t{1} << byte % 64;
    }
  }
  return LineBytes(words[1]) << 64 | LineBytes(words[0]);
}

bool LineCells::has_two_like(const LineCell& now, std::size_t i) const {
  const Epoch epoch{now.epoch};
  if (!epoch.write() || !epoch.strong() || epoch.narrow_scope()) return false;
  if (writer2.empty() || !reader.empty()) return false;
  const LineCell& one = writer[i];
  const LineCell& two = writer2[i];
  return same_class(Epoch{one.epoch}, epoch) && same_class(Epoch{two.epoch}, epoch) &&
         one.block != two.block && one.block != now.block && two.block != now.block;
}

void LineCells::settle() {
  for (auto* list : {&writer, &writer2, &reader, &reader2}) {
    for (LineCell& cell : *list) cell.settled = true;
  }
}

bool LineJudge::ordered(Epoch old, std::uint32_t old_block, Epoch now,
                        std::uint32_t now_block) const {
  if (!among_blocks) return order == nullptr || order->ordered(old, now);
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

std::uint64_t LineJudge::address_of(std::uint32_t lane) const {
  if (address != nullptr) return address[lane];
  const auto distance = static_cast<std::int32_t>(access->shape->relative[lane]);
  return access->first + static_cast<std::uint64_t>(std::int64_t{distance});
}

Conflict LineJudge::conflict(Epoch old, std::uint32_t old_block, Epoch now, std::uint32_t now_block,
                             int byte, Meeting meeting) const {
  Conflict found;
  found.meeting = meeting;
  found.first = old;
  found.second = now;
  found.first_block = old_block;
  found.second_block = now_block;
  found.address = line_address + static_cast<std::uint64_t>(byte);
  found.one_instruction =
      now.write() && !now.strong() && old.lane() != now.lane() && is_of_access(old, found.address);
  return found;
}

void LineJudge::add(Conflict found, bool same_value, Epoch read) const {
  found.same_value = same_value;
  // See SharedShadow::write_cell.
  if (found.one_instruction && same_value) {
    if (read.bits == 0) return;
    found.same_value = false;
    found.after_read = true;
    found.read_site = read.site();
  }
  log->add(found);
}

void LineJudge::add_open(const Conflict& found, const LineRun& old, const LineRun& now) const {
  log->add_open({.conflict = found, .first = old, .second = now, .line_address = line_address});
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
  const int begin = old.first_common(now);
  if (begin < 0) return;
  const Values values = before.write() && epoch.write() ? compare(old, now) : Values::differ;
  const bool same_warp = !among_blocks && before.warp() == epoch.warp();
  const bool same_lanes =
      old.origin == now.origin && old.stride == now.stride && old.width == now.width;
  if (same_warp && same_lanes && now.stride != 0) return;
  // Only lanes of one warp may be ordered in different ways.
  const int end = same_warp ? std::min(old.end(), now.end()) : begin + 1;
  for (int byte = begin; byte < end; ++byte) {
    if (!old.has(byte) || !now.has(byte)) continue;
    std::uint32_t lane = now.lane_at(byte);
    const std::uint32_t other = old.lane_at(byte, same_warp ? lane : ~0u);
    if (same_warp && lane == other) lane = now.lane_at(byte, other);
    if (same_warp && lane == other) continue;
    if (ordered(before.with_lane(other), old.block, epoch.with_lane(lane), now.block)) continue;
    Meeting what = Meeting::race;
    if (may_meet) {
      what = meeting(before.with_lane(other), old.block, epoch.with_lane(lane));
      if (what == Meeting::race) continue;
    }
    const Conflict found =
        conflict(before.with_lane(other), old.block, epoch.with_lane(lane), now.block, byte, what);
    if (among_blocks && !may_meet && values == Values::unknown) {
      add_open(found, old, now);
      return;
    }
    const bool same_value = !may_meet && before.write() && epoch.write() && old.value != 0 &&
                            (values == Values::equal || stores_the_same(old, now));
    add(found, same_value, Epoch{});
    return;
  }
}

void LineJudge::cells(const LineCell& old, const LineCell& now, int byte, int bytes,
                      Epoch read) const {
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
  const Conflict found = conflict(before, old.block, epoch, now.block, byte, what);
  if (may_meet || !before.write() || !epoch.write() || old.value == 0) {
    add(found, false, read);
    return;
  }
  const Values values = compare(old.run(), now.run());
  if (among_blocks && values == Values::unknown) {
    add_open(found, old.run(), now.run());
    return;
  }
  bool equal = values == Values::equal;
  if (!equal) {
    equal = true;
    for (int i = 0; i < bytes && equal; ++i) equal = stores_the_same(before, epoch, byte + i);
  }
  add(found, equal, read);
}

void LineJudge::lanes_in_one_place(const LineView& line, const LineRun& now) const {
  const int byte = now.begin();
  Epoch read;
  const auto look = [&](Epoch old) {
    if (old.bits >= recent() && !old.write() && old.warp() == now.what().warp()) read = old;
  };
  if (*line.cells != nullptr) {
    const LineCells& cells = **line.cells;
    if (!cells.reader.empty()) {
      look({cells.reader[static_cast<std::size_t>(byte >> cells.shift)].epoch});
    }
  }
  for (std::uint32_t i = 0; i < *line.count; ++i) {
    const LineRun& run = line.runs[i];
    if (run.begin() <= byte && byte < run.end() && run.has(byte)) look(run.what());
  }
  if (now.uniform && read.bits == 0) return;
  Conflict found;
  found.first = now.what().with_lane(now.first);
  found.second = now.what().with_lane(now.last);
  found.first_block = found.second_block = now.block;
  found.address = line_address + static_cast<std::uint64_t>(byte);
  found.one_instruction = true;
  found.after_read = now.uniform;
  found.read_site = read.site();
  log->add(found);
}

namespace {

/// Calls `use` with each cell of `size` bytes that a run touches, in their order: with the cell's
/// first byte and the lane, twice where several lanes are in one place.
template <class Use>
void for_touched(const LineRun& run, int size, Use use) {
  if (run.stride == 0) {
    for (int byte = run.begin() & -size; byte < run.end(); byte += size) {
      use(byte, std::uint32_t{run.first});
      if (run.first != run.last) use(byte, std::uint32_t{run.last});
    }
    return;
  }
  const int step = run.stride < 0 ? -1 : 1;
  const int end_lane = (run.stride < 0 ? run.first : run.last) + step;
  for (int lane = run.stride < 0 ? run.last : run.first; lane != end_lane; lane += step) {
    const int place = run.origin + lane * run.stride;
    const int end = std::min(place + run.width, static_cast<int>(kRaceLineBytes));
    for (int byte = std::max(place, 0) & -size; byte < end; byte += size) {
      use(byte, static_cast<std::uint32_t>(lane));
    }
  }
}

void add_to_cells(LineCells& cells, const LineJudge& judge, const LineRun& run) {
  const int size = 1 << cells.shift;
  LineCell now(run);
  const Epoch epoch = run.what();
  const std::uint64_t recent = judge.recent();
  // Atomics of one kind meet.
  const bool meets_alike = epoch.write() && epoch.strong() && !epoch.narrow_scope() &&
                           !(judge.among_blocks && judge.order != nullptr);
  // Of an older one, cells() only notes a read that an update follows.
  const std::uint64_t oldest_read = epoch.validating() ? 1 : recent;
  for_touched(run, size, [&](int byte, std::uint32_t lane) {
    const auto i = static_cast<std::size_t>(byte >> cells.shift);
    now.epoch = epoch.with_lane(lane).bits;
    Epoch read;
    if (!cells.reader.empty()) read = Epoch{cells.reader[i].epoch};
    if (read.bits < recent || read.warp() != epoch.warp()) read = Epoch{};
    const auto judge_against = [&](const LineCells::List& list, std::uint64_t oldest,
                                   Epoch before) {
      if (list.empty() || list[i].epoch < oldest) return;
      if (meets_alike && same_class(Epoch{list[i].epoch}, epoch)) return;
      judge.cells(list[i], now, byte, size, before);
    };
    judge_against(cells.writer, recent, read);
    judge_against(cells.writer2, recent, read);
    if (!epoch.write()) {
      remember(cells, cells.reader, cells.reader2, i, now, judge);
      return;
    }
    judge_against(cells.reader, oldest_read, Epoch{});
    judge_against(cells.reader2, oldest_read, Epoch{});
    if (epoch.strong() || judge.among_blocks) {
      remember(cells, cells.writer, cells.writer2, i, now, judge);
    } else {
      cells.at(cells.writer, i) = now;
      if (!cells.writer2.empty()) cells.writer2[i] = LineCell{};
    }
  });
  if (run.was_read) run.for_bytes([&](std::size_t byte) { cells.was_read.set(byte); });
}

bool needs_bytes(const LineRun& run) {
  const int gaps = run.has_gaps() ? run.origin | run.stride : 0;
  return ((run.begin() | run.end() | run.width | gaps) & 3) != 0;
}

void use_bytes(LineCells& cells) {
  if (cells.shift == 0) return;
  LineCells finer(0);
  const auto spread = [](const LineCells::List& from, LineCells::List& to) {
    to.resize(from.size() * 4);
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

bool LineCells::add_alike(const LineRun& run, std::uint64_t recent) {
  const Epoch epoch = run.what();
  const bool writes = epoch.write();
  List& firsts = writes ? writer : reader;
  List& seconds = writes ? writer2 : reader2;
  if (shift != 2 || firsts.empty() || !(writes ? reader : writer).empty()) return false;
  const auto cell_of = [&](std::uint32_t lane) {
    return static_cast<std::size_t>(run.origin + static_cast<int>(lane) * run.stride) / 4;
  };
  // Of lanes in one place, the first and the last stand for all.
  const std::uint32_t step = run.stride == 0 ? std::max(1, run.last - run.first) : 1;
  const auto is_alike = [&](const LineCell& old) {
    return old.epoch < recent || same_class(Epoch{old.epoch}, epoch);
  };
  for (std::uint32_t lane = run.first; lane <= run.last; lane += step) {
    const std::size_t i = cell_of(lane);
    if (!is_alike(firsts[i]) || (!seconds.empty() && !is_alike(seconds[i]))) return false;
  }
  LineCell now(run);
  for (std::uint32_t lane = run.first; lane <= run.last; lane += step) {
    // As remember() does.
    const std::size_t i = cell_of(lane);
    const Epoch what = epoch.with_lane(lane);
    now.epoch = what.bits;
    const auto replaces = [&](const LineCell& old) {
      return old.epoch < recent || Epoch{old.epoch}.same_thread(what);
    };
    LineCell& first = firsts[i];
    if (replaces(first)) {
      first = now;
      continue;
    }
    LineCell& second = at(seconds, i);
    const std::uint32_t warp = Epoch{second.epoch}.warp();
    if (replaces(second)) {
      second = now;
    } else if (Epoch{first.epoch}.warp() == what.warp()) {
      first = now;
    } else if (warp == Epoch{first.epoch}.warp() || warp == what.warp()) {
      second = now;
    }
  }
  return true;
}

bool add_run(const LineView& line, const LineJudge& judge, const LineRun& now) {
  if (*line.cells != nullptr) {
    if (needs_bytes(now)) use_bytes(**line.cells);
    add_to_cells(**line.cells, judge, now);
    return true;
  }
  const Epoch epoch = now.what();
  const std::uint64_t recent = judge.recent();
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
    bool is_now = false;
    if (alike_class && same_owner && old.same_shape(now) && !settled) {
      // The later of two accesses of one thread stands for both.
      was_read = was_read || old.was_read;
      old = now;
      settled = is_now = true;
      settled_at = kept;
    } else if ((alike_class || (epoch.write() && !epoch.strong())) && now.covers(old)) {
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
    if (is_now ? now.epoch >= recent : alike_class && old.epoch >= recent && old.covers(now)) {
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
        if (!same_class(run.what(), epoch) || !run.covers(now)) continue;
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
        if (same_class(line.runs[i].what(), epoch) && line.runs[i].covers(now)) {
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

namespace {

/// Adds runs that have been judged: what is found again goes to a log of its own.
void add_silently(LineCells& cells, const LineJudge& judge, std::span<const LineRun> runs) {
  ConflictLog again;
  LineJudge silent = judge;
  silent.log = &again;
  for (const LineRun& run : runs) add_to_cells(cells, silent, run);
}

/// What the present block knows says nothing of what others knew.
LineJudge judge_of_others(const LineJudge& judge) {
  LineJudge others = judge;
  if (judge.among_blocks) others.order = nullptr;
  return others;
}

}  // namespace

void expand_line(const LineView& line, const LineJudge& judge, const LineRun& now) {
  const std::span<const LineRun> runs(line.runs, *line.count);
  const bool bytes = needs_bytes(now) || std::ranges::any_of(runs, needs_bytes);
  auto cells = std::make_unique<LineCells>(bytes ? 0 : 2);
  add_silently(*cells, judge_of_others(judge), runs);
  add_silently(*cells, judge, {&now, 1});
  *line.count = 0;
  *line.cells = std::move(cells);
}

std::unique_ptr<LineCells> cells_of_reads(std::span<const LineRun> runs, const LineJudge& judge) {
  auto cells = std::make_unique<LineCells>(std::ranges::any_of(runs, needs_bytes) ? 0 : 2);
  add_silently(*cells, judge_of_others(judge), runs);
  return cells;
}

}  // namespace warpsim
