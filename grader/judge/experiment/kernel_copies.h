#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "grader/judge/experiment/kernel_source.h"
#include "grader/judge/experiment/source_edits.h"

namespace warpgrade {

/// A program with changed copies of a submission's kernels, one copy for each edit, so that the
/// compiler runs once for all of them. Copies 0 are unchanged. Of the submission's own text there
/// is everything but its kernels and host code.
class CopiesOfKernels {
 public:
  CopiesOfKernels(std::string source, const std::set<std::string>& launched);  // as KernelSource

  /// By number of the copy, from 1; most promising first, as many as compile in about a second.
  [[nodiscard]] const std::vector<SourceEdit>& edits() const { return edits_; }
  /// Leaves out the other edits.
  void keep_those_that_name_mistakes() {
    std::erase_if(edits_, [](const SourceEdit& edit) { return !edit.names_mistake; });
  }

  /// @param without  numbers of edits that are left out
  [[nodiscard]] std::string program(const std::set<std::size_t>& without = {});
  /// The copies that compiler messages about lines of the last program() are about.
  [[nodiscard]] std::set<std::size_t> numbers_at(const std::set<std::uint32_t>& lines) const;

 private:
  [[nodiscard]] std::string copy(std::size_t number) const;

  KernelSource source_;
  std::vector<SourceEdit> edits_;
  std::vector<std::pair<std::uint32_t, std::size_t>> first_lines_;  // of copies
};

}  // namespace warpgrade
