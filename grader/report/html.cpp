#include "grader/report/html.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <kainjow/mustache.hpp>
#include <map>
#include <set>
#include <system_error>

#include "grader/core/embedded.h"
#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/core/text.h"
#include "grader/report/wording.h"

namespace warpgrade {
namespace fs = std::filesystem;
using kainjow::mustache::data;
using kainjow::mustache::mustache;
using kainjow::mustache::partial;
namespace {

constexpr double kBarRem = 4.0;
constexpr std::size_t kBins = 5;

std::string render(std::string_view page, data& values) {
  values.set("style", data(partial([] { return std::string(embedded_file("style.css")); })));
  mustache tmpl{std::string(embedded_file(page))};
  std::string text = tmpl.render(values);
  if (!tmpl.is_valid()) {
    throw std::logic_error(fmt::format("{}: {}", page, tmpl.error_message()));
  }
  return text;
}

data texts(std::initializer_list<std::pair<const char*, std::string>> entries) {
  data object(data::type::object);
  for (const auto& [name, text] : entries) {
    object.set(name, printable(text));
  }
  return object;
}

/// Adds a list and the flag that its section is shown by.
void set_list(data& object, const std::string& name, data list) {
  object.set("has_" + name, !list.is_empty_list());
  object.set(name, std::move(list));
}

/// A page of docs/pitfalls; empty texts when there is none.
struct PitfallPage {
  std::string title;
  std::string text;
};

PitfallPage pitfall_page(const fs::path& pitfalls, const std::string& id) {
  std::error_code error;
  const fs::path file = pitfalls / (id + ".md");
  if (id.empty() || !fs::exists(file, error)) {
    return {};
  }
  PitfallPage page{.title = {}, .text = read_file(file)};
  const std::vector<std::string_view> lines = split_lines(page.text);
  if (!lines.empty()) {  // "# P1: title"
    const std::size_t colon = lines.front().find(": ");
    page.title = colon == std::string_view::npos ? "" : lines.front().substr(colon + 2);
  }
  return page;
}

bool is_hidden(const Grade& grade, const Item& item) {
  return std::any_of(grade.cases.begin(), grade.cases.end(), [&](const CaseReport& c) {
    return !c.visible && item.id == "correctness/" + c.name;
  });
}

data item_rows(const Grade& grade) {
  data rows(data::type::list);
  for (const Item& item : grade.items) {
    const bool hidden = is_hidden(grade, item);
    const bool passed = item.status == ItemStatus::passed;
    data row = texts({{"title", hidden ? item.title + " (hidden)" : item.title},
                      {"points", human_points(item.points)},
                      {"max_points", human_points(item.max_points)},
                      {"status", std::string(slug(item.status))},
                      {"status_text", status_word(item.status)},
                      {"message", hidden && !passed ? "Not right yet." : item.message}});
    if (!item.hint.empty()) {
      row.set("hint", printable(item.hint));
    }
    if (!item.pitfall.empty()) {
      row.set("pitfall", item.pitfall);
    }
    rows.push_back(row);
  }
  return rows;
}

data finding_rows(const Grade& grade) {
  data rows(data::type::list);
  for (const ReportedFinding& f : grade.findings) {
    data row = texts({{"severity", f.severity},
                      {"severity_class", f.is_error() ? "failed" : "partial"},
                      {"kind", f.kind},
                      {"message", f.message}});
    data fields(data::type::list);
    const auto field = [&](const char* name, const std::string& value) {
      if (!value.empty()) {
        fields.push_back(texts({{"name", name}, {"value", value}}));
      }
    };
    field("where", f.where);
    field("who", f.who);
    field("got", f.got);
    field("want", f.want);
    field("next", f.next);
    field("seen", fmt::format("{} time{}, in {}", f.count, f.count == 1 ? "" : "s",
                              join_and(quoted(f.cases, 4))));
    row.set("fields", std::move(fields));
    rows.push_back(row);
  }
  return rows;
}

data wrong_cases(const Grade& grade) {
  data rows(data::type::list);
  for (const CaseReport& c : grade.cases) {
    if (!c.visible || c.first_mismatches.empty() || c.verdict == CaseVerdict::passed) {
      continue;
    }
    data row = texts({{"name", c.name}, {"shape", shape_text(c)}, {"message", c.message}});
    data mismatches(data::type::list);
    for (const MismatchedElement& m : c.first_mismatches) {
      mismatches.push_back(texts({{"element", fmt::format("{}[{}]", m.parameter, m.index)},
                                  {"got", value_text(m.got)},
                                  {"want", value_text(m.want)},
                                  {"bound", value_text(m.bound)}}));
    }
    row.set("mismatches", std::move(mismatches));
    rows.push_back(row);
  }
  return rows;
}

data source_rows(const Grade& grade) {
  data rows(data::type::list);
  for (const SourceFile& source : grade.sources) {
    std::set<std::size_t> marked;
    for (const ReportedFinding& f : grade.findings) {
      if (f.file == source.name) {
        marked.insert(f.line);
      }
    }
    data lines(data::type::list);
    std::size_t number = 0;
    const std::string text = printable(source.text);
    for (const std::string_view line : split_lines(text)) {
      ++number;
      data row = texts({{"no", std::to_string(number)}});
      // An empty line still has a height.
      row.set("text", line.empty() ? std::string(" ") : std::string(line));
      row.set("marked", marked.contains(number));
      lines.push_back(row);
    }
    data row = texts({{"name", source.name}});
    row.set("lines", std::move(lines));
    rows.push_back(row);
  }
  return rows;
}

data background_pages(const Grade& grade, const fs::path& pitfalls) {
  std::set<std::string> ids = {grade.pitfall};
  for (const Item& item : grade.items) {
    ids.insert(item.pitfall);
  }
  for (const ReportedFinding& f : grade.findings) {
    ids.insert(f.pitfall);
  }
  data pages(data::type::list);
  for (const std::string& id : ids) {
    const PitfallPage page = pitfall_page(pitfalls, id);
    if (!page.text.empty()) {
      pages.push_back(texts({{"id", id}, {"title", page.title}, {"text", page.text}}));
    }
  }
  return pages;
}

std::string score_line(const Grade& grade) {
  return grade.status == GradeStatus::error
             ? "not graded"
             : fmt::format("{} / {}", human_points(grade.score()), human_points(grade.max_score()));
}

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

data lab_rows(const Gradebook& book) {
  std::map<std::string, std::vector<const GradeRow*>> by_lab;
  for (const GradeRow& row : book.rows) {
    if (row.status != GradeStatus::error) {
      by_lab[row.lab].push_back(&row);
    }
  }
  data rows(data::type::list);
  for (const auto& [lab, grades] : by_lab) {
    std::array<std::size_t, kBins> bins{};
    double total = 0;
    std::size_t passed = 0;
    for (const GradeRow* row : grades) {
      const double share = row->max_score > 0 ? row->score / row->max_score : 0;
      ++bins[std::min(kBins - 1, static_cast<std::size_t>(share * kBins))];
      total += row->score;
      passed += row->passed ? 1 : 0;
    }
    data row = texts({{"lab", lab},
                      {"count", std::to_string(grades.size())},
                      {"passed", std::to_string(passed)},
                      {"mean", fmt::format("{:.1f}", total / static_cast<double>(grades.size()))}});
    data list(data::type::list);
    for (std::size_t i = 0; i < kBins; ++i) {
      const double width =
          kBarRem * static_cast<double>(bins[i]) / static_cast<double>(grades.size());
      list.push_back(
          texts({{"n", std::to_string(bins[i])},
                 {"label", fmt::format("{} to {} %", 100 * i / kBins, 100 * (i + 1) / kBins)},
                 {"width", fmt::format("{:.2f}", width)}}));
    }
    row.set("bins", std::move(list));
    rows.push_back(row);
  }
  return rows;
}

data pitfall_rows(const Gradebook& book, const fs::path& pitfalls) {
  std::map<std::string, std::vector<const GradeRow*>> by_pitfall;
  for (const GradeRow& row : book.rows) {
    if (!row.pitfall.empty()) {
      by_pitfall[row.pitfall].push_back(&row);
    }
  }
  std::vector<std::pair<std::string, std::vector<const GradeRow*>>> sorted(by_pitfall.begin(),
                                                                           by_pitfall.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second.size() > b.second.size(); });
  data rows(data::type::list);
  for (const auto& [id, grades] : sorted) {
    data row = texts({{"id", id}, {"n", std::to_string(grades.size())}});
    if (const std::string title = pitfall_page(pitfalls, id).title; !title.empty()) {
      row.set("title", title);
    }
    data who(data::type::list);
    for (const GradeRow* grade : grades) {
      who.push_back(texts({{"student", grade->student}, {"link", link_to(*grade)}}));
    }
    row.set("who", std::move(who));
    rows.push_back(row);
  }
  return rows;
}

data student_rows(const Gradebook& book) {
  data rows(data::type::list);
  for (const GradeRow& row : book.rows) {
    const bool error = row.status == GradeStatus::error;
    rows.push_back(texts({{"student", row.student},
                          {"lab", row.lab},
                          {"link", link_to(row)},
                          {"score", error ? "-"
                                          : fmt::format("{} / {}", human_points(row.score),
                                                        human_points(row.max_score))},
                          {"verdict", error        ? "not graded"
                                      : row.passed ? "passed"
                                                   : "not yet"},
                          {"class", error        ? "error"
                                    : row.passed ? "passed"
                                                 : "failed"},
                          {"summary", row.passed ? "" : row.summary}}));
  }
  return rows;
}

data flag_rows(const Gradebook& book) {
  data rows(data::type::list);
  for (const GradeRow& row : book.rows) {
    for (const std::string& flag : row.flags) {
      rows.push_back(texts(
          {{"student", row.student}, {"lab", row.lab}, {"link", link_to(row)}, {"message", flag}}));
    }
  }
  return rows;
}

}  // namespace

std::string feedback_page(const Grade& grade, const fs::path& pitfalls) {
  data page = texts({{"student", grade.student},
                     {"lab_title", grade.lab_title},
                     {"started", grade.started},
                     {"score", score_line(grade)},
                     {"summary", grade.summary},
                     {"build_log", grade.build_log},
                     {"output", grade.output}});
  page.set("passed", grade.passed());
  if (!grade.device.name.empty()) {
    page.set("device", printable(grade.device.name));
  }
  if (grade.status == GradeStatus::partial) {
    page.set("partial_note",
             fmt::format("{} of {} points could be assessed on this machine.",
                         human_points(grade.assessed_points()), human_points(grade.max_score())));
  }
  if (!pitfall_page(pitfalls, grade.pitfall).text.empty()) {
    page.set("pitfall_page", grade.pitfall);
  }
  if (grade.rung) {
    page.set("rung", printable(rung_text(*grade.rung)));
  }
  page.set("has_build_log", !grade.build_log.empty());
  page.set("has_output", !grade.output.empty());
  page.set("items", item_rows(grade));
  set_list(page, "findings", finding_rows(grade));
  set_list(page, "wrong", wrong_cases(grade));
  set_list(page, "sources", source_rows(grade));
  set_list(page, "pages", background_pages(grade, pitfalls));
  return render("feedback.html", page);
}

std::string class_page(const Gradebook& book, const fs::path& pitfalls) {
  std::set<std::string> students;
  std::size_t errors = 0;
  for (const GradeRow& row : book.rows) {
    students.insert(row.student);
    errors += row.status == GradeStatus::error ? 1 : 0;
  }
  data page = texts({{"count", std::to_string(book.rows.size())},
                     {"students", std::to_string(students.size())},
                     {"errors", std::to_string(errors)}});
  page.set("has_errors", errors > 0);
  page.set("labs", lab_rows(book));
  page.set("rows", student_rows(book));
  set_list(page, "flags", flag_rows(book));
  set_list(page, "pitfalls", pitfall_rows(book, pitfalls));
  return render("index.html", page);
}

}  // namespace warpgrade
