#include "emulator/recording/recorder.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

#include "emulator/checkers/races/found.h"
#include "emulator/checkers/races/updates.h"
#include "emulator/isa/description.h"
#include "emulator/machine/faults.h"
#include "emulator/machine/for_lanes.h"
#include "emulator/machine/linker.h"
#include "emulator/ptx/type.h"
#include "emulator/recording/candidate.h"

namespace warpsim::recording {
namespace {

constexpr std::uint64_t kNever = ~std::uint64_t{0};
/// Warp instructions of blocks that are recorded until it is known which ones findings name.
constexpr std::uint64_t kMostInstructions = 2'000'000;
constexpr std::size_t kMostCandidateBytes = std::size_t{64} << 20;
constexpr std::size_t kMostFindings = 32;  // of a block

ValueType value_type(ptx::Type type) {
  const std::string_view name = ptx::name(type);
  if (name.starts_with('f') || name.starts_with("bf") || name.starts_with("tf")) {
    return ValueType::floating;
  }
  if (name.starts_with('s')) return ValueType::signed_integer;
  if (name.starts_with('u')) return ValueType::unsigned_integer;
  return ValueType::bits;
}

/// Bytes of an element of what an instruction accesses; `width` where it has no type.
std::uint32_t element_bytes(const Program& program, const Inst& in) {
  const ptx::Instruction* const source = program.source[in.index];
  const std::size_t bytes = source == nullptr ? 0 : ptx::size_bytes(describe(*source).type);
  const std::uint32_t width = std::max<std::uint32_t>(in.width, 1);
  return bytes == 0 || bytes > width ? width : static_cast<std::uint32_t>(bytes);
}

/// Bytes of memory of a lane's access; null where there are none.
const std::byte* bytes_at(const BlockContext& block, bool shared, std::uint64_t address,
                          std::uint32_t width) {
  if (shared) {
    if (address + width > block.launch->shared_bytes) return nullptr;  // of another block
    return block.shared.data() + address;
  }
  const Extent* const extent = block.launch->find(address);
  if (extent == nullptr || address + width > extent->end) return nullptr;
  return extent->allocation->host + (address - extent->base);
}

void read_values(const BlockContext& block, Step& step) {
  step.values.resize(static_cast<std::size_t>(std::popcount(step.lanes)) * step.width);
  std::size_t at = 0;
  for_lanes(step.lanes, [&](std::size_t lane) {
    const std::byte* from = bytes_at(block, step.shared, step.address[lane], step.width);
    if (from != nullptr) std::memcpy(step.values.data() + at, from, step.width);
    at += step.width;
  });
}

/// What the counters have for one instruction, in all spaces.
Counts counts_of(const ProgramTables& tables, std::uint32_t index) {
  Counts counts = tables.counts[index];
  const auto generic = tables.generic.find(index);
  if (generic == tables.generic.end()) return counts;
  counts += generic->second.shared;
  counts += generic->second.loads;
  return counts;
}

bool is_out_of_bounds(FindingKind kind) {
  switch (kind) {
    case FindingKind::oob_global_read:
    case FindingKind::oob_global_write:
    case FindingKind::oob_shared_read:
    case FindingKind::oob_shared_write:
    case FindingKind::null_pointer:
    case FindingKind::use_after_free:
      return true;
    default:
      return false;
  }
}

bool is_barrier(const ptx::Instruction* source) {
  if (source == nullptr) return false;
  const Description does = describe(*source);
  return does.effect == Effect::barrier && does.convergence == Convergence::block;
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
  return instructions_ < kMostInstructions && !(named_ && blocks_.size() >= kMostBlocks);
}

void Recorder::begin(LaunchState& launch) {
  launch_ = &launch;
  candidates_.clear();
  running_ = 0;
  *pending_ = {};
  writers_.clear();
  executed = 0;
  ask_at.store(kNever);
  launch.observers.push_back(this);
  launch.access_observers.push_back(this);
  launch.watch |= kAccesses | kEvents;
}

Recorder::Candidate* Recorder::of(const BlockContext& block) {
  for (const auto& candidate : candidates_) {
    if (candidate->linear == block.linear) return candidate.get();
  }
  return nullptr;
}

void Recorder::block_begins(BlockContext& block) {
  const bool wanted = selection_.block ? *selection_.block == block.id
                                       : selection_.all_blocks || instructions_ < kMostInstructions;
  std::size_t bytes = 0;
  for (const auto& candidate : candidates_) bytes += candidate->steps.size();
  if (selection_.all_blocks) bytes = std::max(bytes, kept_bytes_ + bytes);
  const std::size_t most = selection_.all_blocks ? kMostKeptBytes : kMostCandidateBytes;
  if (!wanted || bytes > most || block.warps.size() > kMostWarps) return;
  auto candidate = std::make_unique<Candidate>();
  candidate->context = &block;
  candidate->linear = block.linear;
  candidate->id = block.id;
  candidates_.push_back(std::move(candidate));
  ++running_;
  ask_at.store(0);
}

void Recorder::block_ends(BlockContext& block) {
  Candidate* const candidate = of(block);
  if (candidate == nullptr || candidate->context == nullptr) return;
  finish_pending();
  end_run(*candidate);
  candidate->context = nullptr;
  if (--running_ == 0) ask_at.store(kNever);
}

const std::uint8_t* Recorder::marks(const Program& program) {
  auto& marks = marks_[&program];
  marks.resize(program.code.size());
  return marks.data();
}

// -- instructions ---------------------------------------------------------------------------------

bool Recorder::goes_on(WarpContext& context, const Inst& in) {
  finish_pending();
  Candidate* const candidate = of(*context.block);
  if (candidate == nullptr) return true;
  ++instructions_;
  // An eighth is for what are not steps: names, lines, outputs.
  if (candidate->steps.size() >= selection_.bytes - selection_.bytes / 8) {
    ++candidate->dropped;
    return true;
  }
  Pending& now = *pending_;
  now.context = &context;
  now.in = &in;
  now.program = context.frame().program;
  now.tables = context.tables;
  now.before = counts_of(*context.tables, in.index);
  now.lanes = context.warp.active;
  now.live = context.live;
  now.barrier = is_barrier(now.program->source[in.index]);
  now.arrived = false;
  return true;
}

/// Puts what the last instruction did among the steps.
void Recorder::finish_pending() {
  Pending& done = *pending_;
  if (done.context == nullptr) return;
  const WarpContext& context = *std::exchange(done.context, nullptr);
  Candidate& candidate = *of(*context.block);
  Step step{.warp = context.warp.warp_index, .instruction = 0, .lanes = done.lanes, .values = {}};
  if (!done.accesses.empty()) {
    finish_accesses(candidate);
  } else if (done.barrier) {
    done.context = const_cast<WarpContext*>(&context);
    const auto waits = std::ranges::find_if(context.splits, [&](const WarpSplit& split) {
      return split.state == WarpSplit::State::at_barrier && split.pc == done.in + 1;
    });
    arrived(waits == context.splits.end() ? 0 : waits->barrier);
    done.context = nullptr;
  } else {
    step.instruction = number_of(candidate, *done.program, *done.in);
    step.count = 1;
    add_run(candidate, step);
  }
  step.instruction = number_of(candidate, *done.program, *done.in);
  if (counts_of(*done.tables, done.in->index).divergent > done.before.divergent) {
    for (const WarpSplit& split : context.splits) {
      const bool left = split.diverged_at == done.in && (split.mask & ~done.lanes) == 0;
      if (!left || split.mask == done.lanes) continue;
      step.kind = Step::Kind::diverge;
      step.other = split.mask;
    }
    if (step.kind == Step::Kind::diverge) add(candidate, step);
  }
  if (const std::uint32_t ended = done.live & ~context.live; ended != 0) {
    step.kind = Step::Kind::leave;
    step.lanes = ended;
    add(candidate, step);
  }
  for (Mark& mark : done.marks) finish_mark(candidate, std::move(mark));
  if (!done.accesses.empty()) find_race(candidate);
  done.accesses.clear();
  done.marks.clear();
}

void Recorder::finish_accesses(Candidate& candidate) {
  Pending& done = *pending_;
  const Counts after = counts_of(*done.tables, done.in->index);
  bool counted[2] = {false, false};
  for (Step& step : done.accesses) {
    step.instruction = number_of(candidate, *done.program, *done.in);
    if (!std::exchange(counted[step.shared ? 1 : 0], true)) {
      const std::uint64_t passes = step.shared ? after.wavefronts - done.before.wavefronts
                                               : after.sectors - done.before.sectors;
      const std::uint64_t ideal = step.shared
                                      ? after.ideal_wavefronts - done.before.ideal_wavefronts
                                      : after.ideal_sectors - done.before.ideal_sectors;
      step.passes = static_cast<std::uint32_t>(passes);
      step.ideal = static_cast<std::uint32_t>(ideal);
    }
    // What was stored; a load of shared memory shows what steps before it stored.
    if (step.type != AccessType::load) read_values(*candidate.context, step);
    add(candidate, step);
  }
}

void Recorder::add(Candidate& candidate, const Step& step) {
  end_run(candidate);
  candidate.steps.add(step);
}

/// Instructions of one line and the same lanes become one step.
void Recorder::add_run(Candidate& candidate, const Step& step) {
  std::optional<Step>& run = candidate.run;
  if (run && run->warp == step.warp && run->lanes == step.lanes &&
      candidate.same_line(run->instruction, step.instruction)) {
    run->count += step.count;
    return;
  }
  end_run(candidate);
  run = step;
}

void Recorder::end_run(Candidate& candidate) {
  if (candidate.run) candidate.steps.add(*candidate.run);
  candidate.run.reset();
}

std::uint32_t Recorder::file_number(const std::string& path) {
  const auto known = std::ranges::find(paths_, path);
  if (known != paths_.end()) return static_cast<std::uint32_t>(known - paths_.begin()) + 1;
  paths_.push_back(path);
  return static_cast<std::uint32_t>(paths_.size());
}

std::uint32_t Recorder::number_of(Candidate& candidate, const Program& program, const Inst& in) {
  const auto [known, is_new] =
      candidate.numbers.try_emplace(&in, static_cast<std::uint32_t>(candidate.instructions.size()));
  if (!is_new) return known->second;
  const SourcePlace place = source_place(program, in.index);
  const ptx::Instruction* const source = program.source[in.index];
  Instruction made;
  made.file = place.line == 0 ? 0 : file_number(place.file);
  made.line = place.line;
  made.text = instruction_text(program, in.index);
  made.access = static_cast<std::uint8_t>(program.access[in.index]);
  if (made.access != 0) {
    made.element_bytes = static_cast<std::uint8_t>(element_bytes(program, in));
    made.type = value_type(source == nullptr ? ptx::Type::none : describe(*source).type);
  }
  candidate.instructions.push_back(std::move(made));
  return known->second;
}

// -- accesses -------------------------------------------------------------------------------------

void Recorder::access(WarpContext& context, const MemoryAccess& access) {
  std::uint64_t address[kWarpSize];
  access.spread(address);
  const bool shared = access.space == ptx::Space::shared;
  const Program& program = *context.frame().program;
  if (!shared && access.type != AccessType::load) {
    writers_.write(context, access, address, element_bytes(program, access.in));
  }
  if (pending_->context != &context || access.width == 0 || access.width > kMostWidth) return;
  Step step{.kind = Step::Kind::access,
            .warp = context.warp.warp_index,
            .lanes = access.lanes,
            .type = access.type,
            .shared = shared,
            .width = access.width,
            .values = {}};
  std::copy(address, address + kWarpSize, step.address.begin());
  if (!shared) {
    const Extent* const extent = launch_->find(address[std::countr_zero(access.lanes)]);
    if (extent != nullptr) of(*context.block)->use(*extent);
    if (access.type == AccessType::load) read_values(*context.block, step);
  }
  pending_->accesses.push_back(std::move(step));
}

void Recorder::copy(WarpContext& context, const Inst&, const std::uint64_t* to,
                    const std::uint64_t* from, std::uint32_t lanes, std::uint32_t reading,
                    std::uint32_t width) {
  if (pending_->context != &context || width == 0 || width > kMostWidth) return;
  Step step{.kind = Step::Kind::access,
            .warp = context.warp.warp_index,
            .lanes = reading,
            .width = width,
            .values = {}};
  std::copy(from, from + kWarpSize, step.address.begin());
  if (reading != 0) pending_->accesses.push_back(step);
  step.lanes = lanes;
  step.type = AccessType::store;
  step.shared = true;
  std::copy(to, to + kWarpSize, step.address.begin());
  pending_->accesses.push_back(std::move(step));
}

// -- barriers -------------------------------------------------------------------------------------

/// The warp of the instruction that is being executed arrives.
void Recorder::arrived(std::uint32_t id) {
  Pending& now = *pending_;
  if (now.context == nullptr || std::exchange(now.arrived, true)) return;
  Candidate& candidate = *of(*now.context->block);
  add(candidate, {.kind = Step::Kind::arrive,
                  .warp = now.context->warp.warp_index,
                  .instruction = number_of(candidate, *now.program, *now.in),
                  .lanes = now.lanes,
                  .count = id,
                  .values = {}});
}

void Recorder::arrive(WarpContext& context, std::uint32_t id) {
  if (pending_->context == &context) arrived(id);
}

void Recorder::complete(BlockContext& block, std::uint32_t id, bool) {
  Candidate* const candidate = of(block);
  const Pending& now = *pending_;
  if (candidate == nullptr || now.context == nullptr || now.context->block != &block) return;
  if (now.barrier) arrived(id);
  add(*candidate, {.kind = Step::Kind::complete,
                   .warp = now.context->warp.warp_index,
                   .instruction = number_of(*candidate, *now.program, *now.in),
                   .lanes = now.lanes,
                   .count = id,
                   .values = {}});
}

// -- findings -------------------------------------------------------------------------------------

/// An access out of bounds, which is not made. Nothing where the instruction has no address
/// register.
std::optional<Step> Recorder::fault_step(const WarpContext& context, const Finding& finding,
                                         std::uint32_t lanes) const {
  const Pending& now = *pending_;
  const ptx::Operand* const operand = access_address(*now.program, now.in->index);
  if (!is_out_of_bounds(finding.kind) || operand == nullptr || operand->reg == ptx::kNoIndex ||
      lanes == 0 || now.in->width == 0 || now.in->width > kMostWidth) {
    return std::nullopt;
  }
  const std::size_t bytes = ptx::size_bytes(now.program->function->registers[operand->reg].type);
  Step step{.kind = Step::Kind::fault,
            .warp = context.warp.warp_index,
            .lanes = lanes,
            .shared = finding.kind == FindingKind::oob_shared_read ||
                      finding.kind == FindingKind::oob_shared_write,
            .width = now.in->width,
            .values = {}};
  const Effect effect = describe(*now.program->source[now.in->index]).effect;
  if (effect != Effect::load) {
    step.type = effect == Effect::store ? AccessType::store : AccessType::atomic;
  }
  const std::byte* const registers = context.warp.regs + now.in->a;
  for_lanes(lanes, [&](std::size_t lane) {
    std::uint64_t value = 0;
    std::memcpy(&value, registers + lane * bytes, std::min(bytes, sizeof value));
    value += static_cast<std::uint64_t>(now.in->offset);
    step.address[lane] = step.shared ? value & 0xffffffff : value;
  });
  return step;
}

void Recorder::found(const WarpContext& context, const Finding& finding) {
  const std::uint32_t lanes = std::exchange(at_fault, 0u);
  const Pending& now = *pending_;
  if (now.context != &context) return;
  pending_->marks.push_back({.kind = finding.kind,
                             .file = finding.file,
                             .line = finding.line,
                             .lanes = lanes,
                             .race = std::nullopt,
                             .fault = fault_step(context, finding, lanes)});
  // The array that the access has left is shown with it.
  for (const Extent& extent : launch_->extents) {
    if (extent.allocation->id == finding.allocation) of(*context.block)->use(extent);
  }
}

/// Notes the step of a finding.
void Recorder::finish_mark(Candidate& candidate, Mark mark) {
  end_run(candidate);
  if (mark.fault) {
    mark.fault->instruction = number_of(candidate, *pending_->program, *pending_->in);
    candidate.steps.add(*mark.fault);
  }
  if (candidate.steps.count() == 0 || candidate.marks.size() >= kMostFindings) return;
  mark.step = candidate.steps.count() - 1;
  candidate.marks.push_back(std::move(mark));
}

void Recorder::find_race(Candidate& candidate) {
  const auto race = race_found_since(*candidate.context, candidate.races_known);
  if (!race || race->first_block != race->second_block || candidate.marks.size() >= kMostFindings ||
      candidate.steps.count() == 0)
    return;
  candidate.marks.push_back(
      {.kind = race->finding.kind,
       .file = race->finding.file,
       .line = race->finding.line,
       .other_line = race->finding.other_line,
       .lanes = 1u << race->second_lane,
       .step = candidate.steps.count() - 1,
       .race = NamedFinding::Race{.shared = race->shared,
                                  .address = race->address,
                                  .warp = {race->first_warp, race->second_warp},
                                  .lane = {race->first_lane, race->second_lane}},
       .fault = std::nullopt});
}

}  // namespace warpsim::recording
