#pragma once

#include <cstdint>
#include <map>

// The happens-before order of work. Work runs at once, in call order; the ordering rules of streams
// tell what a card might not have completed yet.

namespace warpsim::cudart {

/// A vector clock: for each stream, the last completed work.
class StreamClock {
 public:
  /// When all of it is complete, on the timeline.
  double ms = 0;

  void add(std::uint64_t stream, std::uint64_t number) {
    std::uint64_t& last = last_[stream];
    if (last < number) last = number;
  }
  void join(const StreamClock& other) {
    for (const auto& [stream, number] : other.last_) add(stream, number);
    if (ms < other.ms) ms = other.ms;
  }
  [[nodiscard]] bool has(std::uint64_t stream, std::uint64_t number) const {
    const auto found = last_.find(stream);
    return found != last_.end() && number <= found->second;
  }

  [[nodiscard]] const std::map<std::uint64_t, std::uint64_t>& last() const { return last_; }

 private:
  std::map<std::uint64_t, std::uint64_t> last_;  // by the stream's id
};

/// A piece of work that a stream runs.
struct StreamWork {
  std::uint64_t stream = 0;  // id
  int device = 0;
  bool in_default_stream = false;
  std::uint64_t number = 0;  // in order of submission, over all streams
  StreamClock done;  // the clock after it: itself and everything before it
};

}  // namespace warpsim::cudart
