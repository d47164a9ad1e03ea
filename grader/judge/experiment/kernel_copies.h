#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/judge/experiment/source_edits.h"

namespace warpgrade {

/// A program with changed copies of a submission's kernels, one copy for each edit, so that the
/// compiler runs once for all of them. Copy 7 of `add` is `add_copy7`, and so are the functions
/// between it and the place of the edit. Copies 0 are unchanged. Of the submission's own text there
/// is everything but its kernels and host code. Copies are in the kernel's namespace, or outside of
/// an anonymous one, whose names they see. Of a template there are the instances that were
/// launched.
class CopiesOfKernels {
 public:
  /// @param source    the only program of a submission
  /// @param launched  demangled names of kernels that were launched, with their parameters:
  ///   "void add<4>(float*, int)"; others are not copied
  CopiesOfKernels(std::string source, const std::set<std::string>& launched);

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
  [[nodiscard]] std::set<std::size_t> callers_of(std::size_t function) const;
  [[nodiscard]] std::string common() const;
  [[nodiscard]] std::string copy(std::size_t number) const;
  [[nodiscard]] std::string instances(std::size_t function, std::size_t number) const;
  [[nodiscard]] std::size_t size_of(const SourceEdit& edit) const;

  std::string source_;
  std::vector<SourceToken> tokens_;
  std::vector<SourceFunction> functions_;
  std::set<std::size_t> kernels_;  // that can be copied
  std::map<std::size_t, std::vector<std::string>> instances_;  // of templates: demangled names
  std::vector<SourceEdit> edits_;
  std::vector<std::pair<std::uint32_t, std::size_t>> first_lines_;  // of copies
};

/// Lines of a file that a compiler's errors are about: "k.cu(12): error" or "k.cu:12:3: error".
[[nodiscard]] std::set<std::uint32_t> lines_of_errors(std::string_view log, std::string_view file);

}  // namespace warpgrade
