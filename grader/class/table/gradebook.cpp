#include "grader/class/table/gradebook.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <system_error>
#include <tuple>

#include "grader/core/csv.h"
#include "grader/core/error.h"
#include "grader/core/parallel.h"
#include "grader/core/text.h"
#include "grader/record/grade/grade_json.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

/// An internal error has no score, which must not look like a zero.
std::string score_text(const GradeRow& row, double points) {
  return row.status == GradeStatus::error ? "" : human_points(points);
}

/// {raw, late_days, penalty, adjusted}: null, not 0, if there is no score.
nlohmann::ordered_json standing_json(const Standing& s) {
  const auto points = [&](double value) {
    return s.counts() ? nlohmann::ordered_json(std::round(value * 1e6) / 1e6)
                      : nlohmann::ordered_json(nullptr);
  };
  return {{"max", s.max},
          {"raw", points(s.raw)},
          {"late_days", points(s.late_days)},
          {"penalty", points(s.penalty)},
          {"adjusted", points(s.adjusted)},
          {"because", printable(s.because)}};
}

std::string verdict(const GradeRow& row) {
  if (row.status == GradeStatus::error) {
    return "error";
  }
  return row.passed ? "passed" : "not yet";
}

}  // namespace

GradeRow row_of(const Grade& grade) {
  GradeRow row{.student = grade.student,
               .lab = grade.lab,
               .lab_title = grade.lab_title,
               .pass_mark = grade.pass_mark,
               .attempt = grade.attempt,
               .status = grade.status,
               .failure = grade.failure,
               .passed = grade.passed(),
               .score = grade.score(),
               .max_score = grade.max_score(),
               .points = {},
               .summary = grade.summary,
               .pitfall = grade.pitfall,
               .flags = {},
               .device = grade.device.name,
               .seconds = grade.seconds,
               .started = grade.started,
               .environment = grade.environment};
  for (const CaseReport& c : grade.cases) {
    row.cases.push_back({.name = c.name, .verdict = c.verdict});
  }
  for (const Item& item : grade.items) {
    row.items.push_back({.id = item.id, .points = item.points, .max_points = item.max_points});
  }
  if (grade.timing) {
    row.ratio = grade.timing->ratio;
    row.timing_source = grade.timing->source;
  }
  if (grade.rung) {
    row.rung = fmt::format("{} of {}", grade.rung->index, grade.rung->count);
  }
  for (const Category category : kCategories) {
    row.points[category] = grade.points_in(category);
  }
  for (const IntegrityFlag& flag : grade.integrity) {
    row.flags.push_back(flag.message);
  }
  return row;
}

void Gradebook::sort() {
  std::sort(rows.begin(), rows.end(), [](const GradeRow& a, const GradeRow& b) {
    return std::tie(a.student, a.lab) < std::tie(b.student, b.lab);
  });
}

fs::path grade_folder(const std::string& student, const std::string& lab) {
  return fs::path(student) / lab;
}

std::vector<fs::path> graded_folders(const fs::path& out) {
  std::vector<fs::path> folders;
  std::error_code error;
  for (const fs::directory_entry& student : fs::directory_iterator(out, error)) {
    if (!student.is_directory(error)) {
      continue;
    }
    for (const fs::directory_entry& lab : fs::directory_iterator(student.path(), error)) {
      if (fs::exists(lab.path() / "grade.json", error)) {
        folders.push_back(lab.path());
      }
    }
  }
  return folders;
}

Gradebook read_gradebook(const fs::path& out, std::size_t jobs,
                         const std::function<void(const Grade&, const fs::path&)>& each) {
  const std::vector<fs::path> folders = graded_folders(out);
  if (folders.empty()) {
    throw UsageError(
        fmt::format("{} contains no grades; expected <student>/<lab>/grade.json, as written by "
                    "`warpgrade grade`",
                    out.string()));
  }
  Gradebook book;
  book.rows.resize(folders.size());
  parallel_for(folders.size(), jobs, [&](std::size_t i) {
    const Grade grade = read_grade(folders[i] / "grade.json");
    book.rows[i] = row_of(grade);
    if (each) each(grade, folders[i]);
  });
  book.sort();
  return book;
}

std::string gradebook_json(const Gradebook& book, const std::vector<Standing>& standings) {
  nlohmann::ordered_json grades = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < book.rows.size(); ++i) {
    const GradeRow& row = book.rows[i];
    nlohmann::ordered_json points;
    for (const auto& [category, value] : row.points) {
      points[std::string(slug(category))] = value;
    }
    nlohmann::ordered_json flags = nlohmann::ordered_json::array();
    for (const std::string& flag : row.flags) {
      flags.push_back(printable(flag));
    }
    const fs::path folder = grade_folder(row.student, row.lab);
    grades.push_back({{"student", printable(row.student)},
                      {"lab", row.lab},
                      {"attempt", row.attempt},
                      {"status", slug(row.status)},
                      {"failure", slug(row.failure)},
                      {"passed", row.passed},
                      {"score", row.score},
                      {"max_score", row.max_score},
                      {"points", std::move(points)},
                      {"summary", printable(row.summary)},
                      {"pitfall", row.pitfall},
                      {"flags", std::move(flags)},
                      {"grade", printable((folder / "grade.json").generic_string())},
                      {"feedback", printable((folder / "feedback.html").generic_string())}});
    if (!standings.empty()) {
      grades.back().update(standing_json(standings.at(i)));
    }
  }
  return nlohmann::ordered_json{{"schema", kGradeSchema}, {"grades", std::move(grades)}}.dump(2) +
         "\n";
}

std::string gradebook_csv(const Gradebook& book, const std::vector<Standing>& standings) {
  std::vector<std::string> header = {"student", "lab", "attempt", "status", "score", "max_score"};
  for (const Category category : kCategories) {
    header.emplace_back(slug(category));
  }
  header.insert(header.end(), {"pitfall", "flags", "summary"});
  if (!standings.empty()) {
    header.insert(header.end(), {"late_days", "penalty", "adjusted", "because"});
  }
  std::string csv = csv_line(header);
  for (std::size_t i = 0; i < book.rows.size(); ++i) {
    const GradeRow& row = book.rows[i];
    std::vector<std::string> fields = {csv_field(row.student),      csv_field(row.lab),
                                       std::to_string(row.attempt), std::string(slug(row.status)),
                                       score_text(row, row.score),  human_points(row.max_score)};
    for (const Category category : kCategories) {
      const auto it = row.points.find(category);
      fields.push_back(score_text(row, it == row.points.end() ? 0 : it->second));
    }
    fields.push_back(csv_field(row.pitfall));
    fields.push_back(std::to_string(row.flags.size()));
    fields.push_back(csv_field(row.summary));
    if (!standings.empty()) {
      const Standing& s = standings.at(i);
      fields.push_back(s.counts() ? std::to_string(s.late_days) : "");
      fields.push_back(s.counts() ? human_points(s.penalty) : "");
      fields.push_back(s.counts() ? human_points(s.adjusted) : "");
      fields.push_back(csv_field(s.because));
    }
    csv += csv_line(fields);
  }
  return csv;
}

std::string gradebook_text(const Gradebook& book) {
  std::size_t student_width = 7;
  std::size_t lab_width = 3;
  for (const GradeRow& row : book.rows) {
    student_width = std::max(student_width, std::min<std::size_t>(row.student.size(), 32));
    lab_width = std::max(lab_width, row.lab.size());
  }
  std::string text =
      fmt::format("{:<{}}  {:<{}}  {:>5} {:>5} {:>5} {:>5} {:>5} {:>5}  {:>10}  {:<7}  {}\n",
                  "student", student_width, "lab", lab_width, "build", "corr.", "safe", "conc.",
                  "perf.", "quest.", "score", "verdict", "pitfall");
  for (const GradeRow& row : book.rows) {
    text +=
        fmt::format("{:<{}}  {:<{}} ", one_line(row.student), student_width, row.lab, lab_width);
    for (const Category category : kCategories) {
      const auto it = row.points.find(category);
      text += fmt::format(" {:>5}", score_text(row, it == row.points.end() ? 0 : it->second));
    }
    const std::string score =
        row.status == GradeStatus::error
            ? "-"
            : fmt::format("{} / {}", human_points(row.score), human_points(row.max_score));
    text += fmt::format("  {:>10}  {:<7}  {}\n", score, verdict(row), row.pitfall);
  }
  return text;
}

}  // namespace warpgrade
