#include "emulator/findings/finding.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "emulator/findings/diagnostic.h"

namespace warpsim {
namespace {

/// The key by which findings are merged. A finding is identified by its source line. Where host
/// code has none, its location and message are used; what one call allocates and never frees is one
/// leak. Missing functions that one line calls are told apart by the message, too.
std::string fold_key(const Finding& finding) {
  std::string key =
      fmt::format("{}\n{}\n{}\n{}", slug(finding.kind), finding.kernel, finding.file, finding.line);
  if (finding.kind == FindingKind::unsupported_api) return key + "\n" + finding.message;
  if (finding.line != 0) return key;
  key += "\n" + finding.where;
  const bool one_call = finding.kind == FindingKind::leak && !finding.where.empty();
  if (!one_call) key += "\n" + finding.message;
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

bool FindingLog::follows_from_out_of_bounds(const Finding& from, bool writes,
                                            std::uint64_t allocation) const {
  if (from.line == 0) return false;
  Finding outside(writes ? FindingKind::oob_global_write : FindingKind::oob_global_read);
  outside.kernel = from.kernel;
  outside.file = from.file;
  outside.line = from.line;
  const std::lock_guard lock(mutex_);
  const auto found = by_key_.find(fold_key(outside));
  return found != by_key_.end() && found->second.allocation != allocation;
}

std::size_t FindingLog::size() const {
  const std::lock_guard lock(mutex_);
  return by_key_.size();
}

Diagnostic diagnostic_of(const Finding& finding) {
  Diagnostic d;
  if (finding.line != 0) d.at = {path_from_here(finding.file), finding.line, finding.column};
  d.severity = severity_name(finding.severity);
  d.message = finding.message;
  d.rule = slug(finding.kind);
  d.title = info_of(finding.kind).title;
  d.pitfall = finding.pitfall;
  if (finding.other_line != 0 &&
      (finding.other_line != finding.line || finding.other_file != finding.file)) {
    d.other = SourcePosition{path_from_here(finding.other_file), finding.other_line, 0};
  }
  const auto add = [&](const char* name, std::string value) {
    if (!value.empty()) d.details.emplace_back(name, std::move(value));
  };
  add("where", finding.where);
  add("who", finding.who);
  add("got", finding.got);
  add("want", finding.want);
  add("seen", finding.count > 1 ? fmt::format("{} times", finding.count) : "");
  add("next", finding.next);
  return d;
}

std::string render(const Finding& finding) {
  const Diagnostic d = diagnostic_of(finding);
  std::string text = d.line() + '\n';
  for (const auto& [name, value] : d.details) text += fmt::format("  {:<6} {}\n", name, value);
  return text;
}

}  // namespace warpsim
