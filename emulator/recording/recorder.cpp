#include "emulator/recording/recorder.h"

#include <algorithm>
#include <utility>

#include "emulator/isa/description.h"
#include "emulator/machine/faults.h"
#include "emulator/ptx/type.h"
#include "emulator/recording/candidate.h"

// Which blocks are recorded, and all steps but accesses to memory: runs of instructions, barriers,
// divergence.

namespace warpsim::recording {
namespace {

constexpr std::uint64_t kNever = ~std::uint64_t{0};
/// Warp instructions of blocks that are recorded before it is known which ones findings name.
constexpr std::uint64_t kMostInstructions = 50'000;
constexpr std::size_t kMostCandidateBytes = std::size_t{64} << 20;

/// Bytes of an element of what an instruction accesses; `width` where it has no type.
std::uint32_t element_bytes(const ptx::Instruction* source, const Inst& in) {
  const std::size_t bytes = source == nullptr ? 0 : ptx::size_bytes(describe(*source).type);
  const std::uint32_t width = std::max<std::uint32_t>(in.width, 1);
  return bytes == 0 || bytes > width ? width : static_cast<std::uint32_t>(bytes);
}

bool is_barrier(const ptx::Instruction* source) {
  if (source == nullptr) return false;
  const Description does = describe(*source);
  return does.effect == Effect::barrier && does.convergence == Convergence::block;
}

Passes passes_of(const ProgramTables& tables, std::uint32_t index) {
  const auto add = [](Passes& to, const Counts& counts) {
    to.divergent += counts.divergent;
    to.sectors += counts.sectors;
    to.ideal_sectors += counts.ideal_sectors;
    to.wavefronts += counts.wavefronts;
    to.ideal_wavefronts += counts.ideal_wavefronts;
  };
  Passes passes;
  add(passes, tables.counts[index]);
  if (tables.generic.empty()) return passes;
  const auto generic = tables.generic.find(index);
  if (generic == tables.generic.end()) return passes;
  add(passes, generic->second.shared);
  add(passes, generic->second.loads);
  return passes;
}

}  // namespace

Recorder::Recorder(Selection selection)
    : selection_(std::move(selection)), pending_(std::make_unique<Pending>()) {}

Recorder::~Recorder() = default;

bool Recorder::follows(std::uint64_t launch, std::string_view kernel) const {
  if (selection_.launch != 0 && selection_.launch != launch) return false;
  if (kernel.find(selection_.kernel) == kernel.npos) return false;
  if (selection_.all_blocks) return kept_bytes_ < kMostKeptBytes;
  if (selection_.block) return blocks_.empty();
  return !(named_ && blocks_.size() >= kMostBlocks);
}

void Recorder::begin(LaunchState& launch) {
  launch_ = &launch;
  candidates_.clear();
  running_.clear();
  current_ = nullptr;
  ended_bytes_ = 0;
  races_.clear();
  programs_.clear();
  program_ = nullptr;
  variables_.clear();
  *pending_ = {};
  writers_.clear();
  executed = 0;
  ask_at.store(kNever);
  launch.observers.push_back(this);
  launch.access_observers.push_back(this);
  launch.watch |= kAccesses | kEvents;
  if (!selection_.is_explicit() && !chosen_) allow_another_run(launch);
}

bool Recorder::runs_again(LaunchState& launch) {
  finish_pending();
  // The races are known here, and their accesses are among the steps.
  races_ = races_found(launch);
  mark_races_between_blocks(launch);
  if (selection_.is_explicit()) return false;
  return needs_another_run(launch);
}

/// The candidate of a block that runs; null if it is not recorded.
Recorder::Candidate* Recorder::of(const BlockContext& block) {
  if (current_ != nullptr && current_->context == &block) return current_;
  for (Candidate* const candidate : running_) {
    if (candidate->context == &block) return current_ = candidate;
  }
  return nullptr;
}

bool Recorder::is_wanted(const BlockContext& block) const {
  if (selection_.block) return *selection_.block == block.id;
  if (selection_.all_blocks) return true;
  if (chosen_) return std::ranges::find(*chosen_, block.linear) != chosen_->end();
  return instructions_ < kMostInstructions;
}

bool Recorder::block_begins(BlockContext& block) {
  std::size_t bytes = ended_bytes_;
  for (const Candidate* const candidate : running_) bytes += candidate->bytes();
  if (selection_.all_blocks) bytes += kept_bytes_;
  const std::size_t most = selection_.all_blocks ? kMostKeptBytes : kMostCandidateBytes;
  if (!is_wanted(block) || bytes > most || block.warps.size() > kMostWarps) return false;
  auto candidate = std::make_unique<Candidate>();
  candidate->context = &block;
  candidate->linear = block.linear;
  candidate->id = block.id;
  running_.push_back(candidate.get());
  candidates_.push_back(std::move(candidate));
  ask_at.store(0);
  return true;
}

void Recorder::block_ends(BlockContext& block) {
  Candidate* const candidate = of(block);
  if (candidate == nullptr) return;
  finish_pending();
  candidate->end_run();
  candidate->context = nullptr;
  candidate->variables.forget_values();
  ended_bytes_ += candidate->bytes();
  std::erase(running_, candidate);
  current_ = nullptr;
  if (running_.empty()) ask_at.store(kNever);
}

const std::uint8_t* Recorder::marks(const Program& program) {
  auto& marks = marks_[&program];
  marks.resize(program.code.size());
  return marks.data();
}

// -- instructions ---------------------------------------------------------------------------------

bool Recorder::goes_on(WarpContext& context, const Inst& in) {
  Pending& now = *pending_;
  if (now.context != nullptr) finish_pending();
  Candidate* const candidate = of(*context.block);
  if (candidate == nullptr) return true;
  ++instructions_;
  // An eighth is for what are not steps: names, lines, outputs.
  if (candidate->bytes() >= selection_.bytes - selection_.bytes / 8) {
    ++candidate->dropped;
    return true;
  }
  now.context = &context;
  now.candidate = candidate;
  now.in = &in;
  now.site = site_of(*context.frame().program, in);
  now.frame = &context.frame();
  now.tables = context.tables;
  now.before = passes_of(*context.tables, in.index);
  now.lanes = context.warp.active;
  now.live = context.live;
  now.arrived = false;
  return true;
}

/// Puts what the last instruction did among the steps.
void Recorder::finish_pending() {
  Pending& done = *pending_;
  if (done.context == nullptr) return;
  const WarpContext& context = *done.context;
  Candidate& candidate = *done.candidate;
  const std::uint32_t instruction = candidate.number_of(done.site);
  const Passes after = passes_of(*done.tables, done.in->index);
  const Facts& facts = done.site.facts();
  if (done.used != 0) {
    finish_accesses(candidate, instruction, after);
  } else if (facts.barrier) {
    const auto waits = std::ranges::find_if(context.splits, [&](const WarpSplit& split) {
      return split.state == WarpSplit::State::at_barrier && split.pc == done.in + 1;
    });
    arrived(waits == context.splits.end() ? 0 : waits->barrier);
  } else {
    candidate.add_run({.warp = context.warp.warp_index,
                       .instruction = instruction,
                       .lanes = done.lanes,
                       .count = 1,
                       .file = facts.file,
                       .line = facts.line});
  }
  if (done.site.of->variables != nullptr) follow_variables();
  done.context = nullptr;
  if (after.divergent > done.before.divergent) add_divergence(candidate, context, instruction);
  if (const std::uint32_t ended = done.live & ~context.live; ended != 0) {
    candidate.add({.kind = Step::Kind::leave,
                   .warp = context.warp.warp_index,
                   .instruction = instruction,
                   .lanes = ended,
                   .values = {}});
  }
  for (Mark& mark : done.marks) finish_mark(candidate, std::move(mark));
  if (done.used != 0) find_race(candidate);
  done.used = 0;
  done.marks.clear();
}

/// What the instruction has changed is a part of its step.
void Recorder::follow_variables() {
  const Pending& done = *pending_;
  Candidate& candidate = *done.candidate;
  candidate.variables.executed(*done.site.of->variables, done.site.index, *done.context,
                               *done.frame, done.lanes);
  if (candidate.run.count == 0 && candidate.steps.count() != 0) {
    candidate.variables.end_step(candidate.steps.count() - 1);
  }
}

/// The instruction has split its warp.
void Recorder::add_divergence(Candidate& candidate, const WarpContext& context,
                              std::uint32_t instruction) {
  const Pending& done = *pending_;
  std::uint32_t elsewhere = 0;
  for (const WarpSplit& split : context.splits) {
    const bool left = split.diverged_at == done.in && (split.mask & ~done.lanes) == 0;
    if (left && split.mask != done.lanes) elsewhere = split.mask;
  }
  if (elsewhere == 0) return;
  candidate.add({.kind = Step::Kind::diverge,
                 .warp = context.warp.warp_index,
                 .instruction = instruction,
                 .lanes = done.lanes,
                 .other = elsewhere,
                 .values = {}});
}

std::uint32_t Recorder::file_number(const std::string& path) {
  const auto known = std::ranges::find(paths_, path);
  if (known != paths_.end()) return static_cast<std::uint32_t>(known - paths_.begin()) + 1;
  paths_.push_back(path);
  return static_cast<std::uint32_t>(paths_.size());
}

std::uint32_t Recorder::host_file_number(const std::string& name) {
  const auto known = std::ranges::find_if(
      paths_, [&](const std::string& path) { return path.substr(path.rfind('/') + 1) == name; });
  return file_number(known == paths_.end() ? name : *known);
}

/// The instruction, with what is known of it.
Site Recorder::site_of(const Program& program, const Inst& in) {
  if (program_ == nullptr || program_->program != &program) {
    const auto known =
        std::ranges::find_if(programs_, [&](const auto& one) { return one->program == &program; });
    if (known != programs_.end()) {
      program_ = known->get();
    } else {
      program_ = programs_
                     .emplace_back(std::make_unique<ProgramFacts>(ProgramFacts{
                         &program, programs_.size(), std::vector<Facts>(program.code.size()),
                         variables_.of(*launch_, program)}))
                     .get();
    }
  }
  Facts& facts = program_->facts[in.index];
  if (!facts.known) {
    const ptx::Instruction* const source = program.source[in.index];
    const SourcePlace place = source_place(program, in.index);
    facts = {.known = true,
             .barrier = is_barrier(source),
             .element_bytes = static_cast<std::uint8_t>(element_bytes(source, in)),
             .file = place.line == 0 ? 0 : file_number(place.file),
             .line = place.line};
  }
  return {program_, in.index};
}

// -- barriers -------------------------------------------------------------------------------------

/// The warp of the instruction that is being executed arrives.
void Recorder::arrived(std::uint32_t id) {
  Pending& now = *pending_;
  if (now.context == nullptr || std::exchange(now.arrived, true)) return;
  now.candidate->add({.kind = Step::Kind::arrive,
                      .warp = now.context->warp.warp_index,
                      .instruction = now.candidate->number_of(now.site),
                      .lanes = now.lanes,
                      .count = id,
                      .values = {}});
}

void Recorder::arrive(WarpContext& context, std::uint32_t id) {
  if (pending_->context == &context) arrived(id);
}

void Recorder::complete(BlockContext& block, std::uint32_t id, bool) {
  const Pending& now = *pending_;
  if (now.context == nullptr || now.context->block != &block) return;
  if (now.site.facts().barrier) arrived(id);
  now.candidate->add({.kind = Step::Kind::complete,
                      .warp = now.context->warp.warp_index,
                      .instruction = now.candidate->number_of(now.site),
                      .lanes = now.lanes,
                      .count = id,
                      .values = {}});
}

}  // namespace warpsim::recording
