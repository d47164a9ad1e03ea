#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "grader/grade/grade.h"
#include "harness/lab/lab.h"

namespace warpgrade {

/// The hidden cases of a grade, and what must not be read out of a text for students before their
/// release: their names and their sizes.
class HiddenCases {
 public:
  /// @param lab  tells which cases are hidden where nothing was run; without it all are taken to be
  HiddenCases(const Grade& grade, const Lab* lab);

  [[nodiscard]] bool contains(const std::string& name) const { return names_.contains(name); }
  /// Whether this is the item of a hidden case.
  [[nodiscard]] bool owns(const Item& item) const;
  /// Whether a finding was seen in hidden cases only.
  [[nodiscard]] bool alone_have(const ReportedFinding& finding) const;
  /// Whether a text names a hidden case, in quotes, or a size that only hidden cases have.
  [[nodiscard]] bool told_by(std::string_view text) const;
  [[nodiscard]] std::size_t count() const { return names_.size(); }
  [[nodiscard]] const std::set<std::string>& names() const { return names_; }

 private:
  std::set<std::string> names_;
  std::vector<std::string> sizes_;
};

/// What stands in place of a message that tells of hidden cases.
inline constexpr const char* kKeptBack = "More is said when hidden cases are released.";

/// "5 hidden cases"
[[nodiscard]] std::string hidden_text(std::size_t count);

}  // namespace warpgrade
