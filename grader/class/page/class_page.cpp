#include "grader/class/page/class_page.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "grader/core/text.h"
#include "grader/record/grade/compiler_of.h"
#include "grader/show/report/page.h"
#include "grader/show/report/pitfall_pages.h"
#include "grader/show/report/wording.h"
#include "harness/core/plural.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kBins = 10;
constexpr std::size_t kLeaders = 20;  // of each lab

std::string link_to(const GradeRow& row) {
  if (row.by_hand) return "#students";  // there is no page
  // Percent-encoded, because a student's name may contain any character of a file name.
  std::string link;
  for (const char c : (grade_folder(row.student, row.lab) / "feedback.html").generic_string()) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
                       (byte >= '0' && byte <= '9') ||
                       std::string_view("-_./").find(c) != std::string_view::npos;
    link += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return link;
}

std::string_view title_of(const GradeRow& row) {
  return row.lab_title.empty() ? row.lab : row.lab_title;
}

/// A class for the page: each row with its standing in the course.
struct Class {
  const Gradebook& book;
  const ClassRecord& record;
  std::vector<Standing> standings;
};

/// The student's name in the roster and, if different, the name of the work.
void set_name(PageData& object, const std::string& student, const ClassRecord& record) {
  const std::string name = record.shown_name(student);
  object.set("student", shown(name, 120));
  set_text(object, "alias", name == student ? "" : shown(student, 120));
}

/// An object about a student, with a link that is not truncated as texts are.
PageData linked(const GradeRow& row, const ClassRecord& record,
                std::initializer_list<std::pair<const char*, std::string_view>> entries) {
  PageData object = texts(entries);
  set_name(object, row.student, record);
  object.set("lab", shown(title_of(row), 120));
  object.set("link", link_to(row));
  return object;
}

/// A word for a grade's result, and the CSS class of its colour. A pass mark is compared with the
/// points after penalties; without a mark, only all points are "passed", and only no points are
/// "failed".
struct Verdict {
  const char* word;
  const char* colour;
};

Verdict verdict_of(const GradeRow& row, const Standing& standing, const Course& course) {
  if (standing.excused) return {"excused", "partial"};
  const bool is_decided =
      standing.counts() &&
      course.decisions.current(DecisionKind::points, row.student, row.lab) != nullptr;
  if (row.status == GradeStatus::error && !is_decided) return {"not graded", "error"};
  if (row.failure == Failure::no_submission && !is_decided && !row.by_hand) {
    return {"nothing gradable", "failed"};
  }
  // "Passed" with points missing would look like a mistake, although some items could not be
  // assessed.
  if (row.status == GradeStatus::partial && !is_decided) {
    return row.passed ? Verdict{"passed in part", "passed"} : Verdict{"not yet", "partial"};
  }
  if (const std::optional<double> mark = course.pass_mark(row.lab, row.pass_mark)) {
    const double reached = standing.max > 0 ? 100 * standing.adjusted / standing.max : 0;
    constexpr double kRounding = 1e-9;
    return reached + kRounding >= *mark ? Verdict{"passed", "passed"}
                                        : Verdict{"not passed", "failed"};
  }
  if (!standing.counts()) return {"not complete", "partial"};  // a person has to grade something
  if (standing.raw >= standing.max) return {"passed", "passed"};
  return {"not yet", standing.raw > 0 ? "partial" : "failed"};
}

bool has_passed(const Verdict& verdict) {
  return std::string_view(verdict.colour) == "passed";
}

/// "2 days late: 90 - 18"; empty for one that lost nothing.
std::string lateness(const Standing& s) {
  if (!s.counts() || s.late_days == 0) return "";
  const std::string days = plural(s.late_days, "day") + " late";
  if (s.penalty == 0 && s.free_days > 0) return days + ", from the budget";
  return fmt::format("{}: {} - {}", days, human_points(s.raw), human_points(s.penalty));
}

std::string fact(const GradeRow& row, const char* name) {
  const auto it = row.environment.find(name);
  return it == row.environment.end() ? "" : it->second;
}

using ByLab = std::map<std::string, std::vector<const GradeRow*>>;

ByLab by_lab(const Gradebook& book) {
  ByLab labs;
  for (const GradeRow& row : book.rows) {
    if (row.status != GradeStatus::error) {
      labs[row.lab].push_back(&row);
    }
  }
  return labs;
}

double percent(const GradeRow& row) {
  return row.max_score > 0 ? 100 * row.score / row.max_score : 0;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

PageData case_rates(const std::vector<const GradeRow*>& grades) {
  std::vector<std::string> order;  // the lab's
  std::map<std::string, std::pair<std::size_t, std::size_t>> counts;  // passed, seen
  for (const GradeRow* row : grades) {
    for (const CaseRow& c : row->cases) {
      const auto [it, is_new] = counts.try_emplace(c.name);
      if (is_new) {
        order.push_back(c.name);
      }
      it->second.first += c.verdict == CaseVerdict::passed ? 1 : 0;
      const bool told = c.verdict != CaseVerdict::error && c.verdict != CaseVerdict::not_assessed;
      it->second.second += told ? 1 : 0;
    }
  }
  PageData rows(PageData::type::list);
  for (const std::string& name : order) {
    const auto [passed, seen] = counts[name];
    const double share = seen > 0 ? 100.0 * double(passed) / double(seen) : 0;
    rows.push_back(texts({{"name", name},
                          {"passed", std::to_string(passed)},
                          {"seen", std::to_string(seen)},
                          {"percent", fmt::format("{:.0f}", share)}}));
  }
  return rows;
}

PageData lab_rows(const ByLab& labs, const Class& all) {
  PageData rows(PageData::type::list);
  std::size_t number = 0;
  for (const auto& [lab, grades] : labs) {
    double total = 0;
    std::size_t passed = 0;
    std::vector<double> scores;
    for (const GradeRow* row : grades) {
      const auto index = static_cast<std::size_t>(row - all.book.rows.data());
      const Standing& standing = all.standings[index];
      const double reached = standing.counts() ? standing.raw : row->score;
      total += reached;
      passed += has_passed(verdict_of(*row, standing, all.record.course)) ? 1 : 0;
      scores.push_back(reached);
    }
    const double count = double(grades.size());
    const std::optional<double> mark = all.record.course.pass_mark(lab, grades.front()->pass_mark);
    PageData row = texts(
        {{"lab", title_of(*grades.front())},
         {"id", lab},
         {"mark",
          mark ? fmt::format("passed, from {} %", human_points(*mark)) : std::string("all points")},
         {"no", std::to_string(number++)},
         {"count", std::to_string(grades.size())},
         {"passed", std::to_string(passed)},
         {"mean", fmt::format("{:.1f}", total / count)},
         {"median", fmt::format("{:.1f}", median(scores))},
         {"best", human_points(*std::max_element(scores.begin(), scores.end()))},
         {"max", human_points(
                     all.standings[static_cast<std::size_t>(grades.front() - all.book.rows.data())]
                         .max)}});
    set_list(row, "cases", case_rates(grades));
    rows.push_back(std::move(row));
  }
  return rows;
}

nlohmann::json histograms(const ByLab& labs) {
  nlohmann::json charts = nlohmann::json::array();
  for (const auto& [lab, grades] : labs) {
    std::array<std::size_t, kBins> bins{};
    for (const GradeRow* row : grades) {
      const double share = std::clamp(percent(*row) / 100, 0.0, 1.0);
      ++bins.at(std::min(kBins - 1, static_cast<std::size_t>(share * kBins)));
    }
    charts.push_back({{"lab", printable(title_of(*grades.front()))}, {"bins", bins}});
  }
  return charts;
}

/// Pitfalls by frequency: those of several grades, and those of one.
struct PitfallRows {
  PageData common{PageData::type::list};
  PageData single{PageData::type::list};
  std::size_t singles = 0;
};

PitfallRows pitfall_rows(const Gradebook& book, const ClassRecord& record,
                         const fs::path& pitfalls) {
  std::map<std::string, std::vector<const GradeRow*>> by_pitfall;
  std::set<std::string> ids;
  for (const GradeRow& row : book.rows) {
    if (!row.pitfall.empty()) {
      by_pitfall[row.pitfall].push_back(&row);
      ids.insert(row.pitfall);
    }
  }
  const std::map<std::string, PitfallPage> pages = read_pitfalls(pitfalls, ids);
  std::vector<std::pair<std::string, std::vector<const GradeRow*>>> sorted(by_pitfall.begin(),
                                                                           by_pitfall.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second.size() > b.second.size(); });
  PitfallRows rows;
  for (const auto& [id, grades] : sorted) {
    const auto page = pages.find(id);
    PageData row = texts({{"id", id},
                          {"n", std::to_string(grades.size())},
                          {"title", page == pages.end() ? "" : page->second.title}});
    row.set("percent",
            fmt::format("{:.0f}", 100.0 * double(grades.size()) / double(book.rows.size())));
    PageData who(PageData::type::list);
    for (const GradeRow* grade : grades) {
      who.push_back(linked(*grade, record, {}));
    }
    row.set("who", std::move(who));
    (grades.size() > 1 ? rows.common : rows.single).push_back(std::move(row));
    rows.singles += grades.size() > 1 ? 0 : 1;
  }
  return rows;
}

PageData grade_rows(const Class& all) {
  PageData rows(PageData::type::list);
  for (std::size_t i = 0; i < all.book.rows.size(); ++i) {
    const GradeRow& row = all.book.rows[i];
    const Standing& standing = all.standings[i];
    const bool error = row.status == GradeStatus::error && !standing.counts();
    const double counts = standing.counts() ? standing.adjusted : row.score;
    const Verdict verdict = verdict_of(row, standing, all.record.course);
    PageData data =
        linked(row, all.record,
               {{"score", error ? "" : human_points(counts)},
                {"max_score", human_points(standing.max)},
                {"late", lateness(standing)},
                {"word", verdict.word},
                {"class", verdict.colour},
                {"pitfall", row.pitfall},
                {"ratio", row.ratio > 0 && !error ? fmt::format("{:.2f}", row.ratio) : ""},
                {"rung", row.rung},
                {"summary", row.passed ? std::string_view() : row.summary}});
    // -1 sorts below every score.
    data.set(
        "sort_score",
        error ? "-1" : fmt::format("{:.2f}", standing.max > 0 ? 100 * counts / standing.max : 0));
    data.set("sort_late", standing.late_days > 0 ? std::to_string(standing.late_days) : "");
    data.set("flagged", !row.flags.empty());
    rows.push_back(std::move(data));
  }
  return rows;
}

/// The grades with the smallest share of points, of those that are not passed: a glance at who
/// needs help. What is below half of the points counts; others are not far from it.
PageData help_rows(const Class& all, std::size_t& more) {
  constexpr double kLow = 50;  // percent
  constexpr std::size_t kShown = 8;
  std::vector<std::pair<double, std::size_t>> low;
  for (std::size_t i = 0; i < all.book.rows.size(); ++i) {
    const GradeRow& row = all.book.rows[i];
    const Standing& standing = all.standings[i];
    if (!standing.counts() || standing.max <= 0 || row.failure == Failure::no_submission) continue;
    const double share = 100 * standing.adjusted / standing.max;
    const bool passed = has_passed(verdict_of(row, standing, all.record.course));
    if (!passed && share < kLow) low.emplace_back(share, i);
  }
  std::sort(low.begin(), low.end());
  more = low.size() - std::min(low.size(), kShown);
  low.resize(low.size() - more);
  PageData rows(PageData::type::list);
  for (const auto& [share, i] : low) {
    const GradeRow& row = all.book.rows[i];
    rows.push_back(linked(row, all.record,
                          {{"score", human_points(all.standings[i].adjusted)},
                           {"max_score", human_points(all.standings[i].max)},
                           {"summary", row.summary}}));
  }
  return rows;
}

/// The labs of the course and those with grades, with their titles.
std::map<std::string, std::string> lab_titles(const Class& all) {
  std::map<std::string, std::string> titles;
  for (const auto& [id, plan] : all.record.course.labs) titles.emplace(id, id);
  for (const GradeRow& row : all.book.rows) titles[row.lab] = title_of(row);
  return titles;
}

/// A row per student with a cell per lab: the points that count, and the penalty for lateness.
PageData matrix_rows(const Class& all, const std::map<std::string, std::string>& labs) {
  std::map<std::string, std::map<std::string, std::size_t>> grades;
  for (std::size_t i = 0; i < all.book.rows.size(); ++i) {
    grades[all.book.rows[i].student].emplace(all.book.rows[i].lab, i);
  }
  PageData rows(PageData::type::list);
  for (const CourseTotal& total : course_totals(all.record, all.book)) {
    PageData row = texts({{"total", total.weight > 0 ? fmt::format("{:.1f}", total.percent) : ""}});
    set_name(row, total.student, all.record);
    PageData cells(PageData::type::list);
    for (const auto& [lab, title] : labs) {
      const auto it = grades[total.student].find(lab);
      if (it == grades[total.student].end()) {
        PageData cell(PageData::type::object);
        cell.set("there", false);
        cells.push_back(std::move(cell));
        continue;
      }
      const GradeRow& grade = all.book.rows[it->second];
      const Standing& standing = all.standings[it->second];
      const Verdict verdict = verdict_of(grade, standing, all.record.course);
      PageData cell =
          texts({{"points", standing.counts() ? human_points(standing.adjusted) : "none"},
                 {"max", human_points(standing.max)},
                 {"word", verdict.word},
                 {"class", verdict.colour}});
      set_text(cell, "late", lateness(standing));
      cell.set("there", true);
      cell.set("link", link_to(grade));
      cell.set("sort", standing.counts() ? fmt::format("{:.2f}", standing.adjusted) : "-1");
      cells.push_back(std::move(cell));
    }
    row.set("cells", std::move(cells));
    rows.push_back(std::move(row));
  }
  return rows;
}

/// Students with nothing gradable, and why: those who submitted nothing at all, and submissions
/// without a usable file.
PageData nothing_rows(const Class& all) {
  PageData rows(PageData::type::list);
  std::set<std::string> with_work;
  for (const GradeRow& row : all.book.rows) {
    with_work.insert(row.student);
    if (row.failure == Failure::no_submission && !row.by_hand) {
      PageData data = linked(row, all.record, {{"why", row.summary}});
      data.set("there", true);
      rows.push_back(std::move(data));
    }
  }
  for (const RosterEntry& entry : all.record.course.roster.entries) {
    if (!with_work.contains(entry.student)) {
      PageData data = texts({{"why", "No submission."}, {"lab", "all"}});
      set_name(data, entry.student, all.record);
      data.set("there", false);
      rows.push_back(std::move(data));
    }
  }
  return rows;
}

PageData flag_rows(const Gradebook& book, const ClassRecord& record) {
  PageData rows(PageData::type::list);
  for (const GradeRow& row : book.rows) {
    if (row.status == GradeStatus::error) {
      rows.push_back(linked(row, record, {{"kind", "not graded"}, {"message", row.summary}}));
    }
  }
  for (const GradeRow& row : book.rows) {
    for (const std::string& flag : row.flags) {
      rows.push_back(linked(row, record, {{"kind", "integrity"}, {"message", flag}}));
    }
  }
  return rows;
}

PageData leaderboards(const ByLab& labs) {
  PageData boards(PageData::type::list);
  for (const auto& [lab, grades] : labs) {
    std::vector<const GradeRow*> timed;
    for (const GradeRow* row : grades) {
      // Wrong kernels are not on the leaderboard.
      const bool right = std::all_of(row->cases.begin(), row->cases.end(), [](const CaseRow& c) {
        return c.verdict == CaseVerdict::passed;
      });
      if (row->ratio > 0 && std::isfinite(row->ratio) && right) {
        timed.push_back(row);
      }
    }
    std::stable_sort(timed.begin(), timed.end(),
                     [](const GradeRow* a, const GradeRow* b) { return a->ratio < b->ratio; });
    PageData places(PageData::type::list);
    std::size_t place = 0;
    for (std::size_t i = 0; i < std::min(kLeaders, timed.size()); ++i) {
      if (i == 0 || timed[i]->ratio > timed[i - 1]->ratio) {
        place = i + 1;  // equal times share a place
      }
      places.push_back(texts({{"place", std::to_string(place)},
                              {"alias", alias_of(timed[i]->student, fact(*timed[i], "secret"))},
                              {"ratio", fmt::format("{:.2f}", timed[i]->ratio)},
                              {"rung", timed[i]->rung}}));
    }
    if (!timed.empty()) {
      PageData board =
          texts({{"lab", title_of(*grades.front())}, {"source", timed.front()->timing_source}});
      board.set("places", std::move(places));
      set_text(board, "more",
               timed.size() > kLeaders ? fmt::format("and {} more", timed.size() - kLeaders) : "");
      boards.push_back(std::move(board));
    }
  }
  return boards;
}

/// All different values of a fact, "a100, h200".
PageData run_facts(const Gradebook& book) {
  std::map<std::string, std::set<std::string>> values;
  double seconds = 0;
  for (const GradeRow& row : book.rows) {
    seconds += row.seconds;
    values["device"].insert(row.device);
    values["started"].insert(row.started);
    for (const char* name : {"warpgrade", "secret"}) {
      values[name].insert(fact(row, name));
    }
    values["compiler"].insert(compiler_of(row.environment));
  }
  PageData facts(PageData::type::list);
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) {
      facts.push_back(texts({{"name", name}, {"value", value}}));
    }
  };
  const auto all = [&](const char* name) {
    std::set<std::string>& set = values[name];
    set.erase("");
    return join_and({set.begin(), set.end()});
  };
  add("device", all("device"));
  add("warpgrade", all("warpgrade"));
  add("compiler", all("compiler"));
  add("secret id", all("secret"));
  values["started"].erase("");
  if (!values["started"].empty()) {
    add("first graded", *values["started"].begin());
    add("last graded", *values["started"].rbegin());
  }
  add("total time", seconds < 600
                        ? fmt::format("{:.0f} s, summed over submissions", seconds)
                        : fmt::format("{:.0f} min, summed over submissions", seconds / 60));
  return facts;
}

}  // namespace

std::string class_page(const Gradebook& book, const ClassRecord& record,
                       const Installation& installation) {
  const Class all{.book = book, .record = record, .standings = record.standings(book)};
  const ByLab labs = by_lab(book);
  std::set<std::string> students;
  std::size_t errors = 0;
  std::size_t passed = 0;
  bool any_late = false;
  for (std::size_t i = 0; i < book.rows.size(); ++i) {
    students.insert(book.rows[i].student);
    errors += book.rows[i].status == GradeStatus::error ? 1 : 0;
    passed += has_passed(verdict_of(book.rows[i], all.standings[i], record.course)) ? 1 : 0;
    any_late = any_late || all.standings[i].late_days > 0;
  }
  PageData page =
      texts({{"title", record.course.title.empty() ? "Class results" : record.course.title},
             {"count", std::to_string(book.rows.size())},
             {"students", std::to_string(students.size())},
             {"passed", std::to_string(passed)},
             {"errors", std::to_string(errors)}});
  page.set("has_errors", errors > 0);
  page.set("has_late", any_late);
  const std::map<std::string, std::string> titles = lab_titles(all);
  page.set("several_labs", titles.size() > 1);
  // For a single lab without a course, the table of grades is enough.
  const bool has_matrix = titles.size() > 1 || !record.course.file.empty();
  page.set("has_matrix", has_matrix);
  PageData heads(PageData::type::list);
  for (const auto& [id, title] : titles) heads.push_back(texts({{"lab", title}}));
  page.set("heads", std::move(heads));
  if (has_matrix) page.set("matrix", matrix_rows(all, titles));
  std::size_t more_help = 0;
  set_list(page, "help", help_rows(all, more_help));
  set_text(page, "help_more", more_help > 0 ? fmt::format("And {} more", more_help) : "");
  set_list(page, "nothing", nothing_rows(all));
  set_list(page, "labs", lab_rows(labs, all));
  page.set("rows", grade_rows(all));
  set_list(page, "flags", flag_rows(book, record));
  PitfallRows met = pitfall_rows(book, record, installation.pitfalls());
  page.set("singles", std::to_string(met.singles));
  page.set("one_single", met.singles == 1);
  set_list(page, "common", std::move(met.common));
  set_list(page, "single", std::move(met.single));
  page.set("has_pitfalls", std::any_of(book.rows.begin(), book.rows.end(),
                                       [](const GradeRow& row) { return !row.pitfall.empty(); }));
  set_list(page, "boards", leaderboards(labs));
  page.set("facts", run_facts(book));
  return render_page("index.html", page, {{"labs", histograms(labs)}},
                     {"chart.min.js", "theme.js", "class.js"});
}

}  // namespace warpgrade
