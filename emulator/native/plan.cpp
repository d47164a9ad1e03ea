#include "emulator/native/plan.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>
#include <utility>

#include "emulator/native/emitter.h"
#include "emulator/native/lane_places.h"

namespace warpsim::native {
namespace {

/// A run is not longer, so that compiling takes little time.
constexpr std::uint32_t kMostInstructions = 200;
/// With fewer instructions that are compiled, or more that are called, the interpreter is as fast.
constexpr std::uint32_t kFewestCompiled = 3;
bool is_worth_it(std::uint32_t compiled, std::uint32_t all) {
  return compiled >= kFewestCompiled && 2 * compiled >= all;
}
/// Offsets are parts of the host's addresses, which have 32 bits for them.
constexpr std::int64_t kLargestOffset = std::int64_t{1} << 28;

/// A branch that a run may go past, where no lane takes it: one that skips something. A loop's is
/// nearly always taken.
bool goes_past(const Inst& in, Handler handler) {
  const NativeForm* const form = native_form(handler);
  return form != nullptr && form->op == NativeOp::branch && in.target > &in;
}

bool is_memory(NativeOp op) {
  return op >= NativeOp::load_global;
}
bool is_store(NativeOp op) {
  return op == NativeOp::store_global || op == NativeOp::store_shared;
}
bool is_shared(NativeOp op) {
  return op == NativeOp::load_shared || op == NativeOp::store_shared;
}

/// Branches lead here.
std::vector<bool> find_targets(const Program& program) {
  std::vector<bool> targets(program.code.size() + 1, false);
  const auto add = [&](const Inst* target) {
    targets[static_cast<std::size_t>(target - program.code.data())] = true;
  };
  const Inst* const begin = program.code.data();
  const Inst* const end = begin + program.code.size();
  for (const Inst& in : program.code) {
    const ptx::Instruction* const source = program.source[in.index];
    if ((in.flags & kControl) == 0 || source == nullptr) continue;
    const bool branches = std::ranges::any_of(source->operands, [](const ptx::Operand& operand) {
      return operand.kind == ptx::Operand::Kind::label;
    });
    if (branches && in.target >= begin && in.target < end) add(in.target);
  }
  for (const auto& table : program.tables) {
    for (const Inst* target : table->targets) add(target);
  }
  return targets;
}

/// Observers, which want to know of a store before it happens, or the cache model are told of it.
bool is_told(NativeOp op, std::uint32_t watch) {
  return is_store(op) && (watch & (is_shared(op) ? kAccesses : kAccesses | kCaches)) != 0;
}

/// The form of an access lets it be compiled.
bool is_plain(const Inst& in, const NativeForm& form) {
  if ((in.flags & (kVolatile | kPolls)) != 0 || in.aux < 1 || in.aux > 4) return false;
  // Bytes are loaded one at a time: those of a vector have the same form.
  const bool is_byte = in.width == 1 && in.aux == 1;
  if (!is_byte && in.width != in.aux * element_bytes(form)) return false;
  if (in.offset > kLargestOffset || in.offset < -kLargestOffset) return false;
  const bool wide_vector = in.aux > 2 && in.width != 16;
  if (is_store(form.op) && (in.aux == 3 || wide_vector)) return false;
  return true;
}

/// Observers know shapes by their place and their version: one that no other shape has, as a trace
/// may lie where another one was, and far from those of the interpreter, which begin at 1.
std::uint32_t new_version() {
  static std::atomic<std::uint32_t> last = 0;
  constexpr std::uint32_t kTraces = std::uint32_t{1} << 31;
  return ++last | kTraces;
}

bool is_rows(const LaneShape& shape, std::uint32_t width) {
  const std::uint32_t lanes = 64 / width;
  for (std::uint32_t i = 0; i < 32; ++i) {
    const std::uint32_t first = i / lanes * lanes;
    if (shape.relative[i] != shape.relative[first] + (i - first) * width) return false;
  }
  return true;
}

class Planner {
 public:
  Planner(const RunExtent& run, const std::vector<bool>& called, const BlockContext& block,
          const ProgramTables& tables, std::int32_t vector_bytes)
      : run_(run), called_(called), block_(block), tables_(tables) {
    trace_->watch = block.watch;
    trace_->vector_bytes = vector_bytes;
  }

  /// @param count  instructions of the run
  Plan make(std::uint32_t count, bool waits) {
    std::uint32_t compiled = 0;
    std::uint32_t branch = 0;  // the last one until now
    for (std::uint32_t i = 0; i < count; ++i) {
      const Inst& in = run_.first[i];
      Step step{.inst = &in, .handler = run_.handlers[i]};
      step.form = called_[i] ? nullptr : native_form(step.handler);
      if (step.form != nullptr && step.form->op == NativeOp::branch) {
        branch = i;
        trace_->steps.push_back(step);
        continue;
      }
      if (step.form != nullptr && is_memory(step.form->op)) {
        if (!add_access(i, step)) {
          if (waits) return {.trace = nullptr, .waits = true};
          if (branch != 0) return {.trace = nullptr, .cut = branch};
        }
      } else if (step.form != nullptr && !can_compute(in, *step.form, trace_->vector_bytes)) {
        step.form = nullptr;
      }
      if (step.form == nullptr) {
        ++epoch_;  // a handler writes registers that are not known here
        differences_.clear();
      } else {
        ++compiled;
        follow(in, *step.form);
        // Of accesses only loads write, to up to four registers.
        if (!is_memory(step.form->op)) {
          written_.push_back({in.d, 256, epoch_});
        } else if (!is_store(step.form->op)) {
          for (const std::int32_t slot : {in.d, in.b, in.c, in.d2}) {
            written_.push_back({slot, 256, epoch_});
          }
        }
      }
      trace_->steps.push_back(step);
    }
    if (!is_worth_it(compiled, count)) return {};
    lay_out();
    return {.trace = std::move(trace_)};
  }

 private:
  struct Written {
    std::int32_t slot;
    std::int32_t bytes;
    std::uint32_t epoch;
  };

  /// @returns false when nothing is known of it yet; it may still have to be called
  bool add_access(std::uint32_t place, Step& step) {
    const Inst& in = *step.inst;
    const NativeForm& form = *step.form;
    const NativeForm* const wanted = std::exchange(step.form, nullptr);
    if (!is_plain(in, form)) return true;
    const InlineCache& memo = tables_.inline_caches[in.index];
    const LaneShape& shape = memo.pattern.shape;
    if (shape.mask == 0 || memo.places == 0) return false;
    if (shape.mask != kFullMask) return false;
    if (shape.high >= kLargestOffset || shape.low <= -kLargestOffset) return true;
    if (is_store(form.op) && !is_rows(shape, in.width)) return true;
    // Bytes far from each other are gathered, which takes longer than the interpreter does, but for
    // what it tells observers.
    const bool told = (block_.watch & (kAccesses | kCaches)) != 0;
    if (in.width == 1 && !told && !are_near(shape.relative, 32)) return true;
    step.form = wanted;
    step.access = static_cast<std::uint32_t>(trace_->accesses.size());
    TraceAccess access{.place = place, .group = group_of(step, memo)};
    if (is_told(form.op, block_.watch)) {
      access.store = static_cast<std::uint32_t>(trace_->stores.size());
      trace_->stores.push_back(step.access);
    }
    trace_->groups[access.group].accesses.push_back(step.access);
    trace_->accesses.push_back(access);
    return true;
  }

  std::uint32_t group_of(const Step& step, const InlineCache& memo) {
    const Inst& in = *step.inst;
    const bool shared = is_shared(step.form->op);
    for (std::uint32_t i = 0; i < trace_->groups.size(); ++i) {
      TraceGroup& group = trace_->groups[i];
      const bool same =
          group.slot == in.a && group.is_shared == shared &&
          group.is_wide == (step.form->detail != 0) && bases_[i] == memo.base &&
          is_unchanged(in.a, begins_[i], epochs_[i]) &&
          ((in.offset - group.offset) & (std::min<std::int64_t>(in.width, group.width) - 1)) == 0 &&
          has_shape(group, in, memo);
      if (!same) continue;
      if (in.width > group.width) {
        group.width = in.width;
        group.offset = in.offset;
      }
      return i;
    }
    TraceGroup& group = trace_->groups.emplace_back();
    group.slot = in.a;
    group.is_shared = shared;
    group.is_wide = step.form->detail != 0;
    group.width = in.width;
    group.offset = in.offset;
    group.shape = memo.pattern.shape;
    group.shape.version = new_version();
    const std::uint32_t known = difference_of(in.a, group.is_wide ? 8 : 4);
    for (std::uint32_t i = 0; i + 1 < trace_->groups.size(); ++i) {
      const TraceGroup& other = trace_->groups[i];
      const bool same_size = other.is_wide == group.is_wide && other.is_shared == shared;
      if (same_size && known_[i] == known &&
          std::ranges::equal(other.shape.relative, group.shape.relative)) {
        group.like = i;
        break;
      }
    }
    known_.push_back(known);
    bases_.push_back(memo.base);
    begins_.push_back(written_.size());
    epochs_.push_back(epoch_);
    return static_cast<std::uint32_t>(trace_->groups.size() - 1);
  }

  // Registers whose lanes differ in the same way have the same number here: one is another one plus
  // what is the same for all lanes.

  struct Difference {
    std::int32_t slot = -1;
    std::int32_t element = 0;  // bytes
    std::uint32_t number = 0;
  };

  [[nodiscard]] bool is_uniform(std::int32_t slot) const {
    return run_.program->uniform_place(slot) != nullptr;
  }
  std::uint32_t difference_of(std::int32_t slot, std::int32_t element) {
    for (const Difference& one : differences_) {
      if (one.slot == slot && one.element == element) return one.number;
    }
    differences_.push_back({slot, element, next_difference_});
    return next_difference_++;
  }
  /// The instruction writes its result, or what it loads.
  void follow(const Inst& in, const NativeForm& form) {
    if (is_store(form.op)) return;
    const bool is_long = form.type == NativeType::u64 || form.type == NativeType::s64;
    const std::int32_t element = is_long ? 8 : 4;
    std::uint32_t number = next_difference_++;
    if (form.op == NativeOp::move || form.op == NativeOp::add_constant) {
      number = difference_of(in.a, form.op == NativeOp::move ? element : 8);
    } else if (form.op == NativeOp::add && form.type != NativeType::f32) {
      if (is_uniform(in.b)) {
        number = difference_of(in.a, element);
      } else if (is_uniform(in.a)) {
        number = difference_of(in.b, element);
      }
    }
    const bool widens = form.op == NativeOp::widen || form.op == NativeOp::multiply_wide ||
                        form.op == NativeOp::multiply_add_wide || form.op == NativeOp::add_constant;
    const std::int32_t bytes = is_long || widens ? 256 : 128;
    for (std::uint32_t i = 0; i < (is_memory(form.op) ? in.aux : 1u); ++i) {
      const std::int32_t slot = element_slot(in, i);
      std::erase_if(differences_, [&](const Difference& one) {
        return one.slot < slot + bytes && slot < one.slot + kWarpSize * one.element;
      });
    }
    if (!is_memory(form.op)) differences_.push_back({in.d, element, number});
  }

  /// What observers learn of a shape depends on the width of the elements, too.
  [[nodiscard]] bool has_shape(const TraceGroup& group, const Inst& in,
                               const InlineCache& memo) const {
    if ((block_.watch & kAccesses) != 0 && in.width != group.width) return false;
    return std::ranges::equal(group.shape.relative, memo.pattern.shape.relative);
  }

  /// Nothing wrote the 256 bytes from `slot` on since then.
  [[nodiscard]] bool is_unchanged(std::int32_t slot, std::size_t begin, std::uint32_t epoch) const {
    if (epoch != epoch_) return false;
    return std::none_of(
        written_.begin() + static_cast<std::ptrdiff_t>(begin), written_.end(),
        [&](const Written& w) { return w.slot < slot + 256 && slot < w.slot + w.bytes; });
  }

  void lay_out() {
    Trace& trace = *trace_;
    std::size_t next = state::kGroups;
    for (TraceGroup& group : trace.groups) {
      group.words = next;
      next += state::kGroupWords;
      if (group.is_shared && run_.program->lasts_for_launch(group.slot)) {
        group.by_warp = next;
        next += TraceGroup::kMostWarps;
      }
    }
    for (TraceAccess& access : trace.accesses) {
      if ((trace.watch & kCounts) == 0 || trace.groups[access.group].is_shared) continue;
      access.residues = next;
      next += Residues(trace.inst_of(access).width).count();
    }
    trace.exit_words = next;
    trace.words = next + 2 * trace.steps.size();
  }

  const RunExtent& run_;
  const std::vector<bool>& called_;
  const BlockContext& block_;
  const ProgramTables& tables_;
  std::unique_ptr<Trace> trace_ = std::make_unique<Trace>();
  std::vector<Written> written_;
  std::uint32_t epoch_ = 0;
  std::vector<std::uint64_t> bases_;  // by group: the allocation's
  std::vector<std::size_t> begins_;  // by group: of `written_`
  std::vector<std::uint32_t> epochs_;
  std::vector<std::uint32_t> known_;  // by group: the addresses' number
  std::vector<Difference> differences_;
  std::uint32_t next_difference_ = 0;
};

}  // namespace

std::vector<RunExtent> find_runs(const Program& program) {
  std::vector<RunExtent> runs;
  const std::vector<bool> targets = find_targets(program);
  const std::size_t count = program.code.size();
  const auto is_control = [&](std::size_t i) { return (program.code[i].flags & kControl) != 0; };
  const auto compiles = [&](std::size_t i) {
    return !is_control(i) && native_form(program.code[i].run) != nullptr;
  };
  for (std::size_t i = 0; i < count;) {
    // The first one is to be compiled: others may be told by their handlers.
    if (!compiles(i)) {
      ++i;
      continue;
    }
    std::size_t end = i + 1;
    std::size_t next = 0;  // where the part ends that has no branch
    std::uint32_t compiled = 1;
    for (; end < count && end - i < kMostInstructions && !targets[end]; ++end) {
      if (is_control(end)) {
        if (next == 0) next = end;
        if (!goes_past(program.code[end], program.code[end].run)) break;
      }
      compiled += compiles(end) ? 1 : 0;
    }
    while (is_control(end - 1)) --end;  // it has to go on with something
    if (is_worth_it(compiled, static_cast<std::uint32_t>(end - i)) && end < count) {
      RunExtent& run = runs.emplace_back();
      run.program = &program;
      run.first = &program.code[i];
      for (std::size_t k = i; k < end; ++k) run.handlers.push_back(program.code[k].run);
    }
    i = next != 0 ? next : end;
  }
  return runs;
}

Plan plan(const RunExtent& run, const std::vector<bool>& called, const BlockContext& block,
          const ProgramTables& tables, std::int32_t vector_bytes, bool waits) {
  const auto make = [&](std::uint32_t count) {
    return Planner(run, called, block, tables, vector_bytes).make(count, waits);
  };
  Plan made = make(run.count());
  // What nobody has come to yet is left to the run that begins there.
  while (made.cut != 0) made = make(made.cut);
  return made;
}

std::uint32_t place_groups(const Trace& trace, const BlockContext& block,
                           const ProgramTables& tables, std::uint64_t* words) {
  for (const TraceGroup& group : trace.groups) {
    const auto reference = [&](const InlineCache& memo, const Inst& in) {
      return memo.from - static_cast<std::uint64_t>(in.offset);
    };
    const TraceAccess& first = trace.accesses[group.accesses.front()];
    const Inst& first_in = trace.inst_of(first);
    const InlineCache& first_memo = tables.inline_caches[first_in.index];
    const std::uint64_t origin = reference(first_memo, first_in);
    std::int64_t low = 0;
    std::int64_t high = std::numeric_limits<std::int64_t>::max();
    for (const std::uint32_t number : group.accesses) {
      const TraceAccess& access = trace.accesses[number];
      const Inst& in = trace.inst_of(access);
      const NativeForm& form = *trace.steps[access.place].form;
      const InlineCache& memo = tables.inline_caches[in.index];
      const LaneShape& shape = memo.pattern.shape;
      if (shape.mask != kFullMask || memo.places == 0) return kUnknown;
      if (!std::ranges::equal(shape.relative, group.shape.relative)) return access.place;
      if (!group.is_shared) {
        if (memo.allocation == nullptr || memo.to_host != first_memo.to_host) return access.place;
        if (!is_store(form.op) && (block.watch & kInitialization) != 0 &&
            !memo.allocation->all_written) {
          return access.place;
        }
      }
      const std::uint64_t distance = reference(memo, in) - origin;
      const std::int64_t begin = group.is_shared ? static_cast<std::int32_t>(distance)
                                                 : static_cast<std::int64_t>(distance);
      const std::int64_t beyond = in.width == 1 ? kBytesRead - 1 : 0;
      low = std::max(low, begin);
      high = std::min(high, begin + static_cast<std::int64_t>(memo.places) - beyond);
    }
    if (low >= high) return first.place;
    std::uint64_t* const of = words + group.words;
    of[state::kFrom] = origin + static_cast<std::uint64_t>(low);
    of[state::kPlaces] = static_cast<std::uint64_t>(high - low);
    if (group.by_warp != 0) {
      if (block.launch->warps_per_block > TraceGroup::kMostWarps) return kUnknown;
      std::fill_n(words + group.by_warp, TraceGroup::kMostWarps, TraceGroup::kNotPassed);
    }
    if (group.is_shared) continue;
    const GlobalMemory::Allocation& allocation = *first_memo.allocation;
    of[state::kToHost] = static_cast<std::uint64_t>(first_memo.to_host);
    of[state::kShadow] =
        allocation.all_written || allocation.written == nullptr
            ? 0
            : reinterpret_cast<std::uint64_t>(allocation.written) - first_memo.base;
  }
  return kFits;
}

namespace {

void count_shared(const TraceGroup& group, const Inst& in, std::uint64_t times, Counts& counts) {
  std::uint32_t offsets[32];
  std::copy(std::begin(group.shape.relative), std::end(group.shape.relative), std::begin(offsets));
  PatternMemo memo;
  const PatternCost cost = wavefront_cost(offsets, kFullMask, in.width, memo);
  counts.wavefronts += times * cost.passes;
  counts.ideal_wavefronts += times * cost.ideal;
}

void count_global(const TraceGroup& group, const Inst& in, std::uint64_t times,
                  std::uint64_t residue, Counts& counts) {
  std::uint64_t addresses[32];
  // High enough for lanes that are in front of the first one.
  const std::uint64_t first = (std::uint64_t{1} << 40) + residue;
  for (std::size_t i = 0; i < 32; ++i) {
    addresses[i] = first + static_cast<std::uint64_t>(
                               std::int64_t{static_cast<std::int32_t>(group.shape.relative[i])});
  }
  PatternMemo memo;
  const PatternCost cost = sector_cost(addresses, kFullMask, in.width, memo);
  counts.sectors += times * cost.passes;
  counts.ideal_sectors += times * cost.ideal;
  counts.lines += times * cost.lines;
}

}  // namespace

void move_counts(const Trace& trace, std::uint64_t* words, ProgramTables& tables) {
  const std::uint64_t executions = std::exchange(words[state::kExecutions], 0);
  std::uint64_t* const exits = words + trace.exit_words;
  if ((trace.watch & kCounts) != 0 && executions != 0) {
    for (const TraceAccess& access : trace.accesses) {
      const TraceGroup& group = trace.groups[access.group];
      const Inst& in = trace.inst_of(access);
      Counts& counts = tables.counts[in.index];
      std::uint64_t times = executions;
      for (std::uint32_t i = 0; i < access.exits_before; ++i) times -= exits[i];
      counts.requests += times;
      counts.bytes += times * 32 * in.width;
      if (group.is_shared) {
        if (times != 0) count_shared(group, in, times, counts);
        continue;
      }
      std::uint64_t* const table = words + access.residues;
      const Residues residues(in.width);
      for (std::uint64_t i = 0; i < residues.count(); ++i) {
        if (table[i] == 0) continue;
        count_global(group, in, std::exchange(table[i], 0), i << residues.shift, counts);
      }
    }
  }
  std::fill_n(exits, trace.exits.size(), 0);
}

}  // namespace warpsim::native
