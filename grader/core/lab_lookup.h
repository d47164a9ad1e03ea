#pragma once

#include <map>
#include <optional>
#include <string>

#include "grader/core/installation.h"
#include "harness/lab/lab.h"

namespace warpgrade {

/// Reads each lab of an installation once, when it is asked for. Not thread-safe.
class LabLookup {
 public:
  explicit LabLookup(const Installation& installation) : root_(installation.root) {}

  /// Null for a lab that is not here or not right: grades outlive their labs, and then less is
  /// known and shown.
  [[nodiscard]] const Lab* find(const std::string& id);

 private:
  std::filesystem::path root_;
  std::map<std::string, std::optional<Lab>> labs_;
};

}  // namespace warpgrade
