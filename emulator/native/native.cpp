#include "emulator/native/native.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>
#include <vector>

#include "emulator/isa/row.h"
#include "emulator/machine/context.h"
#include "emulator/native/code_memory.h"
#include "emulator/native/emitter.h"
#include "emulator/native/plan.h"

namespace warpsim {
namespace native {
namespace {

/// Executions for which a run waits until something is known of all its accesses.
constexpr std::uint32_t kPatience = 64;
/// Times that an access may differ from the trace before the run is compiled anew, and times that
/// this is done before the access is called.
constexpr std::uint32_t kMostMisses = 16;
constexpr std::uint32_t kMostChanges = 2;
/// Traces of a run, each for another launch's checks.
constexpr std::size_t kMostTraces = 4;

/// A run of a program, with its traces. Workers share it.
class Head : public std::enable_shared_from_this<Head> {
 public:
  Head(const RunExtent& extent, std::shared_ptr<CodeMemory> memory, std::uint32_t threshold)
      : extent_(extent),
        memory_(std::move(memory)),
        threshold_(threshold),
        called_(extent.count, false),
        misses_(extent.count, 0),
        changes_(extent.count, 0) {}

  [[nodiscard]] Handler original() const { return extent_.original; }

  /// A trace for how the block is watched, compiled if the run is hot.
  /// @returns null when there is none yet
  std::shared_ptr<Trace> find(const BlockContext& block, const ProgramTables& tables) {
    if (given_up_) return nullptr;
    const std::uint32_t visits = ++visits_;
    if (memory_->is_full()) memory_->drop_oldest();
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock.owns_lock()) return nullptr;
    for (const auto& trace : traces_) {
      if (trace->watch == block.watch) return trace;
    }
    if (visits < threshold_) return nullptr;
    return compile(block, tables, visits < threshold_ + kPatience);
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

  std::shared_ptr<Trace> compile(const BlockContext& block, const ProgramTables& tables,
                                 bool waits) {
    if (memory_->is_full()) return nullptr;
    std::shared_ptr<Trace> trace = plan(extent_, called_, block, tables, waits);
    if (trace == nullptr) {
      given_up_ = !waits;
      return nullptr;
    }
    asmjit::CodeHolder code;
    if (code.init(memory_->environment()) == asmjit::kErrorOk) {
      Emitter emitter(code, *trace);
      const auto drop = [head = weak_from_this(), old = std::weak_ptr<Trace>(trace)] {
        if (const auto of = head.lock()) of->drop(old.lock());
      };
      if (emitter.run()) trace->code = memory_->add(code, drop);
    }
    if (trace->code == nullptr) {
      given_up_ = true;
      return nullptr;
    }
    trace->entry = reinterpret_cast<HotRun::Entry>(reinterpret_cast<std::uintptr_t>(trace->code.get()));
    if (traces_.size() == kMostTraces) traces_.erase(traces_.begin());
    traces_.push_back(trace);
    return trace;
  }

  RunExtent extent_;
  std::shared_ptr<CodeMemory> memory_;
  std::uint32_t threshold_;
  std::atomic<std::uint32_t> visits_ = 0;
  std::atomic<bool> given_up_ = false;
  std::mutex mutex_;
  std::vector<std::shared_ptr<Trace>> traces_;
  std::vector<bool> called_;  // by place
  std::vector<std::uint32_t> misses_, changes_;
};

/// What a worker has of a run.
struct Run : HotRun {
  explicit Run(Head& of) : head(of) { original = of.original(); }

  Head& head;
  std::shared_ptr<Trace> trace;
  std::vector<std::uint64_t> words;
};

class Runs final : public NativeRuns {
 public:
  Runs(const std::vector<std::shared_ptr<Head>>& heads, const std::vector<std::uint32_t>& numbers)
      : heads_(heads), numbers_(numbers), runs_(heads.size()) {}

  /// The run that begins with the instruction of this index.
  [[nodiscard]] Run& of(std::uint32_t index) {
    const std::uint32_t number = numbers_[index];
    std::unique_ptr<Run>& run = runs_[number];
    if (run == nullptr) [[unlikely]]
      run = std::make_unique<Run>(*heads_[number]);
    return *run;
  }

  void add_counts(ProgramTables& tables) override {
    for (const auto& run : runs_) {
      if (run != nullptr && run->trace != nullptr) {
        move_counts(*run->trace, run->words.data(), tables);
      }
    }
  }

  void forget_places() override {
    for (const auto& run : runs_) {
      if (run != nullptr) run->watch = HotRun::kNone;
    }
  }

 private:
  const std::vector<std::shared_ptr<Head>>& heads_;
  const std::vector<std::uint32_t>& numbers_;
  std::vector<std::unique_ptr<Run>> runs_;
};

/// Tells the run which accesses left its trace since the last time.
void note_exits(Run& run) {
  const Trace& trace = *run.trace;
  const std::uint64_t* const exits = run.words.data() + trace.exit_words;
  // Now and then is not often.
  const std::uint64_t often = run.words[state::kExecutions] / 8;
  for (std::size_t i = 0; i < trace.exits.size(); ++i) {
    if (exits[i] > often && trace.steps[trace.exits[i]].access != Step::kNoAccess) {
      run.head.miss(run.trace, trace.exits[i], exits[i]);
      return;
    }
  }
}

/// Finds a trace for the run. @returns whether there is one that fits
[[gnu::noinline]] bool find_trace(Run& run, WarpContext& context) {
  const BlockContext& block = *context.block;
  ProgramTables& tables = *context.tables;
  if (run.trace != nullptr) {
    note_exits(run);
    move_counts(*run.trace, run.words.data(), tables);
  }
  std::shared_ptr<Trace> trace = run.head.find(block, tables);
  if (trace == nullptr) return false;
  if (trace != run.trace) {
    run.trace = std::move(trace);
    run.words.assign(run.trace->words, 0);
  }
  const std::uint32_t misfit = place_groups(*run.trace, block, tables, run.words.data());
  if (misfit != kFits) {
    if (misfit != kUnknown) run.head.miss(run.trace, misfit, 1);
    return false;
  }
  run.entry = run.trace->entry;
  run.state = run.words.data();
  run.watch = block.watch;
  return true;
}

/// Stands in the place of the handler of a run's first instruction.
const Inst* run_head(Warp& warp, const Inst& in) {
  WarpContext& context = *warp.context;
  Run& run = static_cast<Runs&>(*context.tables->native).of(in.index);
  // Only a part of the warp, or somebody stops it at each instruction.
  if (warp.active != kFullMask || warp.stop != kStop) return run.original(warp, in);
  BlockContext& block = *context.block;
  if (run.watch != block.watch && !find_trace(run, context)) return run.original(warp, in);
  return run.entry(warp, in, run, block.shared.data());
}

class Compiler final : public NativeCode {
 public:
  Compiler(std::shared_ptr<CodeMemory> memory, std::uint32_t threshold)
      : memory_(std::move(memory)), threshold_(threshold) {}

  std::unique_ptr<NativeProgram> prepare(warpsim::Program& program) override {
    const std::vector<RunExtent> runs = find_runs(program);
    if (runs.empty()) return nullptr;
    std::vector<std::shared_ptr<Head>> heads;
    std::vector<std::uint32_t> numbers(program.source.size(), 0);
    for (const RunExtent& run : runs) {
      numbers[run.first->index] = static_cast<std::uint32_t>(heads.size());
      heads.push_back(std::make_shared<Head>(run, memory_, threshold_));
      program.code[static_cast<std::size_t>(run.first - program.code.data())].run = run_head;
    }
    return std::make_unique<Compiled>(std::move(heads), std::move(numbers));
  }

 private:
  class Compiled final : public NativeProgram {
   public:
    Compiled(std::vector<std::shared_ptr<Head>> heads, std::vector<std::uint32_t> numbers)
        : heads_(std::move(heads)), numbers_(std::move(numbers)) {}

    std::unique_ptr<NativeRuns> runs() override {
      return std::make_unique<Runs>(heads_, numbers_);
    }

   private:
    std::vector<std::shared_ptr<Head>> heads_;
    std::vector<std::uint32_t> numbers_;  // by the index of a run's first instruction
  };

  std::shared_ptr<CodeMemory> memory_;
  std::uint32_t threshold_;
};

}  // namespace
}  // namespace native

std::shared_ptr<NativeCode> make_native_code(const NativeOptions& options) {
  if (best_simd_level() != SimdLevel::avx512) return nullptr;
  auto memory = std::make_shared<native::CodeMemory>();
  if (!memory->is_allowed()) return nullptr;
  return std::make_shared<native::Compiler>(std::move(memory), options.threshold);
}

}  // namespace warpsim
