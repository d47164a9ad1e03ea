#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>
#include <utility>

#include "emulator/recording/base64.h"
#include "grader/core/files.h"
#include "grader/core/source_names.h"
#include "grader/core/text.h"
#include "grader/record/grade/compiler_of.h"
#include "grader/show/report/document.h"
#include "grader/show/report/feedback_page.h"
#include "grader/show/report/markdown.h"
#include "grader/show/report/page.h"
#include "grader/show/report/picture_scripts.h"
#include "grader/show/report/pitfall_pages.h"
#include "grader/show/report/sections.h"
#include "grader/show/report/source_view.h"
#include "grader/show/report/speed_section.h"
#include "grader/show/report/telling_case.h"
#include "grader/show/report/wording.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kLongestLog = 20'000;

PageData category_tiles(const Grade& grade) {
  PageData tiles(PageData::type::list);
  for (const Category category : kCategories) {
    const double max = grade.max_points_in(category);
    if (max <= 0) {
      continue;
    }
    const CategorySummary summary = summarize(grade, category);
    const double points = grade.points_in(category);
    tiles.push_back(texts({{"name", slug(category)},
                           {"points", human_points(points)},
                           {"max", human_points(max)},
                           {"percent", fmt::format("{:.0f}", 100 * points / max)},
                           {"status", slug(summary.status)},
                           {"word", status_word(summary.status)},
                           {"text", summary.text}}));
  }
  return tiles;
}

PageData item_rows(const Grade& grade, const Pages& pages) {
  PageData rows(PageData::type::list);
  for (const Item& item : grade.items) {
    rows.push_back(item_row(item, pages));
  }
  return rows;
}

PageData not_assessed(const Grade& grade) {
  PageData rows(PageData::type::list);
  for (const Item& item : grade.items) {
    if (item.status == ItemStatus::not_assessed || item.status == ItemStatus::error) {
      rows.push_back(texts({{"title", item.title},
                            {"max_points", human_points(item.max_points)},
                            {"message", item.message}}));
    }
  }
  return rows;
}

std::set<std::string> pitfalls_of(const StudentView& seen) {
  const Grade& grade = seen.grade;
  std::set<std::string> ids = {grade.pitfall};
  for (const warpsim::FindingInfo* kind : seen.hidden_kinds) {
    ids.emplace(kind->pitfall);
  }
  for (const Item& item : grade.items) {
    ids.insert(item.pitfall);
  }
  for (const ReportedFinding& f : grade.findings) {
    ids.insert(f.pitfall);
  }
  if (grade.speed) {
    for (const WhatIf& gain : grade.speed->what_if) {
      ids.insert(gain.pitfall);
    }
  }
  return ids;
}

/// docs/machine.md as HTML, without its pictures: reports are many, and the handout has them. Kept,
/// since most pages of a class carry the same other pages.
std::string machine_html(const fs::path& file, const std::set<std::string>& carried) {
  constexpr std::size_t kMostKept = 100;
  static std::mutex mutex;
  static std::map<std::pair<fs::path, std::set<std::string>>, std::string> kept;
  const std::lock_guard lock(mutex);
  std::pair key(file, carried);
  if (const auto known = kept.find(key); known != kept.end()) return known->second;
  const auto link = [&](const std::string& target) {
    return embedded_target(target.starts_with('#') ? "machine.md" + target : target, carried);
  };
  std::string html = html_of_document(
      read_file(file),
      {.link = link, .picture = {}, .heading_ids = "machine-", .heading_level = 4});
  if (kept.size() == kMostKept) kept.clear();
  return kept.emplace(std::move(key), std::move(html)).first->second;
}

/// @return false if there is no such page
PageData machine_page(const Installation& installation, const Pages& pages) {
  const fs::path file = installation.machine_page();
  std::error_code error;
  if (!fs::exists(file, error)) {
    return false;
  }
  std::set<std::string> carried = {"machine"};
  for (const auto& [id, page] : pages) {
    carried.insert(id);
  }
  PageData page(PageData::type::object);
  page.set("html", machine_html(file, carried));
  return page;
}

PageData pitfall_rows(const Pages& pages, bool with_machine) {
  std::set<std::string> carried;
  if (with_machine) {
    carried.insert("machine");
  }
  for (const auto& [id, page] : pages) {
    carried.insert(id);
  }
  PageData rows(PageData::type::list);
  for (const auto& [id, page] : pages) {
    PageData row = texts({{"id", id}, {"title", page.title}});
    row.set("html", html_of_markdown(page.markdown, carried));
    rows.push_back(std::move(row));
  }
  return rows;
}

/// Where the page shows the first thing to fix: {href, text}, or nothing.
void set_place(const Grade& grade, PageData& page) {
  page.set("place", false);
  const std::vector<const ReportedFinding*> findings = findings_in_order(grade);
  if (!findings.empty() && findings[0]->is_error()) {
    const ReportedFinding& f = *findings[0];
    const std::string where =
        f.file.empty() || f.line == 0 ? f.kind : fmt::format("{}, {}:{}", f.kind, f.file, f.line);
    page.set("place", texts({{"id", "findings"}, {"text", where}}));
    return;
  }
  if (const CaseReport* c = most_telling_case(grade)) {
    page.set("place", texts({{"id", "wrong"}, {"text", case_phrase(c->name)}}));
    return;
  }
  const bool slow =
      grade.points_in(Category::performance) < grade.max_points_in(Category::performance);
  if (!slow || !grade.rung) {
    return;
  }
  const RungReport& rung = *grade.rung;
  const bool is_slower = rung.next_times_faster > 0 && rung.next_times_faster * kSameTime < 1;
  if (rung.faster_index > 0) {
    page.set("place", texts({{"id", "ladder"},
                             {"text", fmt::format("the next rung of the ladder that is faster, "
                                                  "{}: {}",
                                                  rung.faster_index, rung.faster_title)}}));
  } else if (!rung.next_title.empty() && !is_slower) {
    page.set("place", texts({{"id", "ladder"},
                             {"text", "the next rung of the ladder: " + rung.next_title}}));
  }
}

void set_facts(const Grade& grade, PageData& page) {
  const auto fact = [&](const char* name) {
    const auto it = grade.environment.find(name);
    return it == grade.environment.end() ? std::string() : it->second;
  };
  PageData facts(PageData::type::list);
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) {
      facts.push_back(texts({{"name", name}, {"value", value}}));
    }
  };
  add("device", grade.device.name);
  add("attempt", std::to_string(grade.attempt));
  add("graded", grade.started);
  add("took", grade.seconds > 0 ? fmt::format("{:.1f} s", grade.seconds) : "");
  add("warpgrade", fact("warpgrade"));
  add("compiler", compiler_of(grade.environment));
  add("on the leaderboard", alias_of(grade.student, fact("secret")));
  page.set("facts", std::move(facts));
}

}  // namespace

void set_pitfall(PageData& row, const std::string& id, const Pages& pages) {
  row.set("pitfall", false);
  if (const auto it = pages.find(id); it != pages.end()) {
    row.set("pitfall", texts({{"id", id}, {"name", it->second.title}}));
  }
}

PageData item_row(const Item& item, const Pages& pages) {
  PageData row = texts({{"title", item.title},
                        {"points", human_points(item.points)},
                        {"max_points", human_points(item.max_points)},
                        {"status", slug(item.status)},
                        {"word", status_word(item.status)},
                        {"message", item.message}});
  set_text(row, "hint", item.hint);
  set_pitfall(row, item.pitfall, pages);
  return row;
}

std::string feedback_page(const StudentView& seen, const std::vector<Attempt>& attempts,
                          const Installation& installation, const StaffView& staff,
                          const WatchedCase& watched) {
  const Grade& grade = seen.grade;
  const Pages pages = read_pitfalls(installation.pitfalls(), pitfalls_of(seen));
  const bool error = grade.status == GradeStatus::error;
  const double max = grade.max_score();
  PageData page =
      texts({{"student", grade.student},
             {"lab_title", grade.lab_title},
             {"score", error ? "not graded" : human_points(grade.score())},
             {"max_score", human_points(max)},
             {"percent", fmt::format("{:.0f}", max > 0 ? 100 * grade.score() / max : 0)},
             {"summary", grade.summary},
             {"kernels_case", case_phrase(grade.kernels_case)}});
  page.set("error", error);
  page.set("passed", grade.passed());
  set_text(page, "attempt", grade.attempt > 1 ? fmt::format("attempt {}", grade.attempt) : "");
  set_pitfall(page, grade.pitfall, pages);
  set_place(grade, page);
  set_list(page, "missing", not_assessed(grade));
  page.set("assessed", human_points(grade.assessed_points()));
  page.set("tiles", category_tiles(grade));
  page.set("items", item_rows(grade, pages));
  set_list(page, "history", history_rows(attempts));
  set_list(page, "staff", staff_rows(grade, staff.decisions));
  set_text(page, "staff_counts", staff.counts);
  set_list(page, "cases", case_rows(seen));
  page.set("hidden", false);
  if (seen.hidden_cases > 0) {
    page.set("hidden", hidden_note(seen));
  }
  set_list(page, "wrong", wrong_cases(seen, pages));
  set_list(page, "findings", finding_rows(grade, pages));
  set_text(page, "more_findings", more_findings(seen));
  page.set("any_findings", !grade.findings.empty() || !seen.hidden_kinds.empty());
  set_list(page, "concepts", concept_rows(grade, pages));
  set_list(page, "questions", question_rows(grade, pages));
  set_list(page, "kernels", kernel_rows(grade));
  page.set("timing", false);
  if (grade.timing) {
    page.set("timing", timing_section(grade));
  }
  page.set("speed", false);
  if (grade.speed) {
    page.set("speed", speed_section(*grade.speed, pages));
  }
  page.set("profile", false);
  if (grade.profile) {
    page.set("profile", profile_section(grade));
  }
  page.set("rung", false);
  if (grade.rung) {
    page.set("rung", ladder(*grade.rung));
  }
  page.set("has_time", grade.timing.has_value() || !grade.kernels.empty() || grade.speed);
  page.set("has_counters", !count_lines(grade.kernels).empty());
  set_list(page, "sources", source_files(grade));
  set_text(page, "build_log", "");
  if (!grade.build_log.empty()) {
    page.set("build_log", shown(grade.build_log, kLongestLog));
  }
  set_text(page, "output", "");
  if (!grade.output.empty()) {
    page.set("output", shown(grade.output, kLongestLog));
  }
  PageData machine = machine_page(installation, pages);
  set_list(page, "pages", pitfall_rows(pages, !machine.is_false()));
  page.set("has_background", !pages.empty() || !machine.is_false());
  page.set("machine", std::move(machine));
  set_facts(grade, page);
  std::vector<std::string_view> scripts = {
      "chart.min.js",   "prism-core.min.js", "prism-clike.min.js",
      "prism-c.min.js", "prism-cpp.min.js",  "cuda.js",
      "theme.js",       "source_view.js",    "feedback.js"};
  if (std::any_of(grade.sources.begin(), grade.sources.end(),
                  [](const SourceFile& source) { return is_python(source.name); })) {
    scripts.insert(scripts.begin() + 2, "prism-python.min.js");
  }
  nlohmann::json data = chart_data(grade);
  page.set("watched", false);
  if (watched.bytes.empty()) {
    return render_page("feedback.html", page, data, scripts);
  }
  page.set("watched", texts({{"case", case_phrase(watched.name)}}));
  data["recorded_case"] = shown(case_phrase(watched.name), kLongestLog);
  data["recording"] = warpsim::recording::base64(watched.bytes);
  for (const std::string_view name : picture_scripts()) {
    scripts.push_back(name);
  }
  scripts.emplace_back("watch.js");
  return render_page("feedback.html", page, data, scripts, {"pictures.css"});
}

}  // namespace warpgrade
