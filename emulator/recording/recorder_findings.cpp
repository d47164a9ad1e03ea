#include <algorithm>
#include <cstring>
#include <utility>

#include "emulator/checkers/races/updates.h"
#include "emulator/isa/description.h"
#include "emulator/machine/for_lanes.h"
#include "emulator/machine/grid.h"
#include "emulator/ptx/type.h"
#include "emulator/recording/candidate.h"

// Where findings are among the steps.

namespace warpsim::recording {
namespace {

constexpr std::size_t kMostFindings = 32;  // of a block

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

NamedFinding::Race race_of(const RaceFound& race) {
  return {.shared = race.shared,
          .address = race.address,
          .warp = {race.first_warp, race.second_warp},
          .lane = {race.first_lane, race.second_lane},
          .other = std::nullopt};
}

}  // namespace

/// An access out of bounds, which is not made. Nothing where the instruction has no address
/// register.
std::optional<Step> Recorder::fault_step(const WarpContext& context, const Finding& finding,
                                         std::uint32_t lanes) const {
  const Pending& now = *pending_;
  const Program& program = *now.site.of->program;
  const ptx::Operand* const operand = access_address(program, now.in->index);
  if (!is_out_of_bounds(finding.kind) || operand == nullptr || operand->reg == ptx::kNoIndex ||
      lanes == 0 || now.in->width == 0 || now.in->width > kMostWidth) {
    return std::nullopt;
  }
  const std::size_t bytes = ptx::size_bytes(program.function->registers[operand->reg].type);
  Step step{.kind = Step::Kind::fault,
            .warp = context.warp.warp_index,
            .lanes = lanes,
            .shared = finding.kind == FindingKind::oob_shared_read ||
                      finding.kind == FindingKind::oob_shared_write,
            .width = now.in->width,
            .values = {}};
  const Effect effect = describe(*program.source[now.in->index]).effect;
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
  Pending& now = *pending_;
  if (now.context != &context) return;
  now.marks.push_back({.kind = finding.kind,
                       .file = finding.file,
                       .line = finding.line,
                       .lanes = lanes,
                       .step = std::nullopt,
                       .race = std::nullopt,
                       .fault = fault_step(context, finding, lanes)});
  // The array that the access has left is shown with it.
  for (const Extent& extent : launch_->extents) {
    if (extent.allocation->id == finding.allocation) now.candidate->use(extent);
  }
}

/// Notes the step of a finding.
void Recorder::finish_mark(Candidate& candidate, Mark mark) {
  candidate.end_run();
  if (mark.fault) {
    mark.fault->instruction = candidate.number_of(pending_->site);
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
  candidate.marks.push_back({.kind = race->finding.kind,
                             .file = race->finding.file,
                             .line = race->finding.line,
                             .other_line = race->finding.other_line,
                             .lanes = 1u << race->second_lane,
                             .step = candidate.steps.count() - 1,
                             .race = race_of(*race),
                             .fault = std::nullopt});
}

/// Races whose threads are in different blocks are marked in the second one, which the finding
/// names.
void Recorder::mark_races_between_blocks(const LaunchState& launch) {
  for (const RaceFound& race : races_) {
    if (!race.is_between_blocks()) continue;
    Candidate* const candidate = candidate_of(race.second_block);
    if (candidate == nullptr || candidate->marks.size() >= kMostFindings) continue;
    const Dim3 other = block_index(launch, race.first_block);
    NamedFinding::Race made = race_of(race);
    made.other = {.side = 0, .block = {other.x, other.y, other.z}};
    candidate->marks.push_back({.kind = race.finding.kind,
                                .file = race.finding.file,
                                .line = race.finding.line,
                                .other_line = race.finding.other_line,
                                .lanes = 1u << race.second_lane,
                                .step = std::nullopt,
                                .race = made,
                                .fault = std::nullopt});
  }
}

NamedFinding Recorder::named(const Finding& finding, const Candidate& candidate) {
  NamedFinding named{.kind = std::string(info_of(finding.kind).slug),
                     .severity = std::string(severity_name(finding.severity)),
                     .message = finding.message,
                     .where = finding.where,
                     .who = finding.who,
                     .got = finding.got,
                     .want = finding.want,
                     .next = finding.next,
                     .line = finding.line,
                     .other_line = finding.other_line,
                     .count = finding.count,
                     .step = std::nullopt,
                     .race = std::nullopt};
  if (finding.line != 0) named.file = file_number(finding.file);
  if (finding.other_line != 0) named.other_file = file_number(finding.other_file);
  for (const Mark& mark : candidate.marks) {
    if (!mark.is_of(finding)) continue;
    named.step = mark.step;
    named.lanes = mark.lanes;
    named.race = mark.race;
    break;
  }
  return named;
}

}  // namespace warpsim::recording
