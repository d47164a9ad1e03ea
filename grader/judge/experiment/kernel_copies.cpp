#include "grader/judge/experiment/kernel_copies.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace warpgrade {
namespace {

/// Tokens of all copies together, which the compiler takes about a second for.
constexpr std::size_t kMostTokens = 8000;

}  // namespace

CopiesOfKernels::CopiesOfKernels(std::string source, const std::set<std::string>& launched)
    : source_(std::move(source), launched) {
  std::size_t tokens = 0;
  for (SourceEdit& edit : source_edits(source_.tokens(), source_.functions(), source_.edited())) {
    tokens += source_.size_of_copy(edit.function);
    if (tokens > kMostTokens) break;
    edits_.push_back(std::move(edit));
  }
}

std::string CopiesOfKernels::copy(std::size_t number) const {
  if (number == 0) return source_.copy(0, source_.kernels(), 0, {});
  const SourceEdit& edit = edits_[number - 1];
  return source_.copy(number, source_.callers_of(edit.function), edit.function, edit.replacements);
}

std::string CopiesOfKernels::program(const std::set<std::size_t>& without) {
  std::string text = source_.common();
  first_lines_.clear();
  std::uint32_t line = 1 + lines_in(text);
  for (std::size_t number = 0; number <= edits_.size(); ++number) {
    if (without.contains(number)) continue;
    const std::string one = copy(number);
    first_lines_.emplace_back(line, number);
    line += lines_in(one);
    text += one;
  }
  return text;
}

std::set<std::size_t> CopiesOfKernels::numbers_at(const std::set<std::uint32_t>& lines) const {
  std::set<std::size_t> numbers;
  for (const std::uint32_t line : lines) {
    const auto after = std::ranges::upper_bound(first_lines_, line, {},
                                                [](const auto& entry) { return entry.first; });
    if (after != first_lines_.begin()) numbers.insert(std::prev(after)->second);
  }
  return numbers;
}

}  // namespace warpgrade
