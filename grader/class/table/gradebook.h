#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "grader/record/grade/grade.h"
#include "grader/submit/course/late.h"

namespace warpgrade {

/// How a case came out, for the class's table of cases.
struct CaseRow {
  std::string name;
  CaseVerdict verdict = CaseVerdict::not_run;
};
WARPGRADE_FIELDS(CaseRow, name, verdict)

/// An item of the rubric, for decisions about its points.
struct ItemRow {
  std::string id;
  double points = 0;
  double max_points = 0;
};
WARPGRADE_FIELDS(ItemRow, id, points, max_points)

/// What a class table shows of one grade; small, so that a class of any size fits in memory.
struct GradeRow {
  std::string student;
  std::string lab;
  std::string lab_title = {};
  std::optional<double> pass_mark = std::nullopt;  // the lab's own, in percent
  int attempt = 1;
  GradeStatus status = GradeStatus::graded;
  Failure failure = Failure::none;
  bool passed = false;
  double score = 0;
  double max_score = 0;
  std::map<Category, double> points;
  std::string summary;
  std::string pitfall;
  std::vector<std::string> flags;  // integrity, for manual review
  std::string device;
  double seconds = 0;
  std::vector<CaseRow> cases = {};
  std::vector<ItemRow> items = {};
  bool by_hand = false;  // of a student who submitted nothing: there is no grade.json
  double ratio = 0;  // of the reference's time, 0 if unknown
  std::string timing_source = {};  // "modelled", "measured"
  std::string rung = {};  // "3 of 9"
  std::string started = {};
  std::map<std::string, std::string> environment = {};
};
WARPGRADE_FIELDS(GradeRow, student, lab, lab_title, pass_mark, attempt, status, failure, passed,
                 score, max_score, points, summary, pitfall, flags, device, seconds, cases, items,
                 by_hand, ratio, timing_source, rung, started, environment)

[[nodiscard]] GradeRow row_of(const Grade& grade);

/// A class: its rows in order of student, then lab.
struct Gradebook {
  std::vector<GradeRow> rows;

  void sort();
};

/// Folder of one grade within a results folder: <student>/<lab>.
[[nodiscard]] std::filesystem::path grade_folder(const std::string& student,
                                                 const std::string& lab);

/// Every <out>/<student>/<lab> with a grade.json, in no order.
[[nodiscard]] std::vector<std::filesystem::path> graded_folders(const std::filesystem::path& out);

/// Collects every <out>/<student>/<lab>/grade.json.
/// @param jobs  read at a time
/// @param each  is called for every grade with its folder, by several threads; may be empty
/// @throws UsageError  if `out` holds none, or one is damaged
[[nodiscard]] Gradebook read_gradebook(
    const std::filesystem::path& out, std::size_t jobs = 1,
    const std::function<void(const Grade&, const std::filesystem::path&)>& each = {});

/// grades.json
/// @param standings  of the rows under their course's rules, one each; or none
[[nodiscard]] std::string gradebook_json(const Gradebook& book,
                                         const std::vector<Standing>& standings = {});

/// grades.csv: RFC 4180, one line per grade. A field that a spreadsheet would take for a formula
/// gets a leading apostrophe.
/// @param standings  adds columns for lateness; one per row, or none
[[nodiscard]] std::string gradebook_csv(const Gradebook& book,
                                        const std::vector<Standing>& standings = {});

/// A table for a terminal.
[[nodiscard]] std::string gradebook_text(const Gradebook& book);

}  // namespace warpgrade
