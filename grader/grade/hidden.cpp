#include "grader/grade/hidden.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

namespace warpgrade {
namespace {

constexpr std::string_view kCorrectness = "correctness/";
/// Smaller numbers are everywhere.
constexpr std::int64_t kLeastSecretSize = 100;

/// Whether a text has this number as a word of its own: 1025, but not in 10257 or 4.1025.
bool names_number(std::string_view text, const std::string& number) {
  const auto inside = [&](std::size_t i) {
    return i < text.size() && (std::string_view("0123456789.").find(text[i]) != std::string::npos);
  };
  for (std::size_t at = text.find(number); at != std::string_view::npos;
       at = text.find(number, at + 1)) {
    const bool before = at > 0 && inside(at - 1);
    const std::size_t end = at + number.size();
    // A full stop ends a sentence; a point has a digit behind it.
    const bool after = inside(end) && (text[end] != '.' || inside(end + 1));
    if (!before && !after) {
      return true;
    }
  }
  return false;
}

}  // namespace

HiddenCases::HiddenCases(const Grade& grade, const Lab* lab) {
  std::map<std::string, bool> visible;
  std::set<std::int64_t> public_sizes;
  for (const CaseReport& c : grade.cases) {
    visible[c.name] = c.visible;
    for (const auto& [name, value] : c.shape) {
      if (c.visible) public_sizes.insert(value);
    }
  }
  for (const Item& item : grade.items) {
    if (item.category != Category::correctness || !item.id.starts_with(kCorrectness)) {
      continue;
    }
    const std::string name = item.id.substr(kCorrectness.size());
    const auto known = visible.find(name);
    const Case* spec = lab == nullptr ? nullptr : lab->find_case(name);
    const bool shown = known != visible.end() ? known->second : spec != nullptr && spec->visible;
    if (!shown) {
      names_.insert(name);
    }
  }
  for (const CaseReport& c : grade.cases) {
    if (c.visible) {
      continue;
    }
    for (const auto& [name, value] : c.shape) {
      if (value >= kLeastSecretSize && !public_sizes.contains(value)) {
        sizes_.push_back(std::to_string(value));
      }
    }
  }
}

bool HiddenCases::owns(const Item& item) const {
  return item.category == Category::correctness && item.id.starts_with(kCorrectness) &&
         contains(item.id.substr(kCorrectness.size()));
}

bool HiddenCases::alone_have(const ReportedFinding& finding) const {
  return !finding.cases.empty() &&
         std::all_of(finding.cases.begin(), finding.cases.end(),
                     [&](const std::string& name) { return contains(name); });
}

bool HiddenCases::told_by(std::string_view text) const {
  return std::any_of(names_.begin(), names_.end(),
                     [&](const std::string& name) {
                       return text.find("\"" + name + "\"") != std::string_view::npos;
                     }) ||
         std::any_of(sizes_.begin(), sizes_.end(),
                     [&](const std::string& size) { return names_number(text, size); });
}

std::string hidden_text(std::size_t count) {
  return fmt::format("{} hidden case{}", count, count == 1 ? "" : "s");
}

}  // namespace warpgrade
