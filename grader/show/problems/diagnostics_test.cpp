#include "grader/show/problems/diagnostics.h"

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include "grader/core/files.h"
#include "grader/core/source_root.h"
#include "grader/testing/evidence.h"
#include "grader/testing/report.h"

namespace warpgrade {
namespace {

using nlohmann::json;
using testing::contains;

StudentView view_with_race() {
  StudentView view = testing::shown(testing::wrong_grade(testing::test_lab()));
  view.folder = "my labs/vecadd";
  ReportedFinding& f = view.grade.findings.at(0);
  f.kind = "race-shared";
  f.pitfall = "P22";
  f.column = 5;
  f.other_file = f.file;
  f.other_line = 9;
  return view;
}

std::filesystem::path sarif_schema() {
  return std::filesystem::path(kSourceRoot) /
         "grader/show/report/browser/node_modules/@microsoft/jest-sarif/lib/schemas"
         "/sarif-2.1.0-rtm.5.json";
}

/// What the published schema of SARIF 2.1.0 says is wrong; empty if nothing is.
std::string sarif_problem(const json& document) {
  const json rule = json::parse(read_file(sarif_schema(), std::uint64_t{1} << 22));
  valijson::Schema schema;
  valijson::SchemaParser(valijson::SchemaParser::kDraft4)
      .populateSchema(valijson::adapters::NlohmannJsonAdapter(rule), schema);
  valijson::Validator validator;
  valijson::ValidationResults results;
  if (validator.validate(schema, valijson::adapters::NlohmannJsonAdapter(document), &results)) {
    return {};
  }
  std::string text;
  valijson::ValidationResults::Error error;
  while (results.popError(error)) text += error.description + "\n";
  return text;
}

TEST_CASE("a diagnostic's first line has place, severity, message, kind and pitfall",
          "[diagnostics]") {
  const std::vector<Diagnostic> all = diagnostics_of(view_with_race());
  REQUIRE(!all.empty());
  CHECK(all[0].line() ==
        "my labs/vecadd/vecadd.cu:7:5: error: message of oob-global-write [race-shared, P22]");
  REQUIRE(all[0].other);
  CHECK(all[0].other->line == 9);
}

TEST_CASE("a race within one line has no other place", "[diagnostics]") {
  StudentView view = view_with_race();
  view.grade.findings.at(0).other_line = 7;
  CHECK_FALSE(diagnostics_of(view).at(0).other);
}

TEST_CASE("a finding without a line has no place", "[diagnostics]") {
  StudentView view = view_with_race();
  view.grade.findings.at(0).line = 0;
  CHECK(diagnostics_of(view).at(0).line() ==
        "error: message of oob-global-write [race-shared, P22]");
}

TEST_CASE("a text with newlines is one line, also of a case", "[diagnostics]") {
  StudentView view = view_with_race();
  view.grade.findings.at(0).message = "a\nsecret.cu:1:1: error: b";
  CHECK_FALSE(contains(diagnostics_of(view).at(0).line(), "\n"));
}

TEST_CASE("where a submission does not build, the compiler's errors are what an editor shows",
          "[diagnostics]") {
  StudentView view = view_with_race();
  view.grade.items.at(0).points = 0;
  view.grade.build_log =
      "vecadd.cu(3): warning #177-D: variable \"x\" was declared but never referenced\n"
      "vecadd.cu:9:14: error: use of undeclared identifier 'y'\n";
  const std::vector<Diagnostic> all = diagnostics_of(view);
  REQUIRE(all.size() == 2);
  CHECK(all[0].line().starts_with("my labs/vecadd/vecadd.cu:3:1: warning: variable"));
  CHECK(all[1].line() == "my labs/vecadd/vecadd.cu:9:14: error: use of undeclared identifier 'y'");
}

TEST_CASE("SARIF is valid, and has both sides of a race", "[diagnostics]") {
  const json document = json::parse(as_sarif(view_with_race()));
  const json& result = document.at("runs").at(0).at("results").at(0);
  CHECK(result.at("ruleId") == "race-shared");
  const json& place = result.at("locations").at(0).at("physicalLocation");
  CHECK(place.at("artifactLocation").at("uri") == "my%20labs/vecadd/vecadd.cu");
  CHECK(place.at("region").at("startLine") == 7);
  const json& other = result.at("relatedLocations").at(0).at("physicalLocation");
  CHECK(other.at("region").at("startLine") == 9);
  const json& rules = document.at("runs").at(0).at("tool").at("driver").at("rules");
  CHECK(rules.at(result.at("ruleIndex").get<std::size_t>()).at("id") == "race-shared");
  if (!std::filesystem::exists(sarif_schema()))
    SKIP("no schema of SARIF; scripts/setup installs it");
  CHECK(sarif_problem(document) == "");
}

TEST_CASE("the schema of SARIF refuses what it should", "[diagnostics]") {
  if (!std::filesystem::exists(sarif_schema()))
    SKIP("no schema of SARIF; scripts/setup installs it");
  json document = json::parse(as_sarif(view_with_race()));
  document["runs"][0]["results"][0]["level"] = "catastrophe";
  CHECK_FALSE(sarif_problem(document).empty());
}

TEST_CASE("hidden cases are in no format", "[diagnostics]") {
  Grade grade = testing::wrong_grade(testing::lab_with_hidden());
  const StudentView view = testing::before(grade);
  for (const std::string& text : {as_json(view), as_sarif(view), as_github(view)}) {
    for (const CaseReport& report : grade.cases) {
      if (!report.visible) CHECK_FALSE(contains(text, report.name));
    }
  }
}

TEST_CASE("GitHub's annotations escape what ends a property or a message", "[diagnostics]") {
  StudentView view = view_with_race();
  view.folder = "a,b:c";
  view.grade.findings.at(0).message = "100 % wrong";
  const std::string text = as_github(view);
  CHECK(text.starts_with("::error file=a%2Cb%3Ac/vecadd.cu,line=7,col=5,title="));
  CHECK(contains(text, "::100 %25 wrong%0A"));
}

}  // namespace
}  // namespace warpgrade
