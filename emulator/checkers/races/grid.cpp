#include "emulator/checkers/races/grid.h"

#include <algorithm>
#include <utility>

#include "emulator/checkers/races/hash.h"

namespace warpsim {
namespace {

/// A run's hash is of all its lanes together: that of a part equals another's only where the same
/// lanes wrote the same values to the same places.
std::uint32_t value_of_part(const LineRun& whole) {
  if (whole.value == 0) return 0;
  std::uint64_t h = mix(whole.value, static_cast<std::uint64_t>(whole.origin));
  h = mix(h, std::uint64_t{whole.first} << 24 | std::uint64_t{whole.last} << 16 |
                 std::uint64_t{whole.width} << 8 | static_cast<std::uint8_t>(whole.stride));
  return static_cast<std::uint32_t>(h) | 1;
}

/// Calls `use` with each run of equal accesses in a list of cells, but for those that the grid has:
/// what was compared once must not be compared with what others did later.
/// @param skip  bool(const LineCell&, std::size_t cell): a run does not begin there
template <class Skip, class F>
void for_runs(const std::vector<LineCell>& cells, int shift, Skip skip, F use) {
  const int size = 1 << shift;
  for (std::size_t i = 0; i < cells.size();) {
    const LineCell& cell = cells[i];
    if (cell.epoch == 0 || cell.settled || skip(cell, i)) {
      ++i;
      continue;
    }
    const Epoch epoch{cell.epoch};
    const LineRun whole = cell.run();
    bool one_run = true;
    std::size_t end = i + 1;
    std::uint32_t lane = epoch.lane();
    while (end < cells.size() && lane < 31 && !cells[end].settled &&
           cells[end].epoch == epoch.with_lane(lane + 1).bits) {
      one_run = one_run && cells[end].value == cell.value && cells[end].run().same_shape(whole);
      ++end;
      ++lane;
    }
    LineRun run = whole;
    run.first = static_cast<std::uint8_t>(epoch.lane());
    run.last = static_cast<std::uint8_t>(lane);
    run.width = run.stride = static_cast<std::uint8_t>(size);
    run.origin = static_cast<std::int16_t>(static_cast<int>(i) * size -
                                           static_cast<int>(epoch.lane()) * size);
    if (!one_run) {
      run.value = 0;
    } else if (!run.same_shape(whole) && !whole.uniform) {
      // Equal to the same part of such a run.
      run.value = value_of_part(whole);
      run.uniform = true;
    }
    use(run);
    i = end;
  }
}

/// The same for all of a line's cells.
template <class Skip, class F>
void for_runs(const LineCells& cells, Skip skip, F use) {
  const auto with_reads = [&](LineRun run) {
    for (int byte = run.begin(); byte < run.end() && cells.was_read.any(); ++byte) {
      run.was_read = run.was_read || cells.was_read[static_cast<std::size_t>(byte)];
    }
    use(run);
  };
  for (const auto* list : {&cells.writer, &cells.writer2}) {
    for_runs(*list, cells.shift, skip, with_reads);
  }
  for (const auto* list : {&cells.reader, &cells.reader2}) {
    for_runs(*list, cells.shift, skip, use);
  }
}

constexpr auto kNone = [](const LineCell&, std::size_t) { return false; };

}  // namespace

GridLines::Entry& GridLines::find(std::uint64_t number) {
  return pages_.make(number / kPageLines).entries[number % kPageLines];
}

void GridLines::add(Entry& entry, const LineJudge& judge, const LineRun& run) {
  if (entry.reads != nullptr) {
    entry.more = &more_.emplace_back();
    entry.more->cells = cells_of_reads(entry.reads->runs(), judge);
    entry.reads = nullptr;
  }
  if (entry.more == nullptr) {
    if (entry.run.epoch == 0) {
      entry.run = run;
      return;
    }
    std::uint32_t count = 1;
    std::unique_ptr<LineCells> none;
    if (add_run({&entry.run, &count, 1, &none}, judge, run)) return;
    More& more = more_.emplace_back();
    more.runs[0] = entry.run;
    more.runs[1] = run;
    more.count = 2;
    entry.more = &more;
    return;
  }
  More& more = *entry.more;
  const LineView view{more.runs, &more.count, More::kCapacity, &more.cells};
  if (!add_run(view, judge, run)) expand_line(view, judge, run);
}

void GridLines::add_reads(Entry& entry, const LineJudge& judge, std::span<const LineRun> runs) {
  const bool is_empty = entry.more == nullptr && entry.reads == nullptr && entry.run.epoch == 0;
  if (is_empty && runs.size() == 1) {
    entry.run = runs.front();
    return;
  }
  const bool only_loads =
      is_empty || entry.reads != nullptr || (entry.more == nullptr && is_weak_load(entry.run));
  if (only_loads) {
    if (entry.reads == nullptr) {
      entry.reads = std::make_unique<GridReads>();
      if (!is_empty) (void)entry.reads->add({&entry.run, 1});
    }
    if (entry.reads->add(runs)) return;
  }
  for (const LineRun& run : runs) add(entry, judge, run);
}

void GridLines::add(const BlockLines::Line& line, const BlockOrder* order, ConflictLog& log) {
  LineJudge judge;
  judge.among_blocks = true;
  judge.order = order;
  judge.log = &log;
  judge.line_address = line.number * kRaceLineBytes;
  judge.cluster_blocks = cluster_blocks_;
  Entry& entry = find(line.number);
  const std::span<const LineRun> runs(line.runs, line.count);
  if (order == nullptr && line.cells == nullptr) {  // so nothing of it is here yet
    if (line.reads != nullptr) {
      add_reads(entry, judge, line.reads->covering());
    } else if (std::ranges::all_of(runs, is_weak_load)) {
      add_reads(entry, judge, runs);
    } else {
      for (const LineRun& run : runs) add(entry, judge, run);
    }
    return;
  }
  for (const LineRun& run : line.reads != nullptr ? line.reads->runs() : runs) {
    if (!run.settled) add(entry, judge, run);
  }
  if (line.cells == nullptr) return;
  // Most atomics of many blocks add nothing.
  const bool may_skip = order == nullptr && line.cells->was_read.none();
  const auto is_known = [&](const LineCell& cell, std::size_t i) {
    const LineCells* const known = entry.more == nullptr ? nullptr : entry.more->cells.get();
    return may_skip && known != nullptr && known->shift == line.cells->shift &&
           known->has_two_like(cell, i);
  };
  for_runs(*line.cells, is_known, [&](const LineRun& run) { add(entry, judge, run); });
}

void GridLines::for_each(std::uint64_t first, std::uint64_t last,
                         const std::function<void(std::uint64_t, const LineRun&)>& use) const {
  for (std::uint64_t number = first; number <= last;) {
    const std::uint64_t end = std::min((number / kPageLines + 1) * kPageLines, last + 1);
    const Page* const page = pages_.find(number / kPageLines);
    if (page == nullptr) {
      number = end;
      continue;
    }
    for (; number < end; ++number) {
      const Entry& entry = page->entries[number % kPageLines];
      if (entry.reads != nullptr) {
        for (const LineRun& run : entry.reads->runs()) use(number, run);
        continue;
      }
      if (entry.more == nullptr) {
        if (entry.run.epoch != 0) use(number, entry.run);
        continue;
      }
      const More& more = *entry.more;
      for (std::uint32_t i = 0; i < more.count; ++i) use(number, more.runs[i]);
      if (more.cells == nullptr) continue;
      for_runs(*more.cells, kNone, [&](const LineRun& run) { use(number, run); });
    }
  }
}

std::vector<LineRun> GridLines::runs(std::uint64_t number) const {
  std::vector<LineRun> all;
  for_each(number, number, [&](std::uint64_t, const LineRun& run) { all.push_back(run); });
  return all;
}

void GridLines::open(RegionSet regions) {
  open_.store(open_regions() | regions, std::memory_order_relaxed);
  regions &= kept_.regions() | stores_.regions();
  if (regions == 0) return;
  ConflictLog none;  // no two blocks meet in them
  const auto replay = [&](const KeptLoads& loads, const KeptStores& stores) {
    replayed_.replay(loads, stores, regions);
    for (const BlockLines::Line& line : replayed_.take({})) add(line, nullptr, none);
  };
  const KeptStores no_stores;
  KeptStores stores;
  std::size_t next = 0;
  const auto replay_stores = [&](std::uint64_t last) {
    KeptLoads no_loads;
    while (stores_.next(next, last, regions, stores)) {
      no_loads.block = stores.block;
      replay(no_loads, stores);
    }
  };
  kept_.for_each(regions, [&](const KeptLoads& loads) {
    if (loads.block != 0) replay_stores(loads.block - 1);
    const bool has_both = stores_.next(next, loads.block, regions, stores);
    replay(loads, has_both ? stores : no_stores);
  });
  replay_stores(~std::uint64_t{0});
  stores_.drop(regions);
  kept_.drop(regions);
}

RegionSet GridLines::meet(const Ended& block) {
  const RegionSet before = stores_.regions();
  const RegionSet stored = before | block.stores.regions;
  // Loads are marked once there are stores.
  if (const RegionSet first = stored & ~before & kept_.regions(); first != 0) {
    kept_.for_each(first, [&](const KeptLoads& loads) { (void)stores_.mark(loads, first); });
  }
  mixed_.store(mixed() | (stored & (kept_.regions() | block.loads.regions)),
               std::memory_order_relaxed);
  RegionSet met = stores_.mark(block.stores.lines, stored & block.stores.tracked);
  if (const RegionSet others = block.loads.regions & stored & ~block.stores.tracked; others != 0) {
    block.loads.restore(replayed_loads_);
    met |= stores_.mark(replayed_loads_, others);
  }
  return met;
}

void GridLines::add(Ended& block, ConflictLog& log) {
  open(block.open | meet(block));
  const RegionSet kept = block.loads.regions | block.stores.regions;
  if (const RegionSet now = kept & open_regions(); now != 0) {
    replayed_loads_.clear();
    if (block.loads.regions != 0) block.loads.restore(replayed_loads_);
    replayed_loads_.block = block.stores.block;
    replayed_.replay(replayed_loads_, block.stores, now);
    for (BlockLines::Line& line : replayed_.take({})) block.lines.push_back(std::move(line));
    std::ranges::stable_sort(block.lines, {}, &BlockLines::Line::order);
    block.loads.regions &= ~now;
    block.stores.regions &= ~now;
  }
  for (const BlockLines::Line& line : block.lines) add(line, nullptr, log);
  stores_.add(block.stores);
  if (block.loads.regions != 0) kept_.add(block.loads);
  if (kept_.is_full() || stores_.bytes() > most_bytes_) open(~RegionSet{0});
}

/// @param ended  empty, with memory; filled in
void GridLines::take(BlockLines& lines, Ended& ended) {
  ended.lines = lines.take(std::move(ended.lines));
  ended.loads = lines.take_loads(std::move(ended.loads.distances));
  ended.stores = lines.take_stores(std::move(ended.stores));
  ended.open = lines.open_regions();
}

void GridLines::add_in_order(std::uint64_t block, BlockLines& lines, ConflictLog& log) {
  std::unique_lock lock(mutex_);
  added_.wait(lock, [&] { return !adding_ || waiting_.size() < kMostWaiting; });
  if (adding_ || block != waiting_.first()) {
    Ended ended;
    if (!spare_.empty()) {
      ended.lines = std::move(spare_.back().lines);
      ended.stores = std::move(spare_.back().stores);
      spare_.pop_back();
    }
    take(lines, ended);
    waiting_.add(block, std::move(ended));
    return;
  }
  // It is the next one, as always on one host thread. Those that waited for it follow.
  (void)waiting_.take_first();
  adding_ = true;
  lock.unlock();
  take(lines, next_);
  add(next_, log);
  next_.lines.clear();
  next_.stores.clear();
  lock.lock();
  while (waiting_.has_first()) {
    Ended ended = *waiting_.take_first();
    lock.unlock();
    add(ended, log);
    ended.lines.clear();
    ended.stores.clear();
    lock.lock();
    spare_.push_back({std::move(ended.lines), std::move(ended.stores)});
  }
  adding_ = false;
  added_.notify_all();
}

}  // namespace warpsim
