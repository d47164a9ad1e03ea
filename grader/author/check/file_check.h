#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/lab/lab.h"

namespace warpgrade {

[[nodiscard]] bool has_rung(const Lab& lab, const std::string& stage);

/// Checks a lab's files without running a program, beyond what load_lab() checks (points,
/// categories, names and formulas). Each problem is one line in `problems`.
class FileCheck {
 public:
  /// @param pitfalls  docs/pitfalls
  /// @param problems  must outlive this
  FileCheck(const Lab& lab, std::filesystem::path pitfalls, std::vector<std::string>& problems);

  void check();
  /// The page of a pitfall exists. @param who  names it, for the message
  void require_page(const std::string& pitfall, const std::string& who);

 private:
  /// The handout gives the reason for a size that never occurs.
  void check_waivers();
  void require_file(const std::filesystem::path& file);
  /// Each stage has a rung. load_lab() checks that each rung has a stage.
  void check_ladder();
  /// Relative links of the handout lead to files.
  void check_links();

  const Lab& lab_;
  const std::filesystem::path pitfalls_;
  std::vector<std::string>& problems_;
};

}  // namespace warpgrade
