// What is kept of a launch when it has ended.

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "emulator/machine/faults.h"
#include "emulator/machine/grid.h"
#include "emulator/recording/candidate.h"
#include "emulator/recording/sources.h"

namespace warpsim::recording {
namespace {

constexpr std::size_t kMostNotes = 16;

std::array<std::uint32_t, 3> triple(const Dim3& of) {
  return {of.x, of.y, of.z};
}

std::vector<Finding> findings_of(const LaunchState& launch) {
  std::vector<Finding> findings = launch.findings->sorted();
  std::erase_if(findings, [&](const Finding& finding) {
    return finding.order[0] != launch.launch_number || finding.kernel.empty();
  });
  return findings;
}

}  // namespace

void Recorder::add_results(const LaunchState& launch, const LaunchRequest&, LaunchResult&) {
  finish_pending();
  for (const auto& candidate : candidates_) end_run(*candidate);
  const std::vector<Finding> findings = findings_of(launch);
  if (selection_.is_explicit()) {
    for (const auto& candidate : candidates_) keep(*candidate, launch, findings);
    if (selection_.all_blocks && candidates_.size() < launch.grid.count() && notes_.empty()) {
      notes_.emplace_back("Not all blocks are recorded: the file would be too large.");
    }
  } else {
    keep_named(launch, findings);
  }
  candidates_.clear();
  writers_.clear();
  pending_->context = nullptr;
  launch_ = nullptr;
}

/// Keeps the blocks that findings name; block 0 of the first launch until there are such.
void Recorder::keep_named(const LaunchState& launch, const std::vector<Finding>& findings) {
  std::vector<std::uint64_t> named;
  for (const Finding& finding : findings) {
    if (std::ranges::find(named, finding.order[1]) == named.end())
      named.push_back(finding.order[1]);
  }
  for (const std::uint64_t linear : named) {
    const auto candidate =
        std::ranges::find_if(candidates_, [&](const auto& one) { return one->linear == linear; });
    if (candidate == candidates_.end() || (named_ && blocks_.size() >= kMostBlocks)) {
      if (notes_.size() < kMostNotes) {
        const Dim3 id = block_index(launch, linear);
        notes_.push_back(fmt::format(
            "A finding names block ({},{},{}) of launch {}, which is not recorded: "
            "--record-what launch={},block={}:{}:{}",
            id.x, id.y, id.z, launch.launch_number, launch.launch_number, id.x, id.y, id.z));
      }
      continue;
    }
    if (!std::exchange(named_, true)) {
      blocks_.clear();
      kept_bytes_ = 0;
    }
    keep(**candidate, launch, findings);
  }
  if (blocks_.empty() && !candidates_.empty()) {
    keep(*candidates_.front(), launch, findings);
  }
}

void Recorder::keep(Candidate& candidate, const LaunchState& launch,
                    const std::vector<Finding>& findings) {
  kept_bytes_ += candidate.steps.size();
  blocks_.push_back(finished(candidate, launch, findings));
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
  block.instructions = std::move(candidate.instructions);
  block.step_count = candidate.steps.count();
  block.steps = candidate.steps.take();
  for (const Finding& finding : findings) {
    if (finding.order[1] == candidate.linear) block.findings.push_back(named(finding, candidate));
  }
  return block;
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
      made = {element.count, element.block, element.thread,
              number_of(candidate, *element.site.program, *element.site.in)};
    }
    block.outputs.push_back(std::move(output));
  }
}

Recording Recorder::recording(const std::string& card) const {
  Recording all;
  all.card = card;
  all.blocks = blocks_;
  all.notes = notes_;
  if (blocks_.empty()) all.notes.emplace_back("No block of what was asked for has run.");
  for (const Block& block : all.blocks) {
    if (block.dropped == 0) continue;
    all.notes.push_back(
        fmt::format("Block ({},{},{}): {} warp instructions after the limit are left out.",
                    block.id[0], block.id[1], block.id[2], block.dropped));
  }
  add_sources(all, paths_, selection_.sources);
  return all;
}

}  // namespace warpsim::recording
