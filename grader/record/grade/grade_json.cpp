#include "grader/record/grade/grade_json.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/record/grade/json_fields.h"

namespace warpgrade {

using Json = nlohmann::ordered_json;

Json to_json(const Grade& grade) {
  Json j = {{"schema", kGradeSchema}};
  const Json fields = JsonWriter::json(grade);
  for (const auto& [key, value] : fields.items()) {
    if (key == "summary") {  // values derived from the items precede it
      j.update(JsonWriter::json(GradeTotals{.score = grade.score(),
                                            .max_score = grade.max_score(),
                                            .assessed = grade.assessed_points(),
                                            .passed = grade.passed()}));
    }
    j[key] = value;
  }
  return j;
}

Grade grade_from_json(const Json& j) {
  if (const std::string violation = schema_violation(j); !violation.empty()) {
    throw UsageError(violation);
  }
  Grade grade;
  read_json<record::Trust::old>(j, grade);
  return grade;
}

void write_grade(const Grade& grade, const std::filesystem::path& file) {
  const Json document = to_json(grade);
  if (const std::string violation = schema_violation(document); !violation.empty()) {
    throw std::logic_error(fmt::format("the grade of {} for {} violates docs/grade.schema.json: {}",
                                       grade.student, grade.lab, violation));
  }
  write_file_atomically(file, document.dump(2) + "\n");
}

Grade read_grade(const std::filesystem::path& file) {
  const std::string text = read_file(file);
  try {
    return grade_from_json(Json::parse(text));
  } catch (const nlohmann::json::exception& e) {
    throw UsageError(fmt::format("{} is not a grade: {}", file.string(), e.what()));
  } catch (const UsageError& e) {
    throw UsageError(fmt::format("{} is not a grade: {}", file.string(), e.what()));
  }
}

}  // namespace warpgrade
