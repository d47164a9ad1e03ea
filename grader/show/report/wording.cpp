#include "grader/show/report/wording.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "grader/core/plural_points.h"
#include "grader/core/sha256.h"
#include "grader/core/text.h"
#include "grader/record/grade/student_view.h"
#include "harness/core/plural.h"

namespace warpgrade {
namespace {

/// The rank of a status: the largest one represents its category.
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
  std::string hidden;
  for (const Item& item : grade.items) {
    if (item.category != category) {
      continue;
    }
    if (item.id == kHiddenItem) {
      hidden = fmt::format("; {}: {} of {}", item.title, human_points(item.points),
                           plural_points(item.max_points));
    } else {
      ++count;
      passed += item.status == ItemStatus::passed ? 1 : 0;
    }
    if (worst == nullptr || weight(item.status) > weight(worst->status)) {
      worst = &item;
    }
  }
  if (worst == nullptr) {
    return summary;
  }
  summary.status = worst->status;
  const bool some = grade.points_in(category) > 0;
  if (worst->status == ItemStatus::failed && some) {
    summary.status = ItemStatus::partial;  // whatever its items: cases, formulas, a time
  }
  if (category == Category::correctness) {
    summary.text = fmt::format("{} of {}{}", passed, plural(count, "case"), hidden);
  } else if (category == Category::concept_check) {
    summary.text = fmt::format("{} of {}", passed, plural(count, "check"));
  } else if (category == Category::questions) {
    summary.text = fmt::format("{} of {} right", passed, plural(count, "answer"));
  } else {
    summary.text = worst->message;
  }
  return summary;
}

std::string case_phrase(const std::string& name) {
  return fmt::format("case \"{}\"", name);
}

std::string status_word(ItemStatus status) {
  return status == ItemStatus::not_assessed ? "not assessed" : std::string(slug(status));
}

std::string tool_end_word(ToolEnd end) {
  return replace_all(slug(end), "_", " ");
}

std::vector<std::pair<std::string, std::int64_t>> shape_in_order(
    const CaseReport& report, const std::vector<std::string>& parameters) {
  std::vector<std::pair<std::string, std::int64_t>> shape;
  for (const std::string& name : parameters) {
    if (const auto it = report.shape.find(name); it != report.shape.end()) shape.push_back(*it);
  }
  for (const auto& entry : report.shape) {
    if (std::find(parameters.begin(), parameters.end(), entry.first) == parameters.end()) {
      shape.push_back(entry);
    }
  }
  return shape;
}

std::string shape_text(const CaseReport& report, const std::vector<std::string>& parameters) {
  std::string text;
  for (const auto& [name, extent] : shape_in_order(report, parameters)) {
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name, extent);
  }
  return text;
}

std::string pattern_meaning(std::string_view slug) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 22> kMeanings = {{
      {"unwritten",
       "Nothing was written to the output: check the launch, the condition before the store and, "
       "if there is one, the copy back."},
      {"all-zero",
       "Zeros were stored, or the array was set to zero and nothing was stored after that."},
      {"copy-of-input",
       "The result is one of the inputs: a wrong pointer, or a copy of the wrong buffer."},
      {"first-element-only",
       "Element 0 is a special case in many kernels: a boundary, or the location where threads "
       "combine results."},
      {"last-element-only",
       "Off by one: compare the last index with the condition of the guard or the loop."},
      {"tail",
       "All elements from some index on: too few blocks, a size that was rounded down, or a loop "
       "that ends early."},
      {"first-block-only",
       "Only the first block's elements are correct: the index does not use blockIdx, or the grid "
       "has one block."},
      {"head",
       "Wrong at the beginning, correct later: the data that the first threads need are not ready "
       "or missing."},
      {"shifted", "Correct values in the wrong location: an index is off by a constant."},
      {"scaled",
       "Correct up to a factor: something is added too often, or not divided. If the factor is "
       "negative, the sign is wrong, too."},
      {"wrong-sign",
       "Correct but for the sign: a difference is taken the other way round, or a minus is missing "
       "or one too many."},
      {"block-multiples", "One position in each block: at the boundary of blocks or their halos."},
      {"periodic", "The same threads of each group are wrong: check what depends on threadIdx."},
      {"transposed", "Rows and columns are swapped in an index."},
      {"border",
       "The interior is correct: elements near the edge use neighbors that do not exist."},
      {"last-row",
       "The rows of the last partial tile: the guard of the row index, or too few blocks in y."},
      {"last-column",
       "The columns of the last partial tile: the guard of the column index, or too few blocks in "
       "x."},
      {"everything",
       "Everything is wrong: start with the smallest case and trace one thread by hand."},
      {"scattered",
       "Scattered single elements often indicate a race: two threads accessing one location."},
      {"other-values",
       "Some elements do not belong in the output: check the condition under which an element is "
       "stored, and whether two threads store to the same position."},
      {"nondeterministic",
       "The result depends on the order of execution: a race, or a missing barrier."},
      {"first-bytes-only",
       "Correct for one byte per element: a count of elements is given instead of bytes."},
  }};
  const auto it = std::find_if(kMeanings.begin(), kMeanings.end(),
                               [&](const auto& meaning) { return meaning.first == slug; });
  return it == kMeanings.end() ? "" : std::string(it->second);
}

std::string alias_of(std::string_view student, std::string_view secret_id) {
  static constexpr std::array kColours = {
      "amber", "azure", "coral", "crimson", "golden",  "indigo", "ivory", "jade",
      "lilac", "olive", "ruby",  "sable",   "scarlet", "silver", "teal",  "violet"};
  static constexpr std::array kAnimals = {
      "badger", "crane", "dolphin", "falcon", "gecko", "heron", "ibex",  "jackal",
      "koala",  "lynx",  "marmot",  "newt",   "otter", "panda", "raven", "tapir"};
  Sha256 sha;
  sha.add_field("alias");
  sha.add_field(secret_id);
  sha.add_field(student);
  const unsigned long bits = std::stoul(sha.hex().substr(0, 6), nullptr, 16);
  return fmt::format("{} {} {:02}", kColours.at(bits % 16), kAnimals.at(bits / 16 % 16),
                     bits / 256 % 1000);
}

std::string next_gain_text(const RungReport& rung) {
  const double times = rung.next_times_faster;
  const std::string faster = rung.faster_index > 0
                                 ? fmt::format("The next rung that is faster than yours is {}: {}.",
                                               rung.faster_index, rung.faster_title)
                                 : "";
  if (rung.next_title.empty()) {
    const bool is_highest = rung.index >= rung.count;
    return !is_highest && faster.empty() ? "No rung above it is faster than yours." : faster;
  }
  if (!(times > 0)) {
    return {};
  }
  if (times >= kSameTime) {
    return fmt::format("About {:.1f} times faster here.", times);
  }
  const std::string text = times * kSameTime > 1
                               ? "It hardly changes the time here."
                               : fmt::format(
                                     "By itself it makes the program slower: about {:.1f} "
                                     "times the time here.",
                                     1 / times);
  return text + (faster.empty() ? "" : " " + faster);
}

std::string rung_text(const RungReport& rung) {
  std::string text = fmt::format("rung {} of {}, {}.", rung.index, rung.count, rung.title);
  if (!rung.next_title.empty()) {
    text += fmt::format(" Next: {}.", rung.next_title);
  }
  for (const std::string& more : {next_gain_text(rung), rung.next}) {
    text += more.empty() ? "" : " " + more;
  }
  return text;
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
