#include "grader/grade_class/receipt.h"

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <system_error>

#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/core/sha256.h"
#include "grader/core/text.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

fs::path receipt_file(const fs::path& out, const std::string& student, const std::string& lab) {
  return out / ".warpgrade" / "receipts" / student / (lab + ".json");
}

std::string checksum(const fs::path& file) {
  Sha256 sha;
  sha.add(read_file(file));
  return sha.hex();
}

}  // namespace

nlohmann::json row_to_json(const GradeRow& row) {
  nlohmann::json flags = nlohmann::json::array();
  for (const std::string& flag : row.flags) {
    flags.push_back(printable(flag));
  }
  nlohmann::json points;
  for (const auto& [category, value] : row.points) {
    points[std::to_string(static_cast<int>(category))] = value;
  }
  nlohmann::json cases = nlohmann::json::array();
  for (const CaseRow& c : row.cases) {
    cases.push_back({printable(c.name), static_cast<int>(c.verdict)});
  }
  nlohmann::json environment = nlohmann::json::object();
  for (const auto& [name, value] : row.environment) environment[name] = printable(value);
  return {{"lab_title", printable(row.lab_title)},
          {"cases", std::move(cases)},
          {"ratio", std::isfinite(row.ratio) ? row.ratio : 0},
          {"timing_source", row.timing_source},
          {"rung", row.rung},
          {"started", row.started},
          {"environment", std::move(environment)},
          {"attempt", row.attempt},
          {"status", static_cast<int>(row.status)},
          {"passed", row.passed},
          {"score", row.score},
          {"max_score", row.max_score},
          {"points", std::move(points)},
          {"summary", printable(row.summary)},
          {"pitfall", row.pitfall},
          {"flags", std::move(flags)},
          {"device", printable(row.device)},
          {"failure", static_cast<int>(row.failure)},
          {"seconds", row.seconds}};
}

GradeRow row_from_json(const nlohmann::json& j) {
  GradeRow row;
  row.lab_title = j.at("lab_title");
  for (const auto& c : j.at("cases")) {
    row.cases.push_back({.name = c.at(0), .verdict = static_cast<CaseVerdict>(c.at(1).get<int>())});
  }
  row.ratio = j.at("ratio");
  row.timing_source = j.at("timing_source");
  row.rung = j.at("rung");
  row.started = j.at("started");
  row.environment = j.at("environment").get<std::map<std::string, std::string>>();
  row.attempt = j.at("attempt");
  row.status = static_cast<GradeStatus>(j.at("status").get<int>());
  row.passed = j.at("passed");
  row.score = j.at("score");
  row.max_score = j.at("max_score");
  for (const Category category : kCategories) {
    row.points[category] = j.at("points").at(std::to_string(static_cast<int>(category)));
  }
  row.summary = j.at("summary");
  row.pitfall = j.at("pitfall");
  row.flags = j.at("flags").get<std::vector<std::string>>();
  row.device = j.at("device");
  row.failure = static_cast<Failure>(j.at("failure").get<int>());
  row.seconds = j.at("seconds");
  return row;
}

void write_receipt(const fs::path& out, const GradeRow& row, const std::string& key) {
  const fs::path grade = out / grade_folder(row.student, row.lab) / "grade.json";
  const nlohmann::json document = {
      {"key", key}, {"grade", checksum(grade)}, {"row", row_to_json(row)}};
  write_file_atomically(receipt_file(out, row.student, row.lab), document.dump());
}

std::optional<GradeRow> find_receipt(const fs::path& out, const std::string& student,
                                     const std::string& lab, const std::string& key) {
  const fs::path file = receipt_file(out, student, lab);
  const fs::path folder = out / grade_folder(student, lab);
  std::error_code error;
  if (!fs::exists(file, error) || !fs::exists(folder / "grade.json", error) ||
      !fs::exists(folder / "feedback.html", error)) {
    return std::nullopt;
  }
  try {
    const auto document = nlohmann::json::parse(read_file(file));
    if (document.at("key") != key || document.at("grade") != checksum(folder / "grade.json")) {
      return std::nullopt;
    }
    GradeRow row = row_from_json(document.at("row"));
    row.student = student;
    row.lab = lab;
    return row;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  } catch (const UsageError&) {
    return std::nullopt;
  }
}

}  // namespace warpgrade
