#include "emulator/findings/finding.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>

namespace warpsim {
namespace {

/// The key by which findings are merged. A kernel's finding is identified by its source line; host
/// code has no line here, so its location and message are used.
std::string fold_key(const Finding& finding) {
  std::string key =
      fmt::format("{}\n{}\n{}\n{}", slug(finding.kind), finding.kernel, finding.file, finding.line);
  if (finding.line == 0) key += fmt::format("\n{}\n{}", finding.where, finding.message);
  return key;
}

/// Of a file below the current directory, the rest of the path; otherwise the path as it is.
std::string path_from_here(const std::string& file) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path here = fs::current_path(error);
  if (error || !fs::path(file).is_absolute()) return file;
  const fs::path relative = fs::path(file).lexically_relative(here);
  return relative.empty() || *relative.begin() == ".." ? file : relative.string();
}

std::string headline(const Finding& finding) {
  std::string place;
  if (finding.line != 0) {
    place = fmt::format("{}:{}:{}: ", path_from_here(finding.file), finding.line,
                        std::max(finding.column, 1U));
  }
  return fmt::format("{}{}: {} [{}{}]", place, severity_name(finding.severity), finding.message,
                     slug(finding.kind), finding.pitfall.empty() ? "" : ", " + finding.pitfall);
}

}  // namespace

void FindingLog::add(Finding finding) {
  const std::lock_guard lock(mutex_);
  std::string key = fold_key(finding);
  const auto [slot, is_new] = by_key_.try_emplace(std::move(key), std::move(finding));
  if (is_new) return;
  // try_emplace moves nothing when the key exists, so `finding` is still valid.
  Finding& kept = slot->second;
  const std::uint64_t total = kept.count + finding.count;
  if (finding.order < kept.order) kept = std::move(finding);
  kept.count = total;
}

FindingLog::Content FindingLog::copy() const {
  const std::lock_guard lock(mutex_);
  return by_key_;
}

void FindingLog::restore(Content content) {
  const std::lock_guard lock(mutex_);
  by_key_ = std::move(content);
}

std::vector<Finding> FindingLog::sorted() const {
  const std::lock_guard lock(mutex_);
  std::vector<Finding> all;
  all.reserve(by_key_.size());
  for (const auto& [key, finding] : by_key_) all.push_back(finding);
  // The map's order (by kind, then location) breaks ties, so the result is deterministic.
  std::ranges::stable_sort(all, {}, &Finding::order);
  return all;
}

bool FindingLog::has_errors() const {
  const std::lock_guard lock(mutex_);
  return std::ranges::any_of(
      by_key_, [](const auto& entry) { return entry.second.severity == Severity::error; });
}

std::size_t FindingLog::size() const {
  const std::lock_guard lock(mutex_);
  return by_key_.size();
}

std::string render(const Finding& finding) {
  std::string text = headline(finding) + '\n';
  const auto row = [&](std::string_view label, std::string_view value) {
    if (!value.empty()) text += fmt::format("  {:<6} {}\n", label, value);
  };
  row("where", finding.where);
  row("who", finding.who);
  row("got", finding.got);
  row("want", finding.want);
  if (finding.count > 1) row("seen", fmt::format("{} times", finding.count));
  row("next", finding.next);
  return text;
}

}  // namespace warpsim
