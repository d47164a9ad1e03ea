#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "grader/core/text.h"
#include "grader/gradebook/gradebook.h"
#include "grader/report/html.h"
#include "grader/report/page.h"
#include "grader/report/pitfall_pages.h"
#include "grader/report/wording.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kBins = 10;
constexpr std::size_t kLeaders = 20;  // of each lab

std::string link_to(const GradeRow& row) {
  // Percent-encoded, for a student's name may hold anything that a file name can.
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

/// An object about a student, with a link that is not cut as texts are.
PageData linked(const GradeRow& row,
                std::initializer_list<std::pair<const char*, std::string_view>> entries) {
  PageData object = texts(entries);
  object.set("student", shown(row.student, 120));
  object.set("link", link_to(row));
  return object;
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

PageData lab_rows(const ByLab& labs) {
  PageData rows(PageData::type::list);
  std::size_t number = 0;
  for (const auto& [lab, grades] : labs) {
    double total = 0;
    std::size_t passed = 0;
    std::vector<double> scores;
    for (const GradeRow* row : grades) {
      total += row->score;
      passed += row->passed ? 1 : 0;
      scores.push_back(row->score);
    }
    const double count = double(grades.size());
    PageData row = texts({{"lab", lab},
                          {"no", std::to_string(number++)},
                          {"count", std::to_string(grades.size())},
                          {"passed", std::to_string(passed)},
                          {"mean", fmt::format("{:.1f}", total / count)},
                          {"median", fmt::format("{:.1f}", median(scores))},
                          {"best", human_points(*std::max_element(scores.begin(), scores.end()))},
                          {"max", human_points(grades.front()->max_score)}});
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
    charts.push_back({{"lab", printable(lab)}, {"bins", bins}});
  }
  return charts;
}

PageData pitfall_rows(const Gradebook& book, const fs::path& pitfalls) {
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
  PageData rows(PageData::type::list);
  for (const auto& [id, grades] : sorted) {
    const auto page = pages.find(id);
    PageData row = texts({{"id", id},
                          {"n", std::to_string(grades.size())},
                          {"title", page == pages.end() ? "" : page->second.title}});
    row.set("percent",
            fmt::format("{:.0f}", 100.0 * double(grades.size()) / double(book.rows.size())));
    PageData who(PageData::type::list);
    for (const GradeRow* grade : grades) {
      who.push_back(linked(*grade, {{"lab", grade->lab}}));
    }
    row.set("who", std::move(who));
    rows.push_back(std::move(row));
  }
  return rows;
}

PageData student_rows(const Gradebook& book) {
  PageData rows(PageData::type::list);
  for (const GradeRow& row : book.rows) {
    const bool error = row.status == GradeStatus::error;
    // "Passed" with points missing would read as a mistake: some of it nobody could assess.
    const bool in_part = row.passed && row.status == GradeStatus::partial;
    const char* word = error        ? "not graded"
                       : in_part    ? "passed in part"
                       : row.passed ? "passed"
                                    : "not yet";
    PageData data =
        linked(row, {{"lab", row.lab},
                     {"score", error ? "" : human_points(row.score)},
                     {"max_score", human_points(row.max_score)},
                     {"word", word},
                     {"class", error        ? "error"
                               : row.passed ? "passed"
                                            : "failed"},
                     {"pitfall", row.pitfall},
                     {"ratio", row.ratio > 0 && !error ? fmt::format("{:.2f}", row.ratio) : ""},
                     {"rung", row.rung},
                     {"summary", row.passed ? std::string_view() : row.summary}});
    // -1 sorts below every score.
    data.set("sort_score", error ? "-1" : fmt::format("{:.2f}", percent(row)));
    data.set("flagged", !row.flags.empty());
    rows.push_back(std::move(data));
  }
  return rows;
}

PageData flag_rows(const Gradebook& book) {
  PageData rows(PageData::type::list);
  for (const GradeRow& row : book.rows) {
    if (row.status == GradeStatus::error) {
      rows.push_back(
          linked(row, {{"lab", row.lab}, {"kind", "not graded"}, {"message", row.summary}}));
    }
  }
  for (const GradeRow& row : book.rows) {
    for (const std::string& flag : row.flags) {
      rows.push_back(linked(row, {{"lab", row.lab}, {"kind", "integrity"}, {"message", flag}}));
    }
  }
  return rows;
}

PageData leaderboards(const ByLab& labs) {
  PageData boards(PageData::type::list);
  for (const auto& [lab, grades] : labs) {
    std::vector<const GradeRow*> timed;
    for (const GradeRow* row : grades) {
      // A wrong kernel may be as fast as it likes.
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
        place = i + 1;  // equals share a place
      }
      places.push_back(texts({{"place", std::to_string(place)},
                              {"alias", alias_of(timed[i]->student, fact(*timed[i], "secret"))},
                              {"ratio", fmt::format("{:.2f}", timed[i]->ratio)},
                              {"rung", timed[i]->rung}}));
    }
    if (!timed.empty()) {
      PageData board = texts({{"lab", lab}, {"source", timed.front()->timing_source}});
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
    for (const char* name : {"warpgrade", "nvcc", "secret"}) {
      values[name].insert(fact(row, name));
    }
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
  add("nvcc", all("nvcc"));
  add("secret id", all("secret"));
  values["started"].erase("");
  if (!values["started"].empty()) {
    add("first graded", *values["started"].begin());
    add("last graded", *values["started"].rbegin());
  }
  add("time in all", seconds < 600
                         ? fmt::format("{:.0f} s, summed over submissions", seconds)
                         : fmt::format("{:.0f} min, summed over submissions", seconds / 60));
  return facts;
}

}  // namespace

std::string class_page(const Gradebook& book, const fs::path& pitfalls) {
  const ByLab labs = by_lab(book);
  std::set<std::string> students;
  std::size_t errors = 0;
  std::size_t passed = 0;
  for (const GradeRow& row : book.rows) {
    students.insert(row.student);
    errors += row.status == GradeStatus::error ? 1 : 0;
    passed += row.passed ? 1 : 0;
  }
  PageData page = texts({{"count", std::to_string(book.rows.size())},
                         {"students", std::to_string(students.size())},
                         {"passed", std::to_string(passed)},
                         {"errors", std::to_string(errors)}});
  page.set("has_errors", errors > 0);
  page.set("several_labs", labs.size() > 1);
  set_list(page, "labs", lab_rows(labs));
  page.set("rows", student_rows(book));
  set_list(page, "flags", flag_rows(book));
  set_list(page, "pitfalls", pitfall_rows(book, pitfalls));
  set_list(page, "boards", leaderboards(labs));
  page.set("facts", run_facts(book));
  return render_page("index.html", page, {{"labs", histograms(labs)}},
                     {"chart.min.js", "theme.js", "class.js"});
}

}  // namespace warpgrade
