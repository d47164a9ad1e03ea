#include "emulator/native/native.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "emulator/isa/row.h"
#include "emulator/machine/access.h"
#include "emulator/machine/context.h"
#include "emulator/native/cache_ask.h"
#include "emulator/native/code_memory.h"
#include "emulator/native/emitter.h"
#include "emulator/native/lane_places.h"
#include "emulator/native/plan.h"

namespace warpsim {
namespace native {
namespace {

/// Times that an access may differ from the trace before the run is compiled anew, and times that
/// this is done before the access is called.
constexpr std::uint32_t kMostMisses = 16;
constexpr std::uint32_t kMostChanges = 2;
/// Traces of a run, each for another launch's checks.
constexpr std::size_t kMostTraces = 4;

/// What is known of a program's registers, found out when a run of it is compiled.
class ProgramValues {
 public:
  const LiveValues& of(const Program& program) {
    std::call_once(once_, [&] { values_.emplace(program); });
    return *values_;
  }

 private:
  std::once_flag once_;
  std::optional<LiveValues> values_;
};

/// A run of a program, with its traces. Workers share it.
class Head : public std::enable_shared_from_this<Head> {
 public:
  Head(RunExtent extent, std::shared_ptr<ProgramValues> values, std::shared_ptr<CodeMemory> memory,
       const NativeOptions& options)
      : extent_(std::move(extent)),
        values_(std::move(values)),
        memory_(std::move(memory)),
        options_(options),
        called_(extent_.count(), false),
        misses_(extent_.count(), 0),
        changes_(extent_.count(), 0) {}

  [[nodiscard]] Handler original() const { return extent_.handlers.front(); }

  /// A trace for how the block is watched, compiled if the run is hot.
  /// @param refused  set where there will be none
  /// @returns null when there is none yet
  std::shared_ptr<Trace> find(const BlockContext& block, const ProgramTables& tables,
                              bool& refused) {
    const std::uint32_t visits = ++visits_;
    if (memory_->is_full()) memory_->drop_oldest();
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock.owns_lock()) return nullptr;
    for (const auto& trace : traces_) {
      if (trace->watch == block.watch) return trace;
    }
    if (visits < options_.threshold) return nullptr;
    refused = std::ranges::find(refused_, block.watch) != refused_.end();
    if (refused) return nullptr;
    const bool waits = visits < options_.threshold + options_.patience;
    std::shared_ptr<Trace> trace = compile(block, tables, waits, refused);
    if (refused) refused_.push_back(block.watch);
    return trace;
  }

  /// An access was not as in the trace.
  void miss(const std::shared_ptr<Trace>& trace, std::uint32_t place, std::uint64_t times) {
    const std::lock_guard lock(mutex_);
    const auto known = std::ranges::find(traces_, trace);
    if (known == traces_.end()) return;  // it is gone already
    misses_[place] += static_cast<std::uint32_t>(std::min<std::uint64_t>(times, kMostMisses));
    if (misses_[place] < kMostMisses) return;
    misses_[place] = 0;
    if (++changes_[place] > kMostChanges) called_[place] = true;
    traces_.erase(known);
  }

 private:
  void drop(const std::shared_ptr<Trace>& trace) {
    const std::lock_guard lock(mutex_);
    std::erase(traces_, trace);
  }

  std::shared_ptr<Trace> compile(const BlockContext& block, const ProgramTables& tables, bool waits,
                                 bool& refused) {
    if (memory_->is_full()) return nullptr;
    Plan planned = plan(extent_, called_, block, tables, options_.vector_bytes, waits);
    std::shared_ptr<Trace> trace = std::move(planned.trace);
    if (trace == nullptr) {
      refused = !planned.waits;
      return nullptr;
    }
    asmjit::CodeHolder code;
    if (code.init(asmjit::Environment::host()) == asmjit::kErrorOk) {
      Emitter emitter(code, *trace, values_->of(*extent_.program));
      const auto drop = [head = weak_from_this(), old = std::weak_ptr<Trace>(trace)] {
        if (const auto of = head.lock()) of->drop(old.lock());
      };
      if (emitter.run()) trace->code = memory_->add(code, drop);
    }
    if (trace->code == nullptr) {
      refused = !memory_->is_full();
      return nullptr;
    }
    trace->entry =
        reinterpret_cast<HotRun::Entry>(reinterpret_cast<std::uintptr_t>(trace->code.get()));
    if (traces_.size() == kMostTraces) traces_.erase(traces_.begin());
    traces_.push_back(trace);
    return trace;
  }

  RunExtent extent_;
  std::shared_ptr<ProgramValues> values_;
  std::shared_ptr<CodeMemory> memory_;
  NativeOptions options_;
  std::atomic<std::uint32_t> visits_ = 0;
  std::mutex mutex_;
  std::vector<std::shared_ptr<Trace>> traces_;
  std::vector<std::uint32_t>
      refused_;  // values of BlockContext::watch with which it is not worth it
  std::vector<bool> called_;  // by place
  std::vector<std::uint32_t> misses_, changes_;
};

/// A store that is told.
struct ToldStore {
  const Inst* in = nullptr;
  ptx::Space space = ptx::Space::global;  // global or shared
  std::size_t start = 0;  // index into the state: the first lane's address, without the offset
  const LaneShape* shape = nullptr;
  StoredValues values;  // without the registers
  std::optional<CacheAsk> caches;  // of global memory, with the cache model
};

/// A trace and a worker's state for it.
struct Bound {
  /// What is told together.
  struct Series : LoadSeries {
    std::uint32_t shared_loads = 0;
    /// With the cache model: the loads from global memory, by their places. (Stores in a series are
    /// of shared memory, and nobody wants to know of them.)
    std::vector<std::pair<std::uint32_t, CacheAsk>> global_loads;
  };
  std::shared_ptr<Trace> trace;
  std::vector<std::uint64_t> words;
  std::vector<Series> series;  // of the trace
  std::vector<ToldStore> stores;  // likewise
  std::uint32_t watch = HotRun::kNone;  // as HotRun::watch

  void bind(std::shared_ptr<Trace> to, ProgramTables& tables) {
    series.clear();  // they use the old trace's shapes
    stores.clear();
    trace = std::move(to);
    words.assign(trace->words, 0);
    for (const Trace::Series& one : trace->series) add(one, tables);
    for (const std::uint32_t number : trace->stores) {
      const TraceAccess& access = trace->accesses[number];
      const TraceGroup& group = trace->groups[access.group];
      const NativeForm& form = *trace->steps[access.place].form;
      ToldStore& store = stores.emplace_back();
      store.in = &trace->inst_of(access);
      store.space = group.is_shared ? ptx::Space::shared : ptx::Space::global;
      store.start = group.words + state::kFirst;
      store.shape = &group.shape;
      if (!group.is_shared && (trace->watch & kCaches) != 0) {
        store.caches.emplace(*store.in, group.shape, tables);
      }
      store.values.count = store.in->aux;
      store.values.register_bytes = store.values.element_bytes = element_bytes(form);
    }
  }

 private:
  void add(const Trace::Series& of, ProgramTables& tables) {
    Series& one = series.emplace_back();
    one.starts = words.data();
    for (std::uint32_t number = of.begin; number < of.end; ++number) {
      const TraceAccess& access = trace->accesses[number];
      const TraceGroup& group = trace->groups[access.group];
      one.loads.push_back({.in = &trace->inst_of(access),
                           .space = group.is_shared ? ptx::Space::shared : ptx::Space::global,
                           .start = static_cast<std::uint32_t>(group.words + state::kFirst),
                           .shape = &group.shape});
      if (group.is_shared) {
        ++one.shared_loads;
      } else if ((trace->watch & kCaches) != 0) {
        const auto place = static_cast<std::uint32_t>(one.loads.size() - 1);
        one.global_loads.emplace_back(place, CacheAsk(trace->inst_of(access), group.shape, tables));
      }
    }
  }
};

/// What a worker has of a run.
struct Run : HotRun {
  explicit Run(Head& of) : head(of) { original = of.original(); }

  Head& head;
  /// `now` is what HotRun says. `other` is for the other way to watch: each block begins with
  /// shared memory that may be uninitialized, and ends without.
  Bound now, other;
  /// Values of BlockContext::watch with which it is interpreted.
  std::uint32_t refused[2] = {kNone, kNone};

  [[nodiscard]] bool is_refused(std::uint32_t how) const {
    return how == refused[0] || how == refused[1];
  }
  void use_now() {
    entry = now.trace->entry;
    state = now.words.data();
    watch = now.watch;
  }
};

class Runs final : public NativeRuns {
 public:
  Runs(const std::vector<std::shared_ptr<Head>>& heads, const std::vector<std::uint32_t>& numbers)
      : heads_(heads), numbers_(numbers), runs_(heads.size()) {
    by_index_.resize(numbers.size());
  }

  /// The run that begins with the instruction of this index.
  [[nodiscard]] static Run& of(const WarpContext& context, std::uint32_t index) {
    void* const run = context.native[index];
    if (run == nullptr) [[unlikely]]
      return static_cast<Runs&>(*context.tables->native).make(index);
    return *static_cast<Run*>(run);
  }

  void add_counts(ProgramTables& tables) override {
    for (const auto& run : runs_) {
      if (run == nullptr) continue;
      for (Bound* const bound : {&run->now, &run->other}) {
        if (bound->trace != nullptr) move_counts(*bound->trace, bound->words.data(), tables);
      }
    }
  }

  void forget_places() override {
    for (const auto& run : runs_) {
      if (run != nullptr) run->watch = run->now.watch = run->other.watch = HotRun::kNone;
    }
  }

 private:
  [[gnu::noinline]] Run& make(std::uint32_t index) {
    const std::uint32_t number = numbers_[index];
    runs_[number] = std::make_unique<Run>(*heads_[number]);
    by_index_[index] = runs_[number].get();
    return *runs_[number];
  }

  const std::vector<std::shared_ptr<Head>>& heads_;
  const std::vector<std::uint32_t>& numbers_;
  std::vector<std::unique_ptr<Run>> runs_;
};

/// Tells the run which accesses left its trace since the last time.
void note_exits(Run& run) {
  const Trace& trace = *run.now.trace;
  const std::uint64_t* const exits = run.now.words.data() + trace.exit_words;
  // Now and then is not often.
  const std::uint64_t often = run.now.words[state::kExecutions] / 8;
  for (std::size_t i = 0; i < trace.exits.size(); ++i) {
    if (exits[i] > often && trace.steps[trace.exits[i]].access != Step::kNoAccess) {
      run.head.miss(run.now.trace, trace.exits[i], exits[i]);
      return;
    }
  }
}

/// Finds a trace for the run. @returns whether there is one that fits
[[gnu::noinline]] bool find_trace(Run& run, WarpContext& context) {
  const BlockContext& block = *context.block;
  ProgramTables& tables = *context.tables;
  run.now.watch = std::exchange(run.watch, HotRun::kNone);
  if (run.now.trace != nullptr && run.now.trace->watch != block.watch) {
    std::swap(run.now, run.other);
  }
  if (run.now.watch == block.watch) {
    run.use_now();
    return true;
  }
  run.now.watch = HotRun::kNone;
  if (run.now.trace != nullptr) {
    note_exits(run);
    move_counts(*run.now.trace, run.now.words.data(), tables);
  }
  bool refused = false;
  std::shared_ptr<Trace> trace = run.head.find(block, tables, refused);
  if (refused) run.refused[run.refused[0] == HotRun::kNone ? 0 : 1] = block.watch;
  if (trace == nullptr) return false;
  if (trace != run.now.trace) {
    run.now.bind(std::move(trace), tables);
  }
  const std::uint32_t misfit = place_groups(*run.now.trace, block, tables, run.now.words.data());
  if (misfit != kFits) {
    if (misfit != kUnknown) run.head.miss(run.now.trace, misfit, 1);
    return false;
  }
  run.now.watch = block.watch;
  run.use_now();
  return true;
}

/// Whether a run without a trace for how the block is watched gets one.
[[gnu::noinline]] bool gets_trace(Run& run, WarpContext& context) {
  return !run.is_refused(context.block->watch) && find_trace(run, context);
}

/// Stands in the place of the handler of a run's first instruction.
const Inst* run_head(Warp& warp, const Inst& in) {
  WarpContext& context = *warp.context;
  Run& run = Runs::of(context, in.index);
  // Only a part of the warp, or somebody stops it at each instruction.
  if (warp.active != kFullMask || warp.stop != kStop) return run.original(warp, in);
  BlockContext& block = *context.block;
  if (run.watch != block.watch && !gets_trace(run, context)) [[unlikely]] {
    return run.original(warp, in);
  }
  run.shared_shadow = block.shared_written.bytes();
  return run.entry(warp, in, run, block.shared.data());
}

void tell_series(WarpContext& context, Bound::Series& series, std::uint32_t count) {
  for (auto& [place, caches] : series.global_loads) {
    if (place >= count) break;
    caches.ask(context, series.first(series.loads[place]));
  }
  BlockContext& block = *context.block;
  for (Observer* const observer : block.launch->access_observers) {
    observer->loads(context, series, count);
  }
  if ((block.watch & kSharedInitialization) == 0) return;
  if (block.until_scan > series.shared_loads) {
    block.until_scan -= series.shared_loads;
  } else {
    scan_shared(block);
  }
}

void tell_of(WarpContext& context, const Bound& bound, ToldStore& store) {
  const Inst& in = *store.in;
  std::uint64_t first = bound.words[store.start] + static_cast<std::uint64_t>(in.offset);
  if (store.space == ptx::Space::shared) {
    first = static_cast<std::uint32_t>(first);
  } else if (store.caches) {
    store.caches->ask(context, first);
  }
  if ((bound.trace->watch & kAccesses) == 0) return;
  StoredValues& values = store.values;
  const std::byte* const registers = context.warp.regs;
  values.registers[0] = registers + in.d;
  if (values.count > 1) {
    const std::int32_t slots[] = {in.d, in.b, in.c, in.d2};
    for (std::uint32_t i = 1; i < values.count; ++i) values.registers[i] = registers + slots[i];
  }
  for (Observer* const observer : context.block->launch->access_observers) {
    observer->store(context, in, store.space, first, *store.shape, values);
  }
}

}  // namespace

void tell_loads(Warp& warp, HotRun& run, std::uint32_t series, std::uint32_t count) {
  tell_series(*warp.context, static_cast<Run&>(run).now.series[series], count);
}

void tell_store(Warp& warp, HotRun& run, std::uint32_t series, std::uint32_t count,
                std::uint32_t store) {
  Bound& bound = static_cast<Run&>(run).now;
  if (count != 0) tell_series(*warp.context, bound.series[series], count);
  tell_of(*warp.context, bound, bound.stores[store]);
}

namespace {

class Compiler final : public NativeCode {
 public:
  Compiler(std::shared_ptr<CodeMemory> memory, const NativeOptions& options)
      : memory_(std::move(memory)), options_(options) {}

  std::unique_ptr<NativeProgram> prepare(warpsim::Program& program) override {
    std::vector<RunExtent> runs = find_runs(program);
    if (runs.empty()) return nullptr;
    std::vector<std::shared_ptr<Head>> heads;
    std::vector<std::uint32_t> numbers(program.source.size(), 0);
    const auto values = std::make_shared<ProgramValues>();
    for (RunExtent& run : runs) {
      numbers[run.first->index] = static_cast<std::uint32_t>(heads.size());
      program.code[static_cast<std::size_t>(run.first - program.code.data())].run = run_head;
      heads.push_back(std::make_shared<Head>(std::move(run), values, memory_, options_));
    }
    return std::make_unique<Compiled>(std::move(heads), std::move(numbers));
  }

 private:
  class Compiled final : public NativeProgram {
   public:
    Compiled(std::vector<std::shared_ptr<Head>> heads, std::vector<std::uint32_t> numbers)
        : heads_(std::move(heads)), numbers_(std::move(numbers)) {}

    std::unique_ptr<NativeRuns> runs() override { return std::make_unique<Runs>(heads_, numbers_); }

   private:
    std::vector<std::shared_ptr<Head>> heads_;
    std::vector<std::uint32_t> numbers_;  // by the index of a run's first instruction
  };

  std::shared_ptr<CodeMemory> memory_;
  NativeOptions options_;
};

}  // namespace
}  // namespace native

std::shared_ptr<NativeCode> make_native_code(const NativeOptions& options) {
  const SimdLevel level = best_simd_level();
  const std::int32_t widest = level == SimdLevel::avx512 ? 64 : level == SimdLevel::avx2 ? 32 : 0;
  NativeOptions chosen = options;
  if (chosen.vector_bytes == 0) chosen.vector_bytes = widest;
  if (widest == 0 || chosen.vector_bytes > widest) return nullptr;
  return std::make_shared<native::Compiler>(std::make_shared<native::CodeMemory>(), chosen);
}

}  // namespace warpsim
