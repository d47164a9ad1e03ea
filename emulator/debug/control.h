#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "emulator/checkers/races/found.h"
#include "emulator/debug/places.h"
#include "emulator/findings/finding.h"
#include "emulator/machine/context.h"
#include "emulator/machine/debugger.h"
#include "emulator/machine/memory_log.h"
#include "emulator/recording/recorder.h"

// Runs and stops the device. Kernels run on the thread of the program that launched them; where it
// stops, it waits here, and the session's thread looks at the machine meanwhile. Everything is
// guarded by one mutex, which the kernel's thread takes only when it asks whether to stop.
//
// Going back is running the launch again from its start: it is deterministic, and what the user
// decided (which warp is preferred) is repeated at the same instructions.

namespace warpsim::debug {

/// Where to stop: a line or a function, with what else has to hold.
struct Breakpoint {
  int id = 0;
  std::string file;  // empty: `function`
  std::uint32_t asked_line = 0, line = 0;
  std::string function;
  std::string condition;  // an expression; empty: always
  std::string hit_condition;  // ">= 3", "% 2", "5"; empty: each time
  std::string log_message;  // printed instead of stopping, with {expressions}; empty: stop
  bool verified = false;
  std::string message;  // why it is not verified
  std::uint64_t hits = 0;
};

/// Bytes of memory whose accesses stop the program.
struct Watch {
  int id = 0;
  std::string name;
  ptx::Space space = ptx::Space::global;
  std::uint64_t begin = 0, end = 0;  // device addresses, or offsets in shared memory
  std::uint64_t block = 0;  // of shared memory
  bool reads = false, writes = true;
  std::string condition, hit_condition;
  std::uint64_t hits = 0;
};

enum class Step : std::uint8_t { none, into, over, out, instruction };

/// Why the program stands still.
struct Stop {
  std::string reason;  // of the protocol: "breakpoint", "step", "exception", ...
  std::string description;  // one line for people
  std::string text;  // more of it: a finding
  std::vector<int> breakpoints;
  std::string finding;  // its kind, for exceptionInfo
};

/// Who is told what happens; called by the kernel's thread with the lock held.
class Listener {
 public:
  Listener() = default;
  virtual ~Listener() = default;
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  virtual void stopped(const Stop& stop) = 0;
  virtual void changed(const Breakpoint& breakpoint) = 0;
  virtual void says(const std::string& text) = 0;
  /// Lanes of the warp in which a condition holds.
  /// @returns nothing, with `error` filled, when it cannot be computed
  virtual std::optional<std::uint32_t> lanes_where(WarpContext& warp, std::uint32_t lanes,
                                                   const std::string& condition,
                                                   std::string& error) = 0;
  /// A log message with its expressions replaced by their values in a lane.
  virtual std::string fill_in(WarpContext& warp, int lane, const std::string& message) = 0;
};

/// A warp by its numbers, which stay the same when a launch runs again.
struct WarpId {
  std::uint64_t block = 0;
  std::uint32_t warp = 0;
  bool operator==(const WarpId&) const = default;
};
[[nodiscard]] inline WarpId id_of(const WarpContext& context) {
  return {context.block->linear, context.warp.warp_index};
}

class Control final : public Debugger, public Observer {
 public:
  enum class State : std::uint8_t { host, running, stopped };

  explicit Control(Listener& listener) : listener_(listener) {}

  // -- for the kernel's thread -------------------------------------------------------------------
  void begin(LaunchState& launch) override;
  [[nodiscard]] bool runs_again(LaunchState& launch) override;
  [[nodiscard]] bool block_begins(BlockContext& block) override;
  void block_ends(BlockContext& block) override;
  [[nodiscard]] const std::uint8_t* marks(const Program& program) override;
  [[nodiscard]] bool goes_on(WarpContext& context, const Inst& in) override;
  [[nodiscard]] WarpContext& choose(BlockContext& block, WarpContext& turn) override;
  void found(const WarpContext& context, const Finding& finding) override;
  /// Data breakpoints.
  void access(WarpContext& context, const MemoryAccess& access) override;

  // -- for the session's thread, with the lock held ----------------------------------------------
  std::mutex mutex;
  [[nodiscard]] State state() const { return state_; }
  [[nodiscard]] const Stop& stop() const { return stop_; }
  [[nodiscard]] LaunchState* launch() { return launch_; }
  /// While stopped: the warp that stands at the stop.
  [[nodiscard]] WarpContext* stopped_warp() { return stopped_; }
  /// A block that has begun and not ended; null for others.
  [[nodiscard]] BlockContext* living(std::uint64_t block) const {
    const auto it = living_.find(block);
    return it == living_.end() ? nullptr : it->second;
  }
  /// While stopped: the block whose warps are the threads.
  [[nodiscard]] BlockContext* block() { return stopped_ == nullptr ? nullptr : stopped_->block; }
  /// The lane whose variables are shown; one that executes, where the user chose none.
  [[nodiscard]] int lane() const { return lane_; }
  void set_lane(int lane) { lane_ = lane; }
  [[nodiscard]] const Lines& lines(const Program& program);

  void go_on();
  /// @param only  the other warps of the block stand still
  void step(WarpContext& warp, Step how, bool only);
  void pause();
  /// Runs until the block with this number begins. @returns false when it has begun already
  [[nodiscard]] bool run_to_block(std::uint64_t block);
  /// Runs until the warp waits at its next barrier, or ends.
  void run_to_barrier(WarpContext& warp);
  void step_back(WarpContext& warp, Step how);
  void reverse_continue();
  /// To before the last write (or the last accesses that `bytes` names), seen from here.
  void go_to_last_access(const Watch& bytes);
  /// From a race to its other access. @returns false where the program does not stand at a race
  [[nodiscard]] bool go_to_other_side();
  [[nodiscard]] bool can_go_back(std::string& why) const;
  /// Runs the launch again up to here, to record what the block has done. Then the program stands
  /// where it stood, or before the access or mistake in whose instruction it stood.
  /// @param use  gets the recording; called by the kernel's thread with the lock held
  void record(std::function<void(const recording::Recording&)> use);

  std::vector<Breakpoint> breakpoints;
  std::vector<Watch> watches;
  /// The breakpoints have changed.
  void bind_breakpoints();
  bool stops_on_errors = true, stops_on_warnings = false, stops_at_entry = false;
  /// Nobody controls the program any more: it runs to its end.
  void let_go();

 private:
  struct Code {
    std::unique_ptr<Lines> lines;
    std::vector<std::uint8_t> marks;
    std::unordered_multimap<std::uint32_t, int> breakpoints;  // ids by instruction index
  };
  /// What the user decided, to be repeated when the launch runs again.
  struct Decision {
    std::uint64_t at = 0;
    std::optional<WarpId> preferred;
    bool only = false;
  };
  struct Stepping {
    Step how = Step::none;
    WarpId warp;
    LineKey from;
    std::uint32_t depth = 0;
    std::uint32_t lanes = 0;
    bool to_barrier = false;
  };
  /// A number of an instruction that is never executed.
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};
  /// Looks for the last instruction before `before` at which something holds.
  struct Search {
    enum class What : std::uint8_t { none, line_entry, stop, access } what = What::none;
    std::uint64_t before = 0;
    std::optional<std::uint64_t> found;
    Stop stop;  // of what was found
    Stepping stepping;  // line_entry
    LineKey last;  // line_entry: where the warp was before
    bool seen = false;  // line_entry: `last` is known
    Watch bytes;  // access
    std::optional<WarpId> by;  // access: of this warp only
    std::optional<std::uint32_t> instruction;  // access: by the one with this index only
    std::optional<RaceFound> race;  // access: whose second access it is
    int lane = -1;  // access: to be shown there; -1: any
  };

  Code& code_of(const Program& program);
  void bind(const Program& program, Code& code);
  void verify(const LoadedModule& module);
  [[nodiscard]] static std::uint32_t depth_of(const Frame& frame, const LineKey& key);
  [[nodiscard]] std::optional<Stop> stop_at(WarpContext& context, const Inst& in);
  [[nodiscard]] std::optional<Stop> breakpoint_at(WarpContext& context, const Inst& in);
  [[nodiscard]] bool step_ends(const WarpContext& context, const Inst& in);
  [[nodiscard]] bool counts(Breakpoint& breakpoint, Stop& stop);
  // control_back.cpp:
  /// Runs the launch again, up to here, to look for something.
  void begin(Search search);
  /// To the second access of a race between blocks, of which nothing is known before all blocks
  /// have ended. @returns false when there is none that the program has not stopped at
  [[nodiscard]] bool go_to_race_between_blocks(const LaunchState& launch);
  /// While the launch runs again: notes what is looked for.
  void search_at(WarpContext& context, const Inst& in);
  /// The launch has run again up to where it was: it does so once more, to what was found.
  void finish_search();
  void rewind(std::uint64_t to, Stop stop);
  // control_record.cpp
  [[nodiscard]] bool records() const { return recorder_ != nullptr && use_recording_; }
  /// The launch has run again up to where it was: hands over what was recorded.
  void finish_recording();

  [[nodiscard]] bool stops_on(const Finding& finding) const;
  [[nodiscard]] static Stop stop_of(const Finding& finding);
  void wait(std::unique_lock<std::mutex>& lock, WarpContext& context, Stop stop);
  void resume();
  void decide(std::optional<WarpId> preferred, bool only);
  void apply_decisions();
  [[nodiscard]] WarpContext* preferred_in(BlockContext& block);
  [[nodiscard]] bool gives_way(WarpContext& context);
  void update_ask();
  [[nodiscard]] bool aborted() const { return rewinds_ || let_go_; }

  Listener& listener_;
  std::condition_variable changed_;
  State state_ = State::host;
  Stop stop_;
  LaunchState* launch_ = nullptr;
  WarpContext* stopped_ = nullptr;
  int lane_ = 0;
  std::map<const Program*, Code> code_;
  bool pauses_ = false;
  bool let_go_ = false;
  bool enters_ = false;  // stops at the next instruction: the kernel's first one, or a block's
  std::optional<std::uint64_t> wanted_block_;
  std::optional<WarpId> ended_;  // the warp that was stepped has ended
  Stepping stepping_;
  std::pair<const WarpContext*, const Inst*> resumed_at_;  // a stop that is not made twice

  std::vector<Decision> decisions_;
  std::size_t next_decision_ = 0;
  std::optional<WarpId> preferred_;
  bool only_ = false;
  bool preferred_waits_ = false;  // lets others run until it can go on
  const WarpContext* last_chosen_ = nullptr;

  MemoryLog log_;
  FindingLog::Content findings_;  // when the launch began
  std::map<std::uint64_t, BlockContext*> living_;  // blocks by number
  std::map<std::uint64_t, std::size_t> races_known_;  // conflicts, by running block
  std::size_t extents_ = 0;  // allocations when the launch began
  bool rewinds_ = false;
  std::optional<std::uint64_t> target_;  // runs again up to here
  Stop target_stop_;
  Search search_;
  std::size_t races_known_of_launch_ = 0;  // those between blocks: the program has stopped at them
  std::optional<RaceFound> race_;  // at which the program stands
  std::optional<RaceFound> target_race_;  // the same, of the target
  bool within_ = false;  // it stands in the instruction of an access or a mistake
  bool before_mistake_ = false;  // it stands before that instruction, since it was recorded
  bool target_before_mistake_ = false;  // the same, of the target
  /// An observer of the launch that runs, so it lives until the next one begins.
  std::unique_ptr<recording::Recorder> recorder_, next_recorder_;
  std::function<void(const recording::Recording&)> use_recording_;
  std::optional<std::uint64_t> after_recording_;  // where to go then; nothing: it is there
};

}  // namespace warpsim::debug
