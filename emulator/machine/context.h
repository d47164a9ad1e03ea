#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "emulator/counters/atomic_heat.h"
#include "emulator/counters/cache.h"
#include "emulator/counters/counters.h"
#include "emulator/counters/patterns.h"
#include "emulator/isa/warp.h"
#include "emulator/machine/buffer.h"
#include "emulator/machine/launch.h"
#include "emulator/machine/native_code.h"
#include "emulator/machine/observer.h"
#include "emulator/machine/observer_slots.h"
#include "emulator/machine/program.h"
#include "emulator/machine/texture.h"

// The state of a running grid: launch > worker (a host thread) > block > warp > splits of lanes.

namespace warpsim {

struct AsyncState;  // machine/async.h
struct BlockContext;
struct Cluster;
class Debugger;  // debugger.h
struct LaunchState;
struct Worker;
class Linker;

/// Bytes of a line of the host's caches: what stands in one, only one thread at a time can write.
constexpr std::size_t kHostLine = 64;

/// An activation of a function by a splits of lanes. Lanes that call together share it, so their
/// registers are one window of the warp's register memory.
struct Frame {
  Frame* parent = nullptr;
  Program* program = nullptr;
  std::size_t window = 0;  // byte offset of its registers in the warp's register memory
  std::uint32_t local_base = 0;  // offset of its variables in each lane's local memory
  std::uint32_t depth = 0;
  const Inst* return_to = nullptr;  // in the parent's program
  const CallOperands* site = nullptr;
};

/// Aligned, so that both numbers are counted at once.
struct alignas(16) RunCount {
  std::int64_t executed = 0;
  std::int64_t threads = 0;
};

struct ProgramTables;
struct SyncOperation;

/// Lanes of a warp that are at the same place.
struct WarpSplit {
  enum class State : std::uint8_t {
    ready,
    at_barrier,
    at_warp_sync,
    at_mbarrier,  // until a phase completes, or its patience ends (see expire_waits)
    at_cluster_barrier,
  };
  const Inst* pc = nullptr;
  std::uint32_t mask = 0;
  Frame* frame = nullptr;
  State state = State::ready;
  std::uint8_t barrier = 0;  // at_barrier: which
  bool arrived = false;  // at_barrier: counted by the block
  bool yielded = false;  // let others run first
  bool expired = false;  // was at_mbarrier for long enough: its next test may fail
  std::uint32_t members = 0;  // at_warp_sync: the lanes it waits for
  const SyncOperation* operation = nullptr;  // likewise: see sync_lanes
  const Inst* diverged_at = nullptr;  // the branch at which it last left other lanes of its frame
};

/// Why a warp runs outside the normal run loop: bits of WarpContext::slow.
enum SlowRun : std::uint8_t {
  kFollowed = 1,  // WarpContext::follower runs it
  kDebugged = 2,  // a debugger is asked before each instruction (debugger.h)
};

/// What a warp's clock shows beyond the instructions that it executed.
struct WarpClock {
  std::uint64_t ahead = 0;
  const Inst* last_read = nullptr;
  std::uint64_t last_executed = 0;
  std::uint32_t polls = 0;  // reads in a row of a loop that does nothing else

  void read(const Inst& in, std::uint64_t executed);
};

struct WarpContext {
  Warp warp;
  BlockContext* block = nullptr;
  Worker* worker = nullptr;
  std::uint32_t live = 0;  // lanes that have not exited
  std::vector<WarpSplit> splits;  // all lanes that live, exactly one split each
  std::size_t current = 0;  // index of the running split
  std::vector<std::unique_ptr<Frame>> frames;
  Buffer registers;  // windows of frames
  /// The warp and block whose numbers are in the kernel's own frame; what else it holds before the
  /// first instruction is the same for all warps of a launch.
  static constexpr std::uint64_t kNobody = ~std::uint64_t{0};
  std::uint64_t numbers_of_warp = kNobody, numbers_of_block = kNobody;
  Buffer local;  // lane-major: lane * local_stride
  Buffer local_written;  // shadow of local
  std::uint32_t local_stride = 0;  // bytes of local memory per lane

  // The straight run since the last jump, for counting (see account()).
  const Inst* run_start = nullptr;
  std::uint64_t executed = 0;  // warp instructions so far, for the budget
  WarpClock clock;
  ProgramTables* tables = nullptr;  // of the current frame's program
  const Program* tables_of = nullptr;  // that program
  RunCount* run_counts = nullptr;  // likewise
  void** native = nullptr;  // likewise: NativeRuns::by_index; null where there are none
  RunCount running{1, 0};  // what a run of the running split counts: one, and its lanes
  std::uint32_t backward = 0;  // backward jumps since the warp last gave way
  bool spins = false;  // it read or changed what others may wait for
  bool preempted = false;  // it could go on, but the seed's schedule lets others run
  bool at_rest = false;  // its only split waits; but for run_start all is in place to go on
  std::uint8_t slow = 0;  // bits of SlowRun: why it runs outside the normal run loop
  Observer* follower = nullptr;  // who follows its values, or did; see Observer::run
  ObserverSlots slots;  // its follower's
  std::uint64_t schedule = 0;  // state of the schedule's random numbers, with a seed
  std::shared_ptr<struct Polls> polls;  // made when it first waits for memory (polls.h)
  const Inst* slow_stop =
      nullptr;  // what Warp::stop is in the normal run loop, where `slow` is set

  [[nodiscard]] Frame& frame() const { return *splits[current].frame; }
};

/// What a bar instruction computes over the threads that meet (Inst::aux).
enum class BarrierReduction : std::uint8_t { none, popc, all, any };

struct Barrier {
  std::uint32_t arrived = 0;  // threads
  std::uint32_t expected = 0;  // threads; 0: all that live
  const Inst* first_site = nullptr;  // where the first split arrived, for mismatches
  Program* first_program = nullptr;
  bool reduces = false;  // bar.red
  std::uint32_t reduce_count = 0;
  std::uint32_t reduce_and = 1;
  std::uint32_t reduce_or = 0;
};

struct DeleteAsync {
  void operator()(AsyncState* state) const;
};

/// What is done in a block besides executing its instructions: bits of BlockContext::watch.
/// All but kSharedInitialization are decided when the launch starts.
enum Watch : std::uint32_t {
  kCounts = 1,  // the counters
  kCaches = 2,  // the cache model
  kAccesses = 4,  // LaunchState::access_observers
  kInitialization = 8,  // reads of uninitialized bytes are reported
  kSharedInitialization = 16,  // likewise, and some of the block's shared memory may have such
  kEvents = 32,  // LaunchState::observers
};

struct BlockContext {
  LaunchState* launch = nullptr;
  std::uint32_t watch = 0;
  Worker* worker = nullptr;
  Cluster* cluster = nullptr;
  std::uint32_t rank = 0;  // within the cluster
  bool ended = false;
  Dim3 id;
  std::uint64_t linear = 0;  // order of blocks; those of a cluster follow each other
  Buffer shared;
  Buffer shared_written;
  /// With kSharedInitialization: loads before all of its shadow is looked through.
  std::uint32_t until_scan = 0;
  std::uint32_t scan_interval = 0;
  std::uint32_t live_threads = 0;
  std::vector<std::unique_ptr<WarpContext>> warps;
  std::uint32_t begun = 0;  // warps that have started; the others are as if they had ended
  std::array<Barrier, 16> barriers;
  std::uint32_t open_barriers = 0;  // bit i: a thread has arrived at barrier i
  std::string printed;  // device printf output
  ObserverSlots slots;
  bool keeps_warps = false;  // an observer may ask for what warps did that have ended
  std::uint64_t schedule = 0;  // as WarpContext::schedule
  std::unique_ptr<BlockCache> cache;  // null: the cache model is off
  /// Updates of each word of shared memory by atomics that are loops, and the most of any; empty
  /// without them.
  std::vector<std::uint32_t> contended;
  std::uint32_t most_contended = 0;
  std::unique_ptr<AsyncState, DeleteAsync> async;  // mbarriers and copies; made at first use
};

/// Blocks that run together on one host thread and see each other's shared memory. A launch
/// without clusters has clusters of one block.
struct Cluster {
  Dim3 id;  // in the grid of clusters
  std::vector<std::unique_ptr<BlockContext>> blocks;  // by rank
  std::uint32_t arrived = 0;  // threads at the cluster barrier, of those that live
  std::uint64_t phase = 0;  // of the cluster barrier
  std::uint64_t changes = 0;  // counts what may let a waiting thread go on
  std::uint64_t seen_changes = 0;
  std::uint32_t idle_rounds = 0;  // in which all that live waited and nothing changed
  /// Observers are told of its end and of lanes that leave its barrier: it has several blocks, or
  /// its block has come to its barrier.
  bool observed = false;
  ObserverSlots slots;  // empty where it is not
};

/// What a static instruction remembers between executions on one host thread: the allocation it
/// last touched and the last address pattern with its counts.
struct InlineCache {
  std::uint64_t base = 0, end = 0;  // the allocation's device addresses; empty at first
  GlobalMemory::Allocation* allocation = nullptr;
  std::ptrdiff_t to_host = 0;  // host address = device address + to_host
  /// Where the first active lane may be, for all lanes of the pattern to be inside the allocation:
  /// `places` bytes from `from` on; none when the pattern is not aligned or does not fit.
  std::uint64_t from = 0, places = 0;
  std::uint32_t grain = 0;  // bits of the first address that the pattern depends on
  PatternMemo pattern;

  /// Finds these, once the allocation and the pattern of an access of `width` bytes are known.
  void fit(std::uint32_t width);
  /// An access with the memo's pattern whose first active lane is at `first` has all lanes aligned
  /// and inside the allocation.
  template <class Address>
  [[nodiscard]] bool fits(Address first) const {
    return ((first ^ pattern.phase) & grain) == 0 && Address(first - Address(from)) < places;
  }
};

/// What an instruction with generic addresses did outside global memory.
struct GenericCounts {
  Counts shared, local;
  Counts loads;  // from shared memory, which come with an atomic
};

/// Per-program tables of one worker.
struct ProgramTables {
  const AccessKind* kinds = nullptr;  // Program::access
  const AtomicCost* atomic_costs = nullptr;  // Program::atomic_costs
  std::vector<RunCount> runs;  // difference array over instruction indices
  std::vector<Counts> counts;  // memory, atomics, divergence
  std::vector<InlineCache> inline_caches;
  ObserverSlots slots;
  std::map<std::uint32_t, GenericCounts> generic;  // by instruction index
  std::unique_ptr<NativeRuns> native;  // where the program has native code
  /// By instruction index: not 0 where a debugger wants to be asked. Null until it said so.
  const std::uint8_t* marks = nullptr;
};

/// One host thread's share of a launch. Aligned, as another thread's may lie next to it.
struct alignas(kHostLine) Worker {
  LaunchState* launch = nullptr;
  /// Clusters that it has taken and not started: [next_cluster, end_of_clusters).
  std::uint64_t next_cluster = 0, end_of_clusters = 0;
  std::vector<std::unique_ptr<Cluster>> resident;  // started, in order of block
  std::vector<std::unique_ptr<ProgramTables>> tables;  // by Program::id
  std::vector<std::unique_ptr<BlockContext>> free_blocks;
  std::vector<std::unique_ptr<Cluster>> free_clusters;
  /// Findings that may come very often: the earliest block and place in it, by instruction and
  /// kind.
  using FirstOfKind = std::map<FindingKind, std::array<std::uint64_t, 2>>;
  std::unordered_map<const Inst*, FirstOfKind> first_reports;
  std::uint64_t schedule = 0;  // as WarpContext::schedule
  /// What the registers of a warp hold at Program::warp_places, by its index; made at first use.
  std::vector<std::vector<std::byte>> warp_numbers;
  AtomicHeat heat;
  /// Updates of the word of shared memory that was updated most by atomics that are loops, summed
  /// over blocks.
  std::uint64_t contended_shared = 0;
  std::uint64_t copy_waits = 0;  // as KernelCounters::copy_waits
  /// Updates by atomics on global memory, by array; those of grid.sync() are not among them.
  std::vector<std::pair<const GlobalMemory::Allocation*, std::uint64_t>> atomics_by_array;
  /// Tables of a program, made on first use.
  ProgramTables& of(const Program& program);
};

/// A live allocation as the launch sees it; the list is fixed while a grid runs.
struct Extent {
  std::uint64_t base = 0, end = 0;
  GlobalMemory::Allocation* allocation = nullptr;
};

struct LaunchState {
  int device = 0;
  Linker* linker = nullptr;
  const Card* card = nullptr;
  GlobalMemory* memory = nullptr;
  FindingLog* findings = nullptr;
  MachineOptions options;
  Program* program = nullptr;
  std::string kernel_name;  // demangled
  Dim3 grid, block;
  Dim3 cluster;  // blocks of a cluster
  bool explicit_cluster = false;  // the kernel or the launch names a cluster size
  std::uint32_t threads_per_block = 0;
  std::uint32_t warps_per_block = 0;
  std::uint32_t shared_bytes = 0;  // emulated layout: static with guards, then dynamic
  std::uint32_t dynamic_shared_bytes = 0;
  std::uint32_t dynamic_shared_offset = 0;
  std::uint32_t stack_bytes = 0;  // of a thread, for calls beyond the entry's own variables
  std::vector<SharedArray> shared_arrays;  // by offset, the dynamic one last
  std::vector<std::byte> parameters;
  std::vector<Extent> extents;  // by base
  std::uint32_t watch = 0;  // what BlockContext::watch begins with
  std::span<const std::unique_ptr<Observer>> checkers;  // that are on: they are told of faults
  /// Who follows the launch, and who of them is told of accesses, in the order of the list.
  std::vector<Observer*> observers, access_observers;
  ObserverSlots slots;
  const ImageTable* images = nullptr;  // textures and surfaces
  Worker* only_worker = nullptr;  // when the launch runs on one host thread
  unsigned host_threads = 1;  // that run it
  std::uint64_t launch_number = 0;
  std::uint64_t budget = 0;  // instructions per warp
  /// Lowest block with a fatal fault: later ones end as soon as they notice, earlier ones finish,
  /// so that the outcome does not depend on which host thread was faster.
  std::atomic<std::uint64_t> stop_at = ~std::uint64_t{0};
  LaunchStatus status = LaunchStatus::ok;
  std::mutex mutex;  // printed, status
  std::vector<std::pair<std::uint64_t, std::string>> printed;  // block, text
  SecondLevel* second_level = nullptr;  // null: the cache model is off
  std::uint64_t first_level_bytes = 0;  // a block's share of its multiprocessor's cache
  std::uint64_t blocks_per_multiprocessor = 1;
  bool serial = false;  // runs on one host thread whatever the options say
  std::uint64_t workspace = 0;  // cooperative launch: device address of its barrier
  std::atomic<std::uint64_t>* blocks_begun = nullptr;  // LaunchRequest
  std::function<bool()> on_stall;  // LaunchRequest
  Debugger* debugger = nullptr;  // null: none is attached
  /// First cluster that no worker has taken. Alone in its line: what stands above is read for each
  /// slice of a warp, and would have to come from the other host thread each time.
  alignas(kHostLine) std::atomic<std::uint64_t> next_cluster = 0;

  [[nodiscard]] const Extent* find(std::uint64_t address) const;
  void fail(std::uint64_t block_index, LaunchStatus why);
  /// The device's malloc and free; addresses are of global memory. 0 when the heap is full.
  /// A kernel that calls them runs on one host thread (Program::order_sensitive).
  std::uint64_t device_malloc(std::uint64_t bytes, std::string where);
  bool device_free(std::uint64_t address);
  [[nodiscard]] bool stopped(std::uint64_t block_index) const {
    return stop_at.load(std::memory_order_relaxed) <= block_index;
  }
};

// -- scheduling (warp_run.cpp, frame.cpp) ---------------------------------------------------------

/// Picks the split to run next (deepest call first, then lowest address, as that lets lanes meet
/// again), points the warp at it and returns where it goes on; kStop when no split is ready.
[[nodiscard]] const Inst* reschedule(WarpContext& context);
/// Points the warp at its current split without choosing another.
const Inst* resume(WarpContext& context);
/// Puts a frame's constants and special registers into its window.
void fill_frame(WarpContext& context, const Frame& frame);
/// Forgets what lanes have in `bytes` of local memory from offset `base` on: a frame begins there.
void clear_local(WarpContext& context, std::uint32_t lanes, std::uint32_t base,
                 std::uint32_t bytes);
/// Makes a warp ready to run its block from the start. Its context may have run another warp or
/// another block of the launch before.
void start_warp(WarpContext& context);
/// Lanes that exist; the last warp of a block may have fewer than the others.
[[nodiscard]] inline std::uint32_t lanes_of(const LaunchState& launch, std::uint32_t warp_index) {
  const std::uint32_t threads = launch.threads_per_block - warp_index * kWarpSize;
  return threads >= kWarpSize ? kFullMask : (1u << threads) - 1;
}
/// Lanes that have exited.
[[nodiscard]] inline std::uint32_t gone_lanes(const WarpContext& context) {
  const BlockContext& block = *context.block;
  if (context.warp.warp_index >= block.begun) return 0;
  return lanes_of(*block.launch, context.warp.warp_index) & ~context.live;
}
/// Runs the warp until no split of it is ready.
void run_warp(WarpContext& context);
/// The same for a warp that has just been started.
void run_new_warp(WarpContext& context);
/// A warp that is at rest goes on with a branch of all its lanes to the next barrier.
[[nodiscard]] inline bool jumps_to_barrier(const WarpContext& context) {
  if (!context.at_rest) return false;
  const WarpSplit& only = context.splits.front();
  const Inst& branch = *only.pc;
  if (only.state != WarpSplit::State::ready || (branch.flags & kToBarrier) == 0) return false;
  const std::uint32_t guard = context.warp.pred(branch.guard);
  return (context.warp.active & ((branch.flags & kGuardNegated) != 0 ? guard : ~guard)) == 0;
}
/// Executes what the warps from `first` on have to do, as long as that is only to jump to a barrier
/// (jumps_to_barrier). Those that wait at one are passed over.
/// @returns the first warp that has something else to do; `first` when nothing was executed
[[nodiscard]] std::size_t skip_to_barriers(BlockContext& block, std::size_t first);
/// Takes the warp out of the normal run loop, which is about to go on: see WarpContext::slow.
void leave_run_loop(WarpContext& context);
/// Releases barriers that became complete because threads ended.
void threads_ended(BlockContext& block);
[[nodiscard]] inline bool has_ready_group(const WarpContext& context) {
  for (const WarpSplit& split : context.splits) {
    if (split.state == WarpSplit::State::ready) return true;
  }
  return false;
}

/// Nothing but the flow of the program decides what runs next and where it stops.
[[nodiscard]] inline bool is_plain(const WarpContext& context) {
  return context.schedule == 0 && context.slow == 0;
}

// -- what handlers call (defined in emulator/machine, compiled once) ------------------------------

/// Counts the run of instructions from `from` to `last` inclusive.
[[gnu::always_inline]] inline void count_run(RunCount* counts, const Inst& from, const Inst& last,
                                             RunCount running) {
  RunCount& first = counts[from.index - from.covers];
  RunCount& past = counts[last.index + 1];
  first.executed += running.executed;
  first.threads += running.threads;
  past.executed -= running.executed;
  past.threads -= running.threads;
}
/// The same for the active lanes.
[[gnu::always_inline]] inline void account(WarpContext& context, const Inst& from,
                                           const Inst& last) {
  count_run(context.run_counts, from, last, context.running);
  context.executed += last.index - (from.index - from.covers) + 1;
}
/// The same, from `run_start`.
[[gnu::always_inline]] inline void account(WarpContext& context, const Inst& last) {
  account(context, *context.run_start, last);
}
/// A jump back, that is counted, may be one of very many: checks the budget, and yields when it
/// spins for long.
[[nodiscard]] const Inst* jump_back(Warp& warp, const Inst& from, const Inst* target);
/// As account, then takes the jump.
[[nodiscard, gnu::always_inline]] inline const Inst* jump(Warp& warp, const Inst& from,
                                                          const Inst* target) {
  WarpContext& context = *warp.context;
  account(context, from);
  context.run_start = target;
  if (target > &from) [[likely]]
    return target;
  return jump_back(warp, from, target);
}
/// Splits the running split: `taken` lanes go to `target`, the rest to the next instruction.
[[nodiscard]] const Inst* diverge(Warp& warp, const Inst& in, std::uint32_t taken,
                                  const Inst* target);
/// Makes `lanes` a split of their own that executes `in` again, like the rest.
[[nodiscard]] const Inst* diverge_same(Warp& warp, const Inst& in, std::uint32_t lanes);
/// As diverge for many targets: lanes with equal entries of `targets` stay together.
[[nodiscard]] const Inst* scatter(Warp& warp, const Inst& in, const Inst* const* targets);
/// Ends the active lanes.
[[nodiscard]] const Inst* exit_lanes(Warp& warp, const Inst& in);
[[nodiscard]] const Inst* call_function(Warp& warp, const Inst& in);
[[nodiscard]] const Inst* return_from_function(Warp& warp, const Inst& in);
/// bar.sync and relatives. For reductions `predicate` is each lane's bit.
[[nodiscard]] const Inst* wait_at_barrier(Warp& warp, const Inst& in, std::uint32_t id,
                                          std::uint32_t thread_count, std::uint32_t predicate);
/// The same for all threads of the block, at the barrier `in.imm`, with nothing to reduce.
[[nodiscard]] const Inst* wait_for_block(Warp& warp, const Inst& in);
void arrive_at_barrier(Warp& warp, const Inst& in, std::uint32_t id, std::uint32_t thread_count);
/// Lets other splits, warps and blocks run (nanosleep).
[[nodiscard]] const Inst* yield(Warp& warp, const Inst& in);
/// The same, for as many nanoseconds as register `a` says; a clock shows that they passed.
[[nodiscard]] const Inst* sleep(Warp& warp, const Inst& in);
/// Ends the launch with an error; the finding is already logged.
[[nodiscard]] const Inst* abort_launch(Warp& warp, const Inst& in, LaunchStatus why);

}  // namespace warpsim
