#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include "grader/class/table/changes.h"
#include "grader/class/table/class_record.h"
#include "grader/serve/classroom/grade_files.h"

namespace warpgrade {

/// Compares the grades of a regrade with those of the class as `warpgrade grade --dry-run` does:
/// the points that count, with what persons have decided.
/// @param current   the class's grades
/// @param regraded  those of the regrade
/// @param newer     whose submissions since then have grades of their own: left out
[[nodiscard]] GradeChanges compare_regrade(const ClassRecord& record, const Gradebook& current,
                                           const Gradebook& regraded,
                                           const std::set<std::string>& newer);

/// The results folders of regrades, one each. Thread-safe.
class Previews {
 public:
  explicit Previews(std::filesystem::path folder) : folder_(std::move(folder)) {}

  [[nodiscard]] std::filesystem::path folder(std::int64_t regrade) const;
  /// The grades so far.
  [[nodiscard]] Gradebook book(std::int64_t regrade);
  /// Removes the folder of a regrade that has ended.
  void remove(std::int64_t regrade);

 private:
  std::filesystem::path folder_;
  std::mutex mutex_;
  std::map<std::int64_t, GradeFiles> grades_;
};

}  // namespace warpgrade
