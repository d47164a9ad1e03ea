#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "grader/judge/experiment/source_edits.h"
#include "grader/judge/experiment/source_functions.h"
#include "harness/core/source_tokens.h"

namespace warpgrade {

/// A submission's program, of whose kernels copies are made. Copy 7 of `add` is `add_copy7`, and so
/// are the functions between it and the place of an edit. Copies are in the kernel's namespace, or
/// outside of an anonymous one, whose names they see. Of a template there are the instances that
/// were launched.
class KernelSource {
 public:
  /// @param source    the only program of a submission
  /// @param launched  demangled names of kernels that were launched, with their parameters:
  ///   "void add<4>(float*, int)"; others are not copied
  KernelSource(std::string source, const std::set<std::string>& launched);
  // The tokens are views into the source.
  KernelSource(const KernelSource&) = delete;
  KernelSource& operator=(const KernelSource&) = delete;

  [[nodiscard]] const std::string& text() const { return source_; }
  [[nodiscard]] const std::vector<SourceToken>& tokens() const { return tokens_; }
  [[nodiscard]] const std::vector<SourceFunction>& functions() const { return functions_; }
  /// Numbers of the kernels that can be copied.
  [[nodiscard]] const std::set<std::size_t>& kernels() const { return kernels_; }
  /// Numbers of the functions that run in these.
  [[nodiscard]] std::set<std::size_t> edited() const;
  /// Functions that call it, and itself. Of the kernels only those that can be copied.
  [[nodiscard]] std::set<std::size_t> callers_of(std::size_t function) const;
  /// The tokens of a copy in which this function is edited.
  [[nodiscard]] std::size_t size_of_copy(std::size_t function) const;

  /// Everything but kernels and host code.
  [[nodiscard]] std::string common() const;
  /// @param changed  a function with these changes, which may insert text
  [[nodiscard]] std::string copy(std::size_t number, const std::set<std::size_t>& copied,
                                 std::size_t changed,
                                 const std::vector<SourceEdit::Replacement>& replacements) const;

 private:
  [[nodiscard]] std::string instances(std::size_t function, std::size_t number) const;

  std::string source_;
  std::vector<SourceToken> tokens_;
  std::vector<SourceFunction> functions_;
  std::set<std::size_t> kernels_;
  std::map<std::size_t, std::vector<std::string>> instances_;  // of templates: demangled names
};

/// The number of lines that a text ends.
[[nodiscard]] std::uint32_t lines_in(std::string_view text);
/// Lines of a file that a compiler's errors are about: "k.cu(12): error" or "k.cu:12:3: error".
[[nodiscard]] std::set<std::uint32_t> lines_of_errors(std::string_view log, std::string_view file);

}  // namespace warpgrade
