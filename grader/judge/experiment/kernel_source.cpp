#include "grader/judge/experiment/kernel_source.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "emulator/findings/function_name.h"
#include "grader/core/text.h"

namespace warpgrade {

KernelSource::KernelSource(std::string source, const std::set<std::string>& launched)
    : source_(std::move(source)), tokens_(tokens_of(source_)), functions_(functions_in(tokens_)) {
  for (std::size_t i = 0; i < functions_.size(); ++i) {
    if (!functions_[i].is_kernel) continue;
    for (const std::string& kernel : launched) {
      if (warpsim::bare_name(kernel) != functions_[i].name) continue;
      kernels_.insert(i);
      if (functions_[i].is_template) instances_[i].push_back(kernel);
    }
  }
}

std::set<std::size_t> KernelSource::edited() const {
  std::set<std::size_t> edited;
  for (std::size_t i = 0; i < functions_.size(); ++i) {
    const std::set<std::size_t> callers = callers_of(i);
    const bool runs = std::ranges::any_of(kernels_, [&](auto k) { return callers.contains(k); });
    if (functions_[i].is_on_device && runs) edited.insert(i);
  }
  return edited;
}

std::set<std::size_t> KernelSource::callers_of(std::size_t function) const {
  std::set<std::size_t> callers = {function};
  for (bool grows = true; std::exchange(grows, false);) {
    for (std::size_t i = 0; i < functions_.size(); ++i) {
      const SourceFunction& f = functions_[i];
      if (!f.is_on_device || callers.contains(i) || (f.is_kernel && !kernels_.contains(i)))
        continue;
      grows = std::ranges::any_of(
          callers, [&](std::size_t callee) { return mentions(tokens_, f, functions_[callee]); });
      if (grows) callers.insert(i);
      if (grows) break;
    }
  }
  return callers;
}

std::size_t KernelSource::size_of_copy(std::size_t function) const {
  std::size_t tokens = 0;
  for (const std::size_t i : callers_of(function)) {
    tokens += functions_[i].last - functions_[i].first + 1;
  }
  return tokens;
}

std::string KernelSource::common() const {
  std::string text;
  std::size_t at = 0;
  for (const SourceFunction& f : functions_) {
    if (f.is_on_device && !f.is_kernel) continue;
    text += source_.substr(at, tokens_[f.first].begin - at);
    at = tokens_[f.last].end();
  }
  return text + source_.substr(at) + "\n";
}

std::string KernelSource::copy(std::size_t number, const std::set<std::size_t>& copied,
                               std::size_t changed,
                               const std::vector<SourceEdit::Replacement>& replacements) const {
  const auto is_renamed = [&](std::size_t token) {
    return std::ranges::any_of(copied,
                               [&](std::size_t i) { return names(tokens_, token, functions_[i]); });
  };
  std::string text;
  for (const std::size_t i : copied) {
    const SourceFunction& f = functions_[i];
    if (!f.scope.empty()) text += fmt::format("namespace {} {{\n", f.scope);
    std::size_t at = tokens_[f.first].begin;
    const auto put = [&](std::size_t begin, std::size_t end, std::string_view by) {
      text += source_.substr(at, begin - at);
      text += by;
      at = end;
    };
    auto next = i == changed ? replacements.begin() : replacements.end();
    for (std::size_t k = f.first; k <= f.last; ++k) {
      const SourceToken& token = tokens_[k];
      for (; next != replacements.end() && token.begin >= next->begin; ++next) {
        put(next->begin, next->end, next->text);
      }
      if (token.begin >= at && is_renamed(k)) {
        put(token.begin, token.end(), fmt::format("{}_copy{}", token.text, number));
      }
    }
    text += source_.substr(at, tokens_[f.last].end() - at) + "\n";
    text += instances(i, number);
    if (!f.scope.empty()) text += "}\n";
  }
  return text;
}

/// "template __global__ void add_copy7<4>(float*, int);"
std::string KernelSource::instances(std::size_t function, std::size_t number) const {
  const auto found = instances_.find(function);
  if (found == instances_.end()) return {};
  constexpr std::string_view kAnonymous = "(anonymous namespace)::";
  const std::string name(functions_[function].name);
  std::string text;
  for (std::string kernel : found->second) {
    for (auto at = kernel.find(kAnonymous); at != kernel.npos; at = kernel.find(kAnonymous, at)) {
      kernel.erase(at, kAnonymous.size());
    }
    const auto at = kernel.find(name + "<");
    if (at == kernel.npos) continue;
    text += fmt::format("template __global__ void {}_copy{}{};\n", name, number,
                        kernel.substr(at + name.size()));
  }
  return text;
}

std::uint32_t lines_in(std::string_view text) {
  return static_cast<std::uint32_t>(std::ranges::count(text, '\n'));
}

std::set<std::uint32_t> lines_of_errors(std::string_view log, std::string_view file) {
  std::set<std::uint32_t> lines;
  for (const std::string_view message : split_lines(log)) {
    const std::size_t at = message.find(file);
    if (at == message.npos || message.find("error") == message.npos) continue;
    const std::string_view place = message.substr(at + file.size());
    if (!place.starts_with('(') && !place.starts_with(':')) continue;
    std::uint32_t line = 0;
    const auto result = std::from_chars(place.data() + 1, place.data() + place.size(), line);
    if (result.ec == std::errc{}) lines.insert(line);
  }
  return lines;
}

}  // namespace warpgrade
