#include "grader/submit/course/submission_log.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>
#include <vector>

#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/core/text.h"
#include "grader/submit/course/table_file.h"
#include "harness/core/closest.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::ordered_json;

constexpr int kSchema = 1;

Json to_json(const SubmissionRecord& r) {
  Json files = Json::array();
  for (const std::string& file : r.files) files.push_back(printable(file));
  return {{"student", printable(r.student)},
          {"lab", r.lab},
          {"attempt", r.attempt},
          {"attempts", r.attempts},
          {"came_as", printable(r.came_as)},
          {"files", std::move(files)},
          {"submitted", r.submitted ? Json(instant_text(*r.submitted)) : Json(nullptr)},
          {"source", slug(r.source)},
          {"marked_late", r.marked_late ? Json(*r.marked_late) : Json(nullptr)},
          {"counts", r.counts}};
}

SubmissionRecord record_from(const Json& j) {
  SubmissionRecord r;
  r.student = j.at("student");
  r.lab = j.at("lab");
  r.attempt = j.at("attempt");
  r.attempts = j.at("attempts");
  r.came_as = j.at("came_as");
  // Missing in earlier versions.
  r.files = j.value("files", std::vector<std::string>());
  for (int i = 0; i <= static_cast<int>(TimeSource::none); ++i) {
    if (slug(static_cast<TimeSource>(i)) == j.at("source").get<std::string>()) {
      r.source = static_cast<TimeSource>(i);
    }
  }
  if (!j.at("submitted").is_null()) {
    std::string problem;
    r.submitted = parse_instant(j.at("submitted").get<std::string>(), problem);
  }
  if (!j.at("marked_late").is_null()) {
    r.marked_late = j.at("marked_late").get<bool>();
  }
  r.counts = j.value("counts", false);
  return r;
}

}  // namespace

void SubmissionLog::add(SubmissionRecord record) {
  auto key = std::make_tuple(record.student, record.lab, record.attempt);
  records.insert_or_assign(std::move(key), std::move(record));
}

SubmissionRecord SubmissionLog::find(const std::string& student, const std::string& lab,
                                     int attempt) const {
  const auto it = records.find({student, lab, attempt});
  if (it != records.end()) {
    return it->second;
  }
  SubmissionRecord unknown;
  unknown.student = student;
  unknown.lab = lab;
  unknown.attempt = attempt;
  return unknown;
}

auto SubmissionLog::attempts_at(const std::string& student, const std::string& lab) const
    -> std::pair<Records::const_iterator, Records::const_iterator> {
  return {records.lower_bound({student, lab, std::numeric_limits<int>::min()}),
          records.upper_bound({student, lab, std::numeric_limits<int>::max()})};
}

SubmissionRecord SubmissionLog::counting(const std::string& student, const std::string& lab) const {
  const auto [begin, end] = attempts_at(student, lab);
  if (begin == end) return find(student, lab, 1);
  const auto counts =
      std::find_if(begin, end, [](const auto& entry) { return entry.second.counts; });
  return counts == end ? std::prev(end)->second : counts->second;
}

bool SubmissionLog::set_counting(const std::string& student, const std::string& lab, int attempt) {
  bool is_new = false;
  const auto range = attempts_at(student, lab);
  for (auto at = range.first; at != range.second; ++at) {
    SubmissionRecord& record = records.at(at->first);
    const bool counts = record.attempt == attempt;
    is_new = is_new || record.counts != counts;
    record.counts = counts;
  }
  return is_new;
}

SubmissionLog read_submission_log(const fs::path& out) {
  const fs::path file = out / "submissions.json";
  std::error_code error;
  SubmissionLog log;
  if (!fs::exists(file, error)) {
    return log;
  }
  try {
    const Json document = Json::parse(read_file(file));
    if (document.at("schema") != kSchema) {
      throw UsageError(
          fmt::format("{} was written by another version of warpgrade; run `warpgrade grade` "
                      "with --resume to write it again",
                      file.string()));
    }
    log.course = document.at("course").get<std::string>();
    log.layout = document.at("layout");
    for (const Json& record : document.at("submissions")) {
      log.add(record_from(record));
    }
  } catch (const nlohmann::json::exception&) {
    throw UsageError(
        fmt::format("{} is damaged; run `warpgrade grade` with --resume to write it "
                    "again",
                    file.string()));
  }
  return log;
}

SubmissionLog with_earlier_runs(const fs::path& out, SubmissionLog log) {
  SubmissionLog all;
  try {
    all = read_submission_log(out);
  } catch (const UsageError&) {
    // Damaged or of another version: it is replaced.
  }
  all.course = std::move(log.course);
  all.layout = std::move(log.layout);
  for (auto& [key, record] : log.records) {
    all.add(std::move(record));
  }
  return all;
}

void write_submission_log(const fs::path& out, const SubmissionLog& log) {
  const SubmissionLog all = with_earlier_runs(out, log);
  Json records = Json::array();
  for (const auto& [key, record] : all.records) {
    records.push_back(to_json(record));
  }
  const Json document = {{"schema", kSchema},
                         {"course", all.course.generic_string()},
                         {"layout", all.layout},
                         {"submissions", std::move(records)}};
  write_file_atomically(
      out / "submissions.json",
      document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

SubmittedTable::SubmittedTable(const Course& course, std::string_view text,
                               const std::string& shown) {
  const TableFile file(text, shown, {"student", "submitted", "lab", "attempt"}, 2);
  for (const TableFile::Row& row : file.rows()) {
    std::string problem;
    const std::optional<Instant> instant = parse_instant(row.at("submitted"), problem);
    if (!instant) {
      file.fail(row.line, fmt::format("column 'submitted': {}", printable(problem)));
    }
    int attempt = 0;
    if (const std::string& word = row.at("attempt"); !word.empty()) {
      const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), attempt);
      if (error != std::errc() || end != word.data() + word.size() || attempt < 1) {
        file.fail(row.line,
                  fmt::format("column 'attempt' is '{}'; it must be 1 or more", printable(word)));
      }
    }
    const std::string& lab = row.at("lab");
    std::vector<std::string> labs;
    for (const auto& [id, plan] : course.labs) labs.push_back(id);
    const bool is_unknown = !lab.empty() && !course.labs.contains(lab);
    if (const std::string near = is_unknown ? closest(lab, labs) : ""; !near.empty()) {
      file.fail(row.line, fmt::format("there is no lab '{}' in course.toml; did you mean '{}'?",
                                      printable(lab), near));
    }
    const RosterEntry* entry = course.roster.find(row.at("student"));
    const std::string student = entry == nullptr ? row.at("student") : entry->student;
    if (!times_.emplace(std::make_tuple(student, lab, attempt), *instant).second) {
      file.fail(row.line,
                fmt::format("'{}' occurs twice for the same lab and attempt; remove one line",
                            printable(row.at("student"))));
    }
  }
}

std::optional<Instant> SubmittedTable::find(const std::string& student, const std::string& lab,
                                            int attempt) const {
  using Key = std::tuple<std::string, std::string, int>;
  for (const Key& key : {Key{student, lab, attempt}, Key{student, lab, 0},
                         Key{student, "", attempt}, Key{student, "", 0}}) {
    if (const auto it = times_.find(key); it != times_.end()) {
      return it->second;
    }
  }
  return std::nullopt;
}

SubmittedTable read_submitted_table(const Course& course) {
  if (course.submitted_file.empty()) {
    return {};
  }
  const std::string shown = course.submitted_file.filename().string();
  return SubmittedTable(course, read_course_file(course.submitted_file, shown), shown);
}

}  // namespace warpgrade
