#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <mutex>
#include <string>

namespace warpgrade {

/// Counts what somebody does, and refuses for a while who does it too often. Thread-safe.
class Limiter {
 public:
  using Clock = std::chrono::steady_clock;

  /// @param most  of what is counted that are allowed per window, which begins with the first one
  Limiter(std::size_t most, std::chrono::seconds window) : most_(most), window_(window) {}

  [[nodiscard]] bool refuses(const std::string& who, Clock::time_point now = Clock::now());
  void count(const std::string& who, Clock::time_point now = Clock::now());

 private:
  struct Window {
    Clock::time_point since;
    std::size_t count = 0;
  };
  std::mutex mutex_;
  std::size_t most_;
  std::chrono::seconds window_;
  std::map<std::string, Window> counts_;  // of the current windows
};

}  // namespace warpgrade
