#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "emulator/checkers/races/found.h"
#include "emulator/findings/finding.h"
#include "emulator/machine/context.h"
#include "emulator/machine/debugger.h"
#include "emulator/machine/memory_log.h"
#include "emulator/recording/program_facts.h"
#include "emulator/recording/program_variables.h"
#include "emulator/recording/recording.h"
#include "emulator/recording/selection.h"
#include "emulator/recording/writers.h"

namespace warpsim::recording {

struct Passes;

/// Records blocks while they run. As a debugger it is asked before each of their instructions, and
/// their launches run on one host thread, so that the recording is the same in every run. Launches
/// and blocks that are not recorded run as they do without.
///
/// Which blocks findings name is known when their launch has ended. The first blocks are recorded
/// at once; where findings name others, the launch runs again with those.
class Recorder final : public Debugger, public Observer {
 public:
  explicit Recorder(Selection selection);
  ~Recorder() override;

  /// What was recorded until now. @param card  its name  @param calls  of the program
  [[nodiscard]] Recording recording(const std::string& card, Calls calls = {}) const;
  /// Keeps the recorded blocks of the launch as they are now. Nothing more is recorded of it.
  void keep_now(const LaunchState& launch);
  /// The number in the recording of a source file of host code, of which only the name is known:
  /// that of a kernel's file, if one has this name.
  [[nodiscard]] std::uint32_t host_file_number(const std::string& name);

  // -- Debugger
  [[nodiscard]] bool follows(std::uint64_t launch, std::string_view kernel) const override;
  void begin(LaunchState& launch) override;
  [[nodiscard]] bool runs_again(LaunchState& launch) override;
  [[nodiscard]] bool block_begins(BlockContext& block) override;
  void block_ends(BlockContext& block) override;
  void found(const WarpContext& context, const Finding& finding) override;
  [[nodiscard]] const std::uint8_t* marks(const Program& program) override;
  [[nodiscard]] bool goes_on(WarpContext& context, const Inst& in) override;
  [[nodiscard]] WarpContext& choose(BlockContext&, WarpContext& turn) override { return turn; }

  // -- Observer
  void add_results(const LaunchState& launch, const LaunchRequest&, LaunchResult&) override;
  void load(WarpContext& context, const Inst& in, ptx::Space space, std::uint64_t first,
            const LaneShape& shape) override;
  void access(WarpContext& context, const MemoryAccess& access) override;
  void copy(WarpContext& context, const Inst& in, const std::uint64_t* to,
            const std::uint64_t* from, std::uint32_t lanes, std::uint32_t reading,
            std::uint32_t width) override;
  void arrive(WarpContext& context, std::uint32_t id) override;
  void complete(BlockContext& block, std::uint32_t id, bool whole) override;

 private:
  struct Mark;
  struct Candidate;
  struct Pending;

  // recorder.cpp
  [[nodiscard]] Candidate* of(const BlockContext& block);
  [[nodiscard]] bool is_wanted(const BlockContext& block) const;
  [[nodiscard]] Site site_of(const Program& program, const Inst& in);
  std::uint32_t file_number(const std::string& path);
  void finish_pending();
  void follow_variables();
  void add_divergence(Candidate& candidate, const WarpContext& context, std::uint32_t instruction);
  void arrived(std::uint32_t id);

  // recorder_accesses.cpp
  void finish_accesses(Candidate& candidate, std::uint32_t instruction, const Passes& after);

  // recorder_findings.cpp
  void finish_mark(Candidate& candidate, Mark mark);
  [[nodiscard]] std::optional<Step> fault_step(const WarpContext& context, const Finding& finding,
                                               std::uint32_t lanes) const;
  void find_race(Candidate& candidate);
  void mark_races_between_blocks(const LaunchState& launch);
  [[nodiscard]] NamedFinding named(const Finding& finding, const Candidate& candidate);

  // named_blocks.cpp
  [[nodiscard]] Candidate* candidate_of(std::uint64_t linear) const;
  [[nodiscard]] std::vector<std::uint64_t> blocks_for(const std::vector<std::uint64_t>& named,
                                                      bool recorded) const;
  void allow_another_run(LaunchState& launch);
  [[nodiscard]] bool can_run_again(const LaunchState& launch) const;
  [[nodiscard]] bool needs_another_run(LaunchState& launch);

  // keep.cpp
  void keep_named(const LaunchState& launch, const std::vector<Finding>& findings);
  void forget_launch();
  void keep(Candidate& candidate, const LaunchState& launch, const std::vector<Finding>& findings);
  [[nodiscard]] Block finished(Candidate& candidate, const LaunchState& launch,
                               const std::vector<Finding>& findings);
  void add_outputs(Block& block, Candidate& candidate);

  Selection selection_;
  LaunchState* launch_ = nullptr;  // the one that runs
  std::vector<std::unique_ptr<Candidate>> candidates_;  // of it
  std::vector<Candidate*> running_;  // of these
  Candidate* current_ = nullptr;  // whose warp was the last one to be asked for
  std::size_t ended_bytes_ = 0;  // of the steps of candidates that have ended
  std::unique_ptr<Pending> pending_;  // the instruction that is being executed
  Writers writers_;
  std::vector<std::unique_ptr<ProgramFacts>> programs_;  // of the launch
  ProgramFacts* program_ = nullptr;  // the last one that was asked for
  LaunchVariables variables_;
  std::map<const Program*, std::vector<std::uint8_t>> marks_;
  std::vector<std::string> paths_;  // of source files, by number - 1
  std::vector<Block> blocks_;  // recorded, in order
  std::size_t kept_bytes_ = 0;  // that they take in the file
  bool named_ = false;  // they are there because of findings
  std::uint64_t instructions_ = 0;  // of candidates, in all
  std::vector<RaceFound> races_;  // of the launch, when its blocks have ended
  /// The launch runs again, with these blocks.
  std::optional<std::vector<std::uint64_t>> chosen_;
  MemoryLog log_;
  FindingLog::Content findings_;  // when the launch began
  std::size_t extents_ = 0;  // allocations at that time
  bool waited_ = false;  // the launch let host code run meanwhile
  std::vector<std::string> notes_;
};

}  // namespace warpsim::recording
