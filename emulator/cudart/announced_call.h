#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "emulator/cudart/harness_call.h"

namespace warpsim::cudart {

/// An array that the harness passes to the function it calls.
struct AnnouncedArray {
  std::string name;
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  std::uint32_t element_bytes = 1;
  bool is_input = false;
  bool is_output = false;
  bool on_host = false;
};

/// The harness's announcement of its call of the program's function. Without a harness there is
/// none, and this class has no effect.
class AnnouncedCall {
 public:
  enum class State : std::uint8_t { none, running, over };

  /// @returns false when there was one before, or the arrays cannot be (hostile input)
  [[nodiscard]] bool begin(const HarnessCall& call);
  /// @returns false when none runs
  [[nodiscard]] bool end();

  /// May be asked without the runtime's lock.
  [[nodiscard]] State state() const { return state_.load(std::memory_order_acquire); }
  [[nodiscard]] std::span<const AnnouncedArray> arrays() const { return arrays_; }
  [[nodiscard]] bool has_host_outputs() const;

 private:
  std::atomic<State> state_ = State::none;
  std::vector<AnnouncedArray> arrays_;
};

}  // namespace warpsim::cudart
