// What is kept of a launch when it has ended.

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "emulator/isa/description.h"
#include "emulator/machine/faults.h"
#include "emulator/machine/grid.h"
#include "emulator/ptx/type.h"
#include "emulator/recording/candidate.h"
#include "emulator/recording/sources.h"

namespace warpsim::recording {
namespace {

constexpr std::size_t kMostNotes = 16;
/// Of all blocks; the rest of the file is for the text of source files.
constexpr std::size_t kMostBlockBytes = kMostBytes - (std::size_t{512} << 10);

std::array<std::uint32_t, 3> triple(const Dim3& of) {
  return {of.x, of.y, of.z};
}

ValueType value_type(ptx::Type type) {
  const std::string_view name = ptx::name(type);
  if (name.starts_with('f') || name.starts_with("bf") || name.starts_with("tf")) {
    return ValueType::floating;
  }
  if (name.starts_with('s')) return ValueType::signed_integer;
  if (name.starts_with('u')) return ValueType::unsigned_integer;
  return ValueType::bits;
}

Instruction instruction_of(const Site& site) {
  const Program& program = *site.of->program;
  const ptx::Instruction* const source = program.source[site.index];
  Instruction made;
  made.file = site.facts().file;
  made.line = site.facts().line;
  made.text = instruction_text(program, site.index);
  made.access = static_cast<std::uint8_t>(program.access[site.index]);
  if (made.access != 0) {
    made.element_bytes = site.facts().element_bytes;
    made.type = value_type(source == nullptr ? ptx::Type::none : describe(*source).type);
  }
  return made;
}

/// Where the thread of this block accesses what it races with another block for: the last time.
void find_steps_of_races(Block& block) {
  for (NamedFinding& finding : block.findings) {
    if (!finding.race || !finding.race->other) continue;
    const NamedFinding::Race& race = *finding.race;
    const std::size_t here = 1 - race.other->side;
    std::uint32_t number = 0;
    for_each_step(block, [&](const Step& step) {
      const bool accesses = step.kind == Step::Kind::access && step.shared == race.shared &&
                            step.warp == race.warp[here] &&
                            (step.lanes >> race.lane[here] & 1) != 0 &&
                            race.address - step.address[race.lane[here]] < step.width;
      if (accesses) finding.step = number;
      ++number;
    });
  }
}

}  // namespace

bool may_write_unseen(std::string_view text) {
  // Shared memory of another block, or of this one as a part of its cluster.
  if (text.starts_with("mapa") || text.find("shared::cluster") != text.npos) return true;
  const bool in_bulk =
      text.starts_with("cp.async.bulk") || text.starts_with("cp.reduce.async.bulk");
  return in_bulk && text.find(".shared") < text.find(".global");
}

void Recorder::add_results(const LaunchState& launch, const LaunchRequest&, LaunchResult&) {
  finish_pending();
  for (const auto& candidate : candidates_) candidate->end_run();
  const std::vector<Finding> findings = findings_of(launch);
  if (selection_.is_explicit()) {
    const std::size_t before = blocks_.size();
    for (const auto& candidate : candidates_) keep(*candidate, launch, findings);
    const bool all = blocks_.size() - before == launch.grid.count();
    if (selection_.all_blocks && !all && notes_.empty()) {
      notes_.emplace_back("Not all blocks are recorded: the file would be too large.");
    }
  } else {
    keep_named(launch, findings);
  }
  forget_launch();
}

void Recorder::keep_now(const LaunchState& launch) {
  finish_pending();
  std::vector<Finding> findings = findings_of(launch);
  for (const auto& candidate : candidates_) {
    candidate->end_run();
    if (candidate->context == nullptr) continue;
    // Races are logged when the launch has ended; this is the last one.
    std::size_t known = 0;
    if (auto race = race_found_since(*candidate->context, known)) {
      race->finding.order[1] = candidate->linear;
      findings.push_back(std::move(race->finding));
    }
  }
  for (const auto& candidate : candidates_) keep(*candidate, launch, findings);
  forget_launch();
}

void Recorder::forget_launch() {
  candidates_.clear();
  writers_.clear();
  running_.clear();
  current_ = nullptr;
  launch_ = nullptr;
}

/// Keeps the blocks that findings name; block 0 of the first launch until there are such.
void Recorder::keep_named(const LaunchState& launch, const std::vector<Finding>& findings) {
  const std::vector<std::uint64_t> named = named_blocks(findings);
  const std::vector<std::uint64_t> kept = blocks_for(named, true);
  for (const std::uint64_t linear : kept) {
    if (!std::exchange(named_, true)) {
      blocks_.clear();
      kept_bytes_ = 0;
    }
    keep(*candidate_of(linear), launch, findings);
  }
  for (const std::uint64_t linear : named) {
    if (std::ranges::find(kept, linear) != kept.end() || notes_.size() >= kMostNotes) continue;
    const Dim3 id = block_index(launch, linear);
    notes_.push_back(fmt::format(
        "A finding names block ({},{},{}) of launch {}, which is not recorded: "
        "--record-what launch={},block={}:{}:{}",
        id.x, id.y, id.z, launch.launch_number, launch.launch_number, id.x, id.y, id.z));
  }
  if (blocks_.empty() && !candidates_.empty()) keep(*candidates_.front(), launch, findings);
}

void Recorder::keep(Candidate& candidate, const LaunchState& launch,
                    const std::vector<Finding>& findings) {
  Block block = finished(candidate, launch, findings);
  const std::size_t bytes = encoded_bytes(block);
  if (kept_bytes_ + bytes > kMostBlockBytes) return;
  kept_bytes_ += bytes;
  blocks_.push_back(std::move(block));
}

Block Recorder::finished(Candidate& candidate, const LaunchState& launch,
                         const std::vector<Finding>& findings) {
  Block block;
  block.launch = launch.launch_number;
  block.kernel = launch.kernel_name;
  block.grid = triple(launch.grid);
  block.block = triple(launch.block);
  block.id = triple(candidate.id);
  block.dropped = candidate.dropped;
  for (const SharedArray& array : launch.shared_arrays) {
    if (array.name == kReservedSharedName) continue;
    block.shared.push_back({array.name, array.offset, array.bytes});
  }
  for (const Extent& extent : candidate.used) {
    block.global.push_back({extent.allocation->name, extent.base, extent.end - extent.base});
  }
  add_outputs(block, candidate);
  for (const Site& site : candidate.sites) block.instructions.push_back(instruction_of(site));
  block.step_count = candidate.steps.count();
  block.steps = candidate.steps.take();
  block.variables = candidate.variables.take();
  for (const Finding& finding : findings) {
    if (finding.order[1] == candidate.linear) block.findings.push_back(named(finding, candidate));
  }
  find_steps_of_races(block);
  return block;
}

void Recorder::add_outputs(Block& block, Candidate& candidate) {
  for (const Writers::Written& array : writers_.arrays()) {
    Output output;
    output.name = array.extent->allocation->name;
    output.base = array.extent->base;
    output.bytes = array.extent->end - array.extent->base;
    output.element_bytes = array.element_bytes;
    for (const Writers::Element& element : array.elements) {
      Output::Element& made = output.elements.emplace_back();
      if (element.count == 0) continue;
      made = {element.count, element.block, element.thread, candidate.number_of(element.site)};
    }
    block.outputs.push_back(std::move(output));
  }
}

Recording Recorder::recording(const std::string& card, Calls calls) const {
  Recording all;
  all.card = card;
  all.calls = std::move(calls);
  all.blocks = blocks_;
  all.notes = notes_;
  if (blocks_.empty()) all.notes.emplace_back("No block of what was asked for has run.");
  for (const Block& block : all.blocks) {
    const std::string name = fmt::format("Block ({},{},{})", block.id[0], block.id[1], block.id[2]);
    if (block.dropped != 0) {
      all.notes.push_back(fmt::format("{}: {} warp instructions after the limit are left out.",
                                      name, block.dropped));
    }
    const auto unrecorded = [](const Instruction& one) { return may_write_unseen(one.text); };
    if (std::ranges::any_of(block.instructions, unrecorded)) {
      all.notes.push_back(
          name +
          ": what bulk copies and other blocks of the cluster write into its shared memory is not "
          "recorded, and is missing in the picture of shared memory.");
    }
  }
  add_sources(all, paths_, selection_.sources);
  return all;
}

}  // namespace warpsim::recording
