#pragma once

#include <filesystem>
#include <string>

#include "grader/tests/lab_root.h"

namespace warpgrade::testing {

/// The lab vecadd with six of its sixteen cases, in a folder for labs of its own: for tests that
/// look at what a submission does in any case. Each case of a submission in Python imports Numba
/// anew. The cases are "a hundred", "one more than a block" and "nothing to do", which are visible,
/// and "one short of 1024", "not a number" and "a million", which are not.
class FewCases {
 public:
  FewCases();

  /// The folder, for WARPGRADE_ROOT.
  [[nodiscard]] std::filesystem::path root() const { return labs_.folder.path(); }
  /// For the start of a command of a shell.
  [[nodiscard]] std::string variable() const;

 private:
  LabRoot labs_;
};

}  // namespace warpgrade::testing
