#pragma once

#include <cstddef>
#include <mutex>
#include <string>

#include "grader/gradebook/gradebook.h"

namespace warpgrade {

/// Says on stderr how far a class is: one line that is rewritten on a terminal, a line a grade
/// elsewhere. Thread-safe.
class Progress {
 public:
  Progress(std::size_t total, bool terminal);
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
  std::size_t finished_ = 0;
  bool terminal_;
};

}  // namespace warpgrade
