#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "harness/data/array.h"
#include "harness/data/expected.h"
#include "harness/golden/misreading.h"
#include "harness/golden/run_apart.h"
#include "harness/lab/lab.h"

namespace warpgrade {

/// The compiled reference/<lab>/misreadings.cpp, which is in the library of the golden function.
class MisreadingLibrary {
 public:
  /// @param file  of golden_file(); empty, or without misreadings: the list is empty
  /// @param apart  runs the function that lists them, for the first time
  /// @throws LabCodeError  if it does not return
  explicit MisreadingLibrary(const std::filesystem::path& file, const RunApart& apart = run_here);

  /// Its functions are valid as long as this, or a copy, exists.
  [[nodiscard]] const MisreadingList& list() const { return list_; }

 private:
  std::shared_ptr<void> handle_;
  MisreadingList list_;
};

/// What a misreading makes of the case's inputs, with bounds as GoldenLibrary::expect() has them;
/// the bound of an element that may be anything is infinite.
/// @param who  names it in errors: "reference/scan/misreadings.cpp, misreading 'exclusive'"
/// @throws LabError  if it does not fill an output, or throws
[[nodiscard]] std::map<std::string, Expected> expect_misread(
    const std::function<void(const GoldenCall&)>& compute, const std::string& who, const Lab& lab,
    const Case& spec, const std::map<std::string, Array>& inputs);

}  // namespace warpgrade
