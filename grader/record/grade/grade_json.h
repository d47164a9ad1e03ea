#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "grader/record/grade/grade.h"

namespace warpgrade {

/// The `schema` number of grade.json.
inline constexpr int kGradeSchema = 1;

/// grade.json, as docs/grade.schema.json describes it. Texts from students are made printable;
/// infinities and NaN become the strings "inf", "-inf" and "nan", for which JSON has no numbers.
[[nodiscard]] nlohmann::ordered_json to_json(const Grade& grade);

/// @throws UsageError  if the document is not a valid grade; says what is wrong, and where
[[nodiscard]] Grade grade_from_json(const nlohmann::ordered_json& document);

/// docs/grade.schema.json, made from the fields of the structures.
[[nodiscard]] nlohmann::ordered_json grade_schema();

/// Why a document violates docs/grade.schema.json, one sentence; empty if it is valid.
[[nodiscard]] std::string schema_violation(const nlohmann::ordered_json& document);

/// Validates, then writes atomically.
///
/// @throws EnvironmentError  if the file cannot be written
/// @throws std::logic_error  if the grade violates our own schema (an internal error)
void write_grade(const Grade& grade, const std::filesystem::path& file);

/// @throws UsageError  if the file cannot be read or is not a valid grade; names the file
[[nodiscard]] Grade read_grade(const std::filesystem::path& file);

}  // namespace warpgrade
