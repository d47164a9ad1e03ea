#include <algorithm>
#include <utility>

#include "emulator/debug/control.h"

// Going back: the launch runs again from its start, up to an instruction or in search of one.

namespace warpsim::debug {

bool Control::can_go_back(std::string& why) const {
  if (state_ != State::stopped) {
    why = "the program does not stand still";
  } else if (launch_->extents.size() != extents_) {
    why = "the kernel has allocated or freed device memory, which cannot be undone";
  }
  return why.empty();
}

void Control::rewind(std::uint64_t to, Stop stop) {
  target_ = to;
  target_race_.reset();
  target_before_mistake_ = false;
  target_stop_ = std::move(stop);
  rewinds_ = true;
  ask_at.store(0);
  launch_->stop_at.store(0);
  if (state_ == State::stopped) {
    state_ = State::running;
    changed_.notify_all();
  }
}

void Control::begin(Search search) {
  search_ = std::move(search);
  search_.before = executed;
  rewind(kNever, {});
  target_.reset();
}

void Control::step_back(WarpContext& context, Step how) {
  if (how == Step::instruction) {
    rewind(executed == 0 ? 0 : executed - 1,
           {.reason = "step", .description = {}, .text = {}, .breakpoints = {}, .finding = {}});
    return;
  }
  const WarpSplit& split = context.splits[std::min(context.current, context.splits.size() - 1)];
  const LineKey key = lines(*split.frame->program).at(split.pc->index);
  Search search;
  search.what = Search::What::line_entry;
  search.stepping.warp = id_of(context);
  search.stepping.depth = depth_of(*split.frame, key);
  search.stop.reason = "step";
  begin(std::move(search));
}

void Control::reverse_continue() {
  Search search;
  search.what = Search::What::stop;
  begin(std::move(search));
}

void Control::go_to_last_access(const Watch& bytes) {
  Search search;
  search.what = Search::What::access;
  search.bytes = bytes;
  begin(std::move(search));
}

bool Control::go_to_other_side() {
  if (!race_) return false;
  Search search;
  search.what = Search::What::access;
  search.bytes.name = "the other access of the race";
  search.bytes.space = race_->shared ? ptx::Space::shared : ptx::Space::global;
  search.bytes.begin = race_->address;
  search.bytes.end = race_->address + 1;
  search.bytes.block = race_->first_block;
  search.bytes.reads = true;
  search.by = WarpId{race_->first_block, race_->first_warp};
  search.lane = static_cast<int>(race_->first_lane);
  begin(std::move(search));
  return true;
}

bool Control::go_to_race_between_blocks(const LaunchState& launch) {
  if (let_go_ || launch.extents.size() != extents_) return false;
  std::vector<RaceFound> races = races_found(launch);
  while (races_known_of_launch_ < races.size()) {
    RaceFound& race = races[races_known_of_launch_++];
    if (!race.is_between_blocks() || !stops_on(race.finding)) continue;
    Search search;
    search.what = Search::What::access;
    search.bytes.space = race.shared ? ptx::Space::shared : ptx::Space::global;
    search.bytes.begin = race.address;
    search.bytes.end = race.address + 1;
    search.bytes.block = race.second_block;
    search.bytes.reads = true;
    search.by = WarpId{race.second_block, race.second_warp};
    search.instruction = race.second_instruction;
    search.lane = static_cast<int>(race.second_lane);
    search.race = std::move(race);
    begin(std::move(search));
    return true;
  }
  return false;
}

void Control::finish_search() {
  Search done = std::exchange(search_, {});
  if (!done.found) {
    done.stop = {.reason = "entry",
                 .description = done.what == Search::What::access
                                    ? "the kernel has not accessed it; this is its beginning"
                                    : "the beginning of the kernel",
                 .text = {},
                 .breakpoints = {},
                 .finding = {}};
  }
  if (done.found && done.race) done.stop = stop_of(done.race->finding);
  if (done.lane >= 0) lane_ = done.lane;
  rewind(done.found.value_or(0), std::move(done.stop));
  if (done.found) target_race_ = std::move(done.race);
}

void Control::search_at(WarpContext& context, const Inst& in) {
  if (executed >= search_.before) return finish_search();
  switch (search_.what) {
    case Search::What::line_entry: {
      if (!(search_.stepping.warp == id_of(context))) return;
      const LineKey& key = lines(*context.frame().program).at(in.index);
      const std::uint32_t depth = depth_of(context.frame(), key);
      if (depth > search_.stepping.depth) return;
      if (!search_.seen || !key.same_line(search_.last)) search_.found = executed;
      search_.seen = true;
      search_.last = key;
      return;
    }
    case Search::What::stop:
      if (auto stop = breakpoint_at(context, in)) {
        search_.found = executed;
        search_.stop = std::move(*stop);
      }
      return;
    default:
      return;
  }
}

}  // namespace warpsim::debug
