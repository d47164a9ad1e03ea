#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "grader/core/text.h"
#include "grader/show/report/picture.h"
#include "grader/show/report/sections.h"
#include "grader/show/report/telling_case.h"
#include "grader/show/report/wording.h"

namespace warpgrade {
namespace {

constexpr std::size_t kMostMaps = 80'000;  // bytes of pictures
constexpr double kMostWhole = 1e12;  // larger ones are not written with all digits

const Item* item_of(const Grade& grade, const CaseReport& report) {
  const auto it = std::find_if(grade.items.begin(), grade.items.end(), [&](const Item& item) {
    return item.id == "correctness/" + report.name;
  });
  return it == grade.items.end() ? nullptr : &*it;
}

/// "1.2e-05 of 2.4e-06 allowed", or nothing if no error was measured.
std::string error_text(const CaseReport& c) {
  if (c.elements == 0 || (c.max_error == 0 && c.bound == 0 && c.wrong_elements == 0)) {
    return c.verdict == CaseVerdict::passed ? "0" : "";
  }
  if (!std::isfinite(c.max_error)) return value_text(c.max_error);
  const bool whole = c.max_error == std::floor(c.max_error) && c.max_error < kMostWhole;
  return whole ? grouped(c.max_error) : fmt::format("{:.2g}", c.max_error);
}

/// Whether all expected values are integers, so that any two differ by more than the bound, which
/// is then of no interest to the reader.
bool wants_whole_numbers(const CaseReport& c) {
  return !c.first_mismatches.empty() &&
         std::all_of(c.first_mismatches.begin(), c.first_mismatches.end(),
                     [](const MismatchedElement& m) {
                       const bool whole = m.want == std::floor(m.want) &&
                                          (m.got == std::floor(m.got) || !std::isfinite(m.got));
                       return whole && m.bound < 0.5;
                     });
}

/// "2.4e-06", "exact", or nothing if it does not matter.
std::string bound_text(const CaseReport& c) {
  if (c.elements == 0 || wants_whole_numbers(c)) return "";
  if (c.bound > 0) return c.max_error == 0 ? "" : fmt::format("{:.2g}", c.bound);
  return "exact";
}

/// The block of the slowest kernel, which most likely wrote the outputs.
std::vector<std::uint64_t> usual_block(const Grade& grade) {
  const auto it = std::max_element(grade.kernels.begin(), grade.kernels.end(),
                                   [](const KernelReport& a, const KernelReport& b) {
                                     const auto ms = [](const KernelReport& k) {
                                       const auto found = k.counters.find("modelled_ms");
                                       return found == k.counters.end() ? 0 : found->second;
                                     };
                                     return ms(a) < ms(b);
                                   });
  return it == grade.kernels.end() ? std::vector<std::uint64_t>{} : it->block;
}

}  // namespace

PageData case_rows(const StudentView& seen) {
  const Grade& grade = seen.grade;
  PageData rows(PageData::type::list);
  for (const CaseReport& c : grade.cases) {
    const bool passed = c.verdict == CaseVerdict::passed;
    const Item* item = item_of(grade, c);
    PageData row = texts(
        {{"name", c.name},
         {"shape", shape_text(c, seen.parameters)},
         {"status", passed                            ? "passed"
                    : c.verdict == CaseVerdict::error ? "error"
                    : c.verdict == CaseVerdict::not_run || c.verdict == CaseVerdict::not_assessed
                        ? "not_assessed"
                        : "failed"},
         {"word", replace_all(slug(c.verdict), "_", " ")},
         {"points", item == nullptr ? "" : human_points(item->points)},
         {"max_points", item == nullptr ? "" : human_points(item->max_points)}});
    const bool numbers = c.elements > 0;
    row.set("wrong", numbers ? fmt::format("{} of {}", grouped(double(c.wrong_elements)),
                                           grouped(double(c.elements)))
                             : "");
    row.set("error", numbers ? error_text(c) : "");
    row.set("bound", bound_text(c));
    rows.push_back(std::move(row));
  }
  return rows;
}

PageData hidden_note(const StudentView& shown) {
  const Item* it = shown.hidden_item();
  if (it == nullptr) {
    return PageData(PageData::type::object);
  }
  return texts({{"count", it->title},
                {"release", shown.release},
                {"status", slug(it->status)},
                {"word", status_word(it->status)},
                {"points", human_points(it->points)},
                {"max_points", human_points(it->max_points)}});
}

PageData wrong_cases(const StudentView& seen, const Pages& pages) {
  const Grade& grade = seen.grade;
  const std::vector<std::uint64_t> block = usual_block(grade);
  PageData rows(PageData::type::list);
  std::size_t drawn = 0;
  const CaseReport* telling = most_telling_case(grade);
  for (const CaseReport& c : grade.cases) {
    if (!is_wrong(c)) {
      continue;
    }
    PageData row = texts(
        {{"name", c.name}, {"shape", shape_text(c, seen.parameters)}, {"message", c.message}});
    row.set("open", &c == telling);
    const Item* item = item_of(grade, c);
    set_text(row, "hint", hint_of(grade, c));
    set_pitfall(row, item == nullptr ? "" : item->pitfall, pages);
    set_text(row, "meaning", pattern_meaning(c.pattern));
    PageData mismatches(PageData::type::list);
    for (const MismatchedElement& m : c.first_mismatches) {
      std::string element = fmt::format("{}[{}]", m.parameter, m.index);
      if (c.wrong_map && !c.wrong_map->folded && c.wrong_map->columns > 0) {
        element += fmt::format(" row {}, column {}", m.index / c.wrong_map->columns,
                               m.index % c.wrong_map->columns);
      }
      mismatches.push_back(
          texts({{"element", element},
                 {"got", value_text(m.got)},
                 {"want", value_text(m.want)},
                 {"bound", m.bound > 0 ? fmt::format("{:.2g}", m.bound) : std::string("exact")}}));
    }
    set_list(row, "mismatches", std::move(mismatches));
    row.set("bounds", !wants_whole_numbers(c));
    row.set("map", false);
    if (c.wrong_map && !c.wrong_map->cells.empty() && c.elements > 1 && drawn < kMostMaps) {
      PageData map = texts({{"parameter", c.wrong_map->parameter},
                            {"caption", wrong_map_caption(*c.wrong_map, block)}});
      const std::string svg =
          wrong_map_svg(*c.wrong_map, block,
                        fmt::format("Where {} is wrong in case {}: {} of {} elements",
                                    c.wrong_map->parameter, c.name, c.wrong_elements, c.elements));
      drawn += svg.size();
      map.set("svg", svg);
      row.set("map", std::move(map));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace warpgrade
