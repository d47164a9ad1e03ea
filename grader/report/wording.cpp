#include "grader/report/wording.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace warpgrade {
namespace {

/// How much a status has to say: the larger one speaks for its category.
int weight(ItemStatus status) {
  switch (status) {
    case ItemStatus::error:
      return 4;
    case ItemStatus::failed:
      return 3;
    case ItemStatus::partial:
      return 2;
    case ItemStatus::not_assessed:
      return 1;
    case ItemStatus::passed:
      break;
  }
  return 0;
}

}  // namespace

CategorySummary summarize(const Grade& grade, Category category) {
  CategorySummary summary;
  const Item* worst = nullptr;
  std::size_t count = 0;
  std::size_t passed = 0;
  for (const Item& item : grade.items) {
    if (item.category != category) {
      continue;
    }
    ++count;
    passed += item.status == ItemStatus::passed ? 1 : 0;
    if (worst == nullptr || weight(item.status) > weight(worst->status)) {
      worst = &item;
    }
  }
  if (worst == nullptr) {
    return summary;
  }
  summary.status = worst->status;
  if (category == Category::correctness) {
    summary.text = fmt::format("{} of {} cases", passed, count);
  } else if (category == Category::concept_check) {
    summary.text = fmt::format("{} of {} checks", passed, count);
  } else {
    summary.text = worst->message;
  }
  return summary;
}

std::string status_word(ItemStatus status) {
  return status == ItemStatus::not_assessed ? "not assessed" : std::string(slug(status));
}

std::string shape_text(const CaseReport& report) {
  std::string text;
  for (const auto& [name, extent] : report.shape) {
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name, extent);
  }
  return text;
}

std::string value_text(double value) {
  return std::isnan(value) ? "nan" : fmt::format("{:.9g}", value);
}

std::string rung_text(const RungReport& rung) {
  std::string text = fmt::format("rung {} of {}, {}.", rung.index, rung.count, rung.title);
  if (!rung.next_title.empty()) {
    text += fmt::format(" Next: {}{}", rung.next_title, rung.next.empty() ? "." : ":");
  }
  return rung.next.empty() ? text : text + " " + rung.next;
}

std::string hint_of(const Grade& grade, const CaseReport& report) {
  const std::string id = "correctness/" + report.name;
  const auto it = std::find_if(grade.items.begin(), grade.items.end(),
                               [&](const Item& item) { return item.id == id; });
  return it == grade.items.end() ? "" : it->hint;
}

std::vector<std::string> quoted(const std::vector<std::string>& names, std::size_t limit) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < std::min(limit, names.size()); ++i) {
    words.push_back(fmt::format("\"{}\"", names[i]));
  }
  if (names.size() > limit) {
    words.push_back(fmt::format("{} more", names.size() - limit));
  }
  return words;
}

}  // namespace warpgrade
