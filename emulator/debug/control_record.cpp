#include <string>
#include <utility>

#include "emulator/debug/control.h"

// What a block has done, for pictures: the launch runs again up to here, and is recorded.

namespace warpsim::debug {

void Control::record(std::function<void(const recording::Recording&)> use) {
  constexpr std::uint64_t kBytes = 1 << 20;
  recording::Selection selection;
  selection.block = stopped_->block->id;
  selection.bytes = kBytes;
  next_recorder_ = std::make_unique<recording::Recorder>(std::move(selection));
  use_recording_ = std::move(use);
  // The instruction of an access or a mistake is recorded, too. One that is being executed counts
  // already.
  const std::uint64_t done = executed + (before_mistake_ ? 1 : 0);
  after_recording_.reset();
  if (within_ || before_mistake_) after_recording_ = done - 1;
  std::optional<RaceFound> race = race_;
  rewind(done, stop_);
  target_race_ = std::move(race);
}

void Control::finish_recording() {
  recorder_->keep_now(*launch_);
  const auto use = std::exchange(use_recording_, nullptr);
  use(recorder_->recording(launch_->card->name));
  if (!after_recording_) return;
  std::optional<RaceFound> race = std::move(target_race_);
  rewind(*std::exchange(after_recording_, std::nullopt), std::move(target_stop_));
  target_race_ = std::move(race);
  target_before_mistake_ = true;
}

}  // namespace warpsim::debug
