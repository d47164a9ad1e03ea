#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>
#include <string>

#include "grader/class_table/gradebook.h"

namespace warpgrade {

/// Says on stderr how far a class is, how fast it goes and how long it will take: one line that is
/// rewritten on a terminal, one line per grade elsewhere. Thread-safe.
class Progress {
 public:
  /// @param total  grades of the class
  /// @param kept   of these, how many are there already; they do not count for the rate
  Progress(std::size_t total, std::size_t kept, bool terminal);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void done(const GradeRow& row);
  /// A line of its own that stays.
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

/// "2.5/s, 12 min left" of `finished` of `total` grades after `seconds`; empty while nothing can be
/// said.
[[nodiscard]] std::string pace(std::size_t finished, std::size_t total, double seconds);

}  // namespace warpgrade
