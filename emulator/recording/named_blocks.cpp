// Which blocks findings name, and another run of their launch where they were not recorded.

#include <algorithm>
#include <utility>

#include "emulator/recording/candidate.h"

namespace warpsim::recording {
namespace {

/// Of memory that a launch changes, kept for running it again.
constexpr std::size_t kMostLogBytes = std::size_t{256} << 20;

bool has(const std::vector<std::uint64_t>& blocks, std::uint64_t block) {
  return std::ranges::find(blocks, block) != blocks.end();
}

}  // namespace

std::vector<Finding> findings_of(const LaunchState& launch) {
  std::vector<Finding> findings = launch.findings->sorted();
  std::erase_if(findings, [&](const Finding& finding) {
    return finding.order[0] != launch.launch_number || finding.kernel.empty();
  });
  return findings;
}

std::vector<std::uint64_t> named_blocks(const std::vector<Finding>& findings) {
  std::vector<std::uint64_t> named;
  for (const Finding& finding : findings) {
    if (!has(named, finding.order[1])) named.push_back(finding.order[1]);
  }
  return named;
}

Recorder::Candidate* Recorder::candidate_of(std::uint64_t linear) const {
  const auto found =
      std::ranges::find_if(candidates_, [&](const auto& one) { return one->linear == linear; });
  return found == candidates_.end() ? nullptr : found->get();
}

/// The blocks that findings name, each with the other block of its first race between blocks, as
/// many as there is room for. @param recorded  only blocks that are
std::vector<std::uint64_t> Recorder::blocks_for(const std::vector<std::uint64_t>& named,
                                                bool recorded) const {
  const std::size_t room = kMostBlocks - (named_ ? std::min(blocks_.size(), kMostBlocks) : 0);
  std::vector<std::uint64_t> blocks;
  const auto add = [&](std::uint64_t block) {
    if (blocks.size() == room || has(blocks, block)) return;
    if (!recorded || candidate_of(block) != nullptr) blocks.push_back(block);
  };
  for (const std::uint64_t block : named) {
    add(block);
    const auto race = std::ranges::find_if(races_, [&](const RaceFound& one) {
      return one.second_block == block && one.is_between_blocks();
    });
    if (race != races_.end() && has(blocks, block)) add(race->first_block);
  }
  return blocks;
}

/// Keeps what is needed to undo the launch that is about to run.
void Recorder::allow_another_run(LaunchState& launch) {
  log_.begin(launch, kMostLogBytes);
  launch.access_observers.push_back(&log_);
  findings_ = launch.findings->copy();
  extents_ = launch.extents.size();
  waited_ = false;
  launch.on_stall = [this, on_stall = std::move(launch.on_stall)] {
    waited_ = true;
    return on_stall && on_stall();
  };
}

/// Whether the launch can be undone, and would do the same again in about the time that it took.
bool Recorder::can_run_again(const LaunchState& launch) const {
  // Host code ran beside it, or the kernel allocated memory.
  if (waited_ || launch.extents.size() != extents_) return false;
  return log_.is_whole() && launch.status != LaunchStatus::out_of_budget &&
         launch.status != LaunchStatus::internal;
}

/// Some of the blocks that findings name are not recorded: undoes the launch.
bool Recorder::needs_another_run(LaunchState& launch) {
  if (std::exchange(chosen_, std::nullopt)) return false;
  std::vector<std::uint64_t> named = named_blocks(findings_of(launch));
  // Races are logged when the launch has ended.
  for (const RaceFound& race : races_) {
    if (!has(named, race.second_block)) named.push_back(race.second_block);
  }
  std::ranges::sort(named);
  const std::vector<std::uint64_t> blocks = blocks_for(named, false);
  const bool all_recorded = std::ranges::all_of(
      blocks, [&](std::uint64_t block) { return candidate_of(block) != nullptr; });
  if (all_recorded || !can_run_again(launch)) return false;
  log_.restore();
  launch.findings->restore(std::move(findings_));
  chosen_ = blocks;
  return true;
}

}  // namespace warpsim::recording
