#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "grader/core/files.h"
#include "grader/core/source_root.h"
#include "grader/record/grade/grade_json.h"

namespace warpgrade {
namespace {

using Json = nlohmann::ordered_json;

TEST_CASE("docs/grade.schema.json is made from the fields of a grade", "[grade_record][schema]") {
  INFO("write it again: WARPGRADE_WRITE_SCHEMAS=1 build/bin/grader_test '[schema]'");
  const auto file = std::filesystem::path(kSourceRoot) / "docs" / "grade.schema.json";
  const std::string made = grade_schema().dump(2) + "\n";
  if (std::getenv("WARPGRADE_WRITE_SCHEMAS") != nullptr) write_file_atomically(file, made);
  CHECK(read_file(file) == made);
}

TEST_CASE("the schema has types, limits, names and meanings of fields", "[grade_record][schema]") {
  const Json schema = grade_schema();
  const Json& item = schema.at("definitions").at("Item").at("properties");
  CHECK(item.at("points") == Json{{"type", "number"}, {"minimum", 0}});
  CHECK(item.at("status").at("enum").at(0) == "passed");
  CHECK(item.at("pitfall").at("pattern") == "^(P[1-9][0-9]*)?$");
  CHECK(item.at("hint").at("description") == "What to look at next.");
  // Optional values may be null, and floats what JSON has no numbers for.
  CHECK(item.at("question").at("anyOf").at(0) == Json{{"type", "null"}});
  CHECK(schema.at("definitions").at("CaseReport").at("properties").at("bound").at("anyOf").at(1) ==
        Json{{"enum", {"nan", "inf", "-inf"}}});
}

TEST_CASE(
    "what an earlier version did not write is not required, and what is not in grade.json is "
    "not in the schema",
    "[grade_record][schema]") {
  const Json definitions = grade_schema().at("definitions");
  const Json required = definitions.at("ReportedFinding").at("required");
  CHECK(std::find(required.begin(), required.end(), "line") != required.end());
  CHECK(std::find(required.begin(), required.end(), "column") == required.end());
  CHECK_FALSE(definitions.at("KernelLine").at("properties").contains("cost"));
  CHECK(definitions.at("CaseReport").at("properties").contains("status"));
  CHECK_FALSE(definitions.at("CaseReport").at("properties").contains("verdict"));
}

}  // namespace
}  // namespace warpgrade
