#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>
#include <string>

#include "grader/class/table/gradebook.h"

namespace warpgrade {

/// Reports a class's progress, rate and remaining time on stderr: one line that is rewritten on a
/// terminal, one line per grade elsewhere. Thread-safe.
class Progress {
 public:
  /// @param total  grades of the class
  /// @param kept   of these, how many exist already; they do not count for the rate
  Progress(std::size_t total, std::size_t kept, bool terminal);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void done(const GradeRow& row);
  /// Prints a separate, permanent line.
  void note(const std::string& text);

 private:
  void clear_line() const;

  std::mutex mutex_;
  std::size_t total_;
  std::size_t kept_;
  std::size_t finished_ = 0;  // of this run
  bool terminal_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
};

/// "2.5/s, 12 min left" after `finished` of `total` grades in `seconds`; empty while the rate is
/// unknown.
[[nodiscard]] std::string pace(std::size_t finished, std::size_t total, double seconds);

}  // namespace warpgrade
