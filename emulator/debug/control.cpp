#include "emulator/debug/control.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <utility>

#include "emulator/findings/function_name.h"
#include "emulator/machine/faults.h"
#include "emulator/machine/for_lanes.h"

namespace warpsim::debug {
namespace {

/// More than the calls that may be inlined around an instruction.
constexpr std::uint32_t kInlinedPerFrame = 64;

/// Whether a count fulfils "5", "> 5", ">= 5", "== 5" or "% 5". Anything else holds never.
bool holds(std::string_view condition, std::uint64_t count) {
  const std::size_t digits = condition.find_first_of("0123456789");
  if (digits == condition.npos) return false;
  std::string_view sign = condition.substr(0, digits);
  while (sign.ends_with(' ')) sign.remove_suffix(1);
  while (sign.starts_with(' ')) sign.remove_prefix(1);
  std::uint64_t number = 0;
  (void)std::from_chars(condition.data() + digits, condition.data() + condition.size(), number);
  if (sign.empty() || sign == "==" || sign == "=") return count == number;
  if (sign == ">") return count > number;
  if (sign == ">=") return count >= number;
  if (sign == "<") return count < number;
  if (sign == "<=") return count <= number;
  if (sign == "%") return number != 0 && count % number == 0;
  return false;
}

}  // namespace

// -- launches -------------------------------------------------------------------------------------

void Control::begin(LaunchState& launch) {
  const std::lock_guard lock(mutex);
  launch_ = &launch;
  executed = 0;
  next_decision_ = 0;
  preferred_.reset();
  only_ = false;
  last_chosen_ = nullptr;
  resumed_at_ = {};
  rewinds_ = false;
  races_known_.clear();
  living_.clear();
  if (let_go_) return;
  if (state_ == State::host) {  // a new launch, and not one that runs again
    decisions_.clear();
    stepping_ = {};
    enters_ = stops_at_entry;
    state_ = State::running;
    verify(*launch.program->module);
    findings_ = launch.findings->copy();
    races_known_of_launch_ = 0;
  }
  extents_ = launch.extents.size();
  log_.begin(launch);
  launch.access_observers.push_back(&log_);
  launch.access_observers.push_back(this);
  launch.watch |= kAccesses;
  recorder_ = std::move(next_recorder_);
  if (recorder_ != nullptr) recorder_->begin(launch);
  update_ask();
}

bool Control::runs_again(LaunchState& launch) {
  const std::lock_guard lock(mutex);
  // The search was for what came before the last instruction.
  if (!rewinds_ && search_.what != Search::What::none) finish_search();
  if (!rewinds_ && target_ && records()) finish_recording();
  if (rewinds_ || go_to_race_between_blocks(launch)) {
    log_.restore();
    launch.findings->restore(findings_);
    return true;
  }
  if (target_) {
    listener_.says("The kernel did not run as before; it has ended.\n");
    target_.reset();
  }
  if (stepping_.how != Step::none || pauses_) {
    listener_.says(fmt::format("{} has ended; host code runs.\n", launch.kernel_name));
  }
  stepping_ = {};
  launch_ = nullptr;
  stopped_ = nullptr;
  warp = nullptr;
  wanted_block_.reset();
  state_ = State::host;
  return false;
}

bool Control::block_begins(BlockContext& block) {
  const std::lock_guard lock(mutex);
  living_[block.linear] = &block;
  if (records()) (void)recorder_->block_begins(block);
  if (wanted_block_ == block.linear) {
    wanted_block_.reset();
    enters_ = true;
    update_ask();
  }
  return true;
}

void Control::block_ends(BlockContext& block) {
  const std::lock_guard lock(mutex);
  living_.erase(block.linear);
  if (records()) recorder_->block_ends(block);
  races_known_.erase(block.linear);
}

// -- lines and breakpoints ------------------------------------------------------------------------

Control::Code& Control::code_of(const Program& program) {
  Code& code = code_[&program];
  if (code.lines == nullptr) {
    code.lines = std::make_unique<Lines>(program);
    code.marks.resize(program.source.size());
    bind(program, code);
  }
  return code;
}

const Lines& Control::lines(const Program& program) {
  return *code_of(program).lines;
}

const std::uint8_t* Control::marks(const Program& program) {
  const std::lock_guard lock(mutex);
  return code_of(program).marks.data();
}

void Control::bind(const Program& program, Code& code) {
  std::ranges::fill(code.marks, std::uint8_t{0});
  code.breakpoints.clear();
  const auto add = [&](std::uint32_t index, int id) {
    code.marks[index] = 1;
    code.breakpoints.emplace(index, id);
  };
  for (const Breakpoint& breakpoint : breakpoints) {
    if (!breakpoint.file.empty()) {
      for (const std::uint32_t index : code.lines->starts_of(breakpoint.file, breakpoint.line)) {
        add(index, breakpoint.id);
      }
      continue;
    }
    const std::string name = demangle(program.function->name);
    if (breakpoint.function == bare_name(name) || breakpoint.function == name ||
        breakpoint.function == program.function->name) {
      add(code.lines->body(), breakpoint.id);
    }
  }
}

void Control::bind_breakpoints() {
  if (launch_ != nullptr) verify(*launch_->program->module);
  for (auto& [program, code] : code_) bind(*program, code);
}

/// Finds the lines of breakpoints that have none yet in the module of a kernel.
void Control::verify(const LoadedModule& module) {
  for (Breakpoint& breakpoint : breakpoints) {
    if (breakpoint.verified) continue;
    if (!breakpoint.file.empty()) {
      const auto line = line_with_code(module, breakpoint.file, breakpoint.asked_line);
      if (!line) {
        breakpoint.message = fmt::format("no code of {} is at or after this line",
                                         launch_ == nullptr ? "a kernel" : launch_->kernel_name);
        continue;
      }
      breakpoint.line = *line;
    } else {
      const auto& functions = module.ptx.functions;
      const bool known = std::ranges::any_of(functions, [&](const ptx::Function& function) {
        const std::string name = demangle(function.name);
        return breakpoint.function == bare_name(name) || breakpoint.function == name ||
               breakpoint.function == function.name;
      });
      if (!known) {
        breakpoint.message = "no function of this name in the device code that ran so far";
        continue;
      }
    }
    breakpoint.verified = true;
    breakpoint.message.clear();
    listener_.changed(breakpoint);
  }
  for (auto& [program, code] : code_) bind(*program, code);
}

// -- whether to stop ------------------------------------------------------------------------------

std::uint32_t Control::depth_of(const Frame& frame, const LineKey& key) {
  return frame.depth * kInlinedPerFrame + key.inlined;
}

bool Control::step_ends(const WarpContext& context, const Inst& in) {
  if (stepping_.how == Step::none || !(stepping_.warp == id_of(context))) return false;
  if (stepping_.to_barrier) return false;
  if (stepping_.how == Step::instruction) return true;
  const LineKey& key = lines(*context.frame().program).at(in.index);
  const std::uint32_t depth = depth_of(context.frame(), key);
  const bool others = (context.warp.active & stepping_.lanes) == 0;
  switch (stepping_.how) {
    case Step::out:
      return depth < stepping_.depth && !others;
    case Step::into:
      // Of a function that was called, the parameters are set up first.
      if (depth > stepping_.depth && in.index < lines(*context.frame().program).body()) {
        return false;
      }
      return depth != stepping_.depth || others || !key.same_line(stepping_.from);
    default:
      if (depth > stepping_.depth) return false;
      return others || depth < stepping_.depth || !key.same_line(stepping_.from);
  }
}

/// Counts a hit. @returns whether it is one to stop at
bool Control::counts(Breakpoint& breakpoint, Stop& stop) {
  ++breakpoint.hits;
  if (!breakpoint.hit_condition.empty() && !holds(breakpoint.hit_condition, breakpoint.hits)) {
    return false;
  }
  stop.reason = breakpoint.file.empty() ? "function breakpoint" : "breakpoint";
  stop.breakpoints.push_back(breakpoint.id);
  return true;
}

std::optional<Stop> Control::breakpoint_at(WarpContext& context, const Inst& in) {
  const Code& code = code_of(*context.frame().program);
  if (code.marks[in.index] == 0) return std::nullopt;
  Stop stop;
  const auto [first, last] = code.breakpoints.equal_range(in.index);
  for (auto it = first; it != last; ++it) {
    const auto found = std::ranges::find(breakpoints, it->second, &Breakpoint::id);
    if (found == breakpoints.end()) continue;
    std::uint32_t lanes = context.warp.active;
    if (!found->condition.empty()) {
      std::string error;
      const auto where = listener_.lanes_where(context, lanes, found->condition, error);
      if (!where) {
        stop.description = fmt::format("the condition '{}': {}", found->condition, error);
      } else if (*where == 0) {
        continue;
      } else {
        lanes = *where;
      }
    }
    if (!found->log_message.empty()) {
      for_lanes(found->condition.empty() ? lanes & (0 - lanes) : lanes, [&](std::size_t lane) {
        ++found->hits;
        if (!found->hit_condition.empty() && !holds(found->hit_condition, found->hits)) return;
        listener_.says(listener_.fill_in(context, static_cast<int>(lane), found->log_message) +
                       "\n");
      });
      continue;
    }
    if (!counts(*found, stop)) continue;
    lane_ = std::countr_zero(lanes);
  }
  if (stop.breakpoints.empty()) return std::nullopt;
  return stop;
}

std::optional<Stop> Control::stop_at(WarpContext& context, const Inst& in) {
  if (resumed_at_ == std::pair<const WarpContext*, const Inst*>(&context, &in)) {
    return std::nullopt;
  }
  if (pauses_) {
    pauses_ = false;
    return Stop{
        .reason = "pause", .description = "paused", .text = {}, .breakpoints = {}, .finding = {}};
  }
  if (auto stop = breakpoint_at(context, in)) return stop;
  if (enters_) {
    enters_ = false;
    return Stop{.reason = "entry",
                .description =
                    fmt::format("{} of {} begins", describe_block(*launch_, context.block->linear),
                                launch_->kernel_name),
                .text = {},
                .breakpoints = {},
                .finding = {}};
  }
  if (ended_) {
    const WarpId ended = *std::exchange(ended_, std::nullopt);
    return Stop{.reason = "step",
                .description = fmt::format("warp {} of {} has ended", ended.warp,
                                           describe_block(*launch_, ended.block)),
                .text = {},
                .breakpoints = {},
                .finding = {}};
  }
  if (step_ends(context, in)) {
    return Stop{.reason = "step", .description = {}, .text = {}, .breakpoints = {}, .finding = {}};
  }
  return std::nullopt;
}

bool Control::goes_on(WarpContext& context, const Inst& in) {
  std::unique_lock lock(mutex);
  if (let_go_) {
    ask_at.store(kNever);
    return true;
  }
  if (rewinds_) return false;
  apply_decisions();
  if (target_) {
    if (executed >= *target_) {
      if (records()) finish_recording();
      if (rewinds_) return false;
      target_.reset();
      race_ = std::exchange(target_race_, std::nullopt);
      if (race_) {
        listener_.says(
            "Races between blocks are known when all blocks have ended: the kernel has run again, "
            "up "
            "to the second access.\n");
      }
      before_mistake_ = std::exchange(target_before_mistake_, false);
      wait(lock, context, std::exchange(target_stop_, {}));
      before_mistake_ = false;
      race_.reset();
    }
  } else if (search_.what != Search::What::none) {
    search_at(context, in);
  } else if (auto stop = stop_at(context, in)) {
    wait(lock, context, std::move(*stop));
  }
  if (rewinds_) return false;
  update_ask();
  if (gives_way(context)) return false;
  if (resumed_at_.first == &context) resumed_at_ = {};
  if (records()) (void)recorder_->goes_on(context, in);
  return true;
}

/// The kernel's thread stands still until somebody resumes it.
void Control::wait(std::unique_lock<std::mutex>& lock, WarpContext& context, Stop stop) {
  // Where it is known only to the run loop until now; lanes that have just ended have no place.
  WarpSplit& current = context.splits[std::min(context.current, context.splits.size() - 1)];
  if ((current.mask & context.warp.active) != 0 && current.state == WarpSplit::State::ready) {
    current.pc = at;
  }
  state_ = State::stopped;
  stopped_ = &context;
  stepping_ = {};
  pauses_ = enters_ = false;
  if (((current.mask >> lane_) & 1) == 0) lane_ = std::countr_zero(current.mask);
  stop_ = std::move(stop);
  listener_.stopped(stop_);
  changed_.wait(lock, [this] { return state_ != State::stopped; });
  resumed_at_ = {&context, at};
  stopped_ = nullptr;
}

// -- which warp runs ------------------------------------------------------------------------------

WarpContext* Control::preferred_in(BlockContext& block) {
  if (!preferred_ || preferred_->block != block.linear) return nullptr;
  return preferred_->warp < block.warps.size() ? block.warps[preferred_->warp].get() : nullptr;
}

bool Control::gives_way(WarpContext& context) {
  WarpContext* const first = preferred_in(*context.block);
  if (first == nullptr || first == &context || !preferred_waits_) return false;
  return has_ready_group(*first);
}

WarpContext& Control::choose(BlockContext& block, WarpContext& turn) {
  std::unique_lock lock(mutex);
  if (aborted()) return turn;
  apply_decisions();
  WarpContext* const first = preferred_in(block);
  if (first == nullptr) return turn;
  if (first->live == 0 || first->splits.empty()) {
    // It has ended: what is left of the step is to say so.
    if (stepping_.how != Step::none && stepping_.warp == *preferred_) ended_ = preferred_;
    preferred_.reset();
    stepping_ = {};
    update_ask();
    return turn;
  }
  const bool ready = has_ready_group(*first);
  if (ready && (last_chosen_ != first || &turn == first)) {
    last_chosen_ = first;
    return *first;
  }
  last_chosen_ = &turn;
  preferred_waits_ = !ready;
  return turn;
}

void Control::decide(std::optional<WarpId> preferred, bool only) {
  std::erase_if(decisions_, [&](const Decision& decision) { return decision.at > executed; });
  decisions_.push_back({executed, preferred, only});
  next_decision_ = decisions_.size() - 1;
  apply_decisions();
}

void Control::apply_decisions() {
  for (; next_decision_ < decisions_.size() && decisions_[next_decision_].at <= executed;
       ++next_decision_) {
    const Decision& decision = decisions_[next_decision_];
    preferred_ = decision.preferred;
    only_ = decision.only;
    preferred_waits_ = true;
    last_chosen_ = nullptr;
  }
}

void Control::update_ask() {
  std::uint64_t next = kNever;
  if (search_.what != Search::What::none) {
    next = 0;
  } else if (target_) {
    next = records() ? 0 : *target_;
  } else if (pauses_ || enters_ || ended_ || stepping_.how != Step::none) {
    next = 0;
  }
  if (preferred_) next = 0;
  if (next_decision_ < decisions_.size()) next = std::min(next, decisions_[next_decision_].at);
  ask_at.store(next, std::memory_order_relaxed);
}

// -- commands -------------------------------------------------------------------------------------

void Control::resume() {
  update_ask();
  if (state_ != State::stopped) return;
  state_ = State::running;
  changed_.notify_all();
}

void Control::go_on() {
  stepping_ = {};
  if (preferred_) decide(std::nullopt, false);
  resume();
}

void Control::step(WarpContext& warp_to_step, Step how, bool only) {
  const WarpContext& context = warp_to_step;
  stepping_ = {.how = how,
               .warp = id_of(context),
               .from = {},
               .depth = 0,
               .lanes = kFullMask,
               .to_barrier = false};
  if (!context.splits.empty()) {
    const WarpSplit& split = context.splits[std::min(context.current, context.splits.size() - 1)];
    stepping_.from = lines(*split.frame->program).at(split.pc->index);
    stepping_.depth = depth_of(*split.frame, stepping_.from);
    stepping_.lanes = split.mask;
  }
  decide(stepping_.warp, only);
  resume();
}

void Control::run_to_barrier(WarpContext& context) {
  stepping_ = {.how = Step::over,
               .warp = id_of(context),
               .from = {},
               .depth = 0,
               .lanes = kFullMask,
               .to_barrier = true};
  decide(stepping_.warp, false);
  resume();
}

void Control::pause() {
  pauses_ = true;
  ask_at.store(0);
}

bool Control::run_to_block(std::uint64_t block) {
  if (launch_ == nullptr || stopped_ == nullptr || block <= stopped_->block->linear) return false;
  wanted_block_ = block;
  go_on();
  return true;
}

void Control::let_go() {
  let_go_ = true;
  pauses_ = false;
  target_.reset();
  search_ = {};
  use_recording_ = nullptr;
  decisions_.clear();
  preferred_.reset();
  ask_at.store(kNever);
  if (state_ == State::stopped) {
    state_ = State::running;
    changed_.notify_all();
  }
}

// -- data breakpoints -----------------------------------------------------------------------------

void Control::access(WarpContext& context, const MemoryAccess& access) {
  if (stops_on_errors && stopped_ == nullptr) {
    if (auto race = race_found_since(*context.block, races_known_[context.block->linear])) {
      at_fault = 1u << race->second_lane;
      race_ = std::move(race);
      const Finding finding = race_->finding;  // `race_` changes while the program stands still
      found(context, finding);
      race_.reset();
    }
  }
  const bool searches = search_.what == Search::What::access;
  if (watches.empty() && !searches) return;
  std::unique_lock lock(mutex);
  if (aborted() || (target_ && !searches)) return;
  if (search_.what != Search::What::none && !searches) return;
  alignas(64) std::uint64_t address[kWarpSize];
  access.spread(address);
  const auto lanes_in = [&](const Watch& watch) {
    std::uint32_t lanes = 0;
    if (watch.space != access.space) return lanes;
    if (watch.space == ptx::Space::shared && watch.block != context.block->linear) return lanes;
    for_lanes(access.lanes, [&](std::size_t lane) {
      const std::uint64_t begin = watch.space == ptx::Space::shared
                                      ? static_cast<std::uint32_t>(address[lane])
                                      : address[lane];
      if (begin < watch.end && begin + access.width > watch.begin) lanes |= 1u << lane;
    });
    return lanes;
  };
  const bool writes = access.type != AccessType::load;
  if (searches) {
    // `executed` counts this instruction already.
    const bool wanted = (search_.bytes.writes && writes) ||
                        (search_.bytes.reads && access.type != AccessType::store);
    const bool by = (!search_.by || *search_.by == id_of(context)) &&
                    (!search_.instruction || *search_.instruction == at->index);
    if (wanted && by && executed <= search_.before && lanes_in(search_.bytes) != 0) {
      search_.found = executed - 1;
      search_.stop = {.reason = "data breakpoint",
                      .description = search_.bytes.name,
                      .text = {},
                      .breakpoints = {},
                      .finding = {}};
    }
    return;
  }
  for (Watch& watch : watches) {
    const bool reads = access.type != AccessType::store;
    if (!(watch.writes && writes) && !(watch.reads && reads)) continue;
    std::uint32_t lanes = lanes_in(watch);
    if (lanes == 0) continue;
    std::string error;
    if (!watch.condition.empty()) {
      lanes = listener_.lanes_where(context, lanes, watch.condition, error).value_or(lanes);
      if (lanes == 0) continue;
    }
    ++watch.hits;
    if (!watch.hit_condition.empty() && !holds(watch.hit_condition, watch.hits)) continue;
    lane_ = std::countr_zero(lanes);
    within_ = true;
    wait(lock, context,
         {.reason = "data breakpoint",
          .description = fmt::format("{} is about to {} {}", describe_thread(context, lane_),
                                     writes ? reads ? "update" : "write" : "read", watch.name),
          .text = error,
          .breakpoints = {watch.id},
          .finding = {}});
    within_ = false;
    resumed_at_ = {};  // the instruction is being executed already
    return;
  }
}

}  // namespace warpsim::debug
